/*
 * What does a template without a name find?
 *
 * Only ConfigurationPolicies are looked through, which are known as a whole anyway: that is what
 * the monitor of stuck deletions needs (examples/stuck-policies.yaml). It only informs, and what it
 * finds is never recorded by name, so that nothing of it can ever be pruned.
 */

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/model/names.h"
#include "probate/model/policy_namespaces.h"

#include "policy_internal.h"

struct search {
    const struct prb_policy_run *run;
    struct json_object *body;              /* owned by the caller, as all here */
    const char *namespace;                 /* NULL: see `selected` */
    const struct prb_namespaces *selected; /* NULL: in all */
    size_t count;
    struct prb_str *names;
};

static bool is_in(const struct search *search, const char *namespace)
{
    if (search->namespace)
        return prb_streq(search->namespace, namespace);
    if (!search->selected)
        return true;
    for (size_t i = 0; i < search->selected->count; i++) {
        if (prb_streq(search->selected->names[i], namespace))
            return true;
    }
    return false;
}

static bool look_at(void *ctx, const struct prb_object *policy)
{
    struct search *search = ctx;

    /* Whether it finds itself would depend on what it has found. */
    if (prb_streq(prb_object_uid(policy), prb_object_uid(search->run->object)) ||
            !is_in(search, prb_object_namespace(policy)) ||
            prb_policy_compare(search->body, prb_object_tree(policy)) != PRB_MATCHES)
        return true;
    if (search->count < PRB_NAMES_MAX)
        prb_str_addf(search->names, "%s%s/%s", search->count > 0 ? ", " : "",
                prb_object_namespace(policy), prb_object_name(policy));
    search->count++;
    return true;
}

void prb_policy_search(struct prb_policy_run *run, struct prb_policy_part *part,
        const struct prb_policy_template *template)
{
    prb_auto(prb_json_free) struct json_object *body =
            prb_policy_body(template->definition, template->namespace);
    prb_auto(prb_namespaces_done) struct prb_namespaces selected = { .count = 0 };
    prb_auto(prb_str_done) struct prb_str names;
    struct search search = { .run = run, .body = body, .names = &names };
    struct prb_error err;

    prb_str_init(&names, PRB_POLICY_TEXT_MAX);
    part->is_search = true;
    if (template->namespace[0] != '\0') {
        search.namespace = template->namespace;
    } else if (run->policy.namespace_selector) {
        if (prb_policy_namespaces(run->policy.namespace_selector, run->view, &selected, &err) < 0) {
            part->trouble = prb_asprintf("spec.namespaceSelector: %s", err.msg);
            return;
        }
        search.selected = &selected;
    }
    prb_view_each(run->view, &prb_policy_policies, NULL, look_at, &search);
    if (search.count > PRB_NAMES_MAX)
        prb_str_addf(&names, " and %zu more", search.count - PRB_NAMES_MAX);
    if (search.count > 0)
        part->found = prb_str_take(&names);
}
