#ifndef TESTS_ADVERSARY_LINE_H
#define TESTS_ADVERSARY_LINE_H

/*
 * A port to a port, for one life of Probate: when it is interrupted its own calls end, and nobody
 * else's. Probate interrupts its port when it ends, and the API server in memory goes on.
 */

#include "probate/api/api.h"

/* Never fails. `to` is borrowed. Close with prb_api_close. */
struct prb_api *line_open(struct prb_api *to);

#endif
