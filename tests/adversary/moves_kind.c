/* What does the player do to custom resources and their definition? */

#include <stdio.h>

#include "probate/base/mem.h"

#include "moves.h"
#include "support/json_text.h"

/* Most versions that a definition gets: discovery lists each of them. */
#define VERSIONS 24

/* Containers in each other. What the test's own port builds is bounded, too. */
#define DEEP 400

#define FAT_MAX 700000

#define SCHEMA                                                                             \
    "'schema':{'openAPIV3Schema':{'type':'object','x-kubernetes-preserve-unknown-fields':" \
    "true}}"

struct json_object *moves_definition(const struct world *world, bool served, unsigned versions)
{
    struct json_object *tree = prb_test_json(
            "{'apiVersion':'apiextensions.k8s.io/v1','kind':'CustomResourceDefinition',"
            "'metadata':{'name':'%s'},'spec':{'group':'%s','scope':'Namespaced','names':{"
            "'kind':'CoolResource','listKind':'CoolResourceList','plural':'coolresources',"
            "'singular':'coolresource'},'versions':[{'name':'v1','served':%s,'storage':true," SCHEMA
            "}]}}",
            world->definition.name, world->group, served ? "true" : "false");
    struct json_object *list = prb_json_arr(prb_json_obj(tree, "spec"), "versions");

    for (unsigned i = 0; i < versions; i++)
        prb_json_push(list, prb_test_json("{'name':'v1%u','served':%s,'storage':false," SCHEMA "}",
                                    i + 1, served ? "true" : "false"));
    return tree;
}

static struct prb_ref any_cr(struct world *world)
{
    return world_cr(world, world_roll(world, WORLD_CRS));
}

static void make_cr(struct world *world)
{
    struct prb_ref ref = any_cr(world);
    bool important = world_roll(world, 4) > 0;

    (void)world_create(world, &ref,
            prb_test_json("{'apiVersion':'%s/v1','kind':'CoolResource','metadata':{'name':'%s',"
                          "'namespace':'%s','finalizers':['%s%s']}}",
                    world->group, ref.name, ref.namespace, important ? "" : "x.",
                    world->finalizer));
}

static void delete_cr(struct world *world)
{
    struct prb_ref ref = any_cr(world);

    (void)world_delete(world, &ref, PRB_PROPAGATE_BACKGROUND, false);
}

static void release_cr(struct world *world)
{
    struct prb_ref ref = any_cr(world);

    (void)world_patch(world, &ref, prb_test_json("{'metadata':{'finalizers':null}}"));
}

static void hold_cr(struct world *world)
{
    struct prb_ref ref = any_cr(world);

    (void)world_patch(
            world, &ref, prb_test_json("{'metadata':{'finalizers':['%s']}}", world->finalizer));
}

static void fatten_cr(struct world *world)
{
    struct prb_ref ref = any_cr(world);
    prb_autofree char *fat = moves_fat(world_roll(world, FAT_MAX));

    (void)world_patch(world, &ref, prb_test_json("{'spec':{'fat':'%s'}}", fat));
}

static void nest_cr(struct world *world)
{
    struct prb_ref ref = any_cr(world);
    struct json_object *tree = prb_test_json("{'spec':{}}");
    struct json_object *at = prb_json_obj(tree, "spec");

    for (int i = 0; i < DEEP; i++)
        at = prb_json_ensure_obj(at, "deep");
    (void)world_patch(world, &ref, tree);
}

/* A member whose name has U+0000. */
static void spoil_cr(struct world *world)
{
    struct prb_ref ref = any_cr(world);

    (void)world_patch(world, &ref, prb_test_json("{'spec':{'odd\\u0000':'\\u0000'}}"));
}

static void make_definition(struct world *world)
{
    (void)world_create(world, &world->definition, moves_definition(world, true, 0));
}

static void delete_definition(struct world *world)
{
    (void)world_delete(world, &world->definition, PRB_PROPAGATE_BACKGROUND, false);
}

/* Only the spec: what else there is stays. */
static void set_definition(struct world *world, bool served, unsigned versions)
{
    prb_auto(prb_json_free) struct json_object *whole = moves_definition(world, served, versions);
    struct json_object *patch = json_object_new_object();

    prb_json_set(patch, "spec", prb_json_copy(prb_json_obj(whole, "spec")));
    (void)world_patch(world, &world->definition, patch);
}

static void unserve(struct world *world)
{
    set_definition(world, false, 0);
}

static void serve(struct world *world)
{
    set_definition(world, true, 0);
}

static void serve_many(struct world *world)
{
    set_definition(world, true, VERSIONS);
}

/* Where a criterion may name it. */
static void make_marker(struct world *world)
{
    (void)world_create(world, &world->marker,
            prb_test_json("{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'%s',"
                          "'namespace':'%s'}}",
                    world->marker.name, world->marker.namespace));
}

static void delete_marker(struct world *world)
{
    (void)world_delete(world, &world->marker, PRB_PROPAGATE_BACKGROUND, false);
}

const struct move moves_of_kind[] = {
    { "make a custom resource", 12, BOTH, make_cr },
    { "delete a custom resource", 6, BOTH, delete_cr },
    { "take the finalizers off a custom resource", 6, BOTH, release_cr },
    { "put the finalizer on a custom resource", 4, BOTH, hold_cr },
    { "fatten a custom resource", 1, BOTH, fatten_cr },
    { "nest a custom resource", 2, BOTH, nest_cr },
    { "give a custom resource a member with U+0000", 2, BOTH, spoil_cr },
    { "make the definition", 4, BOTH, make_definition },
    { "delete the definition", 2, BOTH, delete_definition },
    { "serve no version", 5, BOTH, unserve },
    { "serve one version", 6, BOTH, serve },
    { "serve many versions", 2, BOTH, serve_many },
    { "make the marker", 2, BOTH, make_marker },
    { "delete the marker", 2, BOTH, delete_marker },
    { .name = NULL },
};
