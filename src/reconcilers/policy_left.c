/*
 * What does a policy leave behind that a person may take for pruned?
 *
 * What is spared though it is on record, and why. And of a DeleteAll that goes, what its templates
 * name that was never taken up, because they are not supported.
 */

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "policy_internal.h"

/* Objects that are named, as many as of those that are waited for. */
#define NAMED_MAX 10

/* What is said so far. */
struct list {
    struct prb_str *out;
    size_t count;
};

static void add(struct list *list, const char *kind, const char *namespace, const char *name,
        const char *why)
{
    if (list->count++ >= NAMED_MAX)
        return;
    prb_str_addf(list->out, "%s%s %s%s%s (%s)", list->count > 1 ? ", " : "", kind, namespace,
            namespace[0] != '\0' ? "/" : "", name, why);
}

/* Was it taken up when its template was another one? Then its record decides. */
static bool is_on_record(
        const struct prb_policy_removals *removals, const struct prb_policy_template *template)
{
    for (size_t i = 0; i < removals->count; i++) {
        const struct prb_policy_removal *removal = &removals->items[i];

        if (prb_streq(removal->kind, template->kind) && prb_streq(removal->name, template->name) &&
                (template->namespace[0] == '\0' ||
                        prb_streq(removal->namespace, template->namespace)))
            return true;
    }
    return false;
}

static void add_template(struct list *list, const struct prb_policy_template *template)
{
    prb_autofree char *number = prb_asprintf("of template %zu", template->index);
    const char *kind = template->kind[0] != '\0' ? template->kind : "what is meant";

    if (template->name[0] != '\0')
        add(list, kind, template->namespace, template->name, template->defect);
    else
        add(list, kind, "", number, template->defect);
}

static void add_templates(struct list *list, const struct prb_policy_run *run,
        const struct prb_policy_removals *removals)
{
    if (run->policy.defect)
        add(list, "all", "", "that its templates mean", run->policy.defect);
    for (size_t i = 0; i < run->policy.count; i++) {
        const struct prb_policy_template *template = &run->policy.templates[i];

        if (template->defect[0] != '\0' && !is_on_record(removals, template))
            add_template(list, template);
    }
}

void prb_policy_describe_spared(const struct prb_policy_run *run,
        const struct prb_policy_removals *removals, bool ends, struct prb_str *out)
{
    struct list list = { .out = out };

    for (size_t i = 0; i < removals->count; i++) {
        const struct prb_policy_removal *removal = &removals->items[i];

        if (removal->state == PRB_LEFT_DONE && removal->spared)
            add(&list, removal->kind, removal->namespace, removal->name, removal->spared);
    }
    if (ends && run->policy.prune == PRB_PRUNE_ALL)
        add_templates(&list, run, removals);
    if (list.count > NAMED_MAX)
        prb_str_addf(out, " and %zu more", list.count - NAMED_MAX);
}
