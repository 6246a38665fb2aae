/* When has a cluster come to where it should? */

#include <stdio.h>
#include <string.h>

#include "probate/base/clock.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "estate.h"
#include "support/wait.h"

/* One thing to wait for. */
struct hope {
    struct estate *estate;
    enum sort sort;
    const char *name;
    const char *reason;
    const char *text;
    struct prb_str seen; /* owned; what there was instead */
    bool met;
};

static int await(struct hope *hope, bool (*holds)(void *ctx), const char *what)
{
    struct prb_test_wait wait = prb_test_wait_for(PRB_TEST_LONG_MS, "this to end: %s %s %s", what,
            hope->reason ? hope->reason : "", hope->text ? hope->text : "");
    int r = 0;

    prb_str_init(&hope->seen, 600);
    while (r == 0 && !holds(hope)) {
        (void)prb_test_saw("\"%s\"", prb_str_get(&hope->seen));
        if (!prb_test_wait_more(&wait))
            r = estate_fail(hope->estate, "%s", prb_test_awaited());
    }
    prb_str_done(&hope->seen);
    return r;
}

static bool is_said(void *ctx)
{
    struct hope *hope = ctx;
    prb_auto(prb_object_unref) struct prb_object *cluster = estate_get(hope->estate, CLUSTER, NULL);
    const struct json_object *list =
            cluster ? prb_json_arr(prb_object_status(cluster), "conditions") : NULL;

    prb_str_clear(&hope->seen);
    for (size_t i = 0; i < prb_json_len(list); i++) {
        const struct json_object *item = prb_json_elem(list, i);
        const char *message = prb_json_str(item, "message");

        if (!prb_streq(prb_json_str(item, "type"), "ContentDeleteSuccess"))
            continue;
        prb_str_addf(&hope->seen, "%s: %s", prb_json_str(item, "reason"), message);
        return prb_streq(prb_json_str(item, "reason"), hope->reason) && message &&
               strstr(message, hope->text);
    }
    return false;
}

int estate_await_said(struct estate *estate, const char *reason, const char *text)
{
    return await(&(struct hope){ .estate = estate, .reason = reason, .text = text }, is_said,
            "the condition does not say");
}

static void look_at_wait(void *ctx, const char *controller, const struct prb_ref *key,
        const char *waits_for, int64_t since_ms)
{
    struct hope *hope = ctx;

    (void)controller;
    (void)since_ms;
    if (!prb_streq(key->name, hope->estate->id))
        return;
    prb_str_add(&hope->seen, waits_for);
    hope->met = hope->met || strstr(waits_for, hope->text);
}

static bool waits(void *ctx)
{
    struct hope *hope = ctx;

    prb_str_clear(&hope->seen);
    prb_runner_each_wait(hope->estate->target->runner, look_at_wait, hope);
    return hope->met;
}

int estate_await_waits(struct estate *estate, const char *text)
{
    return await(&(struct hope){ .estate = estate, .text = text }, waits, "it does not wait for");
}

static bool has_finalizer(struct estate *estate, const struct prb_object *cluster)
{
    const struct prb_cluster_settings *settings = estate->target->reconciler.settings;

    return prb_object_has_finalizer(
            cluster, settings ? settings->finalizer : PRB_CLUSTER_FINALIZER);
}

static bool is_held(void *ctx)
{
    struct hope *hope = ctx;
    prb_auto(prb_object_unref) struct prb_object *cluster = estate_get(hope->estate, CLUSTER, NULL);

    return cluster && has_finalizer(hope->estate, cluster);
}

static bool is_released(void *ctx)
{
    struct hope *hope = ctx;
    prb_auto(prb_object_unref) struct prb_object *cluster = estate_get(hope->estate, CLUSTER, NULL);

    return cluster && !has_finalizer(hope->estate, cluster);
}

int estate_await_released(struct estate *estate)
{
    return await(
            &(struct hope){ .estate = estate }, is_released, "Probate still holds the cluster");
}

int estate_await_held(struct estate *estate)
{
    return await(&(struct hope){ .estate = estate }, is_held, "the cluster is not held");
}

static bool is_unmarked(void *ctx)
{
    struct hope *hope = ctx;
    prb_auto(prb_object_unref) struct prb_object *namespace =
            estate_get(hope->estate, NAMESPACE, NULL);

    return namespace && !prb_object_annotation(namespace, PRB_MARK_CLUSTER_UID) &&
           !prb_object_annotation(namespace, PRB_MARK_NAMESPACE_UID);
}

int estate_await_unmarked(struct estate *estate)
{
    return await(&(struct hope){ .estate = estate }, is_unmarked, "the namespace has a mark");
}

static bool is_gone(void *ctx)
{
    struct hope *hope = ctx;
    struct prb_ref ref = estate_ref(hope->estate, hope->sort, hope->name);
    prb_auto(prb_object_unref) struct prb_object *object = NULL;
    struct prb_error err;

    return prb_api_get(hope->estate->target->direct, &ref, NULL, &object, &err) == PRB_E_NOTFOUND;
}

int estate_await_gone(struct estate *estate, enum sort sort, const char *name)
{
    return await(&(struct hope){ .estate = estate,
                         .sort = sort,
                         .name = name,
                         .reason = sort_name(sort),
                         .text = name },
            is_gone, "is not gone:");
}

static bool is_deleting(void *ctx)
{
    struct hope *hope = ctx;
    prb_auto(prb_object_unref) struct prb_object *object =
            estate_get(hope->estate, hope->sort, hope->name);

    return object && prb_object_is_deleting(object);
}

int estate_await_deleting(struct estate *estate, enum sort sort, const char *name)
{
    return await(&(struct hope){ .estate = estate,
                         .sort = sort,
                         .name = name,
                         .reason = sort_name(sort),
                         .text = name },
            is_deleting, "nobody deletes");
}

static bool is_event(void *ctx)
{
    static const struct prb_gvr events = { "", "v1", "events" };
    struct hope *hope = ctx;
    prb_auto(prb_page_done) struct prb_page page;
    struct prb_error err;

    prb_page_init(&page);
    prb_str_clear(&hope->seen);
    if (prb_api_list_all(hope->estate->target->direct, &events,
                &(struct prb_list_options){ .namespace = "default" }, 10000, &page, &err) < 0) {
        prb_str_add(&hope->seen, err.msg);
        return false;
    }
    for (size_t i = 0; i < page.count; i++) {
        const struct json_object *tree = prb_object_tree(page.objects[i]);
        const char *message;

        if (!prb_streq(
                    prb_json_str(prb_json_obj(tree, "involvedObject"), "name"), hope->estate->id))
            continue;
        message = prb_json_str(tree, "message");
        if (prb_streq(prb_json_str(tree, "reason"), hope->reason) &&
                (!hope->text || (message && strstr(message, hope->text))))
            return true;
        prb_str_addf(&hope->seen, "%s ", prb_json_str(tree, "reason"));
    }
    return false;
}

int estate_await_event(struct estate *estate, const char *reason)
{
    return await(
            &(struct hope){ .estate = estate, .reason = reason }, is_event, "there is no Event");
}

int estate_await_event_saying(struct estate *estate, const char *reason, const char *text)
{
    return await(&(struct hope){ .estate = estate, .reason = reason, .text = text }, is_event,
            "there is no Event");
}

int estate_expect_untouched(struct estate *estate, enum sort sort, const char *name)
{
    prb_auto(prb_object_unref) struct prb_object *object = estate_get(estate, sort, name);
    struct prb_ref ref = estate_ref(estate, sort, name);

    if (!object)
        return estate_fail(estate, "%s %s is gone", sort_name(sort), ref.name);
    if (prb_object_is_deleting(object))
        return estate_fail(estate, "%s %s is being deleted", sort_name(sort), ref.name);
    return 0;
}

int estate_await_end(struct estate *estate, unsigned flags)
{
    char why[PRB_TEST_WHY_SIZE] = "";

    order_await(estate->target->recording, estate->id, flags, PRB_TEST_LONG_MS, why, sizeof(why));
    return why[0] ? estate_fail(estate, "%s", why) : 0;
}

struct tale {
    char story[STORY_SIZE];
};

static void find_story(void *ctx, const struct trace *trace)
{
    struct tale *tale = ctx;

    if (trace->sort == CLUSTER)
        (void)prb_copy(tale->story, sizeof(tale->story), trace->story);
}

int estate_expect_story(struct estate *estate, const char *story)
{
    struct tale tale = { "" };
    size_t len;

    recording_each(estate->target->recording, estate->id, find_story, &tale);
    len = strlen(tale.story);

    /* Of what was made a moment ago one cache may know more than another at first. */
    if (len < strlen(story) || !prb_streq(tale.story + len - strlen(story), story))
        return estate_fail(
                estate, "the condition went \"%s\" instead of \"%s\"", tale.story, story);
    return 0;
}

/* Timestamps of objects are whole seconds. */
static bool is_a_second_old(void *ctx)
{
    struct hope *hope = ctx;
    prb_auto(prb_object_unref) struct prb_object *object =
            estate_get(hope->estate, hope->sort, hope->name);

    const struct prb_clock *clock = prb_clock_system();

    return object && clock->wall_ms(clock) / 1000 > prb_object_created_at_ms(object) / 1000;
}

int estate_await_older(struct estate *estate, enum sort sort, const char *name)
{
    struct hope hope = { .estate = estate, .sort = sort, .name = name };

    return await(&hope, is_a_second_old, "its timestamp is in the past");
}
