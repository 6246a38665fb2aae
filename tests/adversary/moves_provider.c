/* What does the player do to the provider and what is around it? */

#include "probate/base/mem.h"
#include "probate/model/critical_service.h"

#include "moves.h"
#include "support/json_text.h"

#define FAT_MAX 1000000

static struct json_object *deployment(const struct world *world, const char *metadata)
{
    return prb_test_json(
            "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'%s','namespace':'%s'"
            "%s},'spec':{'replicas':1,'selector':{'matchLabels':{'app':'op'}},'template':{"
            "'metadata':{'labels':{'app':'op'}},'spec':{'serviceAccountName':'op','containers':[{"
            "'name':'op','image':'example.org/op'}]}}}}",
            world->provider.name, world->home.name, metadata);
}

static struct json_object *namespace(const char *name)
{
    return prb_test_json("{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'%s'}}", name);
}

static void make_home(struct world *world)
{
    (void)world_create(world, &world->home, namespace(world->home.name));
}

static void make_provider(struct world *world)
{
    (void)world_create(world, &world->provider, deployment(world, ""));
}

static enum prb_propagation any_propagation(struct world *world)
{
    static const enum prb_propagation all[] = { PRB_PROPAGATE_BACKGROUND, PRB_PROPAGATE_FOREGROUND,
        PRB_PROPAGATE_ORPHAN };

    return all[world_roll(world, 3)];
}

static void delete_it(struct world *world, const struct prb_ref *ref)
{
    enum prb_propagation propagation = any_propagation(world);
    bool dry_run = world_roll(world, 6) == 0;

    if (world_delete(world, ref, propagation, dry_run) == 0)
        world->accepted_delete = true;
}

static void delete_provider(struct world *world)
{
    delete_it(world, &world->provider);
}

static void delete_home(struct world *world)
{
    delete_it(world, &world->home);
}

/* What somebody without the right to override has written does not count. */
static void plant_glass(struct world *world, const struct prb_ref *ref)
{
    prb_autofree char *glass = moves_break_glass();

    (void)world_patch(world, ref,
            prb_test_json("{'metadata':{'annotations':{'" PRB_ANNOTATION_ALLOW_DELETE "':'%s'}}}",
                    glass));
}

static void break_glass_of_provider(struct world *world)
{
    plant_glass(world, &world->provider);
    delete_it(world, &world->provider);
}

static void break_glass_of_home(struct world *world)
{
    plant_glass(world, &world->home);
    delete_it(world, &world->home);
}

static void scale(struct world *world)
{
    (void)world_patch(world, &world->provider,
            prb_test_json("{'spec':{'replicas':%u}}", world_roll(world, 2)));
}

static void break_image(struct world *world)
{
    (void)world_patch(world, &world->provider,
            prb_test_json("{'spec':{'template':{'spec':{'containers':[{'name':'op','image':"
                          "'example.org/broken'}]}}}}"));
}

static void relabel_provider(struct world *world)
{
    (void)world_patch(world, &world->provider,
            prb_test_json("{'metadata':{'labels':{'n':'%u','" PRB_LABEL_PROTECTED "':%s}}}",
                    world_roll(world, 100), world_roll(world, 2) ? "'false'" : "null"));
}

static void replace_provider(struct world *world)
{
    (void)world_update(world, &world->provider, deployment(world, ",'labels':{'new':'yes'}"));
}

static void fatten_provider(struct world *world)
{
    prb_autofree char *fat = moves_fat(world_roll(world, FAT_MAX));

    (void)world_patch(world, &world->provider,
            prb_test_json("{'spec':{'template':{'spec':{'containers':[{'name':'op','image':"
                          "'example.org/op','env':[{'name':'FAT','value':'%s'}]}]}}}}",
                    fat));
}

/* The garbage collector is to delete what the player may not. */
static void give_owner(struct world *world)
{
    prb_auto(prb_object_unref) struct prb_object *owner = NULL;

    (void)world_create(world, &world->owner,
            prb_test_json("{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'%s',"
                          "'namespace':'%s'}}",
                    world->owner.name, world->owner.namespace));
    owner = world_get(world, &world->owner, NULL);
    if (owner)
        (void)world_patch(world, &world->provider,
                prb_test_json("{'metadata':{'ownerReferences':[{'apiVersion':'v1','kind':"
                              "'ConfigMap','name':'%s','uid':'%s'}]}}",
                        world->owner.name, prb_object_uid(owner)));
}

static void delete_owner(struct world *world)
{
    (void)world_delete(world, &world->owner, PRB_PROPAGATE_BACKGROUND, false);
}

static void make_account(struct world *world)
{
    (void)world_create(world, &world->account,
            prb_test_json("{'apiVersion':'v1','kind':'ServiceAccount','metadata':{'name':'%s',"
                          "'namespace':'%s'}}",
                    world->account.name, world->account.namespace));
}

static void delete_account(struct world *world)
{
    (void)world_delete(world, &world->account, PRB_PROPAGATE_BACKGROUND, false);
}

/* ---- the label ---- */

static void take_label(struct world *world)
{
    (void)world_patch(world, &world->home,
            prb_test_json("{'metadata':{'labels':{'" PRB_LABEL_PROTECTED "':null}}}"));
}

static void take_label_by_status(struct world *world)
{
    (void)world_patch_sub(world, &world->home, "status",
            prb_test_json("{'metadata':{'labels':{'" PRB_LABEL_PROTECTED "':null}}}"));
}

static void replace_labels(struct world *world)
{
    (void)world_update(world, &world->home,
            prb_test_json("{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'%s',"
                          "'labels':{'new':'yes'}}}",
                    world->home.name));
}

static void change_label(struct world *world)
{
    (void)world_patch(world, &world->home,
            prb_test_json("{'metadata':{'labels':{'" PRB_LABEL_PROTECTED "':'%u'}}}",
                    world_roll(world, 10)));
}

const struct move moves_of_provider[] = {
    { "make the provider's namespace", 4, BOTH, make_home },
    { "make the provider", 8, BOTH, make_provider },
    { "delete the provider", 14, BOTH, delete_provider },
    { "delete the provider's namespace", 8, BOTH, delete_home },
    { "plant break-glass and delete the provider", 4, BOTH, break_glass_of_provider },
    { "plant break-glass and delete the namespace", 2, BOTH, break_glass_of_home },
    { "scale the provider", 2, BOTH, scale },
    { "break the image", 2, BOTH, break_image },
    { "relabel the provider", 2, BOTH, relabel_provider },
    { "replace the provider", 2, BOTH, replace_provider },
    { "fatten the provider", 1, BOTH, fatten_provider },
    { "give the provider an owner", 2, BOTH, give_owner },
    { "delete the owner", 3, BOTH, delete_owner },
    { "make the ServiceAccount", 1, BOTH, make_account },
    { "delete the ServiceAccount", 1, BOTH, delete_account },
    { "take the label off", 8, BOTH, take_label },
    { "take the label off through the status", 3, BOTH, take_label_by_status },
    { "replace all labels of the namespace", 3, BOTH, replace_labels },
    { "change the value of the label", 2, BOTH, change_label },
    { .name = NULL },
};

/* ---- what there is ---- */

static bool is_there(struct world *world, const struct prb_ref *ref)
{
    prb_auto(prb_object_unref) struct prb_object *object = world_get(world, ref, NULL);

    return object != NULL;
}

static void make_missing(struct world *world)
{
    if (!is_there(world, &world->home))
        make_home(world);
    if (!is_there(world, &world->provider))
        make_provider(world);
    if (!is_there(world, &world->definition))
        (void)world_create(world, &world->definition, moves_definition(world, true, 0));
    moves_guard(world);
}

void moves_mend(struct world *world)
{
    if (is_there(world, &world->provider) && is_there(world, &world->service))
        return;
    world_step(world, "make what is missing");
    make_missing(world);
}

void moves_begin(struct world *world)
{
    world_step(world, "begin");
    (void)world_create(world, &world->data, namespace(world->data.name));
    make_account(world);
    make_missing(world);
}
