#ifndef PROBATE_RECONCILERS_CRITICAL_SERVICE_H
#define PROBATE_RECONCILERS_CRITICAL_SERVICE_H

/* What the command line decides for prb_reconciler_critical_service; without settings nothing. */

#include <stddef.h>

/* So begins what a CriticalService waits for when its provider goes, or is gone, although criteria
 * are unmet. */
#define PRB_CRITICAL_DEAD "without a controller: "

struct prb_critical_settings {
    /* Namespaces in which no rule has a say, beside those that the registration leaves out.
     * Borrowed. */
    const char *const *exempt_namespaces;
    size_t exempt_count;
};

#endif
