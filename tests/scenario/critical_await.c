/* When has the world of the critical-service reconciler come to where it should? */

#include <stdio.h>

#include "probate/base/str.h"

#include "critical_stage.h"
#include "support/wait.h"

/* One thing to wait for. */
struct hope {
    struct critical_stage *stage;
    const struct prb_ref *ref;
    const char *pointer; /* or the type of a condition */
    const char *text;
    struct prb_str seen; /* owned; what there was instead */
};

static void print_node(const struct json_object *node, struct prb_str *out)
{
    if (prb_json_string(node))
        prb_str_add(out, prb_json_string(node));
    else
        prb_json_print(node, out);
}

static bool is_at(void *ctx)
{
    struct hope *hope = ctx;
    prb_auto(prb_object_unref) struct prb_object *object = critical_get(hope->stage, hope->ref);
    struct json_object *node = NULL;

    prb_str_clear(&hope->seen);
    if (!object)
        return false;
    if (prb_json_pointer_get(prb_object_tree(object), hope->pointer, &node))
        print_node(node, &hope->seen);
    return prb_streq(prb_str_get(&hope->seen), hope->text);
}

static bool is_condition(void *ctx)
{
    struct hope *hope = ctx;
    prb_auto(prb_object_unref) struct prb_object *object = critical_get(hope->stage, hope->ref);
    const struct json_object *list =
            object ? prb_json_arr(prb_object_status(object), "conditions") : NULL;

    prb_str_clear(&hope->seen);
    for (size_t i = 0; i < prb_json_len(list); i++) {
        const struct json_object *item = prb_json_elem(list, i);

        if (prb_streq(prb_json_str(item, "type"), hope->pointer))
            prb_str_addf(&hope->seen, "%s %s", prb_json_str(item, "status"),
                    prb_json_str(item, "reason"));
    }
    return prb_streq(prb_str_get(&hope->seen), hope->text);
}

static bool is_event(void *ctx)
{
    static const struct prb_gvr events = { "", "v1", "events" };
    struct hope *hope = ctx;
    prb_auto(prb_page_done) struct prb_page page;
    struct prb_error err;

    prb_page_init(&page);
    prb_str_clear(&hope->seen);
    if (prb_api_list_all(hope->stage->api, &events,
                &(struct prb_list_options){ .namespace = "default" }, 10000, &page, &err) < 0) {
        prb_str_add(&hope->seen, err.msg);
        return false;
    }
    for (size_t i = 0; i < page.count; i++) {
        const struct json_object *tree = prb_object_tree(page.objects[i]);
        const struct json_object *about = prb_json_obj(tree, "involvedObject");

        if (!prb_streq(prb_json_str(about, "kind"), "CriticalService") ||
                !prb_streq(prb_json_str(about, "name"), hope->ref->name))
            continue;
        if (prb_streq(prb_json_str(tree, "reason"), hope->text))
            return true;
        prb_str_addf(&hope->seen, "%s ", prb_json_str(tree, "reason"));
    }
    return false;
}

static bool is_gone(void *ctx)
{
    struct hope *hope = ctx;
    prb_auto(prb_object_unref) struct prb_object *object = NULL;
    struct prb_error err;

    return prb_api_get(hope->stage->api, hope->ref, NULL, &object, &err) == PRB_E_NOTFOUND;
}

static int await(struct hope *hope, bool (*holds)(void *ctx), const char *what)
{
    struct prb_test_wait wait = prb_test_wait_for(PRB_TEST_SOON_MS, "%s %s of %s is \"%s\"", what,
            hope->pointer ? hope->pointer : "", hope->ref->name, hope->text ? hope->text : "");
    int r = 0;

    prb_str_init(&hope->seen, 512);
    while (r == 0 && !holds(hope)) {
        (void)prb_test_saw("\"%s\"", prb_str_get(&hope->seen));
        if (!prb_test_wait_more(&wait))
            r = critical_fail(hope->stage, "%s", prb_test_awaited());
    }
    prb_str_done(&hope->seen);
    return r;
}

int critical_await(struct critical_stage *stage, const struct prb_ref *ref, const char *pointer,
        const char *text)
{
    return await(&(struct hope){ .stage = stage, .ref = ref, .pointer = pointer, .text = text },
            is_at, "member");
}

int critical_await_condition(
        struct critical_stage *stage, const struct prb_ref *ref, const char *type, const char *text)
{
    return await(&(struct hope){ .stage = stage, .ref = ref, .pointer = type, .text = text },
            is_condition, "condition");
}

int critical_await_event(
        struct critical_stage *stage, const struct prb_ref *ref, const char *reason)
{
    if (stage->lossy)
        return 0;
    return await(&(struct hope){ .stage = stage, .ref = ref, .pointer = "event", .text = reason },
            is_event, "event");
}

int critical_await_gone(struct critical_stage *stage, const struct prb_ref *ref)
{
    return await(&(struct hope){ .stage = stage, .ref = ref, .pointer = "end", .text = "gone" },
            is_gone, "end");
}
