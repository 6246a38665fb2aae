#ifndef PROBATE_ADMISSION_REVIEW_FILTER_INTERNAL_H
#define PROBATE_ADMISSION_REVIEW_FILTER_INTERNAL_H

/* Which members of a review are built; shared by the files of the codec. */

#include "probate/admission/review.h"

/* The filter of the whole review; borrowed from the reader. */
const struct prb_json_filter *prb_review_filter(const struct prb_review_reader *reader);

#endif
