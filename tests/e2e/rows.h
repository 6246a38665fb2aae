#ifndef TESTS_E2E_ROWS_H
#define TESTS_E2E_ROWS_H

/* The table of end-to-end cases, by what they are about. */

#include "row.h"

extern const struct rows rows_definitions; /* the CRDs themselves */
extern const struct rows rows_cluster;     /* clusters that live, go, or are not there */
extern const struct rows rows_addon;       /* works of addons in a cluster that goes */
extern const struct rows rows_orphan;      /* orphan settings that are in order, or not */
extern const struct rows rows_idle;        /* orphaning rules that have no effect */
extern const struct rows rows_frozen;      /* works that are being deleted */
extern const struct rows rows_stored;      /* what was there before Probate */
extern const struct rows rows_policy;
extern const struct rows rows_claim;
extern const struct rows rows_request; /* ways to send a request */
extern const struct rows rows_mode;    /* warn, audit, and rules that are off */
extern const struct rows rows_trouble; /* when Probate cannot do its work */

#endif
