#ifndef TESTS_CLAIMS_ACCOUNT_H
#define TESTS_CLAIMS_ACCOUNT_H

/*
 * Probate's own account on the control plane, with exactly the rights that the chart gives it for
 * the kinds of the stage; from then on the program is a user's process who can read nothing of the
 * administrator's.
 */

#include "../e2e/kubectl.h"
#include "support/account.h"

#define ACCOUNT_NAMESPACE PRB_TEST_RELEASE_NAMESPACE

struct account {
    struct prb_test_account chart;
    const char *kubeconfig; /* borrowed: path */
};

/* False, with the reason in `why` (PRB_TEST_WHY_SIZE). `kubectl` is the administrator's. */
bool account_make(struct account *account, const struct kubectl *kubectl, char *why);
void account_done(struct account *account);

#endif
