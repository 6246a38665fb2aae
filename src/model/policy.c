/* What does a ConfigurationPolicy ask for, and what of it is not supported? */

#include "probate/model/policy.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

/* Hidden in a text, this is a program that nobody here can run. */
#define GO_TEMPLATE "{{"

/* The hub begins a value with this that it has encrypted for the cluster; the key is in a Secret
 * that Probate does not read. Written as it is, it would replace the value it stands for. */
#define ENCRYPTED "$ocm_encrypted:"

#define NOT_SUPPORTED " is not supported yet: nothing is done because of this template"

static const char *or_empty(const char *text)
{
    return text ? text : "";
}

static bool is_word(const char *text, const char *word)
{
    return text && strcasecmp(text, word) == 0;
}

__attribute__((format(printf, 2, 3))) static void refuse(
        struct prb_policy_template *template, const char *fmt, ...)
{
    va_list args;

    if (template->defect[0] != '\0')
        return;
    va_start(args, fmt);
    (void)vsnprintf(template->defect, sizeof(template->defect), fmt, args);
    va_end(args);
}

/*
 * Is the mark in any text or member name of it? JSON has neither mark outside of texts, and escapes
 * nothing that is in one.
 */
static bool has_mark(const struct json_object *tree, const char *mark)
{
    prb_autofree char *text = tree ? prb_json_text(tree, false) : NULL;

    return text && strstr(text, mark);
}

/* ---- one template ---- */

static void read_type(const struct json_object *raw, struct prb_policy_template *ret)
{
    const char *type = prb_json_str(raw, "complianceType");

    if (is_word(type, "mustnothave"))
        ret->type = PRB_MUST_NOT_HAVE;
    else if (is_word(type, "mustonlyhave"))
        refuse(ret, "complianceType %s" NOT_SUPPORTED, type);
    else if (!is_word(type, "musthave"))
        refuse(ret, "complianceType is neither musthave nor mustnothave");
    type = prb_json_str(raw, "metadataComplianceType");
    if (is_word(type, "mustonlyhave"))
        refuse(ret, "metadataComplianceType %s" NOT_SUPPORTED, type);
}

static void read_recreate(const struct json_object *raw, struct prb_policy_template *ret)
{
    const char *option = prb_json_str(raw, "recreateOption");

    if (prb_streq(option, "IfRequired"))
        ret->recreate = PRB_RECREATE_IF_REQUIRED;
    else if (prb_streq(option, "Always"))
        ret->recreate = PRB_RECREATE_ALWAYS;
    else if (option && !prb_streq(option, "None"))
        refuse(ret, "recreateOption is none of None, IfRequired and Always");
}

/* Names that are no text would otherwise count as not said. */
static const char *read_name(
        const struct json_object *metadata, const char *key, struct prb_policy_template *ret)
{
    const struct json_object *value = prb_json_find(metadata, key);

    if (value && !prb_json_string(value))
        refuse(ret, "objectDefinition: metadata.%s is no text", key);
    return or_empty(prb_json_string(value));
}

static void read_names(struct prb_policy_template *ret)
{
    const struct json_object *metadata = prb_json_obj(ret->definition, "metadata");
    const char *api_version = prb_json_str(ret->definition, "apiVersion");

    ret->kind = or_empty(prb_json_str(ret->definition, "kind"));
    ret->name = read_name(metadata, "name", ret);
    ret->namespace = read_name(metadata, "namespace", ret);
    if (has_mark(ret->definition, GO_TEMPLATE))
        refuse(ret, "a Go template ({{ }})" NOT_SUPPORTED);
    if (!api_version || ret->kind[0] == '\0')
        refuse(ret, "objectDefinition has no apiVersion or no kind");
    else if (!prb_api_version_parse(api_version, ret->group, ret->version))
        refuse(ret, "objectDefinition: %.100s is no apiVersion", api_version);
    else if (ret->name[0] == '\0' && !prb_policy_template_is_search(ret))
        refuse(ret, "a template without metadata.name" NOT_SUPPORTED);
}

static void read_template(
        const struct json_object *raw, size_t index, struct prb_policy_template *ret)
{
    *ret = (struct prb_policy_template){ .index = index,
        .definition = prb_json_obj(raw, "objectDefinition"),
        .kind = "",
        .namespace = "",
        .name = "" };
    if (!ret->definition) {
        refuse(ret, "it has no objectDefinition");
        return;
    }
    if (has_mark(raw, ENCRYPTED))
        refuse(ret, "a value that the hub has encrypted (" ENCRYPTED ")" NOT_SUPPORTED);
    read_names(ret);
    read_type(raw, ret);
    read_recreate(raw, ret);
}

bool prb_policy_template_is_search(const struct prb_policy_template *template)
{
    return template->name[0] == '\0' && prb_streq(template->kind, PRB_POLICY_KIND) &&
           prb_streq(template->group, PRB_POLICY_GROUP);
}

/* ---- the policy ---- */

static int64_t read_interval(const struct json_object *spec, const char *state)
{
    const char *text = prb_json_str(prb_json_obj(spec, "evaluationInterval"), state);
    int64_t ms;

    if (prb_streq(text, "never"))
        return PRB_EVALUATE_NEVER;
    if (!text || !prb_parse_duration(text, &ms))
        return PRB_EVALUATE_ON_WATCH;
    return ms < PRB_EVALUATE_MIN_MS ? PRB_EVALUATE_MIN_MS : ms;
}

static enum prb_prune read_prune(const struct json_object *spec)
{
    const char *behaviour = prb_json_str(spec, "pruneObjectBehavior");

    if (prb_streq(behaviour, "DeleteAll"))
        return PRB_PRUNE_ALL;
    return prb_streq(behaviour, "DeleteIfCreated") ? PRB_PRUNE_IF_CREATED : PRB_PRUNE_NONE;
}

static void read_action(const struct json_object *spec, struct prb_policy *ret)
{
    const struct json_object *value = prb_json_find(spec, "remediationAction");
    const char *action = prb_json_string(value);

    ret->enforces = is_word(action, "enforce");
    if (value && !ret->enforces && !is_word(action, "inform"))
        ret->defect = "spec.remediationAction is neither inform nor enforce: nothing is evaluated";
}

static void read_templates(const struct json_object *spec, struct prb_policy *ret)
{
    const struct json_object *list = prb_json_arr(spec, "object-templates");

    if (prb_json_find(spec, "object-templates-raw")) {
        ret->defect = "spec.object-templates-raw is not supported yet: nothing is evaluated";
        return;
    }
    if (!list) {
        ret->defect = "spec.object-templates is missing: nothing is evaluated";
        return;
    }
    ret->count = prb_json_len(list);
    ret->templates = prb_calloc(ret->count + 1, sizeof(*ret->templates));
    for (size_t i = 0; i < ret->count; i++)
        read_template(prb_json_elem(list, i), i, &ret->templates[i]);
}

void prb_policy_read(const struct prb_object *policy, struct prb_policy *ret)
{
    const struct json_object *spec = prb_object_spec(policy);
    const struct json_object *selector = prb_json_find(spec, "namespaceSelector");

    *ret = (struct prb_policy){ .prune = read_prune(spec),
        .namespace_selector = prb_json_obj(spec, "namespaceSelector"),
        .messages = prb_json_obj(spec, "customMessage"),
        .compliant_ms = read_interval(spec, "compliant"),
        .noncompliant_ms = read_interval(spec, "noncompliant") };
    read_action(spec, ret);
    read_templates(spec, ret);
    if (selector && !ret->namespace_selector)
        ret->defect = "spec.namespaceSelector is no map: nothing is evaluated";
    else if (has_mark(selector, ENCRYPTED))
        ret->defect = "a value that the hub has encrypted (" ENCRYPTED ") in "
                      "spec.namespaceSelector is not supported yet: nothing is evaluated";
    else if (has_mark(selector, GO_TEMPLATE))
        ret->defect = "a Go template in spec.namespaceSelector is not supported yet: nothing is "
                      "evaluated";
}

void prb_policy_done(struct prb_policy *policy)
{
    free(policy->templates);
    *policy = (struct prb_policy){ .count = 0 };
}

bool prb_policy_prunes(const struct prb_policy *policy)
{
    return policy->enforces && policy->prune != PRB_PRUNE_NONE;
}
