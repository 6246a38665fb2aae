#ifndef TESTS_CLAIMS_ACCOUNT_H
#define TESTS_CLAIMS_ACCOUNT_H

/* Probate's own account on the control plane, with exactly the rights that it prints. */

#include "../e2e/kubectl.h"

#define ACCOUNT_NAMESPACE "probate-system"

struct account {
    const struct kubectl *kubectl; /* borrowed: the administrator's */
    char *dir;                     /* owned */
    char *kubeconfig;              /* owned: path */
};

/* False, with the reason in `why` (PRB_TEST_WHY_SIZE). */
bool account_make(struct account *account, const struct kubectl *kubectl, char *why);
void account_done(struct account *account);

#endif
