#ifndef TESTS_WORKS_ENDS_H
#define TESTS_WORKS_ENDS_H

/*
 * A hub and a managed cluster, which may be one and the same: both in memory, or real API servers
 * behind a proxy each. All that concerns only one of these is hidden here.
 */

#include "probate/hub/hub.h"

#include "history.h"
#include "support/proxied.h"

enum form {
    HUBS_APART,    /* two in memory, as `probate agent` has it */
    HUBS_TOGETHER, /* one in memory that is both, as `probate serve` has it */
    REAL_APART,
    REAL_TOGETHER,
    FORMS,
};

/* "two hubs in memory"; static. */
const char *form_name(enum form form);
bool form_is_real(enum form form);

struct end {
    struct prb_api *api;          /* borrowed: what the agent calls */
    struct prb_api *direct;       /* borrowed: what the tests call */
    struct prb_hub *hub;          /* owned; NULL: a real API server */
    struct prb_test_proxied real; /* owned, when there is no hub */
};

struct ends {
    enum form form;
    struct end places[2];
    struct end *hub, *spoke; /* of these; the same when they are together */
    struct history *history; /* owned: of the spoke */
};

/* `crds`: folder with the definitions of ManifestWork and AppliedManifestWork. */
int ends_open(struct ends *ends, enum form form, const char *crds, struct prb_error *err);
void ends_close(struct ends *ends);

#endif
