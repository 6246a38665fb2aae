/* How does a row say that something is not as it should be? */

#include "conf.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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
