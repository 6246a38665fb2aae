/* How is a resource of a work to be kept up to date, and is it deleted with the work? */

#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "manifest_internal.h"
#include "text.h"

static const char *const types[] = {
    [PRB_UPDATE] = "Update",
    [PRB_CREATE_ONLY] = "CreateOnly",
    [PRB_SERVER_SIDE_APPLY] = "ServerSideApply",
    [PRB_READ_ONLY] = "ReadOnly",
};

static enum prb_update_strategy read_type(const struct json_object *strategy)
{
    const char *text = prb_json_str(strategy, "type");

    if (!prb_json_find(strategy, "type"))
        return PRB_UPDATE;
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        if (prb_streq(types[i], text))
            return (enum prb_update_strategy)i;
    }
    return PRB_UPDATE_UNKNOWN;
}

static void doubt(struct prb_manifest_config *config, const char *trouble)
{
    config->strategy = PRB_UPDATE_UNKNOWN;
    config->trouble = trouble;
}

static void read_apply(const struct json_object *options, struct prb_manifest_config *ret)
{
    const struct json_object *ignored = prb_json_find(options, "ignoreFields");

    ret->field_manager = or_empty(prb_json_str(options, "fieldManager"));
    (void)prb_json_bool(options, "force", &ret->force);
    if (ignored && !(json_object_is_type(ignored, json_type_array) && prb_json_len(ignored) == 0))
        doubt(ret, "updateStrategy.serverSideApply.ignoreFields is not supported yet, so it is "
                   "not applied");
}

static void read_strategy(const struct json_object *strategy, struct prb_manifest_config *ret)
{
    ret->strategy = read_type(strategy);
    if (!json_object_is_type(strategy, json_type_object) || ret->strategy == PRB_UPDATE_UNKNOWN)
        doubt(ret, "updateStrategy.type is none of Update, CreateOnly, ServerSideApply, ReadOnly, "
                   "so it is not applied");
    if (ret->strategy == PRB_SERVER_SIDE_APPLY)
        read_apply(prb_json_obj(strategy, "serverSideApply"), ret);
}

void prb_manifest_configs_read(const struct json_object *list, struct prb_manifest_work *ret)
{
    ret->configs = prb_calloc(prb_json_len(list) + 1, sizeof(*ret->configs));
    for (size_t i = 0; i < prb_json_len(list); i++) {
        const struct json_object *source = prb_json_elem(list, i);
        const struct json_object *who = prb_json_obj(source, "resourceIdentifier");
        const struct json_object *strategy = prb_json_find(source, "updateStrategy");
        struct prb_manifest_config config = { .field_manager = "", .trouble = "" };

        if (!who || !strategy)
            continue;
        config.group = or_empty(prb_json_str(who, "group"));
        config.resource = or_empty(prb_json_str(who, "resource"));
        config.namespace = or_empty(prb_json_str(who, "namespace"));
        config.name = or_empty(prb_json_str(who, "name"));
        read_strategy(strategy, &config);
        ret->configs[ret->config_count++] = config;
    }
}

/* Greedy, going back to the last star only: linear but for what lies between two stars. */
bool prb_manifest_pattern_matches(const char *pattern, const char *text)
{
    const char *star = NULL, *from = text;

    while (*text) {
        if (*pattern == '*') {
            star = ++pattern;
            from = text;
        } else if (*pattern == *text) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star;
            text = ++from;
        } else {
            return false;
        }
    }
    return pattern[strspn(pattern, "*")] == '\0';
}

const struct prb_manifest_config *prb_manifest_work_config(const struct prb_manifest_work *work,
        const char *group, const char *resource, const char *namespace, const char *name)
{
    for (size_t i = 0; i < work->config_count; i++) {
        const struct prb_manifest_config *config = &work->configs[i];

        if (prb_streq(config->group, group) && prb_streq(config->resource, resource) &&
                prb_manifest_pattern_matches(config->namespace, namespace) &&
                prb_manifest_pattern_matches(config->name, name))
            return config;
    }
    return NULL;
}

/* A rule with a value of a wrong type may name anything: better to keep all than to guess. */
static bool is_understood(const struct prb_delete_option *option)
{
    if (option->orphaning == PRB_ORPHAN_UNKNOWN || option->misfit_count > 0)
        return false;
    for (size_t i = 0; option->orphaning == PRB_ORPHAN_SELECTED && i < option->rule_count; i++) {
        if (option->rules[i].mistyped)
            return false;
    }
    return true;
}

bool prb_delete_option_owns(const struct prb_delete_option *option, const char *group,
        const char *resource, const char *namespace, const char *name)
{
    if (!is_understood(option) || option->orphaning == PRB_ORPHAN_ALL)
        return false;
    if (option->orphaning == PRB_ORPHAN_NOTHING)
        return true;
    for (size_t i = 0; i < option->rule_count; i++) {
        if (prb_orphan_rule_names(&option->rules[i], group, resource, namespace, name))
            return false;
    }
    return true;
}
