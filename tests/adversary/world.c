/* What is a sequence played with, and how is it written down? */

#include "world.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "probate/base/mem.h"
#include "probate/model/critical_service.h"

#include "idle.h"
#include "keepsakes.h"

#define STEPS_MAX ((size_t)256 * 1024)

/* Of what the server says. */
#define SAID_MAX 160

const struct prb_gvr world_definitions = { "apiextensions.k8s.io", "v1",
    "customresourcedefinitions" };
const struct prb_gvr world_maps = { "", "v1", "configmaps" };
const struct prb_gvr world_works = { "work.open-cluster-management.io", "v1", "manifestworks" };
const struct prb_gvr world_policies = { "policy.open-cluster-management.io", "v1",
    "configurationpolicies" };
const struct prb_gvr world_accounts = { "", "v1", "serviceaccounts" };

struct prb_ref world_ref(const struct prb_gvr *gvr, const char *namespace, const char *name)
{
    struct prb_ref ref;

    if (!prb_ref_init(&ref, gvr, namespace, name)) {
        (void)fprintf(stderr, "%s cannot be a name\n", name);
        abort();
    }
    return ref;
}

void world_init(
        struct world *world, struct target *target, unsigned slot, unsigned number, uint64_t seed)
{
    char name[PRB_NAME_SIZE];

    *world = (struct world){ .target = target, .seed = seed };
    world->dice = prb_test_mix(seed, 1) | 1;
    world->theme = (enum theme)world_roll(world, THEMES);
    prb_str_init(&world->steps, STEPS_MAX);
    (void)snprintf(world->id, sizeof(world->id), "a%u-%u", slot, number);
    target_group(slot, world->group);
    (void)snprintf(world->finalizer, sizeof(world->finalizer), "%s/important", world->group);
    world->kind = (struct prb_gvr){ .version = "v1", .resource = "coolresources" };
    (void)prb_copy(world->kind.group, sizeof(world->kind.group), world->group);
    world->home = world_ref(&prb_namespaces, NULL, world->id);
    (void)snprintf(name, sizeof(name), "%s-data", world->id);
    world->data = world_ref(&prb_namespaces, NULL, name);
    world->provider = world_ref(&prb_deployments, world->id, "op");
    world->account = world_ref(&world_accounts, world->id, "op");
    world->service = world_ref(&prb_critical_services, NULL, world->id);
    world->owner = world_ref(&world_maps, world->id, "owner");
    world->marker = world_ref(&world_maps, world->data.name, "marker");
    world->work = world_ref(&world_works, TARGET_CLUSTER, world->id);
    world->policy = world_ref(&world_policies, TARGET_CLUSTER, world->id);
    (void)snprintf(name, sizeof(name), "coolresources.%s", world->group);
    world->definition = world_ref(&world_definitions, NULL, name);
}

void world_done(struct world *world)
{
    idle_close(world);
    keepsakes_close(world);
    prb_json_free(world->spec);
    prb_str_done(&world->steps);
}

unsigned world_roll(struct world *world, unsigned limit)
{
    return (unsigned)prb_test_roll(&world->dice, limit);
}

struct prb_ref world_cr(const struct world *world, unsigned index)
{
    char name[16];

    (void)snprintf(name, sizeof(name), "cr-%u", index);
    return world_ref(&world->kind, world->data.name, name);
}

struct prb_ref world_map(const struct world *world, unsigned index)
{
    char name[16];

    (void)snprintf(name, sizeof(name), "map-%u", index);
    return world_ref(&world_maps, world->data.name, name);
}

void world_step(struct world *world, const char *name)
{
    prb_str_addf(&world->steps, "%s  %2u. %s", world->step ? "\n" : "", world->step + 1, name);
    world->step++;
}

void world_say(struct world *world, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    prb_str_add(&world->steps, "; ");
    prb_str_vaddf(&world->steps, fmt, args);
    va_end(args);
}

int world_fail(struct world *world, const char *fmt, ...)
{
    va_list args;

    if (world->why[0])
        return -1;
    va_start(args, fmt);
    (void)vsnprintf(world->why, sizeof(world->why), fmt, args);
    va_end(args);
    return -1;
}

/* ---- calls of the player ---- */

static int told(struct world *world, const char *verb, const struct prb_ref *ref, int r,
        const struct prb_error *err)
{
    char name[PRB_REF_TEXT_SIZE];

    prb_ref_describe(ref, name);
    if (r == 0 && prb_ref_equal(ref, &world->home))
        world->accepted_home = true;
    if (r == 0)
        world_say(world, "%s %s: yes", verb, name);
    else
        world_say(world, "%s %s: no, %.*s", verb, name, SAID_MAX, err->msg);
    return r;
}

static const struct prb_write_options by_player = { .field_manager = "player" };

int world_create(struct world *world, const struct prb_ref *ref, struct json_object *taken)
{
    prb_auto(prb_json_free) struct json_object *body = taken;
    struct prb_error err;

    return told(world, "create", ref,
            prb_api_create(world->target->player, ref, body, &by_player, NULL, &err), &err);
}

int world_update(struct world *world, const struct prb_ref *ref, struct json_object *taken)
{
    prb_auto(prb_json_free) struct json_object *body = taken;
    struct prb_error err;

    return told(world, "update", ref,
            prb_api_update(world->target->player, ref, body, &by_player, NULL, &err), &err);
}

int world_patch_sub(struct world *world, const struct prb_ref *ref, const char *subresource,
        struct json_object *taken)
{
    prb_auto(prb_json_free) struct json_object *body = taken;
    struct prb_write_options options = by_player;
    struct prb_error err;

    options.subresource = subresource;
    return told(world, "patch", ref,
            prb_api_patch(world->target->player, ref, PRB_PATCH_MERGE, body, &options, NULL, &err),
            &err);
}

int world_patch(struct world *world, const struct prb_ref *ref, struct json_object *taken)
{
    return world_patch_sub(world, ref, NULL, taken);
}

int world_delete(struct world *world, const struct prb_ref *ref, enum prb_propagation propagation,
        bool dry_run)
{
    prb_auto(prb_object_unref) struct prb_object *object = world_get(world, ref, NULL);
    struct prb_error err;
    int r = object ? 0 : prb_fail(&err, PRB_E_NOTFOUND, "it is not there");

    if (object)
        r = prb_api_delete(world->target->player, ref,
                &(struct prb_delete_options){ .uid = prb_object_uid(object),
                        .propagation = propagation,
                        .dry_run = dry_run },
                &err);
    return told(world, dry_run ? "delete (dry run)" : "delete", ref, r, &err);
}

/* ---- the eye of the test ---- */

struct prb_object *world_get(struct world *world, const struct prb_ref *ref, bool *ret_known)
{
    /* Some are nested deeper than the port of the test reads. */
    const struct prb_get_options options = { .metadata_only =
                                                     prb_streq(ref->gvr.group, world->group) };
    struct prb_object *object = NULL;
    struct prb_error err;
    int r = prb_api_get(world->target->eye, ref, &options, &object, &err);

    if (ret_known)
        *ret_known =
                r == 0 || (r == PRB_E_NOTFOUND && !prb_streq(err.reason, PRB_REASON_NOT_SERVED));
    return r == 0 ? object : NULL;
}
