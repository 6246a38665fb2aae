/* Is anything lost, forgotten or made twice when a call fails, whatever the error? */

#include <stdio.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "rows.h"
#include "support/wait.h"

struct fault_case {
    const char *verb;
    enum prb_fault fault;
    int status;
    bool is_answer;              /* whoever is told 404 to a GET believes it */
    const char *resource, *kind; /* what it hits; a creation has no name in its URL, so each of
                                    these rows has a kind for itself */
};

/* So often before it is cleared: the agent has come back to it. */
#define HITS 2

static struct prb_ref victim(const struct scene *scene)
{
    const struct fault_case *fault = scene->with;
    prb_autofree char *name = prb_asprintf("%s-x", scene->id);
    prb_autofree char *gvr = prb_asprintf("%s.v1", fault->resource);

    return scene_in(scene, gvr, name);
}

static int begin(struct scene *scene, const struct prb_ref *ref)
{
    const struct fault_case *fault = scene->with;
    const struct prb_fault_rule rule = { .fault = fault->fault,
        .verb = fault->verb,
        .resource = fault->resource,
        .name = prb_streq(fault->verb, "create") ? NULL : ref->name,
        .status = fault->status };

    return prb_fault_proxy_add(scene->ends->spoke->real.proxy, &rule);
}

struct hits {
    struct prb_fault_proxy *proxy;
    int rule;
};

static bool was_hit(void *ctx)
{
    struct hits *hits = ctx;

    unsigned now = prb_fault_proxy_hits(hits->proxy, hits->rule);

    return now >= HITS || prb_test_saw("%u of %d times", now, HITS);
}

static int await_hits(struct scene *scene, int rule)
{
    struct hits hits = { .proxy = scene->ends->spoke->real.proxy, .rule = rule };

    return prb_test_await(
                   "the call meets the fault often enough", was_hit, &hits, PRB_TEST_STORM_MS)
                   ? 0
                   : scene_fail(scene, "%s", prb_test_awaited());
}

static void end(struct scene *scene, int rule)
{
    prb_fault_proxy_clear(scene->ends->spoke->real.proxy, rule);
}

/* While it lasts nothing is forgotten: the object, its entry and the work are there. */
static int expect_held(struct scene *scene, const struct prb_ref *ref)
{
    const struct fault_case *fault = scene->with;
    prb_auto(prb_object_unref) struct prb_object *object = scene_get(scene, ref);

    DO(scene_await_recorded(scene, "w", ref, true));
    if (!object || (prb_object_is_deleting(object) && fault->fault != PRB_FAULT_DROP_AFTER))
        return scene_fail(scene, "it was deleted all the same");
    return scene_await_said(scene, "w", "Deleting", "True", "WorkDeleting", ref->name);
}

/* A work that is applied, whose victim somebody holds: so it can be seen to be deleted. */
static int set_up(struct scene *scene, const struct prb_ref *x)
{
    DO(scene_make_work(scene, "w", WORKLOAD(CM("@-x", "a") "," CM("y", "a"))));
    DO(scene_await_applied(scene, "w"));
    DO(scene_await_recorded(scene, "w", x, true));
    DO(scene_patch(scene, x, HOLD));
    return scene_await_applied(scene, "w");
}

/* It lasts until it has hit, and nothing was forgotten. */
static int suffer(struct scene *scene, const struct prb_ref *x, int rule)
{
    DO(await_hits(scene, rule));
    DO(expect_held(scene, x));
    end(scene, rule);
    return scene_await_deleting(scene, x);
}

/* The fault hits the end of a work. */
static int play_end(struct scene *scene)
{
    const struct fault_case *fault = scene->with;
    struct prb_ref x = victim(scene), y = scene_cm(scene, "y");
    int rule;

    DO(set_up(scene, &x));
    rule = begin(scene, &x);
    DO(scene_delete_work(scene, "w"));
    if (!fault->is_answer)
        DO(suffer(scene, &x, rule));
    end(scene, rule);
    DO(scene_release(scene, &x));
    DO(scene_await_ended(scene, "w"));
    DO(scene_expect_gone(scene, &y));
    return scene_expect_gone(scene, &x);
}

/* The fault hits its beginning: in the end all is applied, and made once. */
static int play_begin(struct scene *scene)
{
    const struct fault_case *fault = scene->with;
    struct prb_ref x = victim(scene), y = scene_cm(scene, "y");
    prb_autofree char *spec = prb_asprintf(
            "'workload':{'manifests':[{'apiVersion':'v1','kind':'%s','metadata':{'name':'@-x',"
            "'namespace':'@'}}," CM("y", "a") "]}",
            fault->kind);
    struct prb_error err;
    int rule;

    if (history_watch(scene->ends->history, &x.gvr, &err) < 0)
        return scene_fail(scene, "%s", err.msg);
    rule = begin(scene, &x);
    DO(scene_make_work(scene, "w", spec));
    DO(scene_await_manifest(scene, "w", 1, "Applied", "True", ""));
    DO(await_hits(scene, rule));
    end(scene, rule);
    DO(scene_await_applied(scene, "w"));
    DO(scene_await_recorded(scene, "w", &x, true));
    DO(scene_expect_kept(scene, &x));
    DO(scene_delete_work(scene, "w"));
    DO(scene_await_ended(scene, "w"));
    DO(scene_expect_gone(scene, &y));
    return scene_expect_gone(scene, &x);
}

#define CASE(...) (&(const struct fault_case){ __VA_ARGS__ })
#define ON_CM .resource = "configmaps", .kind = "ConfigMap"
#define GET(code) CASE(.verb = "get", .fault = PRB_FAULT_ANSWER, .status = code, ON_CM)
#define DELETE(code) CASE(.verb = "delete", .fault = PRB_FAULT_ANSWER, .status = code, ON_CM)
#define CREATE(code, what, name)                                                        \
    CASE(.verb = "create", .fault = PRB_FAULT_ANSWER, .status = code, .resource = what, \
            .kind = name)

static const struct row list[] = {
    { "a GET answered 400 forgets nothing", play_end, GET(400) },
    { "a GET answered 401 forgets nothing", play_end, GET(401) },
    { "a GET answered 403 forgets nothing", play_end, GET(403) },
    { "a GET answered 409 forgets nothing", play_end, GET(409) },
    { "a GET answered 410 forgets nothing", play_end, GET(410) },
    { "a GET answered 429 forgets nothing", play_end, GET(429) },
    { "a GET answered 500 forgets nothing", play_end, GET(500) },
    { "a GET answered 503 forgets nothing", play_end, GET(503) },
    { "a GET answered 504 forgets nothing", play_end, GET(504) },
    { "a GET that is cut off before forgets nothing", play_end,
            CASE(.verb = "get", .fault = PRB_FAULT_DROP_BEFORE, ON_CM) },
    { "a GET that is cut off after forgets nothing", play_end,
            CASE(.verb = "get", .fault = PRB_FAULT_DROP_AFTER, ON_CM) },
    { "a GET answered 404 is believed, and the garbage collector does the rest", play_end,
            CASE(.verb = "get", .fault = PRB_FAULT_ANSWER, .status = 404, .is_answer = true,
                    ON_CM) },
    { "a DELETE answered 400 is tried again", play_end, DELETE(400) },
    { "a DELETE answered 401 is tried again", play_end, DELETE(401) },
    { "a DELETE answered 403 is tried again", play_end, DELETE(403) },
    { "a DELETE answered 404 is not believed", play_end, DELETE(404) },
    { "a DELETE answered 409 is tried again", play_end, DELETE(409) },
    { "a DELETE answered 410 is tried again", play_end, DELETE(410) },
    { "a DELETE answered 429 is tried again", play_end, DELETE(429) },
    { "a DELETE answered 500 is tried again", play_end, DELETE(500) },
    { "a DELETE answered 503 is tried again", play_end, DELETE(503) },
    { "a DELETE answered 504 is tried again", play_end, DELETE(504) },
    { "a DELETE that is cut off before is tried again", play_end,
            CASE(.verb = "delete", .fault = PRB_FAULT_DROP_BEFORE, ON_CM) },
    { "a CREATE answered 403 makes it once in the end", play_begin,
            CREATE(403, "secrets", "Secret") },
    { "a CREATE answered 409 makes it once in the end", play_begin,
            CREATE(409, "limitranges", "LimitRange") },
    { "a CREATE answered 500 makes it once in the end", play_begin,
            CREATE(500, "resourcequotas", "ResourceQuota") },
    { "a CREATE that is cut off before makes it once in the end", play_begin,
            CASE(.verb = "create", .fault = PRB_FAULT_DROP_BEFORE, .resource = "serviceaccounts",
                    .kind = "ServiceAccount") },
};

ROW_LIST(rows_faults, .real_only = true, .once = true);
