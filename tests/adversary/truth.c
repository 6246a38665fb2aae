/* What is true of the provider, and which move has broken a law? */

#include "truth.h"

#include <stdio.h>

#include "probate/model/critical_service.h"

#include "support/wait.h"

void truth_done(struct truth *truth)
{
    prb_json_free(truth->criteria);
    truth->criteria = NULL;
}

/* ---- criteria ---- */

/* Only what Probate may not know yet is uncertain: on a real server a kind is served, or not, a
 * moment after its definition says so. Nothing of the sort in memory. */
static enum met uncertain(struct world *world, const char *why, char *what, size_t size)
{
    (void)snprintf(what, size, "%s", why);
    return world->target->where == EMBEDDED ? UNKNOWN : MET;
}

/* The kind cannot be listed. What it stored stays, as long as it is defined. */
static enum met met_unserved(struct world *world, char *what, size_t size)
{
    bool known;
    prb_auto(prb_object_unref) struct prb_object *definition =
            world_get(world, &world->definition, &known);

    if (known && !definition) {
        world->stored = 0;
        return MET;
    }
    if (world->stored > 0) {
        (void)snprintf(what, size, "%lld coolresources with the finalizer are stored, not served",
                (long long)world->stored);
        return UNMET;
    }
    return uncertain(world, "coolresources are defined and not served", what, size);
}

static enum met met_finalizer(
        struct world *world, const struct json_object *criterion, char *what, size_t size)
{
    const char *finalizer = prb_json_str(criterion, "finalizerName");
    const struct prb_list_options options = { .metadata_only = true };
    prb_auto(prb_page_done) struct prb_page page;
    struct prb_error err;
    int64_t count = 0, important = 0;

    prb_page_init(&page);
    if (prb_api_list(world->target->eye, &world->kind, &options, &page, &err) < 0)
        return met_unserved(world, what, size);
    for (size_t i = 0; i < page.count; i++) {
        important += prb_object_has_finalizer(page.objects[i], world->finalizer) ? 1 : 0;
        if (!finalizer || !prb_object_has_finalizer(page.objects[i], finalizer))
            continue;
        count++;
        (void)snprintf(what, size, "%s has %s", prb_object_name(page.objects[i]), finalizer);
    }
    world->stored = important;
    return count > 0 ? UNMET : MET;
}

static enum met met_resource(
        struct world *world, const struct json_object *criterion, char *what, size_t size)
{
    const char *name = prb_json_str(criterion, "name");
    const struct prb_ref *ref =
            prb_streq(name, world->definition.name) ? &world->definition : &world->marker;
    bool known;
    prb_auto(prb_object_unref) struct prb_object *object = world_get(world, ref, &known);

    if (!object && !known)
        return uncertain(world, "it could not be asked", what, size);
    if (object)
        (void)snprintf(what, size, "%s is there", ref->name);
    return object ? UNMET : MET;
}

enum met truth_met(struct world *world, const struct json_object *criteria, char *what, size_t size)
{
    enum met all = MET;

    for (size_t i = 0; i < prb_json_len(criteria); i++) {
        const struct json_object *criterion = prb_json_elem(criteria, i);
        const struct json_object *finalizer = prb_json_obj(criterion, "finalizer");
        enum met met = finalizer ? met_finalizer(world, finalizer, what, size)
                                 : met_resource(world, prb_json_obj(criterion, "specificResource"),
                                           what, size);

        if (met == UNMET)
            return UNMET;
        if (met == UNKNOWN)
            all = UNKNOWN;
    }
    return all;
}

/* ---- looking ---- */

static void keep_uid(const struct prb_object *object, char uid[64])
{
    (void)prb_copy(uid, 64, object ? prb_object_uid(object) : "");
}

static bool is_for_provider(struct world *world, const struct json_object *spec)
{
    const struct json_object *provider = prb_json_obj(spec, "provider");

    return prb_streq(prb_json_str(provider, "namespace"), world->home.name) &&
           prb_streq(prb_json_str(provider, "name"), world->provider.name);
}

/* While CriticalServices are not served, it is as it was. */
static void look_at_service(struct world *world, struct truth *ret)
{
    bool known, is_going = false;
    prb_auto(prb_object_unref) struct prb_object *service =
            world_get(world, &world->service, &known);

    if (known || service) {
        prb_json_free(world->spec);
        world->spec = service ? prb_json_copy(prb_object_spec(service)) : NULL;
        is_going = service && prb_object_is_deleting(service);
    } else if (!world->is_definition_broken) {
        ret->known = false;
    }
    keep_uid(service, ret->service);
    ret->guards = world->spec && !is_going && is_for_provider(world, world->spec);
    ret->is_strict = !prb_streq(prb_json_str(world->spec, "deletionPolicy"), "BestEffort");
    ret->criteria = prb_json_copy(prb_json_arr(world->spec, "criteria"));
}

void truth_look(struct world *world, struct truth *ret)
{
    bool home_known, provider_known;
    prb_auto(prb_object_unref) struct prb_object *home =
            world_get(world, &world->home, &home_known);
    prb_auto(prb_object_unref) struct prb_object *provider =
            world_get(world, &world->provider, &provider_known);
    char what[128];

    *ret = (struct truth){ .known = home_known && provider_known };
    ret->has_home = home != NULL;
    ret->is_home_going = home && prb_object_is_deleting(home);
    ret->has_label = home && prb_object_label(home, PRB_LABEL_PROTECTED);
    keep_uid(home, ret->home);
    ret->has_provider = provider != NULL;
    ret->is_provider_going = provider && prb_object_is_deleting(provider);
    keep_uid(provider, ret->provider);
    look_at_service(world, ret);
    ret->met = truth_met(world, ret->criteria, what, sizeof(what));
    if (!ret->guards || !prb_streq(world->held_home, ret->home))
        world->held = false;
    if (ret->has_label && ret->guards)
        world->held = prb_copy(world->held_home, sizeof(world->held_home), ret->home);
    ret->held = world->held;
}

/* ---- the laws ---- */

/* Was there somebody to protect, and a reason to? */
static bool is_in_need(const struct truth *truth)
{
    return truth->guards && truth->has_provider && !truth->is_provider_going && truth->has_home &&
           !truth->is_home_going && truth->met != MET;
}

static void hold_deletion(struct world *world, const struct truth *before,
        const struct truth *after, const char *what)
{
    bool lost_provider = !after->has_provider || after->is_provider_going ||
                         !prb_streq(before->provider, after->provider);
    bool lost_home =
            !after->has_home || after->is_home_going || !prb_streq(before->home, after->home);

    if (lost_provider || lost_home)
        (void)world_fail(world, "the %s was deleted although %s",
                lost_provider ? "provider" : "provider's namespace", what);
    else if (world->accepted_delete)
        (void)world_fail(world, "a deletion was accepted (as a dry run) although %s", what);
}

static bool has_label_again(void *ctx)
{
    struct world *world = ctx;
    prb_auto(prb_object_unref) struct prb_object *home = world_get(world, &world->home, NULL);

    return (home && prb_object_label(home, PRB_LABEL_PROTECTED)) || prb_test_saw("it has no label");
}

/* Probate takes the label off when no CriticalService names the Namespace any more. One that is
 * made in this very moment gets it back. */
static void await_label(struct world *world)
{
    if (!prb_test_await("Probate puts the label back that it has taken off", has_label_again, world,
                PRB_TEST_SOON_MS))
        (void)world_fail(world, "%s", prb_test_awaited());
}

/* The label may go while nothing is protected; and while Probate is down, where the server has
 * nobody else to ask. Then it protects again from when it is back. */
static void hold_label(
        struct world *world, const struct truth *before, struct truth *after, const char *what)
{
    bool is_open = world->target->is_down && !world->target->keeps_conditions;

    if (after->has_label || !before->has_label || !after->guards)
        return;
    if (is_in_need(before) && !is_open && what && world->accepted_home)
        (void)world_fail(world, "the label was taken off although %s", what);
    else if (is_in_need(before) && !world->target->is_down && what && !world->accepted_home)
        await_label(world);
    world->held = after->held = false;
}

void truth_compare(struct world *world, const struct truth *before, struct truth *after)
{
    char what[128] = "";
    bool stands;

    if (!before->known || !after->known)
        return;
    stands = is_in_need(before) && truth_met(world, before->criteria, what, sizeof(what)) != MET;
    if (stands && before->held)
        hold_deletion(world, before, after, what);
    hold_label(world, before, after, stands ? what : NULL);
    if (stands && world->accepted_loosening)
        (void)world_fail(world, "the CriticalService was loosened although %s", what);
    if (world->accepted_release && before->guards && before->is_strict && before->has_provider &&
            after->has_provider && prb_streq(before->provider, after->provider))
        (void)world_fail(world, "the CriticalService may go although its provider is there");
}
