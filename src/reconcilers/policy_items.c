/* Which objects do the templates of a policy mean, and which templates are not evaluated? */

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/model/policy_namespaces.h"
#include "probate/model/side.h"

#include "condition.h"
#include "policy_internal.h"

/* Bytes of a text about one object: a server's own words, cut where they get long. */
#define TROUBLE_MAX 1024

char *prb_policy_key(const char *group, const char *kind, const char *namespace, const char *name)
{
    return prb_asprintf("%s/%s/%s/%s", group, kind, namespace, name);
}

static char *format(const char *fmt, va_list args)
{
    prb_auto(prb_str_done) struct prb_str text;
    char *formatted;

    prb_str_init(&text, TROUBLE_MAX);
    prb_str_vaddf(&text, fmt, args);
    formatted = prb_str_take(&text);
    prb_condition_steady(formatted);
    return formatted;
}

void prb_policy_item_fail(struct prb_policy_item *item, bool again, const char *fmt, ...)
{
    va_list args;

    free(item->trouble);
    va_start(args, fmt);
    item->trouble = format(fmt, args);
    va_end(args);
    item->state = PRB_POLICY_FAILED;
    item->again = again;
}

__attribute__((format(printf, 3, 4))) static void refuse(
        struct prb_policy_part *part, bool again, const char *fmt, ...)
{
    va_list args;

    free(part->trouble);
    va_start(args, fmt);
    part->trouble = format(fmt, args);
    va_end(args);
    part->again = again;
}

/* ---- the kind ---- */

static const char *shown_group(const struct prb_policy_template *template)
{
    return template->group[0] != '\0' ? template->group : "the core group";
}

/* Each kind is asked for once, whichever templates wait for it. */
static void ask_for(
        struct prb_policy_run *run, const struct prb_policy_template *template, const char *slot)
{
    for (size_t i = 0; i < run->out->count; i++) {
        if (prb_streq(run->out->items[i].slot, slot))
            return;
    }
    prb_changes_resolve(run->out, template->group, template->kind, slot);
}

/* NULL: it is asked for, or there is none, and `part` says so. */
static const struct prb_known_resource *find_kind(struct prb_policy_run *run,
        struct prb_policy_part *part, const struct prb_policy_template *template)
{
    const struct prb_known_resource *known =
            prb_view_resource(run->view, template->group, template->kind);
    prb_autofree char *slot = prb_asprintf("kind:%s/%s", template->group, template->kind);
    const struct prb_outcome *outcome;

    if (known && known->state == PRB_RESOURCE_PRESENT)
        return known;
    outcome = prb_view_outcome(run->view, slot);
    if (!outcome)
        ask_for(run, template, slot);
    else if (outcome->code == PRB_OK && outcome->resource)
        return outcome->resource;
    else if (outcome->code == PRB_E_NOTFOUND)
        refuse(part, true, "the cluster does not serve kind %s of %s", template->kind,
                shown_group(template));
    else
        refuse(part, true, "nobody knows whether the cluster serves kind %s: %s", template->kind,
                outcome->err ? outcome->err->msg : "no answer");
    return NULL;
}

/* ---- one object ---- */

/* Two templates may say two halves of one object, but not that it is to be and not to be. */
static bool agrees(struct prb_policy_part *part, const struct prb_policy_item *item)
{
    const struct prb_policy_item *before = item->before;

    if (!before || before->template->type == item->template->type)
        return true;
    refuse(part, false, "template %zu says the opposite of the same object: this one is left out",
            before->template->index);
    return false;
}

static void hash_want(const struct prb_policy_run *run, struct prb_policy_item *item)
{
    prb_autofree char *body = prb_json_text(item->body, true);
    prb_autofree char *all =
            prb_asprintf("%d %d %s", run->policy.enforces, (int)item->template->type, body);

    prb_sha256_hex(all, strlen(all), item->want);
}

static struct prb_policy_item *new_item(struct prb_policy_run *run)
{
    if (run->count == run->cap) {
        run->cap = run->cap ? run->cap * 2 : 16;
        run->items = prb_realloc(run->items, run->cap, sizeof(*run->items));
    }
    run->items[run->count] = (struct prb_policy_item){ .state = PRB_POLICY_OPEN };
    prb_changes_init(&run->items[run->count].asks);
    return &run->items[run->count];
}

static void add_item(struct prb_policy_run *run, struct prb_policy_part *part,
        const struct prb_policy_template *template, const struct prb_known_resource *resource,
        const char *namespace)
{
    struct prb_policy_item *item;
    struct prb_gvr gvr;

    if (run->count == PRB_POLICY_OBJECTS_MAX) {
        refuse(part, false, "the policy means more than %d objects: these are left out",
                PRB_POLICY_OBJECTS_MAX);
        return;
    }
    item = new_item(run);
    if (!prb_gvr_init(&gvr, template->group, template->version, resource->gvr.resource) ||
            !prb_ref_init(&item->ref, &gvr, namespace, template->name)) {
        refuse(part, false, "apiVersion, namespace or name is not possible");
        return;
    }
    item->template = template;
    item->resource = resource;
    item->key = prb_policy_key(template->group, template->kind, namespace, template->name);
    item->body = prb_policy_body(template->definition, namespace);
    hash_want(run, item);
    run->count++;
    part->count++;
}

/* ---- one template ---- */

static void add_selected(struct prb_policy_run *run, struct prb_policy_part *part,
        const struct prb_policy_template *template, const struct prb_known_resource *resource)
{
    prb_auto(prb_namespaces_done) struct prb_namespaces selected = { .count = 0 };
    struct prb_error err;

    if (!run->policy.namespace_selector) {
        refuse(part, false,
                "%s is a namespaced kind, and neither metadata.namespace nor "
                "spec.namespaceSelector is set",
                template->kind);
        return;
    }
    if (prb_policy_namespaces(run->policy.namespace_selector, run->view, &selected, &err) < 0) {
        refuse(part, false, "spec.namespaceSelector: %s", err.msg);
        return;
    }
    for (size_t i = 0; i < selected.count && !part->trouble; i++)
        add_item(run, part, template, resource, selected.names[i]);
}

static void read_part(struct prb_policy_run *run, struct prb_policy_part *part,
        const struct prb_policy_template *template)
{
    const struct prb_known_resource *resource;

    part->first = run->count;
    if (template->defect[0] != '\0') {
        refuse(part, false, "%s", template->defect);
        return;
    }
    if (prb_side_is_hub(template->group)) {
        refuse(part, false, "%s is no group that an API server has", template->group);
        return;
    }
    if (prb_policy_template_is_search(template)) {
        prb_policy_search(run, part, template);
        return;
    }
    resource = find_kind(run, part, template);
    if (!resource)
        return;

    /* A kind is found by its plural and short names too, and without regard to case. */
    if (!prb_streq(resource->kind, template->kind))
        refuse(part, false, "the cluster does not serve kind %s of %s; %s is meant?",
                template->kind, shown_group(template), resource->kind);
    else if (!resource->namespaced)
        add_item(run, part, template, resource, "");
    else if (template->namespace[0] != '\0')
        add_item(run, part, template, resource, template->namespace);
    else
        add_selected(run, part, template, resource);
}

/* Items do not move any more: they may point to each other now. */
static void join_items(struct prb_policy_run *run)
{
    for (size_t i = 0; i < run->count; i++) {
        struct prb_policy_item *item = &run->items[i];
        struct prb_policy_part *part = &run->parts[item->template->index];

        item->was = prb_provenance_of(prb_map_find(run->related, item->key));
        item->before = prb_map_find(run->by_key, item->key);
        if (!agrees(part, item))
            prb_policy_item_fail(item, false, "%s", part->trouble);
        else
            prb_map_set(run->by_key, item->key, item);
    }
}

bool prb_policy_items(struct prb_policy_run *run)
{
    for (size_t i = 0; i < run->policy.count; i++)
        read_part(run, &run->parts[i], &run->policy.templates[i]);
    join_items(run);
    for (size_t i = 0; i < run->policy.count; i++)
        run->blind |= run->parts[i].trouble != NULL;
    if (run->out->count == 0)
        return false;
    prb_changes_go_on(run->out);
    return true;
}
