#ifndef PROBATE_KUBE_DECODE_FILTER_H
#define PROBATE_KUBE_DECODE_FILTER_H

/* Which members of an answer are built, for each depth of reading. */

#include "decode.h"

const struct prb_json_filter *prb_kube_filter_object(const struct prb_kube_depth *depth);
const struct prb_json_filter *prb_kube_filter_page(const struct prb_kube_depth *depth);
const struct prb_json_filter *prb_kube_filter_event(const struct prb_kube_depth *depth);
const struct prb_json_filter *prb_kube_filter_removed(void);

#endif
