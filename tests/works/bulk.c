/* In which order does the example of design 002 go, when its works are deleted at once? */

#include "bulk.h"

#include <stdio.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "../orders/finalizer.h"
#include "../orders/observer.h"
#include "support/api_objects.h"
#include "support/wait.h"

#define SPEC_MAX ((size_t)64 * 1024)

struct bulk {
    const struct bulk_options *options;
    struct scene scene;
    struct world world;
    struct observer observer;
    struct finalizer finalizer;
};

/* Which objects are in which work; a list ends with THINGS. */
static const struct part {
    const char *name;
    enum thing things[THINGS + 1];
} three[] = { { "finalizer", { SERVICE, NAMESPACE, DEPLOYMENT, THINGS } },
    { "crd", { CRD, THINGS } }, { "cr", { CR, THINGS } } },
  one[] = { { "all", { SERVICE, NAMESPACE, DEPLOYMENT, CRD, CR, THINGS } } };

static const struct part *parts_of(const struct bulk *bulk, size_t *ret_count)
{
    *ret_count = bulk->options->is_one ? 1 : 3;
    return bulk->options->is_one ? one : three;
}

static int make(struct bulk *bulk, const struct part *part)
{
    prb_auto(prb_str_done) struct prb_str spec;

    prb_str_init(&spec, SPEC_MAX);
    prb_str_add(&spec, "'workload':{'manifests':[");
    for (size_t i = 0; part->things[i] != THINGS; i++) {
        prb_auto(prb_json_free) struct json_object *object =
                world_object(&bulk->world, part->things[i]);
        prb_autofree char *text = prb_json_text(object, false);

        prb_str_addf(&spec, "%s%s", i ? "," : "", text);
    }
    prb_str_add(&spec, "]}");
    return scene_make_work(&bulk->scene, part->name, prb_str_get(&spec));
}

typedef int (*part_fn)(struct bulk *bulk, const struct part *part);

static int for_each(struct bulk *bulk, part_fn step)
{
    size_t count;
    const struct part *parts = parts_of(bulk, &count);

    for (size_t i = 0; i < count; i++)
        DO(step(bulk, &parts[i]));
    return 0;
}

static int await_applied(struct bulk *bulk, const struct part *part)
{
    return scene_await_applied(&bulk->scene, part->name);
}

static int delete_work(struct bulk *bulk, const struct part *part)
{
    return scene_delete_work(&bulk->scene, part->name);
}

static int await_ended(struct bulk *bulk, const struct part *part)
{
    return scene_await_ended(&bulk->scene, part->name);
}

/* A definition that is deleted before it is established leaves its instances behind. */
static bool is_established(void *ctx)
{
    const struct bulk *bulk = ctx;
    prb_auto(prb_object_unref) struct prb_object *crd = world_get(&bulk->world, CRD);
    const struct json_object *list =
            crd ? prb_json_arr(prb_object_status(crd), "conditions") : NULL;

    for (size_t i = 0; i < prb_json_len(list); i++) {
        const struct json_object *item = prb_json_elem(list, i);

        if (prb_streq(prb_json_str(item, "type"), "Established"))
            return prb_streq(prb_json_str(item, "status"), "True");
    }
    return crd && bulk->options->ends->spoke->hub;
}

static int set_up(struct bulk *bulk)
{
    int patience_ms = bulk->options->patience_ms;
    struct prb_error err;

    if (prb_test_namespace_create(bulk->world.api, bulk->world.team, &err) < 0)
        return scene_fail(&bulk->scene, "%s", err.msg);
    DO(for_each(bulk, make));
    DO(for_each(bulk, await_applied));
    if (!prb_test_await("the CRD is established", is_established, bulk, patience_ms))
        return scene_fail(&bulk->scene, "%s", prb_test_awaited());
    if (observer_start(&bulk->observer, &bulk->world, patience_ms, &err) < 0 ||
            observer_wait_protected(&bulk->observer, patience_ms, &err) < 0 ||
            finalizer_start(&bulk->finalizer, &bulk->world, true, &err) < 0)
        return scene_fail(&bulk->scene, "%s", err.msg);
    return 0;
}

static bool all_are_gone(void *ctx)
{
    const struct bulk *bulk = ctx;

    for (enum thing i = CR; i < THINGS; i++) {
        if (!observer_saw_removed(&bulk->observer, i))
            return prb_test_saw("the %s is there", thing_name(i));
    }
    return true;
}

static int perform(struct bulk *bulk)
{
    struct steps steps;

    DO(set_up(bulk));
    DO(for_each(bulk, delete_work));
    DO(for_each(bulk, await_ended));
    if (!prb_test_await("what the works have brought is gone as they are", all_are_gone, bulk,
                bulk->options->patience_ms))
        return scene_fail(&bulk->scene, "%s", prb_test_awaited());
    steps = observer_steps(&bulk->observer);
    steps_check(&steps, bulk->scene.why, PRB_TEST_WHY_SIZE);
    return 0;
}

void bulk_play(const struct bulk_options *options, char why[PRB_TEST_WHY_SIZE])
{
    struct bulk bulk = { .options = options };

    world_init(&bulk.world, options->ends->spoke->direct, options->id);
    if (scene_open(&bulk.scene, options->ends, options->loop, why) == 0)
        (void)perform(&bulk);
    finalizer_stop(&bulk.finalizer);
    observer_stop(&bulk.observer);
    world_done(&bulk.world);
    scene_close(&bulk.scene);
}
