#ifndef PROBATE_MODEL_STORE_INTERNAL_H
#define PROBATE_MODEL_STORE_INTERNAL_H

/* How a view holds a store still. */

#include "probate/model/store.h"

#include "contents.h"

void prb_store_lock(struct prb_store *store); /* for reading */
void prb_store_unlock(struct prb_store *store);

/* Only while locked. */
const struct prb_contents *prb_store_contents(const struct prb_store *store);

#endif
