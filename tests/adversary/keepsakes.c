/* Which objects have disappeared, and by what right? */

#include "keepsakes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probate/base/mem.h"

#include "support/wait.h"
#include "support/watch_log.h"

/* Objects that the player deletes in one sequence. */
#define GIVEN_UP_MAX 128

struct keepsakes {
    struct prb_watch_log *maps, *works, *policies; /* owned */
    char given_up[GIVEN_UP_MAX][64];               /* uids */
    size_t count;
};

static int watch(struct world *world, const struct prb_gvr *gvr, const char *namespace,
        struct prb_watch_log **ret, struct prb_error *err)
{
    return prb_watch_log_start(world->target->eye, gvr,
            &(struct prb_watch_options){ .namespace = namespace }, ret, err);
}

int keepsakes_open(struct world *world, struct prb_error *err)
{
    struct keepsakes *keepsakes = world->keepsakes = prb_calloc(1, sizeof(*keepsakes));

    if (watch(world, &world_maps, world->data.name, &keepsakes->maps, err) < 0 ||
            watch(world, &world_works, TARGET_CLUSTER, &keepsakes->works, err) < 0)
        return err->code;
    return watch(world, &world_policies, TARGET_CLUSTER, &keepsakes->policies, err);
}

void keepsakes_close(struct world *world)
{
    struct keepsakes *keepsakes = world->keepsakes;

    if (!keepsakes)
        return;
    prb_watch_log_stop(keepsakes->maps);
    prb_watch_log_stop(keepsakes->works);
    prb_watch_log_stop(keepsakes->policies);
    free(keepsakes);
    world->keepsakes = NULL;
}

void keepsakes_given_up(struct world *world, const struct prb_object *object)
{
    struct keepsakes *keepsakes = world->keepsakes;

    if (object && keepsakes->count < GIVEN_UP_MAX)
        (void)prb_copy(keepsakes->given_up[keepsakes->count++], 64, prb_object_uid(object));
}

static bool is_given_up(const struct keepsakes *keepsakes, const char *uid)
{
    for (size_t i = 0; i < keepsakes->count; i++) {
        if (prb_streq(keepsakes->given_up[i], uid))
            return true;
    }
    return keepsakes->count == GIVEN_UP_MAX;
}

static int64_t version_of(const struct prb_watch_log_event *event)
{
    int64_t version = 0;

    (void)prb_parse_int(event->resource_version, 0, INT64_MAX, &version);
    return version;
}

static bool is_end(const struct prb_watch_log_event *event)
{
    return event->type == PRB_WATCH_DELETED || prb_object_is_deleting(event->object);
}

static bool is_by_hand(const struct prb_object *object)
{
    return prb_streq(prb_json_str(prb_json_obj(prb_object_tree(object), "data"), "by"), "hand");
}

/* The life of one object, up to the event that ends it. */
struct end {
    const struct prb_object *last; /* borrowed: as it was when it went */
    int64_t adopted;               /* when its reference came that it went with; 0: it had none */
    int64_t made, ended;
    bool by_hand; /* as it was made */
};

/* ---- the work ---- */

static bool has_reference(const struct prb_object *object)
{
    struct prb_owner owner;

    for (size_t i = 0; i < prb_object_owner_count(object); i++) {
        if (prb_object_owner_at(object, i, &owner) && prb_streq(owner.kind, "AppliedManifestWork"))
            return true;
    }
    return false;
}

/* The uid of the work of this world, if it was being deleted at this version of the server; "" if
 * not. Borrowed. */
static const char *going_work(struct world *world, int64_t version)
{
    struct prb_watch_log *log = world->keepsakes->works;
    const char *going = "";

    for (size_t i = 0; i < prb_watch_log_count(log); i++) {
        const struct prb_watch_log_event *event = prb_watch_log_at(log, i);

        if (version_of(event) > version ||
                !prb_streq(prb_object_name(event->object), world->work.name))
            continue;
        going = event->type != PRB_WATCH_DELETED && prb_object_is_deleting(event->object)
                        ? prb_object_uid(event->object)
                        : "";
    }
    return going;
}

/* Made by hand while the work went, and taken by it all the same? What somebody else made, or made
 * before, may still get its reference from an agent that has not heard yet. */
static bool is_stolen(struct world *world, const struct end *end)
{
    const char *work = going_work(world, end->made);

    return end->by_hand && *work && prb_streq(work, going_work(world, end->adopted));
}

/* ---- the policy ---- */

/* Was this very policy being deleted at this version of the server? */
static bool is_policy_going(struct world *world, const struct prb_object *policy, int64_t version)
{
    struct prb_watch_log *log = world->keepsakes->policies;

    for (size_t i = 0; i < prb_watch_log_count(log); i++) {
        const struct prb_watch_log_event *event = prb_watch_log_at(log, i);

        if (version_of(event) < version && is_end(event) &&
                prb_streq(prb_object_uid(event->object), prb_object_uid(policy)))
            return true;
    }
    return false;
}

#define CREATED_BY "probate.dev/created-by-policy"
#define CREATING "creating-"

/* "UID", "deleting-UID" while Probate deletes it, or "creating-TOKEN" of an object that carries the
 * token, as long as its uid is not known. */
static bool is_it(const char *text, const struct prb_object *object)
{
    const char *mark = prb_object_annotation(object, CREATED_BY);

    if (!text)
        return false;
    if (prb_starts_with(text, CREATING))
        return mark && strstr(mark, text + strlen(CREATING));
    return strstr(text, prb_object_uid(object)) != NULL;
}

/* By what a policy says at some moment: may it delete the object? DeleteIfCreated deletes only what
 * the policy has created. */
static bool records(const struct prb_object *policy, const struct prb_object *object)
{
    const struct json_object *list = prb_json_arr(prb_object_status(policy), "relatedObjects");
    const char *behaviour = prb_json_str(prb_object_spec(policy), "pruneObjectBehavior");

    for (size_t i = 0; i < prb_json_len(list); i++) {
        const struct json_object *properties = prb_json_obj(prb_json_elem(list, i), "properties");
        bool created = false;

        (void)prb_json_bool(properties, "createdByPolicy", &created);
        if (is_it(prb_json_str(properties, "uid"), object) &&
                (created || prb_streq(behaviour, "DeleteAll")))
            return true;
    }
    return false;
}

/* What somebody makes while a policy is being deleted is none of that policy's. */
static bool is_on_record(struct world *world, const struct end *end)
{
    struct prb_watch_log *log = world->keepsakes->policies;

    for (size_t i = 0; i < prb_watch_log_count(log); i++) {
        const struct prb_watch_log_event *event = prb_watch_log_at(log, i);

        if (version_of(event) >= end->ended ||
                !prb_streq(prb_object_name(event->object), world->policy.name))
            continue;
        if (records(event->object, end->last) &&
                !(end->by_hand && is_policy_going(world, event->object, end->made)))
            return true;
    }
    return false;
}

/* ---- one object ---- */

static bool find_end(struct prb_watch_log *log, size_t first, struct end *ret)
{
    const struct prb_watch_log_event *made = prb_watch_log_at(log, first);
    const char *uid = prb_object_uid(made->object);

    *ret = (struct end){ .made = version_of(made), .by_hand = is_by_hand(made->object) };
    for (size_t i = first; i < prb_watch_log_count(log); i++) {
        const struct prb_watch_log_event *event = prb_watch_log_at(log, i);

        if (!prb_streq(prb_object_uid(event->object), uid))
            continue;
        if (!has_reference(event->object))
            ret->adopted = 0;
        else if (ret->adopted == 0)
            ret->adopted = version_of(event);
        ret->last = event->object;
        ret->ended = version_of(event);
        if (is_end(event))
            return true;
    }
    return false;
}

static void judge(struct world *world, const struct end *end)
{
    const char *uid = prb_object_uid(end->last), *name = prb_object_name(end->last);

    if (is_given_up(world->keepsakes, uid) || is_on_record(world, end))
        return;
    if (end->adopted == 0)
        (void)world_fail(world,
                "%s (%s) disappeared, without a reference of the work or a record of the policy",
                name, uid);
    else if (is_stolen(world, end))
        (void)world_fail(world,
                "%s (%s) disappeared: it was made by hand, and got its reference, while the work went",
                name, uid);
}

/* The watch has seen everything that there is by now when it has seen what comes last. */
static bool catch_up(struct world *world)
{
    struct prb_ref ref = world_ref(&world_maps, world->data.name, "fence");
    struct prb_test_wait wait =
            prb_test_wait_for(PRB_TEST_SOON_MS, "the watch of the test has caught up");
    prb_auto(prb_json_free) struct json_object *body = json_object_new_object();
    struct prb_error err;

    prb_json_set_str(prb_json_ensure_obj(body, "metadata"), "name", ref.name);
    if (prb_api_create(world->target->eye, &ref, body, NULL, NULL, &err) < 0)
        return false;
    while (prb_watch_log_find(world->keepsakes->maps, PRB_WATCH_ADDED, ref.name) < 0) {
        if (prb_watch_log_is_closed(world->keepsakes->maps, &err) || !prb_test_wait_more(&wait))
            return false;
    }
    return true;
}

void keepsakes_check(struct world *world)
{
    struct prb_watch_log *log = world->keepsakes->maps;
    size_t count;

    if (!catch_up(world)) {
        (void)world_fail(world, "the watch of the test is blind");
        return;
    }
    count = prb_watch_log_count(log);
    for (size_t i = 0; i < count; i++) {
        const struct prb_watch_log_event *event = prb_watch_log_at(log, i);
        struct end end;

        if (event->type == PRB_WATCH_ADDED &&
                prb_starts_with(prb_object_name(event->object), "map-") && find_end(log, i, &end))
            judge(world, &end);
    }
}
