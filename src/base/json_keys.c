/*
 * Is this one of the member names that nearly every object carries? Those are kept once, here,
 * and not once per object: a cache of ten thousand objects saves several megabytes.
 */

#include <string.h>

#include "json_internal.h"

/* Longest name below; the table has a row for each length. */
#define KEY_MAX 26

/* Most names of one length. */
#define NAMES_MAX 12

static const char *const by_length[KEY_MAX + 1][NAMES_MAX] = {
    [2] = { "op", "ip" },
    [3] = { "uid", "key", "env" },
    [4] = { "kind", "name", "spec", "type", "time", "rule", "data", "port", "path" },
    [5] = { "items", "group", "value", "image", "verbs", "rules", "ports", "roles", "state" },
    [6] = { "status", "labels", "reason", "object", "fields", "effect", "values", "limits" },
    [7] = { "manager", "message", "version", "request", "allowed", "volumes" },
    [8] = { "metadata", "fieldsV1", "replicas", "selector", "operator", "protocol", "resource",
            "template", "continue", "userInfo", "username", "requests" },
    [9] = { "namespace", "manifests", "operation", "oldObject", "resources", "mountPath" },
    [10] = { "apiVersion", "finalizers", "generation", "controller", "conditions", "containers",
            "fieldsType" },
    [11] = { "annotations", "matchLabels", "subresource", "matchFields", "tolerations" },
    [12] = { "generateName", "deleteOption" },
    [13] = { "managedFields" },
    [15] = { "ownerReferences", "resourceVersion" },
    [17] = { "creationTimestamp", "deletionTimestamp", "propagationPolicy" },
    [18] = { "observedGeneration", "lastTransitionTime" },
    [26] = { "deletionGracePeriodSeconds" },
};

const char *prb_json_common_key(const char *key, size_t len)
{
    if (len > KEY_MAX)
        return NULL;
    for (size_t i = 0; i < NAMES_MAX && by_length[len][i]; i++) {
        const char *name = by_length[len][i];

        if (strncmp(name, key, len) == 0 && name[len] == '\0')
            return name;
    }
    return NULL;
}
