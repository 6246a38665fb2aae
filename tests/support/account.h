#ifndef TESTS_SUPPORT_ACCOUNT_H
#define TESTS_SUPPORT_ACCOUNT_H

/*
 * A service account of Probate on a real control plane: with exactly the roles and bindings that
 * the chart renders for some values, and with a kubeconfig that has its token. What was made is
 * taken away again in the end.
 */

#include <stdbool.h>
#include <sys/types.h>

#include "probate/base/error.h"
#include "probate/kube/config.h"

#include "support/fault_proxy.h"
#include "support/temp_dir.h"

/* Where the chart is installed, as the account's name: that of the release. */
#define PRB_TEST_RELEASE "probate"
#define PRB_TEST_RELEASE_NAMESPACE "probate-system"

struct prb_test_account {
    const char *admin; /* borrowed: path of the administrator's kubeconfig */
    char name[PRB_TEST_NAME_SIZE];
    char namespace[PRB_TEST_NAME_SIZE];
    char *dir;        /* owned */
    char *manifest;   /* owned: path; what was made for it */
    char *kubeconfig; /* owned: path; Probate's user can read it */
};

struct prb_test_release {
    const char *admin;     /* path of the administrator's kubeconfig; must stay */
    const char *name;      /* NULL: PRB_TEST_RELEASE */
    const char *namespace; /* NULL: PRB_TEST_RELEASE_NAMESPACE; made unless it is there */
    const char *values;    /* of the chart, as YAML */
    const char *more;      /* manifests that are none of the chart's, as YAML; NULL */
};

/* The account of the release's pods. Returns when the API server grants every right in its roles.
 */
int prb_test_account_of_chart(struct prb_test_account *account,
        const struct prb_test_release *release, struct prb_error *err);

/* The same for manifests that somebody else has printed; `values` is not used. */
int prb_test_account_of_manifests(struct prb_test_account *account,
        const struct prb_test_release *release, const char *manifests, struct prb_error *err);

/* Another account, with a kubeconfig DIR/NAME.kubeconfig. */
int prb_test_account_token(const struct prb_test_account *account, const char *name,
        char **ret_kubeconfig, struct prb_error *err);

/* From now on the clients of this proxy are this account. No client may be connected. */
int prb_test_account_take_proxy(const struct prb_test_account *account,
        struct prb_fault_proxy *proxy, struct prb_error *err);

/*
 * Is the process `pid` one that can read this account's kubeconfig, and neither the administrator's
 * nor a key of the control plane beside it? It is not asked but shown: by its user, and by another
 * process of that user. Where the test is not root's: true.
 */
bool prb_test_account_confines(
        const struct prb_test_account *account, pid_t pid, struct prb_error *err);

/* The same in a test, which ends when it is not so. */
#define ASSERT_CONFINED(account, pid)                                                    \
    do {                                                                                 \
        struct prb_error confined_ = { .msg = "" };                                      \
                                                                                         \
        TEST_ASSERT_TRUE_MESSAGE(                                                        \
                prb_test_account_confines((account), (pid), &confined_), confined_.msg); \
    } while (0)

/* What was made for it goes. An account that was never made (all zero) is fine. */
void prb_test_account_done(struct prb_test_account *account);

/* Wait until every right in the roles of `manifests` is granted to the account. (account_grant.c)
 */
int prb_test_account_await(
        const struct prb_test_account *account, const char *manifests, struct prb_error *err);

#endif
