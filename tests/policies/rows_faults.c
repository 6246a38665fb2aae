/* Is anything lost, forgotten or deleted too much when a call fails, whatever the error? */

#include <stdio.h>
#include <stdlib.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "rows.h"
#include "support/wait.h"

struct fault_case {
    const char *verb;
    enum prb_fault fault;
    int status;
    const char *resource, *kind; /* what it hits; a creation has no name in its URL, so each of
                                    these rows has a kind for itself */
};

/* So often before it is cleared: Probate has come back to it. */
#define HITS 2

/* Others have one of this name, too; rules know no namespaces. */
static char *own_name(const struct scene *scene, const char *name)
{
    return prb_asprintf("%s-%s", scene->id, name);
}

static int begin(struct scene *scene, const char *name)
{
    const struct fault_case *fault = scene->with;
    const struct prb_fault_rule rule = { .fault = fault->fault,
        .verb = fault->verb,
        .resource = fault->resource,
        .name = name,
        .status = fault->status };

    return prb_fault_proxy_add(scene->place->real.proxy, &rule);
}

struct hits {
    struct prb_fault_proxy *proxy;
    int rule;
    unsigned wanted;
};

static bool was_hit(void *ctx)
{
    struct hits *hits = ctx;

    unsigned now = prb_fault_proxy_hits(hits->proxy, hits->rule);

    return now >= hits->wanted || prb_test_saw("%u of %u times", now, hits->wanted);
}

static int await_hits(struct scene *scene, int rule, unsigned wanted)
{
    struct hits hits = { .proxy = scene->place->real.proxy, .rule = rule, .wanted = wanted };

    return prb_test_await("the call meets the fault often enough", was_hit, &hits, PRB_TEST_LONG_MS)
                   ? 0
                   : scene_fail(scene, "%s", prb_test_awaited());
}

static void end(struct scene *scene, int rule)
{
    prb_fault_proxy_clear(scene->place->real.proxy, rule);
}

static struct prb_ref victim(const struct scene *scene)
{
    prb_autofree char *name = own_name(scene, "x");

    return scene_cm(scene, name);
}

/* ---- of a DELETE and what is asked before it ---- */

/* A DELETE that was carried out though nobody heard of it is not repeated. */
static bool is_done_once(const struct fault_case *fault)
{
    return prb_streq(fault->verb, "delete") && fault->fault == PRB_FAULT_DROP_AFTER;
}

/* While it lasts nothing is forgotten, and nothing is deleted. */
static int expect_held(struct scene *scene, const struct prb_ref *x, int rule)
{
    const struct fault_case *fault = scene->with;

    DO(await_hits(scene, rule, is_done_once(fault) ? 1 : HITS));
    if (is_done_once(fault))
        return 0;
    DO(scene_await_listed(scene, "p", x, true));
    return scene_expect_kept(scene, x);
}

static int play_deletion(struct scene *scene)
{
    struct prb_ref x = victim(scene), y = scene_cm(scene, "y"), old = scene_cm(scene, "old");
    int rule;

    DO(scene_make(scene, &old, CM("old", "a")));
    DO(scene_make_policy(scene, "p",
            ENFORCE("DeleteIfCreated",
                    HAVE(CM("@-x", "a")) "," HAVE(CM("y", "a")) "," HAVE(CM("old", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_await_recorded(scene, "p", &x, true));
    rule = begin(scene, x.name);
    DO(scene_delete_policy(scene, "p"));
    DO(expect_held(scene, &x, rule));
    end(scene, rule);
    DO(scene_await_ended(scene, "p"));
    DO(scene_expect_gone(scene, &x));
    DO(scene_expect_gone(scene, &y));
    return scene_expect_kept(scene, &old);
}

static int play_change(struct scene *scene)
{
    struct prb_ref x = victim(scene), z = scene_cm(scene, "z");
    int rule;

    DO(scene_make_policy(scene, "p", ENFORCE("DeleteIfCreated", HAVE(CM("@-x", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_await_recorded(scene, "p", &x, true));
    rule = begin(scene, x.name);
    DO(scene_patch_policy(scene, "p", SET(TEMPLATES(HAVE(CM("z", "a"))))));
    DO(expect_held(scene, &x, rule));
    end(scene, rule);
    DO(scene_expect_gone(scene, &x));
    DO(scene_await_listed(scene, "p", &x, false));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_await_recorded(scene, "p", &z, true));
    return scene_expect_kept(scene, &z);
}

/* ---- of a GET in the middle of an evaluation ---- */

/* What cannot be read is no reason to prune it, nor anything else; then all goes on. */
static int play_evaluation(struct scene *scene)
{
    struct prb_ref x = victim(scene), y = scene_cm(scene, "y");
    int rule;

    DO(scene_make_policy(
            scene, "p", ENFORCE("DeleteAll", HAVE(CM("@-x", "a")) "," HAVE(CM("y", "a")))));
    DO(scene_await_compliant(scene, "p"));
    DO(scene_await_recorded(scene, "p", &x, true));
    rule = begin(scene, x.name);
    DO(scene_patch_policy(scene, "p", SET(TEMPLATES(HAVE(CM("@-x", "b"))))));
    DO(await_hits(scene, rule, HITS));
    DO(scene_await_listed(scene, "p", &x, true));
    DO(scene_expect_kept(scene, &y));
    end(scene, rule);
    DO(scene_await_value(scene, &x, "b"));
    DO(scene_expect_gone(scene, &y));
    DO(scene_await_recorded(scene, "p", &x, true));
    return scene_expect_kept(scene, &x);
}

/* ---- of a CREATE ---- */

/* However it ended: in the end it is there once, and the policy's own. */
static int play_creation(struct scene *scene)
{
    const struct fault_case *fault = scene->with;
    prb_autofree char *gvr = prb_asprintf("%s.v1", fault->resource);
    prb_autofree char *spec =
            prb_asprintf("'remediationAction':'enforce','pruneObjectBehavior':'DeleteIfCreated',"
                         "'object-templates':[{'complianceType':'musthave','objectDefinition':{"
                         "'apiVersion':'v1','kind':'%s','metadata':{'name':'x','namespace':'@'}}}"
                         "," HAVE(CM("y", "a")) "]",
                    fault->kind);
    struct prb_ref x = scene_in(scene, gvr, "x"), y = scene_cm(scene, "y");
    struct prb_error err;
    int rule;

    if (history_watch(scene->place->history, &x.gvr, &err) < 0)
        return scene_fail(scene, "%s", err.msg);
    rule = begin(scene, NULL);
    DO(scene_make_policy(scene, "p", spec));
    DO(await_hits(scene, rule, fault->fault == PRB_FAULT_DROP_AFTER ? 1 : HITS));
    end(scene, rule);
    DO(scene_await_compliant(scene, "p"));
    DO(scene_await_recorded(scene, "p", &y, true));
    DO(scene_await_recorded(scene, "p", &x, true));
    DO(scene_expect_kept(scene, &x));
    DO(scene_delete_policy(scene, "p"));
    DO(scene_await_ended(scene, "p"));
    DO(scene_expect_gone(scene, &y));
    return scene_expect_gone(scene, &x);
}

/* ---- of writes to the policy ---- */

/* The record comes before what it is about, and is complete in the end. */
static int play_record(struct scene *scene)
{
    const struct fault_case *fault = scene->with;
    struct prb_ref foo = scene_cm(scene, "foo");
    int rule = begin(scene, scene->id);

    DO(scene_make_policy(scene, scene->id, ENFORCE("DeleteIfCreated", HAVE(CM("foo", "a")))));
    DO(await_hits(scene, rule, fault->fault == PRB_FAULT_DROP_AFTER ? 1 : HITS));
    if (fault->fault != PRB_FAULT_DROP_AFTER)
        DO(scene_expect_never(scene, &foo));
    end(scene, rule);
    DO(scene_await_compliant(scene, scene->id));
    DO(scene_await_recorded(scene, scene->id, &foo, true));
    DO(scene_expect_kept(scene, &foo));
    DO(scene_delete_policy(scene, scene->id));
    DO(scene_await_ended(scene, scene->id));
    return scene_expect_gone(scene, &foo);
}

/* Letting go of it. */
static int play_release(struct scene *scene)
{
    const struct fault_case *fault = scene->with;
    struct prb_ref foo = scene_cm(scene, "foo");
    int rule;

    DO(scene_make_policy(scene, scene->id, ENFORCE("DeleteIfCreated", HAVE(CM("foo", "a")))));
    DO(scene_await_compliant(scene, scene->id));
    DO(scene_await_recorded(scene, scene->id, &foo, true));
    rule = begin(scene, scene->id);
    DO(scene_delete_policy(scene, scene->id));
    DO(scene_expect_gone(scene, &foo));
    DO(await_hits(scene, rule, fault->fault == PRB_FAULT_DROP_AFTER ? 1 : HITS));
    end(scene, rule);
    return scene_await_ended(scene, scene->id);
}

#define CASE(...)              \
    &(const struct fault_case) \
    {                          \
        __VA_ARGS__            \
    }
#define ANSWER(what, on, code) \
    CASE(.verb = what, .resource = on, .fault = PRB_FAULT_ANSWER, .status = code)
#define CUT(what, on, when) CASE(.verb = what, .resource = on, .fault = PRB_FAULT_DROP_##when)
#define CREATE(on, name, code) \
    CASE(.verb = "create", .resource = on, .kind = name, .fault = PRB_FAULT_ANSWER, .status = code)
#define CREATE_CUT(on, name, when) \
    CASE(.verb = "create", .resource = on, .kind = name, .fault = PRB_FAULT_DROP_##when)
#define STATUS "configurationpolicies/status"
#define POLICY "configurationpolicies"

static const struct row list[] = {
    { "deletion: a GET answered 403 forgets nothing", play_deletion,
            ANSWER("get", "configmaps", 403) },
    { "deletion: a GET answered 410 forgets nothing", play_deletion,
            ANSWER("get", "configmaps", 410) },
    { "deletion: a GET answered 500 forgets nothing", play_deletion,
            ANSWER("get", "configmaps", 500) },
    { "deletion: a GET answered 503 forgets nothing", play_deletion,
            ANSWER("get", "configmaps", 503) },
    { "deletion: a GET that is cut off forgets nothing", play_deletion,
            CUT("get", "configmaps", AFTER) },
    { "deletion: a DELETE answered 403 is tried again", play_deletion,
            ANSWER("delete", "configmaps", 403) },
    { "deletion: a DELETE answered 404 is not believed", play_deletion,
            ANSWER("delete", "configmaps", 404) },
    { "deletion: a DELETE answered 409 is tried again", play_deletion,
            ANSWER("delete", "configmaps", 409) },
    { "deletion: a DELETE answered 429 is tried again", play_deletion,
            ANSWER("delete", "configmaps", 429) },
    { "deletion: a DELETE answered 500 is tried again", play_deletion,
            ANSWER("delete", "configmaps", 500) },
    { "deletion: a DELETE answered 504 is tried again", play_deletion,
            ANSWER("delete", "configmaps", 504) },
    { "deletion: a DELETE that is cut off before is tried again", play_deletion,
            CUT("delete", "configmaps", BEFORE) },
    { "deletion: a DELETE that is cut off after was done", play_deletion,
            CUT("delete", "configmaps", AFTER) },
    { "weakness: an on-change DELETE answered 403 is remembered and tried again", play_change,
            ANSWER("delete", "configmaps", 403) },
    { "weakness: an on-change DELETE answered 500 is remembered and tried again", play_change,
            ANSWER("delete", "configmaps", 500) },
    { "weakness: an on-change DELETE that is cut off is remembered and tried again", play_change,
            CUT("delete", "configmaps", BEFORE) },
    { "weakness: an on-change GET answered 503 is remembered and tried again", play_change,
            ANSWER("get", "configmaps", 503) },
    { "weakness: a GET answered 500 in an evaluation prunes nothing", play_evaluation,
            ANSWER("get", "configmaps", 500) },
    { "weakness: a GET answered 403 in an evaluation prunes nothing", play_evaluation,
            ANSWER("get", "configmaps", 403) },
    { "weakness: a GET that is cut off in an evaluation prunes nothing", play_evaluation,
            CUT("get", "configmaps", BEFORE) },
    { "a CREATE answered 403 makes it once in the end", play_creation,
            CREATE("secrets", "Secret", 403) },
    { "a CREATE answered 409 makes it once in the end", play_creation,
            CREATE("limitranges", "LimitRange", 409) },
    { "a CREATE answered 500 makes it once in the end", play_creation,
            CREATE("resourcequotas", "ResourceQuota", 500) },
    { "a CREATE that is cut off before makes it once in the end", play_creation,
            CREATE_CUT("serviceaccounts", "ServiceAccount", BEFORE) },
    { "a CREATE that is cut off after is the policy's own all the same", play_creation,
            CREATE_CUT("endpoints", "Endpoints", AFTER) },
    { "a record that meets 409 comes before the object all the same", play_record,
            ANSWER("patch", STATUS, 409) },
    { "a record that meets 500 comes before the object all the same", play_record,
            ANSWER("patch", STATUS, 500) },
    { "a record that is cut off before comes before the object all the same", play_record,
            CUT("patch", STATUS, BEFORE) },
    { "a record that is cut off after is found again", play_record, CUT("patch", STATUS, AFTER) },
    { "a finalizer that meets 500 comes before the object all the same", play_record,
            ANSWER("patch", POLICY, 500) },
    { "a finalizer that is cut off after is found again", play_record,
            CUT("patch", POLICY, AFTER) },
    { "a policy that cannot be let go is let go later, after 409", play_release,
            ANSWER("patch", POLICY, 409) },
    { "a policy that cannot be let go is let go later, after 503", play_release,
            ANSWER("patch", POLICY, 503) },
    { "a policy that was let go without anybody hearing of it is gone", play_release,
            CUT("patch", POLICY, AFTER) },
};

ROW_LIST(rows_faults, .real_only = true);
