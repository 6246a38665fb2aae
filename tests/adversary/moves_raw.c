/* What does the player do to the real API server that the port of the test cannot? */

#include <stdlib.h>

#include "probate/base/mem.h"
#include "probate/model/critical_service.h"

#include "moves.h"

/* Near the 10,000 that the API server takes, with what wraps an object in reviews and lists. */
#define DEEP 9000
#define DEEP_MAX ((size_t)DEEP * 16)

#define SAID_MAX 160

/* kubectl, as the player; what it says is written to the steps. */
static bool kubectl(struct world *world, const char *command, const char *input)
{
    struct target *target = world->target;
    prb_autofree char *said = NULL;
    bool done = target->ops->kubectl(target, world->id, command, input, &said);

    world_say(world, "%s: %s %.*s", command, done ? "yes" : "no,", done ? 0 : SAID_MAX, said);
    return done;
}

/* One review for each object, without a name. */
static void delete_collection(struct world *world)
{
    if (kubectl(world, "delete --raw /apis/apps/v1/namespaces/@/deployments", NULL))
        world->accepted_delete = true;
}

static void take_label_by_finalize(struct world *world)
{
    if (kubectl(world, "replace --raw /api/v1/namespaces/@/finalize",
                "{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'@'},'spec':{"
                "'finalizers':['kubernetes']}}"))
        world->accepted_home = true;
}

static void nest_deep(struct world *world)
{
    struct prb_ref ref = world_cr(world, world_roll(world, WORLD_CRS));
    prb_autofree char *command =
            prb_asprintf("create --raw /apis/%s/v1/namespaces/@-data/coolresources", world->group);
    prb_auto(prb_str_done) struct prb_str body;

    prb_str_init(&body, DEEP_MAX);
    prb_str_addf(&body,
            "{'apiVersion':'%s/v1','kind':'CoolResource','metadata':{'name':'%s','finalizers':['%s']"
            "},'spec':",
            world->group, ref.name, world->finalizer);
    for (int i = 0; i < DEEP; i++)
        prb_str_add(&body, "{'a':");
    prb_str_add(&body, "0");
    for (int i = 0; i <= DEEP; i++)
        prb_str_addc(&body, '}');
    (void)kubectl(world, command, prb_str_get(&body));
}

const struct move moves_raw[] = {
    { "delete the collection of Deployments", 6, REAL, delete_collection },
    { "take the label off through finalize", 4, REAL, take_label_by_finalize },
    { "make a custom resource nested 9,000 deep", 2, REAL, nest_deep },
    { .name = NULL },
};
