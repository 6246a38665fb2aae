/* Is anything lost, or left behind, when somebody does two things in the same second? */

#include <stdio.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "rows.h"

/* Of each, so that the agent is met in all sorts of moments. */
#define TIMES 5

/* Of a work that was lost. */
#define GRACE_MS 1000

/* Work i of the scene, with "a<i>" and "b<i>" in it. */
static int make(struct scene *scene, int number, const char *rest)
{
    prb_autofree char *work = prb_asprintf("%d", number);
    prb_autofree char *spec = prb_asprintf(
            "'workload':{'manifests':[{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':"
            "'a%d','namespace':'@'}},{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':"
            "'b%d','namespace':'@'}}]}%s",
            number, number, rest);

    return scene_make_work(scene, work, spec);
}

typedef int (*step_fn)(struct scene *scene, int number, const char *work);

static int for_each(struct scene *scene, step_fn step)
{
    for (int i = 0; i < TIMES; i++) {
        prb_autofree char *work = prb_asprintf("%d", i);

        DO(step(scene, i, work));
    }
    return 0;
}

static struct prb_ref cm(const struct scene *scene, char sort, int number)
{
    prb_autofree char *name = prb_asprintf("%c%d", sort, number);

    return scene_cm(scene, name);
}

static int make_owned(struct scene *scene, int number, const char *work)
{
    DO(make(scene, number, ""));
    return scene_await_applied(scene, work);
}

static int make_orphaned(struct scene *scene, int number, const char *work)
{
    DO(make(scene, number, ORPHAN));
    return scene_await_applied(scene, work);
}

static int orphan_and_delete(struct scene *scene, int number, const char *work)
{
    (void)number;
    DO(scene_patch_work(scene, work, "{'spec':{'deleteOption':{'propagationPolicy':'Orphan'}}}"));
    return scene_delete_work(scene, work);
}

static int spare_and_delete(struct scene *scene, int number, const char *work)
{
    prb_autofree char *patch = prb_asprintf(
            "{'spec':{'deleteOption':{'propagationPolicy':'SelectivelyOrphan',"
            "'selectivelyOrphans':{'orphaningRules':[{'resource':'configmaps','namespace':'@',"
            "'name':'a%d'}]}}}}",
            number);

    DO(scene_patch_work(scene, work, patch));
    return scene_delete_work(scene, work);
}

static int own_and_delete(struct scene *scene, int number, const char *work)
{
    (void)number;
    DO(scene_patch_work(scene, work, "{'spec':{'deleteOption':null}}"));
    return scene_delete_work(scene, work);
}

static int shrink_and_delete(struct scene *scene, int number, const char *work)
{
    prb_autofree char *patch = prb_asprintf(
            "{'spec':{'workload':{'manifests':[{'apiVersion':'v1','kind':'ConfigMap','metadata':{"
            "'name':'a%d','namespace':'@'}}]}}}",
            number);

    DO(scene_patch_work(scene, work, patch));
    return scene_delete_work(scene, work);
}

static int make_and_delete(struct scene *scene, int number, const char *work)
{
    DO(make(scene, number, ""));
    return scene_delete_work(scene, work);
}

static int make_and_shrink(struct scene *scene, int number, const char *work)
{
    prb_autofree char *patch = prb_asprintf(
            "{'spec':{'workload':{'manifests':[{'apiVersion':'v1','kind':'ConfigMap','metadata':{"
            "'name':'a%d','namespace':'@'}}]}}}",
            number);

    DO(make(scene, number, ""));
    return scene_patch_work(scene, work, patch);
}

static int await_end(struct scene *scene, int number, const char *work)
{
    (void)number;
    return scene_await_ended(scene, work);
}

static int expect_no_trace(struct scene *scene, int number, const char *work)
{
    struct prb_ref applied = scene_applied(scene, work);

    (void)number;
    DO(scene_await_no_work(scene, work));
    return scene_await_gone(scene, &applied);
}

static int expect_both_kept(struct scene *scene, int number, const char *work)
{
    struct prb_ref a = cm(scene, 'a', number), b = cm(scene, 'b', number);

    (void)work;
    DO(scene_expect_kept(scene, &a));
    DO(scene_await_owners(scene, &a, 0));
    return scene_expect_kept(scene, &b);
}

static int expect_first_kept(struct scene *scene, int number, const char *work)
{
    struct prb_ref a = cm(scene, 'a', number), b = cm(scene, 'b', number);

    (void)work;
    DO(scene_expect_kept(scene, &a));
    return scene_expect_gone(scene, &b);
}

static int expect_both_gone(struct scene *scene, int number, const char *work)
{
    struct prb_ref a = cm(scene, 'a', number), b = cm(scene, 'b', number);

    (void)work;
    DO(scene_await_gone(scene, &a));
    return scene_await_gone(scene, &b);
}

/* Whether the agent has added its reference in time decides, and nothing half-way. */
static int expect_gone_or_free(struct scene *scene, int number, const char *work)
{
    struct prb_ref both[] = { cm(scene, 'a', number), cm(scene, 'b', number) };

    (void)work;
    for (int i = 0; i < 2; i++) {
        prb_auto(prb_object_unref) struct prb_object *left = scene_get(scene, &both[i]);

        DO(left ? scene_await_owners(scene, &both[i], 0)
                : scene_expect_gone_owned(scene, &both[i]));
    }
    return 0;
}

static int expect_shrunk(struct scene *scene, int number, const char *work)
{
    struct prb_ref a = cm(scene, 'a', number), b = cm(scene, 'b', number);

    DO(scene_await_applied(scene, work));
    DO(scene_await_recorded(scene, work, &b, false));
    DO(scene_await_gone(scene, &b));
    return scene_expect_kept(scene, &a);
}

static int orphaned(struct scene *scene)
{
    DO(for_each(scene, make_owned));
    DO(for_each(scene, orphan_and_delete));
    DO(for_each(scene, await_end));
    return for_each(scene, expect_both_kept);
}

static int spared(struct scene *scene)
{
    DO(for_each(scene, make_owned));
    DO(for_each(scene, spare_and_delete));
    DO(for_each(scene, await_end));
    return for_each(scene, expect_first_kept);
}

static int owned(struct scene *scene)
{
    DO(for_each(scene, make_orphaned));
    DO(for_each(scene, own_and_delete));
    DO(for_each(scene, await_end));
    return for_each(scene, expect_gone_or_free);
}

static int shrunk(struct scene *scene)
{
    DO(for_each(scene, make_owned));
    DO(for_each(scene, shrink_and_delete));
    DO(for_each(scene, await_end));
    return for_each(scene, expect_both_gone);
}

/* An API server that has begun to delete does not see a finalizer that comes between: such a work
 * is gone at once, and what it has brought meanwhile is evicted like that of any work that is lost.
 */
static int made_and_deleted(struct scene *scene)
{
    DO(scene_hire(scene));
    scene->own.settings.eviction_grace_ms = GRACE_MS;
    DO(scene_start(scene));
    DO(for_each(scene, make_and_delete));
    DO(for_each(scene, expect_no_trace));
    return for_each(scene, expect_both_gone);
}

static int made_and_shrunk(struct scene *scene)
{
    DO(for_each(scene, make_and_shrink));
    return for_each(scene, expect_shrunk);
}

/* The next one of the same name is another work. */
static int made_again(struct scene *scene)
{
    struct prb_ref cm1 = scene_cm(scene, "cm1");

    DO(scene_make_work(scene, "w", WORKLOAD(CM("cm1", "a"))));
    DO(scene_await_applied(scene, "w"));
    DO(scene_delete_work(scene, "w"));
    DO(scene_await_ended(scene, "w"));
    DO(scene_make_work(scene, "w", WORKLOAD(CM("cm1", "b"))));
    DO(scene_await_applied(scene, "w"));
    DO(scene_expect_value(scene, &cm1, "b"));
    DO(scene_await_owned(scene, &cm1, "w", true));
    return scene_expect_again(scene, &cm1);
}

static const struct row list[] = {
    ROW("Orphan set and the work deleted within the same second: nothing is lost", orphaned),
    ROW("a rule set and the work deleted within the same second: what it names stays", spared),
    ROW("Orphan taken back and the work deleted within the same second: what has a reference goes",
            owned),
    ROW("a manifest removed and the work deleted within the same second: both go", shrunk),
    ROW("a work made and deleted within the same second leaves nothing behind", made_and_deleted),
    ROW("a work made and shrunk within the same second leaves nothing behind", made_and_shrunk),
    ROW("a work that is made again under the same name is applied again", made_again),
};

ROW_LIST(rows_sudden);
