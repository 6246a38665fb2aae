/* As whom does Probate speak to the API server, and what may it do? */

#include "account.h"

#include <stdio.h>

#include "../cli/program.h"
#include "stage.h"
#include "support/table.h"

/* The kinds that values have to name, and no others. */
static const char values[] =
        "{controllers: {claims: true, critical-service: false, deletion-watch: false, "
        "cluster-deletion: false}, rules: {manifestwork-orphan: 'off', cluster-lifecycle: 'off', "
        "policy-prune: 'off', critical-service: 'off'}, claimResources: [networks." GROUP
        ", sites." GROUP "], compositeResources: [xnetworks." GROUP ", xsites." GROUP
        ", xsubnets." GROUP "], composedResources: [buckets." GROUP "]}";

bool account_make(struct account *account, const struct kubectl *kubectl, char *why)
{
    struct prb_error err = { .msg = "the program cannot be run as another user" };

    *account = (struct account){ .kubeconfig = NULL };
    if (program_go_outside() &&
            prb_test_account_of_chart(&account->chart,
                    &(struct prb_test_release){ .admin = kubectl->kubeconfig, .values = values },
                    &err) == 0) {
        account->kubeconfig = account->chart.kubeconfig;
        return true;
    }
    (void)snprintf(why, PRB_TEST_WHY_SIZE, "account: %.800s", err.msg);
    return false;
}

void account_done(struct account *account)
{
    prb_test_account_done(&account->chart);
}
