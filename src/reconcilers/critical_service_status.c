/* What should the status of a CriticalService be? What others wrote in it stays. */

#include "probate/base/clock.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "critical_service_internal.h"

/* What a column of `kubectl get` bears. */
#define BLOCKED_BY_MAX 120

/* Finalizers that hold one object, in one text; a finalizer has at most 317 bytes. */
#define FINALIZERS_MAX 1024

static const char *const state_names[] = {
    [PRB_CRIT_UNKNOWN] = "Unknown",
    [PRB_CRIT_UNMET] = "Unmet",
    [PRB_CRIT_MET] = "Met",
};

const struct json_object *prb_crit_entry(const struct json_object *status, const char *description)
{
    const struct json_object *list = prb_json_arr(status, "criteria");

    for (size_t i = 0; i < prb_json_len(list); i++) {
        const struct json_object *entry = prb_json_elem(list, i);

        if (prb_streq(prb_json_str(entry, "description"), description))
            return entry;
    }
    return NULL;
}

/* Those that keep one object from going, joined. */
static void set_finalizers(struct json_object *blocker, const struct prb_object *object)
{
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, FINALIZERS_MAX);
    for (size_t i = 0; i < prb_object_finalizer_count(object); i++) {
        const char *finalizer = prb_object_finalizer_at(object, i);

        if (finalizer)
            prb_str_addf(&text, "%s%s", text.len > 0 ? ", " : "", finalizer);
    }
    if (text.len > 0)
        prb_json_set_str(blocker, "finalizer", prb_str_get(&text));
}

static struct json_object *blocker_json(const struct prb_crit_finding *finding,
        const struct prb_criterion *criterion, const struct prb_holder *holder)
{
    struct json_object *blocker = json_object_new_object();
    char since[PRB_TIME_SIZE];

    if (holder->namespace[0])
        prb_json_set_str(blocker, "namespace", holder->namespace);
    prb_json_set_str(blocker, "name", holder->name);
    if (finding->object)
        set_finalizers(blocker, finding->object);
    else
        prb_json_set_str(blocker, "finalizer", criterion->finalizer);

    /* INT64_MAX: since nobody can tell when. */
    if (holder->deleted_at_ms != 0 && holder->deleted_at_ms != INT64_MAX) {
        prb_time_format(holder->deleted_at_ms, since);
        prb_json_set_str(blocker, "deletingSince", since);
    }
    return blocker;
}

static void set_blockers(struct json_object *entry, const struct prb_crit_finding *finding,
        const struct prb_criterion *criterion)
{
    struct json_object *list = json_object_new_array();

    for (size_t i = 0; i < finding->blockers.count; i++)
        prb_json_push(list, blocker_json(finding, criterion, &finding->blockers.items[i]));
    prb_json_set(entry, "blockers", list);
    prb_json_set_bool(entry, "more", finding->blockers.more);
}

/* When it was first found stays, however often it goes and comes. */
static void set_resolved(const struct prb_crit *crit, const struct prb_crit_finding *finding,
        struct json_object *entry)
{
    const struct json_object *before =
            prb_crit_entry(crit->seen, prb_json_str(entry, "description"));
    const char *resolved = prb_json_str(before, "resolvedAt");
    bool present = finding->known && finding->known->state == PRB_RESOURCE_PRESENT;
    char text[PRB_GVR_TEXT_SIZE], now[PRB_TIME_SIZE];

    if (present) {
        prb_gvr_format(&finding->known->gvr, text);
        prb_json_set_str(entry, "resource", text);
    }
    prb_time_format(prb_view_now_ms(crit->view), now);
    if (resolved)
        prb_json_set_str(entry, "resolvedAt", resolved);
    else if (present)
        prb_json_set_str(entry, "resolvedAt", now);
}

static struct json_object *entry_json(const struct prb_crit *crit, size_t index)
{
    static const char *const types[] = {
        [PRB_CRITERION_UNKNOWN] = "Unknown",
        [PRB_CRITERION_FINALIZER] = "Finalizer",
        [PRB_CRITERION_RESOURCE] = "SpecificResource",
    };
    const struct prb_criterion *criterion = &crit->service.criteria[index];
    const struct prb_crit_finding *finding = &crit->findings[index];
    prb_autofree char *description = prb_crit_description(criterion);
    struct json_object *entry = json_object_new_object();

    prb_json_set_str(entry, "type", types[criterion->type]);
    prb_json_set_str(entry, "description", description);
    set_resolved(crit, finding, entry);
    prb_json_set_str(entry, "state", state_names[finding->state]);
    if (finding->message[0])
        prb_json_set_str(entry, "message", finding->message);
    if (finding->state == PRB_CRIT_UNMET)
        set_blockers(entry, finding, criterion);
    return entry;
}

/* "coolresources.my.crd.group team-a/x and more; secrets: unknown" */
static void add_blocked_by(const struct prb_criterion *criterion,
        const struct prb_crit_finding *finding, struct prb_str *out)
{
    const struct prb_holder *first = &finding->blockers.items[0];

    if (finding->state == PRB_CRIT_MET)
        return;
    if (out->len > 0)
        prb_str_add(out, "; ");
    if (criterion->type == PRB_CRITERION_UNKNOWN)
        prb_str_add(out, "a criterion");
    else
        prb_criterion_resource_text(criterion, out);
    if (finding->state == PRB_CRIT_UNKNOWN) {
        prb_str_add(out, ": unknown");
        return;
    }
    if (finding->blockers.count > 0)
        prb_str_addf(out, " %s%s%s", first->namespace, first->namespace[0] ? "/" : "", first->name);
    if (finding->blockers.more || finding->blockers.count > 1)
        prb_str_add(out, " and more");
}

static void set_blocked_by(const struct prb_crit *crit, struct json_object *status)
{
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, BLOCKED_BY_MAX - strlen("..."));
    for (size_t i = 0; i < crit->service.criterion_count; i++)
        add_blocked_by(&crit->service.criteria[i], &crit->findings[i], &text);
    if (text.cut) {
        text.max = BLOCKED_BY_MAX;
        text.cut = false;
        prb_str_add(&text, "...");
    }
    prb_json_set_str(status, "blockedBy", prb_str_get(&text));
}

struct json_object *prb_crit_status(const struct prb_crit *crit)
{
    struct json_object *status = crit->seen ? prb_json_copy(crit->seen) : json_object_new_object();
    struct json_object *criteria = json_object_new_array();

    for (size_t i = 0; i < crit->service.criterion_count; i++)
        prb_json_push(criteria, entry_json(crit, i));
    prb_json_set_int(status, "observedGeneration", prb_object_generation(crit->object));

    /* While it is absent the last one is kept, so that a replacement is noticed. */
    if (crit->provider)
        prb_json_set_str(status, "providerUID", prb_object_uid(crit->provider));
    set_blocked_by(crit, status);
    prb_json_set(status, "criteria", criteria);
    prb_json_set(status, "conditions", prb_crit_conditions(crit));
    return status;
}
