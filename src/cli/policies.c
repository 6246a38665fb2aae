/* Whose ConfigurationPolicies are carried out? */

#include "probate/cli/policies.h"

#include <string.h>

#include "probate/base/mem.h"
#include "probate/model/ref.h"

#define LETTERS "abcdefghijklmnopqrstuvwxyz0123456789"

/* A DNS label, as every namespace is one. */
static bool is_label(const char *text)
{
    size_t len = strlen(text);

    return len > 0 && len < PRB_NAMESPACE_SIZE && strspn(text, LETTERS "-") == len &&
           text[0] != '-' && text[len - 1] != '-';
}

int prb_policies_choose(const struct prb_policy_flags *flags, const char *cluster_name, char **ret,
        struct prb_error *err)
{
    const char *name = flags->namespace ? flags->namespace : cluster_name;

    if (name && !is_label(name))
        return prb_fail(err, PRB_E_INVALID,
                "--policy-namespace: \"%s\" is no name of a namespace: that is 1 to 63 lower-case "
                "letters, digits and '-', with a letter or digit at both ends",
                name);
    *ret = name ? prb_strdup(name) : NULL;
    return 0;
}
