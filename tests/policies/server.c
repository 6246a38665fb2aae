/* Where do the rows find real API servers? */

#include "server.h"

#include <stdio.h>
#include <stdlib.h>

#include "probate/base/str.h"

#include "support/cluster.h"

static int start(struct server *server, struct prb_error *err)
{
    const char *given = getenv("PROBATE_TEST_POLICIES_KUBECONFIG"); /* NOLINT(concurrency-*) */
    const char *dir = getenv("PROBATE_TEST_POLICIES_DIR");          /* NOLINT(concurrency-*) */
    struct prb_error ignored;

    if (given)
        return prb_copy(server->kubeconfig, sizeof(server->kubeconfig), given)
                       ? 0
                       : prb_fail(err, PRB_E_INVALID, "the path is too long");
    if (!dir || !prb_copy(server->dir, sizeof(server->dir), dir))
        return prb_fail(err, PRB_E_INVALID, "PROBATE_TEST_POLICIES_DIR is not set to a folder");
    (void)snprintf(server->kubeconfig, sizeof(server->kubeconfig), "%.4000s/hub/kubeconfig", dir);

    /* What a run left over that was itself killed. */
    (void)prb_test_cluster_do(dir, "down", &ignored);
    server->is_own = true;
    return prb_test_cluster_do(dir, "up", err);
}

int server_open(struct server *server, const char *crds, struct prb_error *err)
{
    prb_auto(prb_kube_config_free) struct prb_kube_config *config = NULL, *shared = NULL;

    *server = (struct server){ .is_own = false };
    if (start(server, err) < 0 ||
            prb_kube_config_load(server->kubeconfig, NULL, &config, err) < 0 ||
            prb_test_cluster_config(&shared, err) < 0 ||
            place_open(&server->place, config, crds, err) < 0)
        return err->code;
    return place_open(&server->other, shared, crds, err);
}

void server_close(struct server *server)
{
    struct prb_error err;

    place_close(&server->other);
    place_close(&server->place);
    if (server->is_own)
        (void)prb_test_cluster_do(server->dir, "down", &err);
}
