/* What does the player do to a work and a policy, and to what they name? */

#include "probate/base/mem.h"
#include "probate/model/policy.h"
#include "probate/reconcilers/work.h"

#include "keepsakes.h"
#include "moves.h"
#include "support/json_text.h"
#include "support/wait.h"

#define HOLD "example.org/hold"

/* Maps 0 and 1 are the work's, 2 and 3 the policy's. */
#define OF_WORK 2

/* ---- ConfigMaps ---- */

/* One that is there, or one that is not; any when there is none such. */
static struct prb_ref pick_map(struct world *world, bool is_there)
{
    unsigned first = world_roll(world, WORLD_MAPS);

    for (unsigned i = 0; i < WORLD_MAPS; i++) {
        struct prb_ref ref = world_map(world, (first + i) % WORLD_MAPS);
        prb_auto(prb_object_unref) struct prb_object *object = world_get(world, &ref, NULL);

        if ((object != NULL) == is_there)
            return ref;
    }
    return world_map(world, first);
}

static void make_map(struct world *world)
{
    struct prb_ref ref = pick_map(world, false);

    (void)world_create(world, &ref,
            prb_test_json("{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'%s',"
                          "'namespace':'%s'},'data':{'by':'hand'}}",
                    ref.name, ref.namespace));
}

static void delete_map(struct world *world)
{
    struct prb_ref ref = pick_map(world, true);
    prb_auto(prb_object_unref) struct prb_object *object = world_get(world, &ref, NULL);

    if (world_delete(world, &ref, PRB_PROPAGATE_BACKGROUND, false) == 0)
        keepsakes_given_up(world, object);
}

static void hold_map(struct world *world)
{
    struct prb_ref ref = pick_map(world, true);

    (void)world_patch(world, &ref, prb_test_json("{'metadata':{'finalizers':['" HOLD "']}}"));
}

static void release_map(struct world *world)
{
    struct prb_ref ref = pick_map(world, true);

    (void)world_patch(world, &ref, prb_test_json("{'metadata':{'finalizers':null}}"));
}

static void disown_map(struct world *world)
{
    struct prb_ref ref = pick_map(world, true);

    (void)world_patch(world, &ref, prb_test_json("{'metadata':{'ownerReferences':null}}"));
}

/* ---- the work ---- */

#define ORPHAN "'deleteOption':{'propagationPolicy':'Orphan'}"
#define FOREGROUND "'deleteOption':{'propagationPolicy':'Foreground'}"
#define READ_ONLY(name, space)                                                      \
    "'manifestConfigs':[{'resourceIdentifier':{'group':'','resource':'configmaps'," \
    "'name':'" name "','namespace':'" space "'},'updateStrategy':{'type':'ReadOnly'}}]"

/* Members of its spec; what is not named is null. */
static char *settings(struct world *world)
{
    const char *space = world->data.name;

    switch (world_roll(world, 5)) {
    case 0:
        return prb_strdup(ORPHAN ",'manifestConfigs':null");
    case 1:
        return prb_asprintf("'manifestConfigs':null,'deleteOption':{'propagationPolicy':"
                            "'SelectivelyOrphan','selectivelyOrphans':{'orphaningRules':[{"
                            "'group':'','resource':'configmaps','namespace':'%s','name':'map-0'}"
                            "]}}",
                space);
    case 2:
        return prb_asprintf(FOREGROUND "," READ_ONLY("map-1", "%s"), space);
    case 3:
        return prb_asprintf("'deleteOption':null," READ_ONLY("*", "%s"), space);
    default:
        return prb_strdup("'deleteOption':null,'manifestConfigs':null");
    }
}

static char *manifests(const struct world *world)
{
    struct prb_str out;

    prb_str_init(&out, 4096);
    for (unsigned i = 0; i < OF_WORK; i++)
        prb_str_addf(&out,
                "%s{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'map-%u','namespace':"
                "'%s'},'data':{'by':'work'}}",
                i ? "," : "", i, world->data.name);
    return prb_str_take(&out);
}

static void make_work(struct world *world)
{
    prb_autofree char *list = manifests(world), *set = settings(world);

    (void)world_create(world, &world->work,
            prb_test_json("{'apiVersion':'work.open-cluster-management.io/v1','kind':'ManifestWork'"
                          ",'metadata':{'name':'%s','namespace':'" TARGET_CLUSTER
                          "'},'spec':{'workload':{'manifests':[%s]},%s}}",
                    world->work.name, list, set));
}

/* Also while it is being deleted, when the webhook is to refuse what would spare less or more. */
static void set_work(struct world *world)
{
    prb_autofree char *set = settings(world);

    (void)world_patch(world, &world->work, prb_test_json("{'spec':{%s}}", set));
}

static void delete_work(struct world *world)
{
    (void)world_delete(world, &world->work, PRB_PROPAGATE_BACKGROUND, false);
}

static void hold_work(struct world *world)
{
    (void)world_patch(world, &world->work,
            prb_test_json("{'metadata':{'finalizers':['" HOLD "','" PRB_WORK_FINALIZER "']}}"));
}

/* As an old agent does, which knows neither setting; and as somebody who only wants it gone. */
static void drop_work(struct world *world)
{
    const char *left = world_roll(world, 2) ? "['" HOLD "']" : "null";
    const char *spec =
            world_roll(world, 2) ? ",'spec':{'deleteOption':null,'manifestConfigs':null}" : "";
    prb_auto(prb_object_unref) struct prb_object *work = world_get(world, &world->work, NULL);

    /* Nobody can add a finalizer to what is being deleted. */
    if (work && !prb_object_has_finalizer(work, HOLD))
        left = "null";
    (void)world_patch(
            world, &world->work, prb_test_json("{'metadata':{'finalizers':%s}%s}", left, spec));
}

/* ---- the policy ---- */

static const char *any_behaviour(struct world *world)
{
    static const char *const all[] = { "None", "DeleteIfCreated", "DeleteIfCreated", "DeleteAll" };

    return all[world_roll(world, 4)];
}

static void make_policy_that(struct world *world, const char *behaviour)
{
    (void)world_create(world, &world->policy,
            prb_test_json("{'apiVersion':'" PRB_POLICY_GROUP "/v1','kind':'ConfigurationPolicy',"
                          "'metadata':{'name':'%s','namespace':'" TARGET_CLUSTER "'},'spec':{"
                          "'remediationAction':'enforce','pruneObjectBehavior':'%s',"
                          "'object-templates':[{'complianceType':'musthave','objectDefinition':{"
                          "'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'map-2',"
                          "'namespace':'%s'},'data':{'of':'policy'}}},{'complianceType':"
                          "'musthave','objectDefinition':{'apiVersion':'v1','kind':'ConfigMap',"
                          "'metadata':{'name':'map-3','namespace':'%s'},'data':{'of':'policy'}}}]"
                          "}}",
                    world->policy.name, behaviour, world->data.name, world->data.name));
}

static void make_policy(struct world *world)
{
    make_policy_that(world, any_behaviour(world));
}

static void set_policy(struct world *world)
{
    (void)world_patch(world, &world->policy,
            prb_test_json("{'spec':{'remediationAction':'%s','pruneObjectBehavior':'%s'}}",
                    world_roll(world, 4) ? "enforce" : "inform", any_behaviour(world)));
}

static void delete_policy(struct world *world)
{
    (void)world_delete(world, &world->policy, PRB_PROPAGATE_BACKGROUND, false);
}

static bool has_recorded(void *ctx)
{
    struct world *world = ctx;
    prb_auto(prb_object_unref) struct prb_object *policy = world_get(world, &world->policy, NULL);
    const struct json_object *list = prb_json_arr(prb_object_status(policy), "relatedObjects");

    return prb_json_len(list) >= 2 || prb_test_saw("%zu on record", prb_json_len(list));
}

static bool is_first_gone(void *ctx)
{
    struct world *world = ctx;
    struct prb_ref ref = world_map(world, OF_WORK);
    bool known;
    prb_auto(prb_object_unref) struct prb_object *object = world_get(world, &ref, &known);

    return (known && !object) || prb_test_saw("it is there");
}

/*
 * A policy that deletes everything has deleted one, and cannot delete the other: from now on
 * whoever has the name of the first is somebody else, whatever becomes of Probate.
 */
static void prune_half(struct world *world)
{
    struct prb_ref first = world_map(world, OF_WORK), second = world_map(world, OF_WORK + 1);
    prb_auto(prb_object_unref) struct prb_object *policy = world_get(world, &world->policy, NULL);

    if (policy || world->target->is_down) {
        world_say(world, "not now");
        return;
    }
    make_policy_that(world, "DeleteAll");
    if (!prb_test_await(
                "the policy has two objects on record", has_recorded, world, PRB_TEST_SOON_MS)) {
        (void)world_fail(world, "%s", prb_test_awaited());
        return;
    }
    (void)world_patch(world, &first, prb_test_json("{'metadata':{'finalizers':null}}"));
    (void)world_patch(world, &second, prb_test_json("{'metadata':{'finalizers':['" HOLD "']}}"));
    delete_policy(world);
    if (!prb_test_await("the policy has deleted one", is_first_gone, world, PRB_TEST_SOON_MS))
        (void)world_fail(world, "%s", prb_test_awaited());
    world->is_restart_due = true;
}

const struct move moves_of_data[] = {
    { "make a ConfigMap", 12, BOTH, make_map },
    { "delete a ConfigMap", 3, BOTH, delete_map },
    { "hold a ConfigMap", 4, BOTH, hold_map },
    { "release a ConfigMap", 4, BOTH, release_map },
    { "take the references off a ConfigMap", 3, BOTH, disown_map },
    { "make the work", 8, BOTH, make_work },
    { "change the settings of the work", 4, BOTH, set_work },
    { "delete the work", 6, BOTH, delete_work },
    { "hold the work", 2, BOTH, hold_work },
    { "take the agent's finalizer off the work", 2, BOTH, drop_work },
    { "make the policy", 8, BOTH, make_policy },
    { "change the policy", 3, BOTH, set_policy },
    { "delete the policy", 6, BOTH, delete_policy },
    { "let a policy delete one of two", 3, EMBEDDED, prune_half },
    { .name = NULL },
};
