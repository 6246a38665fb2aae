#ifndef TESTS_SUPPORT_INFORMERS_H
#define TESTS_SUPPORT_INFORMERS_H

/* Informers of a test, and their first lists. */

#include <stdbool.h>

#include "probate/control/informer.h"

/* Wait until all is read that can be; false when the time is over: prb_test_awaited names those
 * that are not, and why. For informers on any clock. */
bool prb_test_await_synced(struct prb_informers *set, int base_ms);

#endif
