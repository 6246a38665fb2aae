/*
 * Are namespaces as the cache shows them, before something in them goes?
 *
 * Policies, namespaces and objects are told in three streams, of which each may be behind the
 * others: a namespace that got the label just before the policy began to ask for it seems to be
 * left, and one that has lost it seems to be meant. So each is read before something is deleted
 * because spec.namespaceSelector means it, or does not mean it any more.
 */

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/model/policy_namespaces.h"

#include "policy_internal.h"

static bool is_asked(const struct prb_policy_run *run, const char *slot)
{
    for (size_t i = 0; i < run->out->count; i++) {
        if (prb_streq(run->out->items[i].slot, slot))
            return true;
    }
    return false;
}

/* PRB_OK: it is so; 1: it is read in this round; negative: it is not, or nobody knows. */
static int confirm(struct prb_policy_run *run, const char *name, bool is_meant)
{
    prb_autofree char *slot = prb_asprintf("namespace %s", name);
    const struct prb_outcome *outcome = prb_view_outcome(run->view, slot);
    bool is_selected = false;
    struct prb_error err;
    struct prb_ref ref;

    if (!prb_ref_init(&ref, &prb_policy_namespaces_gvr, NULL, name))
        return PRB_OK; /* of nothing that is there */
    if (!outcome) {
        if (!is_asked(run, slot))
            prb_changes_read(run->out, &ref, slot, "is the namespace meant?");
        return 1;
    }
    if (outcome->code == PRB_E_NOTFOUND)
        return PRB_OK; /* and all that was in it is gone */
    if (outcome->code != PRB_OK || !outcome->object ||
            prb_policy_selects(
                    run->policy.namespace_selector, outcome->object, &is_selected, &err) < 0)
        return -1;
    return is_selected == is_meant ? PRB_OK : -1;
}

/* Of two answers the one that is further from "go on". */
static int worse(int one, int other)
{
    if (one < 0 || other < 0)
        return -1;
    return one > other ? one : other;
}

static int conclude(struct prb_policy_run *run, int answer)
{
    if (answer > 0)
        prb_changes_go_on(run->out);
    if (answer >= 0)
        return answer;
    prb_changes_wait(run->out, "a namespace is another one by now, or cannot be read");
    prb_changes_retry(run->out, PRB_POLICY_RETRY_MIN_MS, PRB_POLICY_RETRY_MAX_MS);
    return answer;
}

/* Would it be meant, if only the namespace were? */
static bool is_selected_by(
        const struct prb_policy_template *template, const struct json_object *entry)
{
    const char *namespace = prb_json_str(prb_json_at(entry, "object", "metadata"), "namespace");
    prb_autofree char *key = prb_policy_entry_key(entry), *other = NULL;

    if (!key || !namespace || template->namespace[0] != '\0')
        return false;
    other = prb_policy_key(template->group, template->kind, namespace, template->name);
    return prb_streq(key, other);
}

int prb_policy_confirm_left(
        struct prb_policy_run *run, const struct json_object *const *entries, size_t count)
{
    int answer = PRB_OK;

    if (!run->policy.namespace_selector)
        return PRB_OK;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < run->policy.count; k++) {
            if (is_selected_by(&run->policy.templates[k], entries[i]))
                answer = worse(
                        answer, confirm(run,
                                        prb_json_str(prb_json_at(entries[i], "object", "metadata"),
                                                "namespace"),
                                        false));
        }
    }
    return conclude(run, answer);
}

int prb_policy_confirm_meant(struct prb_policy_run *run)
{
    int answer = PRB_OK;

    for (size_t i = 0; i < run->count; i++) {
        const struct prb_policy_item *item = &run->items[i];

        if (item->state == PRB_POLICY_WRITES && item->deletes && item->ref.namespace[0] != '\0' &&
                item->template->namespace[0] == '\0')
            answer = worse(answer, confirm(run, item->ref.namespace, true));
    }
    return conclude(run, answer);
}
