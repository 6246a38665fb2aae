/* As whom does Probate speak to the API server, and what may it do? */

#include "account.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probate/base/file.h"
#include "probate/base/mem.h"
#include "probate/base/yaml.h"

#include "../cli/program.h"
#include "stage.h"
#include "support/table.h"
#include "support/temp_dir.h"

/* A kubeconfig has certificates of some KB. */
#define FILE_MAX ((size_t)64 * 1024)

static bool fail(char *why, const char *what, const char *text)
{
    (void)snprintf(why, PRB_TEST_WHY_SIZE, "%.100s: %.800s", what, text);
    return false;
}

static bool run(const struct account *account, const char *command, const char *input, char *why,
        char **ret_text)
{
    prb_auto(kubectl_answer_done) struct kubectl_answer answer = { 0 };

    kubectl_run(account->kubectl, ACCOUNT_NAMESPACE, command, input, &answer);
    if (answer.exit != 0)
        return fail(why, command, answer.text);
    if (ret_text)
        *ret_text = prb_strdup(answer.text);
    return true;
}

/* The kinds that flags have to name, and no others. */
static bool grant(const struct account *account, char *why)
{
    prb_autofree char *rights = NULL;
    int exit = program_run(
            (const char *const[]){ "manifest", "rbac", "--controllers", "claims", "--rules",
                    "claim-delete-policy", "--claim-resource", "networks." GROUP ",sites." GROUP,
                    "--composite-resource", "xnetworks." GROUP ",xsites." GROUP ",xsubnets." GROUP,
                    "--composed-resource", "buckets." GROUP, NULL },
            NULL, &rights);

    return exit == 0 ? run(account, "apply --validate=false", rights, why, NULL)
                     : fail(why, "manifest rbac", rights);
}

/* The administrator's, with another user in it. */
static bool write_kubeconfig(struct account *account, const char *token, char *why)
{
    const char *from = account->kubectl->kubeconfig;
    prb_auto(prb_json_free) struct json_object *config = NULL;
    prb_autofree char *text = NULL, *changed = NULL;
    struct json_object *user;
    struct prb_error err;
    size_t len;

    if (prb_file_read(from, FILE_MAX, &text, &len, &err) < 0 ||
            prb_yaml_parse(text, len, &config, &err) < 0)
        return fail(why, from, err.msg);
    user = json_object_new_object();
    prb_json_set_str(user, "token", token);
    prb_json_set(prb_json_elem(prb_json_arr(config, "users"), 0), "user", user);
    changed = prb_json_text(config, false);
    account->dir = prb_test_temp_dir();
    account->kubeconfig = prb_asprintf("%s/kubeconfig", account->dir);
    return prb_file_write(account->kubeconfig, changed, strlen(changed), 0600, &err) == 0 ||
           fail(why, account->kubeconfig, err.msg);
}

bool account_make(struct account *account, const struct kubectl *kubectl, char *why)
{
    prb_autofree char *token = NULL;

    *account = (struct account){ .kubectl = kubectl };
    if (!run(account, "create namespace " ACCOUNT_NAMESPACE, NULL, why, NULL) ||
            !run(account, "create serviceaccount probate", NULL, why, NULL) ||
            !grant(account, why) || !run(account, "create token probate", NULL, why, &token))
        return false;
    token[strcspn(token, "\n")] = '\0';
    return write_kubeconfig(account, token, why);
}

void account_done(struct account *account)
{
    free(account->kubeconfig);
    prb_test_temp_dir_remove(prb_take(account->dir));
    *account = (struct account){ .kubectl = NULL };
}
