/* Which manifests of a work does an orphaning rule name? */

#include "manifest_match.h"

#include "probate/base/str.h"

struct manifest {
    char group[PRB_GROUP_SIZE];
    const char *kind; /* borrowed, as all here */
    const char *namespace;
    const char *name;
};

void prb_manifests_init(struct prb_manifests *manifests, const struct prb_object *work)
{
    const struct json_object *spec = work ? prb_object_spec(work) : NULL;

    manifests->list = prb_json_arr(prb_json_obj(spec, "workload"), "manifests");
    manifests->pairs_left = PRB_MATCH_PAIRS_MAX;
}

/* False for what is no object with a kind and a name: no rule can name it. */
static bool read_manifest(const struct json_object *source, struct manifest *ret)
{
    const struct json_object *metadata = prb_json_obj(source, "metadata");
    const char *api_version = prb_json_str(source, "apiVersion");
    const char *namespace = prb_json_str(metadata, "namespace");
    char version[PRB_VERSION_SIZE];

    ret->kind = prb_json_str(source, "kind");
    ret->name = prb_json_str(metadata, "name");
    ret->namespace = namespace ? namespace : "";
    return ret->kind && ret->name && api_version &&
           prb_api_version_parse(api_version, ret->group, version);
}

/*
 * Does all but the kind fit? Of a kind that has no namespaces the manifest may name one all the
 * same, and then the rule must not.
 */
static bool may_name(const struct prb_orphan_rule *rule, const struct json_object *source,
        struct manifest *manifest)
{
    /* The name decides nearly always: look at the rest only then. */
    if (!prb_streq(rule->name, prb_json_str(prb_json_obj(source, "metadata"), "name")) ||
            !read_manifest(source, manifest))
        return false;
    return prb_streq(rule->group, manifest->group) &&
           (rule->namespace[0] == '\0' || prb_streq(rule->namespace, manifest->namespace));
}

void prb_manifests_ask(struct prb_manifests *manifests, const struct prb_orphan_rule *rule,
        struct prb_questions *out)
{
    size_t count = prb_json_len(manifests->list);
    struct manifest manifest;

    for (size_t i = 0; i < count && manifests->pairs_left > 0; i++) {
        manifests->pairs_left--;
        if (may_name(rule, prb_json_elem(manifests->list, i), &manifest))
            prb_ask_resource(out, manifest.group, manifest.kind);
    }
}

static bool could_be(const struct prb_orphan_rule *rule, const struct manifest *manifest,
        const struct prb_questions *answers)
{
    const struct prb_question *answer =
            prb_answer_resource(answers, manifest->group, manifest->kind);

    if (!answer || answer->state != PRB_PRESENT)
        return true;
    return prb_orphan_rule_names(rule, manifest->group, answer->resource,
            answer->namespaced ? manifest->namespace : "", manifest->name);
}

bool prb_manifests_lack(struct prb_manifests *manifests, const struct prb_orphan_rule *rule,
        const struct prb_questions *answers)
{
    size_t count = prb_json_len(manifests->list);
    struct manifest manifest;

    for (size_t i = 0; i < count; i++) {
        if (manifests->pairs_left == 0)
            return false;
        manifests->pairs_left--;
        if (may_name(rule, prb_json_elem(manifests->list, i), &manifest) &&
                could_be(rule, &manifest, answers))
            return false;
    }
    return true;
}
