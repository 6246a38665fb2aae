/*
 * What should the status of a CriticalService be, and is it worth a write?
 *
 * What is written of an object's own accord, "lastDenied" above all, is never touched: the patch
 * says only what differs, and a resourceVersion keeps it from overwriting what it has not seen.
 */

#include "probate/base/clock.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/model/patch.h"

#include "critical_service_internal.h"

/* What a column of `kubectl get` bears. */
#define BLOCKED_BY_MAX 120

/* Finalizers that hold one object, in one text; a finalizer has at most 317 bytes. */
#define FINALIZERS_MAX 1024

/*
 * While 5,000 objects go one by one, the five that are named change with each. Such news are
 * written at most this often; news of any other sort at once. When the last write was is in the
 * status itself: a decision has no other memory.
 */
#define PACE_MS 2000

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

/* The status without what changes with every object that goes. */
static struct json_object *essence(const struct json_object *status)
{
    struct json_object *copy = status ? prb_json_copy(status) : json_object_new_object();
    const struct json_object *criteria = prb_json_arr(copy, "criteria");

    prb_json_del(copy, "blockedBy");
    for (size_t i = 0; i < prb_json_len(criteria); i++) {
        struct json_object *entry = prb_json_elem(criteria, i);

        if (!json_object_is_type(entry, json_type_object))
            continue;
        prb_json_del(entry, "blockers");
        prb_json_del(entry, "more");
    }
    return copy;
}

/* For how long a write that only names other blockers has to wait. */
static int64_t pace_ms(const struct prb_crit *crit, const struct json_object *status)
{
    prb_auto(prb_json_free) struct json_object *before = essence(crit->seen);
    prb_auto(prb_json_free) struct json_object *after = essence(status);
    const char *text = prb_json_str(crit->seen, "updatedAt");
    int64_t written_ms, age_ms;

    if (!prb_json_equal(before, after) || !text || !prb_time_parse(text, &written_ms))
        return 0;

    /* A clock that was ahead must not put it off for long. */
    age_ms = prb_view_now_ms(crit->view) - written_ms;
    return age_ms >= 0 && age_ms < PACE_MS ? PACE_MS - age_ms : 0;
}

static struct json_object *patch_to(const struct prb_crit *crit, struct json_object *status)
{
    prb_auto(prb_json_free) struct json_object *nothing = json_object_new_object();
    struct json_object *patch = json_object_new_object();
    char now[PRB_TIME_SIZE];

    prb_time_format(prb_view_now_ms(crit->view), now);
    prb_json_set_str(status, "updatedAt", now);
    prb_json_set(patch, "status", prb_merge_diff(crit->seen ? crit->seen : nothing, status));
    return patch;
}

void prb_crit_write_status(const struct prb_crit *crit, struct prb_changes *out)
{
    prb_auto(prb_json_free) struct json_object *status = prb_crit_status(crit);
    int64_t wait_ms;

    if (prb_json_equal(crit->seen, status))
        return;
    wait_ms = pace_ms(crit, status);
    if (wait_ms > 0) {
        prb_changes_again(out, wait_ms);
        return;
    }

    /* Events after the write: one that is refused tells nothing, and is decided again. */
    prb_changes_merge_patch(out, crit->key, patch_to(crit, status), "status",
            prb_object_resource_version(crit->object), "status of a CriticalService");
    out->items[out->count - 1].absent_is_done = true;
    prb_crit_add_events(crit, status, out);
}
