#ifndef TESTS_LIFECYCLE_REPLICA_H
#define TESTS_LIFECYCLE_REPLICA_H

/*
 * A replica as far as certificates and self-tests go: the keeper on its thread, and an admission
 * server that answers self-tests, joined over a real API server. In this process, so that a test
 * can say how long a CA lives.
 */

#include <stdatomic.h>

#include "probate/admission/server.h"
#include "probate/kube/kube.h"

#include "keeper.h"

/* Where replicas work, under names of their own. */
struct stage {
    struct prb_kube_config *config;
    char namespace[64];
    char configuration[64];
    char *secret; /* owned: "NAMESPACE/NAME" */
    struct prb_list names;
    struct prb_rule_choice choice;
    const struct prb_ca_policy *policy;
};

struct replica {
    struct stage *stage; /* borrowed */
    struct prb_api *api; /* owned, as all below */
    struct prb_keeper *keeper;
    struct prb_tls *tls;
    struct prb_review_reader *reader;
    struct prb_asker *asker;
    struct prb_store *store;
    struct prb_judge judge;
    struct prb_engine engine;
    struct prb_server *server;
    _Atomic bool leads;
};

/* False, with the reason in `err`. */
bool replica_start(struct replica *replica, struct stage *stage, struct prb_error *err);
void replica_stop(struct replica *replica);

#endif
