/* Does everything go in the end that should? */

#include <stdio.h>

#include "probate/base/mem.h"
#include "probate/reconcilers/work.h"

#include "idle.h"
#include "moves.h"
#include "play.h"
#include "support/json_text.h"
#include "support/wait.h"

/* An object that is to go, by whatever is asked for again and again until it is gone. */
struct wish {
    struct world *world;
    const struct prb_ref *ref;
    bool release; /* its finalizers are the player's, and go first */
    bool gone;
};

static void release(struct world *world, const struct prb_ref *ref)
{
    prb_auto(prb_json_free) struct json_object *patch =
            prb_test_json("{'metadata':{'finalizers':null}}");
    struct prb_error err;

    (void)prb_api_patch(world->target->player, ref, PRB_PATCH_MERGE, patch, NULL, NULL, &err);
}

/* What a kind stored went with its definition. */
static bool is_undefined(struct world *world, const struct prb_ref *ref)
{
    bool known;
    prb_auto(prb_object_unref) struct prb_object *definition =
            world_get(world, &world->definition, &known);

    return prb_streq(ref->gvr.group, world->group) && known && !definition;
}

/* Whoever held the work lets go, and the agent does what is left. */
static void release_work(struct world *world, const struct prb_object *work)
{
    prb_auto(prb_json_free) struct json_object *patch = NULL;
    struct prb_error err;

    if (!prb_object_has_finalizer(work, "example.org/hold"))
        return;
    patch = prb_object_has_finalizer(work, PRB_WORK_FINALIZER)
                    ? prb_test_json("{'metadata':{'finalizers':['" PRB_WORK_FINALIZER "']}}")
                    : prb_test_json("{'metadata':{'finalizers':null}}");
    (void)prb_api_patch(
            world->target->player, &world->work, PRB_PATCH_MERGE, patch, NULL, NULL, &err);
}

static bool goes(void *ctx)
{
    struct wish *wish = ctx;
    struct world *world = wish->world;
    bool known;
    prb_auto(prb_object_unref) struct prb_object *object = world_get(world, wish->ref, &known);
    struct prb_error err = { .msg = "it is being deleted" };
    prb_autofree char *metadata = NULL, *status = NULL;

    if (!object)
        return known || is_undefined(world, wish->ref) ||
               prb_test_saw("nobody knows whether it is there");
    if (wish->release && prb_object_finalizer_count(object) > 0)
        release(world, wish->ref);
    if (wish->ref == &world->work)
        release_work(world, object);
    if (!prb_object_is_deleting(object))
        (void)prb_api_delete(world->target->player, wish->ref,
                &(struct prb_delete_options){
                        .uid = prb_object_uid(object), .propagation = PRB_PROPAGATE_BACKGROUND },
                &err);
    metadata = prb_json_text(prb_json_find(prb_object_tree(object), "metadata"), true);
    status = prb_json_text(prb_object_status(object), true);
    return prb_test_saw("%.160s; it is %.300s %.300s", err.msg, metadata, status);
}

static void end(struct world *world, const struct prb_ref *ref, bool release_it)
{
    struct wish wish = { .world = world, .ref = ref, .release = release_it };
    char name[PRB_REF_TEXT_SIZE];
    prb_autofree char *what = NULL;

    if (world->why[0])
        return;
    prb_ref_describe(ref, name);
    what = prb_asprintf("%s is gone", name);
    if (!prb_test_await(what, goes, &wish, PRB_TEST_LONG_MS))
        (void)world_fail(world, "what should be deletable is not: %s", prb_test_awaited());
    else
        world_say(world, "%s", what);
}

/* The definition is served again, so that its instances can be released. */
static bool is_served(void *ctx)
{
    struct world *world = ctx;
    prb_auto(prb_object_unref) struct prb_object *definition =
            world_get(world, &world->definition, NULL);
    prb_auto(prb_page_done) struct prb_page page;
    struct prb_error err;

    prb_page_init(&page);
    return !definition ||
           prb_api_list(world->target->eye, &world->kind,
                   &(struct prb_list_options){ .metadata_only = true }, &page, &err) == 0 ||
           prb_test_saw("%s", err.msg);
}

static void serve(struct world *world)
{
    prb_auto(prb_json_free) struct json_object *whole = moves_definition(world, true, 0);
    prb_auto(prb_json_free) struct json_object *patch = json_object_new_object();
    struct prb_error err;

    prb_json_set(patch, "spec", prb_json_copy(prb_json_obj(whole, "spec")));
    (void)prb_api_patch(
            world->target->player, &world->definition, PRB_PATCH_MERGE, patch, NULL, NULL, &err);
    if (!prb_test_await("the kind is served again", is_served, world, PRB_TEST_SOON_MS))
        (void)world_fail(world, "%s", prb_test_awaited());
}

static void end_kind(struct world *world)
{
    serve(world);
    for (unsigned i = 0; i < WORLD_CRS && !world->why[0]; i++) {
        struct prb_ref ref = world_cr(world, i);
        prb_auto(prb_object_unref) struct prb_object *object = world_get(world, &ref, NULL);

        if (object)
            end(world, &ref, true);
    }
    end(world, &world->definition, false);
}

/* The ConfigMaps that somebody holds let go first: a work waits for them. */
static void end_data(struct world *world)
{
    for (unsigned i = 0; i < WORLD_MAPS; i++) {
        struct prb_ref ref = world_map(world, i);

        release(world, &ref);
    }
    end(world, &world->policy, false);
}

/* What takes the server some time is asked for early. */
static void ask(struct world *world, const struct prb_ref *ref)
{
    (void)goes(&(struct wish){ .world = world, .ref = ref });
}

void play_end(struct world *world)
{
    idle_close(world);
    world_step(world, "end");
    end_data(world);
    end(world, &world->work, false);
    ask(world, &world->data);
    end_kind(world);
    end(world, &world->marker, true);
    end(world, &world->provider, true);
    end(world, &world->home, false);
    end(world, &world->service, false);
    end(world, &world->data, false);
}
