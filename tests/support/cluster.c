/* Where is the real API server, and how is it started and killed? */

#include "support/cluster.h"

#include <limits.h>
#include <stdlib.h>

#include "probate/base/str.h"

#include "support/process.h"
#include "support/wait.h"

#define NAME "hub"

/* The script waits for the API server, then for the controllers, and says which did not come. It
 * is to be the first that gives up. */
#define SCRIPT_MS (3 * PRB_TEST_LONG_MS)

static int script(const char **ret, struct prb_error *err)
{
    *ret = getenv("PROBATE_TEST_CLUSTER"); /* NOLINT(concurrency-mt-unsafe): set before main */
    return *ret ? 0
                : prb_fail(err, PRB_E_INVALID,
                          "PROBATE_TEST_CLUSTER is not set to the path of scripts/cluster");
}

/* Run the script on the cluster in `dir` (NULL: the shared one). */
static int run(const char *dir, const char *verb, char *output, size_t size, struct prb_error *err)
{
    const char *path;
    int code;

    if (script(&path, err) < 0)
        return err->code;
    code = prb_test_run(
            &(struct prb_test_command){ .argv = (const char *[]){ path, verb, NAME, NULL },
                    .env = dir ? (const char *[]){ "PROBATE_CLUSTER_DIR", dir, NULL } : NULL,
                    .patience_ms = SCRIPT_MS },
            output, size);
    return code == 0 ? 0
                     : prb_fail(err, PRB_E_UNAVAILABLE, "scripts/cluster %s: exit %d", verb, code);
}

static int load(const char *dir, struct prb_kube_config **ret, struct prb_error *err)
{
    char path[PATH_MAX];

    if (run(dir, "kubeconfig", path, sizeof(path), err) < 0)
        return err->code;
    return prb_kube_config_load(path, NULL, ret, err);
}

int prb_test_cluster_config(struct prb_kube_config **ret, struct prb_error *err)
{
    const char *path =
            getenv("PROBATE_TEST_KUBECONFIG"); /* NOLINT(concurrency-mt-unsafe): as above */

    if (path && *path)
        return prb_kube_config_load(path, NULL, ret, err);
    if (load(NULL, ret, err) < 0)
        return prb_wrap(err, "no control plane (start one: scripts/cluster up " NAME ")");
    return 0;
}

int prb_test_cluster_do(const char *dir, const char *verb, struct prb_error *err)
{
    return run(dir, verb, NULL, 0, err);
}

int prb_test_cluster_config_in(const char *dir, struct prb_kube_config **ret, struct prb_error *err)
{
    return load(dir, ret, err);
}
