/* Can several writers own one object side by side, by apply and by patch? */

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/model/patch.h"

#include "objects.h"
#include "support/json_text.h"

/* Two ConfigMaps that exist, as the garbage collector wants owners to, and one of the first's. */
struct family {
    struct prb_object *one; /* owned, as all here */
    struct prb_object *two;
    struct prb_object *child;
    char *of_one; /* references as JSON */
    char *of_two;
};

static void family_donep(struct family *family)
{
    prb_object_unref(family->one);
    prb_object_unref(family->two);
    prb_object_unref(family->child);
    free(family->of_one);
    free(family->of_two);
}

static int family_make(struct conf *c, struct family *family)
{
    CONF_OK(c, conf_create_plain(c, "one", &family->one));
    CONF_OK(c, conf_create_plain(c, "two", &family->two));
    family->of_one = conf_owned_by(&conf_configmap, family->one, false);
    family->of_two = conf_owned_by(&conf_configmap, family->two, false);
    CONF_OK(c, conf_create(c, &conf_configmap,
                       conf_body(c, &conf_configmap, "child",
                               "{'metadata':{'ownerReferences':[%s]},'data':{'x':'1'}}",
                               family->of_one),
                       &family->child));
    return 0;
}

static struct prb_owner owner_of(const struct prb_object *object)
{
    return (struct prb_owner){ .api_version = "v1",
        .kind = "ConfigMap",
        .name = prb_object_name(object),
        .uid = prb_object_uid(object) };
}

static int send(struct conf *c, const char *name, enum prb_patch_type type,
        struct json_object *body_taken, const struct prb_write_options *options,
        struct prb_object **ret)
{
    prb_auto(prb_json_free) struct json_object *body = body_taken;
    struct prb_ref ref = conf_ref(c, &conf_configmap, name);

    c->err = (struct prb_error){ .code = PRB_OK };
    return prb_api_patch(c->api, &ref, type, body, options, ret, &c->err);
}

static const char *data_of(const struct prb_object *object, const char *key)
{
    return prb_json_str(prb_json_obj(prb_object_tree(object), "data"), key);
}

static int an_apply_of_an_owner_keeps_the_others(struct conf *c)
{
    prb_auto(family_done) struct family family = { NULL };
    prb_auto(prb_object_unref) struct prb_object *now = NULL;

    if (family_make(c, &family) < 0)
        return -1;
    CONF_OK(c,
            send(c, "child", PRB_PATCH_APPLY,
                    conf_body(c, &conf_configmap, "child", "{'metadata':{'ownerReferences':[%s]}}",
                            family.of_two),
                    &(struct prb_write_options){ .field_manager = "other", .force = true }, &now));
    CONF_INT(c, 2, prb_object_owner_count(now));
    CONF_TRUE(c, prb_object_is_owned_by(now, prb_object_uid(family.one)));
    CONF_TRUE(c, prb_object_is_owned_by(now, prb_object_uid(family.two)));
    CONF_STR(c, "1", data_of(now, "x"));
    return 0;
}

static int an_owner_comes_and_goes_by_patch(struct conf *c)
{
    prb_auto(family_done) struct family family = { NULL };
    prb_auto(prb_object_unref) struct prb_object *both = NULL, *rest = NULL;
    struct prb_owner one, two;

    if (family_make(c, &family) < 0)
        return -1;
    one = owner_of(family.one);
    two = owner_of(family.two);
    CONF_OK(c,
            send(c, "child", PRB_PATCH_JSON, prb_patch_add_owner(family.child, &two), NULL, &both));
    CONF_INT(c, 2, prb_object_owner_count(both));
    CONF_TRUE(c, prb_object_is_owned_by(both, one.uid));
    CONF_TRUE(c, prb_object_is_owned_by(both, two.uid));
    CONF_OK(c, send(c, "child", PRB_PATCH_JSON, prb_patch_remove_owner(both, &one), NULL, &rest));
    CONF_INT(c, 1, prb_object_owner_count(rest));
    CONF_TRUE(c, prb_object_is_owned_by(rest, two.uid));
    return 0;
}

static int the_first_owner_comes_and_the_last_goes_by_patch(struct conf *c)
{
    prb_auto(family_done) struct family family = { NULL };
    prb_auto(prb_object_unref) struct prb_object *owned = NULL, *bare = NULL;
    struct prb_owner one;

    if (family_make(c, &family) < 0)
        return -1;
    one = owner_of(family.one);
    CONF_OK(c, send(c, "two", PRB_PATCH_JSON, prb_patch_add_owner(family.two, &one), NULL, &owned));
    CONF_INT(c, 1, prb_object_owner_count(owned));
    CONF_OK(c, send(c, "two", PRB_PATCH_JSON, prb_patch_remove_owner(owned, &one), NULL, &bare));
    CONF_INT(c, 0, prb_object_owner_count(bare));
    CONF_TRUE(c, !prb_object_is_deleting(bare));
    return 0;
}

static int an_owner_patch_on_what_has_changed_is_a_conflict(struct conf *c)
{
    prb_auto(family_done) struct family family = { NULL };
    prb_auto(prb_object_unref) struct prb_object *now = NULL;
    struct prb_owner one, two;

    if (family_make(c, &family) < 0)
        return -1;
    one = owner_of(family.one);
    two = owner_of(family.two);
    CONF_OK(c,
            send(c, "child", PRB_PATCH_JSON, prb_patch_add_owner(family.child, &two), NULL, NULL));
    CONF_FAILS(c, PRB_E_CONFLICT,
            send(c, "child", PRB_PATCH_JSON, prb_patch_remove_owner(family.child, &one), NULL,
                    NULL));
    CONF_OK(c, conf_get(c, &conf_configmap, "child", &now));
    CONF_INT(c, 2, prb_object_owner_count(now));

    /* Where there was no list, any change counts. */
    CONF_OK(c, conf_merge(c, &conf_configmap, "two", prb_test_json("{'data':{'x':'2'}}"), NULL));
    CONF_FAILS(c, PRB_E_CONFLICT,
            send(c, "two", PRB_PATCH_JSON, prb_patch_add_owner(family.two, &one), NULL, NULL));
    return 0;
}

static int an_owner_patch_survives_other_changes(struct conf *c)
{
    prb_auto(family_done) struct family family = { NULL };
    prb_auto(prb_object_unref) struct prb_object *now = NULL;
    struct prb_owner two;

    if (family_make(c, &family) < 0)
        return -1;
    two = owner_of(family.two);
    CONF_OK(c, conf_merge(c, &conf_configmap, "child", prb_test_json("{'data':{'x':'2'}}"), NULL));
    CONF_OK(c,
            send(c, "child", PRB_PATCH_JSON, prb_patch_add_owner(family.child, &two), NULL, &now));
    CONF_INT(c, 2, prb_object_owner_count(now));
    CONF_STR(c, "2", data_of(now, "x"));
    return 0;
}

/* The hub keeps no ownership of fields: there an apply without force takes them. Who depends on the
 * conflict is tested on a real server. */
static int an_apply_without_force_leaves_foreign_fields(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *now = NULL;
    const struct prb_write_options gentle = { .field_manager = "second" };
    int r;

    CONF_OK(c,
            send(c, "a", PRB_PATCH_APPLY, conf_body(c, &conf_configmap, "a", "{'data':{'x':'1'}}"),
                    &(struct prb_write_options){ .field_manager = "first" }, NULL));
    r = send(c, "a", PRB_PATCH_APPLY, conf_body(c, &conf_configmap, "a", "{'data':{'x':'2'}}"),
            &gentle, NULL);
    CONF_INT(c, c->real ? PRB_E_CONFLICT : 0, r);
    CONF_OK(c, conf_get(c, &conf_configmap, "a", &now));
    CONF_STR(c, c->real ? "1" : "2", data_of(now, "x"));

    /* What both say alike is no matter of dispute. */
    CONF_OK(c, send(c, "a", PRB_PATCH_APPLY,
                       conf_body(c, &conf_configmap, "a", "{'data':{'x':'%s'}}", data_of(now, "x")),
                       &gentle, NULL));
    return 0;
}

static const struct conf_row rows[] = {
    { "an apply of an owner under another manager keeps the other owners and the data",
            an_apply_of_an_owner_keeps_the_others },
    { "an owner comes and goes by patch beside others", an_owner_comes_and_goes_by_patch },
    { "the first owner comes and the last one goes by patch",
            the_first_owner_comes_and_the_last_goes_by_patch },
    { "an owner patch on a list that has changed is CONFLICT",
            an_owner_patch_on_what_has_changed_is_a_conflict },
    { "an owner patch gets through when something else has changed",
            an_owner_patch_survives_other_changes },
    { "an apply without force on a field of another manager is CONFLICT where fields have owners",
            an_apply_without_force_leaves_foreign_fields },
};
CONF_ROWS(conf_share_rows, rows);
