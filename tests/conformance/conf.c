/* How does a row say that something is not as it should be? */

#include "conf.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "probate/base/str.h"

const struct conf_kind conf_configmap = {
    .gvr = { .group = "", .version = "v1", .resource = "configmaps" },
    .kind = "ConfigMap",
    .namespaced = true,
};
const struct conf_kind conf_namespace = {
    .gvr = { .group = "", .version = "v1", .resource = "namespaces" },
    .kind = "Namespace",
};
const struct conf_kind conf_clusterrole = {
    .gvr = { .group = "rbac.authorization.k8s.io", .version = "v1", .resource = "clusterroles" },
    .kind = "ClusterRole",
};
const struct conf_kind conf_crd = {
    .gvr = { .group = "apiextensions.k8s.io",
            .version = "v1",
            .resource = "customresourcedefinitions" },
    .kind = "CustomResourceDefinition",
};

const struct conf_kind conf_lease = {
    .gvr = { .group = "coordination.k8s.io", .version = "v1", .resource = "leases" },
    .kind = "Lease",
    .namespaced = true,
};
const struct conf_kind conf_webhooks = {
    .gvr = { .group = "admissionregistration.k8s.io",
            .version = "v1",
            .resource = "validatingwebhookconfigurations" },
    .kind = "ValidatingWebhookConfiguration",
};
const struct conf_kind conf_budget = {
    .gvr = { .group = "policy", .version = "v1", .resource = "poddisruptionbudgets" },
    .kind = "PodDisruptionBudget",
    .namespaced = true,
};

int conf_skip(struct conf *c, const char *reason, ...)
{
    char text[PRB_TEST_WHY_SIZE];
    va_list args;

    va_start(args, reason);
    (void)vsnprintf(text, sizeof(text), reason, args);
    va_end(args);
    prb_test_table_skip(c->why, "%s", text);
    return 0;
}

int conf_fail(struct conf *c, int line, const char *fmt, ...)
{
    va_list args;
    int len;

    if (c->why[0])
        return -1;
    len = snprintf(c->why, PRB_TEST_WHY_SIZE, "line %d: ", line);
    va_start(args, fmt);
    (void)vsnprintf(c->why + len, PRB_TEST_WHY_SIZE - (size_t)len, fmt, args);
    va_end(args);
    return -1;
}

int conf_check_code(struct conf *c, int line, const char *text, enum prb_errc want, int got)
{
    if (got == (int)want)
        return 0;
    return conf_fail(c, line, "%s: %s instead of %s: %s", text, prb_errc_name((enum prb_errc)got),
            prb_errc_name(want), got == 0 ? "" : c->err.msg);
}

int conf_check_str(struct conf *c, int line, const char *text, const char *want, const char *got)
{
    if (prb_streq(want, got))
        return 0;
    return conf_fail(c, line, "%s is '%s' instead of '%s'", text, got ? got : "(none)",
            want ? want : "(none)");
}

int conf_check_int(struct conf *c, int line, const char *text, int64_t want, int64_t got)
{
    if (want == got)
        return 0;
    return conf_fail(c, line, "%s is %" PRId64 " instead of %" PRId64, text, got, want);
}
