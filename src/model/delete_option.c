/* What of a ManifestWork is to stay on the managed cluster, in whichever spelling it is said? */

#include "probate/model/delete_option.h"

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "text.h"

static bool is_null(const struct json_object *value)
{
    return json_object_is_type(value, json_type_null);
}

/* ---- one rule ---- */

/* A member of a rule by either of its names; the API's wins. */
static const struct json_object *member(
        const struct json_object *source, const char *name, const char *other)
{
    const struct json_object *value = prb_json_find(source, name);

    return is_null(value) && other ? prb_json_find(source, other) : value;
}

static const char *read_field(
        struct prb_orphan_rule *rule, enum prb_orphan_field field, const struct json_object *value)
{
    if (!is_null(value) && !prb_json_string(value))
        rule->mistyped |= field;
    return or_empty(prb_json_string(value));
}

static void read_rule(const struct json_object *source, struct prb_orphan_rule *rule)
{
    if (!json_object_is_type(source, json_type_object))
        rule->mistyped = PRB_RULE_ITSELF;
    rule->group = read_field(rule, PRB_RULE_GROUP, member(source, "group", NULL));
    rule->resource = read_field(rule, PRB_RULE_RESOURCE, member(source, "resource", NULL));
    rule->namespace =
            read_field(rule, PRB_RULE_NAMESPACE, member(source, "namespace", "resourceNamespace"));
    rule->name = read_field(rule, PRB_RULE_NAME, member(source, "name", "resourceName"));
    if (rule->mistyped)
        rule->odd = prb_json_text(source, true);
}

bool prb_orphan_rule_names(const struct prb_orphan_rule *rule, const char *group,
        const char *resource, const char *namespace, const char *name)
{
    return !rule->mistyped && prb_streq(rule->name, name) && prb_streq(rule->resource, resource) &&
           prb_streq(rule->group, group) && prb_streq(rule->namespace, namespace);
}

/* ---- the whole ---- */

/* Is it there, and is it of this type? What is there and is not becomes a misfit. */
static bool fits(struct prb_delete_option *option, const struct json_object *value,
        enum json_type type, const char *field)
{
    if (is_null(value))
        return false;
    if (json_object_is_type(value, type))
        return true;
    option->misfits[option->misfit_count++] = (struct prb_misfit){
        .field = field,
        .wanted = type == json_type_array ? "a list" : "a map",
        .value = value,
    };
    return false;
}

static void add_rules(
        struct prb_delete_option *option, const struct json_object *list, const char *path)
{
    size_t count = prb_json_len(list);

    option->rules =
            prb_realloc(option->rules, option->rule_count + count + 1, sizeof(*option->rules));
    for (size_t i = 0; i < count; i++) {
        const struct json_object *source = prb_json_elem(list, i);
        struct prb_orphan_rule *rule = &option->rules[option->rule_count++];

        *rule = (struct prb_orphan_rule){ .list = path, .index = i };
        read_rule(source, rule);
        if (prb_json_has(source, "resourceName") || prb_json_has(source, "resourceNamespace"))
            option->other_spelling = true;
    }
}

/* One of the two keys, with its list directly below or as the API has it. */
struct spelling {
    const char *key, *field, *nested, *nested_field;
    bool other;
};

static const struct spelling spellings[PRB_MISFITS_MAX] = {
    { "selectivelyOrphans", "spec.deleteOption.selectivelyOrphans",
            "selectivelyOrphans.orphaningRules",
            "spec.deleteOption.selectivelyOrphans.orphaningRules", false },
    { "selectivelyOrphan", "spec.deleteOption.selectivelyOrphan",
            "selectivelyOrphan.orphaningRules",
            "spec.deleteOption.selectivelyOrphan.orphaningRules", true },
};

static void read_rules(struct prb_delete_option *option, const struct json_object *source,
        const struct spelling *spelling)
{
    const struct json_object *block = prb_json_find(source, spelling->key);
    const struct json_object *list = prb_json_find(block, "orphaningRules");

    if (json_object_is_type(block, json_type_array)) {
        option->other_spelling = true;
        add_rules(option, block, spelling->key);
        return;
    }
    if (!fits(option, block, json_type_object, spelling->field))
        return;
    option->other_spelling |= spelling->other;
    if (fits(option, list, json_type_array, spelling->nested_field))
        add_rules(option, list, spelling->nested);
}

static enum prb_orphaning read_policy(const struct json_object *policy)
{
    static const char *const names[] = {
        [PRB_ORPHAN_NOTHING] = "Foreground",
        [PRB_ORPHAN_ALL] = "Orphan",
        [PRB_ORPHAN_SELECTED] = "SelectivelyOrphan",
    };

    if (is_null(policy))
        return PRB_ORPHAN_NOTHING;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (prb_streq(names[i], prb_json_string(policy)))
            return (enum prb_orphaning)i;
    }
    return PRB_ORPHAN_UNKNOWN;
}

void prb_delete_option_read(const struct prb_object *work, struct prb_delete_option *ret)
{
    const struct json_object *source =
            prb_json_find(work ? prb_object_spec(work) : NULL, "deleteOption");

    *ret = (struct prb_delete_option){ .orphaning = PRB_ORPHAN_NOTHING };
    if (!fits(ret, source, json_type_object, "spec.deleteOption"))
        return;
    ret->policy = prb_json_find(source, "propagationPolicy");
    ret->orphaning = read_policy(ret->policy);
    for (size_t i = 0; i < PRB_MISFITS_MAX; i++)
        read_rules(ret, source, &spellings[i]);
}

void prb_delete_option_done(struct prb_delete_option *option)
{
    for (size_t i = 0; i < option->rule_count; i++)
        free(option->rules[i].odd);
    free(option->rules);
    *option = (struct prb_delete_option){ .rules = NULL };
}
