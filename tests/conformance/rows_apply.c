/* What does server-side apply do? Only what the hub claims: objects are merged, conditions are
 * merged by type; it keeps no ownership of fields, so nothing is said here of apply conflicts and
 * of fields that vanish from what is applied. */

#include "probate/base/str.h"

#include "objects.h"
#include "support/json_text.h"

static int apply_as(struct conf *c, struct json_object *body_taken,
        const struct prb_write_options *options, struct prb_object **ret)
{
    prb_auto(prb_json_free) struct json_object *body = body_taken;
    struct prb_ref ref = conf_ref(c, &c->widget, "a");

    c->err = (struct prb_error){ .code = PRB_OK };
    return prb_api_patch(c->api, &ref, PRB_PATCH_APPLY, body, options, ret, &c->err);
}

static int64_t field_of(const struct prb_object *object, const char *name)
{
    int64_t value = -1;

    (void)prb_json_int(prb_object_spec(object), name, &value);
    return value;
}

static int what_is_not_there_is_created(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *made = NULL;

    CONF_OK(c, apply_as(c, conf_body(c, &c->widget, "a", "{'spec':{'n':1}}"),
                       &(struct prb_write_options){ .force = true }, &made));
    CONF_INT(c, 1, field_of(made, "n"));
    CONF_INT(c, 1, prb_object_generation(made));
    CONF_TRUE(c, prb_object_uid(made)[0] != '\0');
    return 0;
}

static int what_others_say_stays(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *now = NULL;

    CONF_OK(c, conf_create(c, &c->widget, conf_body(c, &c->widget, "a", "{'spec':{'n':1,'m':1}}"),
                       NULL));
    CONF_OK(c, apply_as(c, conf_body(c, &c->widget, "a", "{'spec':{'k':7}}"),
                       &(struct prb_write_options){ .field_manager = "other" }, &now));
    CONF_INT(c, 1, field_of(now, "n"));
    CONF_INT(c, 1, field_of(now, "m"));
    CONF_INT(c, 7, field_of(now, "k"));
    return 0;
}

static int force_takes_a_field(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *now = NULL;

    CONF_OK(c, conf_create(c, &c->widget, conf_body(c, &c->widget, "a", "{'spec':{'n':1,'m':1}}"),
                       NULL));
    CONF_OK(c,
            apply_as(c, conf_body(c, &c->widget, "a", "{'spec':{'n':7}}"),
                    &(struct prb_write_options){ .field_manager = "other", .force = true }, &now));
    CONF_INT(c, 7, field_of(now, "n"));
    CONF_INT(c, 1, field_of(now, "m"));
    CONF_INT(c, 2, prb_object_generation(now));
    return 0;
}

static int applying_the_same_again_keeps_the_version(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *first = NULL;
    prb_auto(prb_object_unref) struct prb_object *second = NULL;
    const struct prb_write_options options = { .force = true };

    CONF_OK(c, apply_as(c, conf_body(c, &c->widget, "a", "{'spec':{'n':1}}"), &options, &first));
    CONF_OK(c, apply_as(c, conf_body(c, &c->widget, "a", "{'spec':{'n':1}}"), &options, &second));
    CONF_STR(c, prb_object_resource_version(first), prb_object_resource_version(second));
    return 0;
}

static const char *condition_of(const struct prb_object *object, const char *type)
{
    const struct json_object *list = prb_json_arr(prb_object_status(object), "conditions");

    for (size_t i = 0; i < prb_json_len(list); i++) {
        const struct json_object *condition = prb_json_elem(list, i);

        if (prb_streq(prb_json_str(condition, "type"), type))
            return prb_json_str(condition, "status");
    }
    return NULL;
}

static int apply_condition(struct conf *c, const char *manager, const char *type,
        const char *status, struct prb_object **ret)
{
    return apply_as(c,
            conf_body(c, &c->widget, "a", "{'status':{'conditions':[{'type':'%s','status':'%s'}]}}",
                    type, status),
            &(struct prb_write_options){
                    .subresource = "status", .field_manager = manager, .force = true },
            ret);
}

static int conditions_of_two_controllers_stay_side_by_side(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *now = NULL;

    CONF_OK(c, conf_create(c, &c->widget, conf_body(c, &c->widget, "a", "{'spec':{'n':1}}"), NULL));
    CONF_OK(c, apply_condition(c, "one", "Ready", "True", NULL));
    CONF_OK(c, apply_condition(c, "two", "Clean", "False", NULL));
    CONF_OK(c, apply_condition(c, "one", "Ready", "False", &now));
    CONF_STR(c, "False", condition_of(now, "Ready"));
    CONF_STR(c, "False", condition_of(now, "Clean"));
    CONF_INT(c, 2, prb_json_len(prb_json_arr(prb_object_status(now), "conditions")));
    CONF_INT(c, 1, prb_object_generation(now));
    return 0;
}

static const struct conf_row rows[] = {
    { "apply creates what is not there", what_is_not_there_is_created },
    { "apply leaves what it does not name", what_others_say_stays },
    { "apply with force takes a field that another has set", force_takes_a_field },
    { "applying the same again keeps resourceVersion", applying_the_same_again_keeps_the_version },
    { "apply merges conditions by type", conditions_of_two_controllers_stay_side_by_side },
};
CONF_ROWS(conf_apply_rows, rows);
