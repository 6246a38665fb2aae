/* What does the player do to the CriticalService? */

#include "probate/base/mem.h"
#include "probate/model/critical_service.h"

#include "moves.h"
#include "support/json_text.h"
#include "support/wait.h"

#define CRITERIA_MAX ((size_t)4096)

#define FINALIZER \
    "{'type':'Finalizer','finalizer':{'group':'%s','resource':'%s','finalizerName':'%s'}}"
#define DEFINITION                                                                    \
    ",{'type':'SpecificResource','specificResource':{'group':'apiextensions.k8s.io'," \
    "'resource':'customresourcedefinitions','name':'%s'}}"
#define MARKER                                                                           \
    "{'type':'SpecificResource','specificResource':{'group':'','resource':'configmaps'," \
    "'namespace':'%s','name':'%s'}}"

/* All criteria, or some of them; the one about the finalizer is always there. */
static char *criteria(struct world *world)
{
    static const char *const names[] = { "coolresources", "CoolResource" };
    struct prb_str out;

    prb_str_init(&out, CRITERIA_MAX);
    prb_str_addf(&out, FINALIZER, world->group, names[world_roll(world, 2)], world->finalizer);
    if (world_roll(world, 3) == 0)
        prb_str_addf(&out, DEFINITION, world->definition.name);
    if (world_roll(world, 3) == 0)
        prb_str_addf(&out, "," MARKER, world->marker.namespace, world->marker.name);
    return prb_str_take(&out);
}

/* Has Probate taken the label off, which the CriticalService before has left behind? */
static bool is_label_settled(void *ctx)
{
    struct world *world = ctx;
    prb_auto(prb_object_unref) struct prb_object *home = world_get(world, &world->home, NULL);
    prb_auto(prb_object_unref) struct prb_object *service = world_get(world, &world->service, NULL);

    return world->target->is_down || world->is_definition_broken || service || !home ||
           prb_object_is_deleting(home) || !prb_object_label(home, PRB_LABEL_PROTECTED) ||
           prb_test_saw("the label is on, and nothing names the Namespace");
}

/*
 * A verdict and the write that it allows are not one step. Probate may be about to take the label
 * off because nothing names the Namespace; whoever makes a CriticalService in that moment gets it
 * back a moment later. The laws are about what the player does, so that is over first.
 */
static void make_service(struct world *world)
{
    prb_autofree char *list = criteria(world);

    if (!prb_test_await("the label of the last CriticalService is taken off", is_label_settled,
                world, PRB_TEST_PROMPT_MS)) {
        world_say(world, "no CriticalService is made: the last one's label is still on");
        return;
    }
    (void)world_create(world, &world->service,
            prb_test_json("{'apiVersion':'" PRB_CRITICAL_SERVICE_API_VERSION
                          "','kind':'" PRB_CRITICAL_SERVICE_KIND "','metadata':{'name':'%s'},"
                          "'spec':{'provider':{'group':'apps','resource':'deployments',"
                          "'namespace':'%s','name':'%s'},'criteria':[%s]}}",
                    world->service.name, world->home.name, world->provider.name, list));
}

/* And somebody who needs it, mostly. */
void moves_guard(struct world *world)
{
    struct prb_ref cr = world_cr(world, world_roll(world, WORLD_CRS));

    make_service(world);
    if (world_roll(world, 4))
        (void)world_create(world, &cr,
                prb_test_json("{'apiVersion':'%s/v1','kind':'CoolResource','metadata':{'name':'%s',"
                              "'namespace':'%s','finalizers':['%s']}}",
                        world->group, cr.name, cr.namespace, world->finalizer));
}

static void delete_service(struct world *world)
{
    if (world_delete(world, &world->service, PRB_PROPAGATE_BACKGROUND, world_roll(world, 6) == 0) ==
            0)
        world->accepted_release = true;
}

/* With break-glass in the same request now and then: the player has no right to it. */
static void change(struct world *world, const char *spec, bool loosens)
{
    prb_autofree char *glass = moves_break_glass();
    struct json_object *patch = prb_test_json("{'spec':{%s}}", spec);

    if (world_roll(world, 3) == 0)
        prb_json_set(patch, "metadata",
                prb_test_json("{'annotations':{'" PRB_ANNOTATION_ALLOW_DELETE "':'%s'}}", glass));
    if (world_patch(world, &world->service, patch) == 0)
        world->accepted_loosening = loosens;
}

static bool has_finalizer_criterion(const struct world *world)
{
    const struct json_object *list = prb_json_arr(world->spec, "criteria");

    for (size_t i = 0; i < prb_json_len(list); i++) {
        const struct json_object *finalizer = prb_json_obj(prb_json_elem(list, i), "finalizer");

        if (prb_streq(prb_json_str(finalizer, "finalizerName"), world->finalizer))
            return true;
    }
    return false;
}

static void drop_criterion(struct world *world)
{
    prb_autofree char *spec =
            prb_asprintf("'criteria':[" MARKER "]", world->marker.namespace, world->marker.name);

    change(world, spec, has_finalizer_criterion(world));
}

static void change_finalizer(struct world *world)
{
    prb_autofree char *spec = prb_asprintf(
            "'criteria':[" FINALIZER "]", world->group, "coolresources", "other.example.org/none");

    change(world, spec, has_finalizer_criterion(world));
}

static void be_weak(struct world *world)
{
    change(world, "'deletionPolicy':'BestEffort'",
            world->spec && !prb_streq(prb_json_str(world->spec, "deletionPolicy"), "BestEffort"));
}

static void be_strict(struct world *world)
{
    change(world, "'deletionPolicy':'Strict'", false);
}

static void point_elsewhere(struct world *world)
{
    prb_autofree char *spec = prb_asprintf(
            "'provider':{'group':'apps','resource':'deployments','namespace':'%s','name':'none'}",
            world->home.name);

    change(world, spec,
            prb_streq(prb_json_str(prb_json_obj(world->spec, "provider"), "name"),
                    world->provider.name));
}

/* As it was made, or tighter. */
static void restore(struct world *world)
{
    prb_autofree char *list = criteria(world);
    prb_autofree char *spec =
            prb_asprintf("'provider':{'group':'apps','resource':'deployments','namespace':'%s',"
                         "'name':'%s'},'criteria':[%s," MARKER "]",
                    world->home.name, world->provider.name, list, world->marker.namespace,
                    world->marker.name);

    change(world, spec, false);
}

static void drop_finalizer_of_service(struct world *world)
{
    (void)world_patch(world, &world->service, prb_test_json("{'metadata':{'finalizers':null}}"));
}

const struct move moves_of_service[] = {
    { "make the CriticalService", 12, BOTH, make_service },
    { "delete the CriticalService", 4, BOTH, delete_service },
    { "drop a criterion", 3, BOTH, drop_criterion },
    { "demand another finalizer", 2, BOTH, change_finalizer },
    { "make it BestEffort", 3, BOTH, be_weak },
    { "make it Strict", 2, BOTH, be_strict },
    { "name another provider", 2, BOTH, point_elsewhere },
    { "demand everything", 4, BOTH, restore },
    { "take the finalizer off the CriticalService", 1, BOTH, drop_finalizer_of_service },
    { .name = NULL },
};
