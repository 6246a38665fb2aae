/* What does a live work say on the hub of what became of its manifests? */

#include "probate/base/clock.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "condition.h"
#include "work_apply.h"

/* Of what is wrong so many are named, then counted: the rest is at the manifests. */
#define NAMES_MAX 5

/* ---- conditions ---- */

static size_t place_of(const struct json_object *list, const char *type)
{
    size_t i = 0;

    while (i < prb_json_len(list) && !prb_streq(prb_json_str(prb_json_elem(list, i), "type"), type))
        i++;
    return i;
}

/* lastTransitionTime moves with `status` only. */
void prb_work_condition(
        struct json_object *list, const struct prb_condition *condition, int64_t now_ms)
{
    size_t place = place_of(list, condition->type);
    const struct json_object *before = prb_json_elem(list, place);
    const char *since = prb_json_str(before, "lastTransitionTime");
    struct json_object *made = json_object_new_object();
    prb_autofree char *message = prb_strdup(condition->message);
    char now[PRB_TIME_SIZE];

    prb_condition_steady(message);
    prb_time_format(now_ms, now);
    if (!since || !prb_streq(prb_json_str(before, "status"), condition->status))
        since = now;
    prb_json_set_str(made, "type", condition->type);
    prb_json_set_str(made, "status", condition->status);
    prb_json_set_str(made, "reason", condition->reason);
    prb_json_set_str(made, "message", message);
    prb_json_set_str(made, "lastTransitionTime", since);
    if (condition->observed_generation > 0)
        prb_json_set_int(made, "observedGeneration", condition->observed_generation);
    (void)json_object_array_put_idx(list, place, made);
}

/* ---- texts ---- */

static void add_trouble(const struct prb_item *item, struct prb_str *out)
{
    const struct prb_manifest *manifest = item->manifest;

    prb_str_addf(out, "%s %s%s%s: %s", manifest->kind[0] != '\0' ? manifest->kind : "manifest",
            manifest->namespace, manifest->namespace[0] != '\0' ? "/" : "",
            manifest->name[0] != '\0' ? manifest->name : "without a name", item->trouble);
}

void prb_work_status_text(const struct prb_pass *pass, struct prb_str *out)
{
    size_t failed = 0, named = 0;

    for (size_t i = 0; i < pass->count; i++)
        failed += pass->items[i].state == PRB_ITEM_FAILED;
    if (failed == 0 && pass->count == 0) {
        prb_str_add(out, "there are no manifests");
        return;
    }
    if (failed == 0) {
        prb_str_addf(out, "all %zu manifests are applied", pass->count);
        return;
    }
    prb_str_addf(out, "%zu of %zu manifests %s not applied: ", failed, pass->count,
            failed == 1 ? "is" : "are");
    for (size_t i = 0; i < pass->count && named < NAMES_MAX; i++) {
        if (pass->items[i].state != PRB_ITEM_FAILED)
            continue;
        prb_str_add(out, named++ > 0 ? "; " : "");
        add_trouble(&pass->items[i], out);
    }
    if (failed > named)
        prb_str_addf(out, "; and %zu more", failed - named);
}

static void set_applied(const struct prb_pass *pass, struct json_object *list)
{
    prb_auto(prb_str_done) struct prb_str text;
    struct prb_condition condition = { .type = "Applied",
        .status = "True",
        .reason = "AppliedManifestWorkComplete",
        .observed_generation = prb_object_generation(pass->pair->work) };

    prb_str_init(&text, PRB_CHANGE_TEXT_MAX);
    prb_work_status_text(pass, &text);
    condition.message = prb_str_get(&text);
    for (size_t i = 0; i < pass->count; i++) {
        if (pass->items[i].state == PRB_ITEM_FAILED) {
            condition.status = "False";
            condition.reason = "AppliedManifestWorkFailed";
        }
    }
    prb_work_condition(list, &condition, prb_view_now_ms(pass->pair->view));
}

static size_t count_seen(const struct prb_pass *pass, enum prb_item_seen seen)
{
    size_t count = 0;

    for (size_t i = 0; i < pass->count; i++)
        count += prb_item_presence(&pass->items[i]) == seen;
    return count;
}

static void set_available(const struct prb_pass *pass, struct json_object *list)
{
    size_t absent = count_seen(pass, PRB_SEEN_ABSENT);
    size_t unknown = count_seen(pass, PRB_SEEN_UNKNOWN);
    prb_auto(prb_str_done) struct prb_str text;
    struct prb_condition condition = { .type = "Available",
        .status = "True",
        .reason = "ResourcesAvailable",
        .observed_generation = prb_object_generation(pass->pair->work) };

    prb_str_init(&text, PRB_CHANGE_TEXT_MAX);
    if (absent > 0) {
        condition.status = "False";
        condition.reason = "ResourcesNotAvailable";
        prb_str_addf(&text, "%zu of %zu resources %s not there", absent, pass->count,
                absent == 1 ? "is" : "are");
    } else if (unknown > 0) {
        condition.status = "Unknown";
        condition.reason = "ResourcesStatusUnknown";
        prb_str_addf(&text, "of %zu of %zu resources it is not known whether they are there",
                unknown, pass->count);
    } else {
        prb_str_addf(&text, "all %zu resources are there", pass->count);
    }
    condition.message = prb_str_get(&text);
    prb_work_condition(list, &condition, prb_view_now_ms(pass->pair->view));
}

static void set_executor(const struct prb_pass *pass, struct json_object *list)
{
    const struct prb_condition condition = { .type = "Applied",
        .status = "False",
        .reason = "ExecutorNotSupported",
        .message = PRB_EXECUTOR_TEXT,
        .observed_generation = prb_object_generation(pass->pair->work) };

    prb_work_condition(list, &condition, prb_view_now_ms(pass->pair->view));
}

/* ---- the patch ---- */

static struct json_object *conditions_of(const struct prb_pass *pass)
{
    const struct json_object *seen =
            prb_json_arr(prb_object_status(pass->pair->work), "conditions");
    struct json_object *list = seen ? prb_json_copy(seen) : json_object_new_array();

    if (pass->work.has_executor) {
        set_executor(pass, list);
        return list;
    }
    set_applied(pass, list);
    set_available(pass, list);
    return list;
}

struct json_object *prb_work_status(const struct prb_pass *pass)
{
    const struct json_object *seen = prb_object_status(pass->pair->work);
    const struct json_object *resources = prb_json_obj(seen, "resourceStatus");
    prb_auto(prb_json_free) struct json_object *conditions = conditions_of(pass);
    prb_auto(prb_json_free) struct json_object *manifests =
            pass->work.has_executor ? NULL : prb_work_status_manifests(pass);
    struct json_object *patch = json_object_new_object(), *status;

    status = prb_json_ensure_obj(patch, "status");
    if (!prb_json_equal(conditions, prb_json_arr(seen, "conditions")))
        prb_json_set(status, "conditions", prb_take(conditions));
    if (manifests && !prb_json_equal(manifests, prb_json_arr(resources, "manifests")))
        prb_json_set(
                prb_json_ensure_obj(status, "resourceStatus"), "manifests", prb_take(manifests));
    if (json_object_object_length(status) > 0)
        return patch;
    prb_json_free(patch);
    return NULL;
}
