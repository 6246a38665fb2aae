/* A guard on a hub, and what is noted of it. */

#include "notes_world.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/metrics.h"
#include "probate/base/yaml.h"

#include "support/wait.h"

struct notes_world noted;

static struct prb_api_ops ops;
static const struct prb_api_ops *inner_ops;

static int get_and_more(struct prb_api *api, const struct prb_ref *ref,
        const struct prb_get_options *options, struct prb_object **ret, struct prb_error *err)
{
    int r = inner_ops->get(api, ref, options, ret, err);
    void (*hook)(void) = atomic_exchange(&noted.between, NULL);

    if (hook)
        hook();
    return r;
}

struct prb_ref guard_ref(const char *name)
{
    struct prb_gvr gvr;
    struct prb_ref ref;

    if (!prb_gvr_init(&gvr, "probate.dev", "v1alpha1", GUARDS) ||
            !prb_ref_init(&ref, &gvr, NULL, name))
        abort();
    return ref;
}

static struct prb_ref deployment_ref(const char *name)
{
    struct prb_gvr gvr;
    struct prb_ref ref;

    if (!prb_gvr_init(&gvr, "apps", "v1", "deployments") || !prb_ref_init(&ref, &gvr, "ns", name))
        abort();
    return ref;
}

struct prb_object *guard_find(const char *name)
{
    struct prb_ref ref = guard_ref(name);
    struct prb_object *guard = NULL;
    struct prb_error err;

    return prb_api_get(prb_hub_api(world.hub), &ref, NULL, &guard, &err) == 0 ? guard : NULL;
}

void guard_add(const char *name)
{
    prb_autofree char *yaml = prb_asprintf("{apiVersion: probate.dev/v1alpha1, kind: "
                                           "CriticalService, metadata: {name: %s}, "
                                           "spec: {criteria: []}}",
            name);
    prb_auto(prb_json_free) struct json_object *body = NULL, *status = NULL;
    struct prb_write_options options = { .subresource = "status" };
    struct prb_ref ref = guard_ref(name);
    struct prb_error err;

    prb_json_set_str(
            prb_json_ensure_obj(status = json_object_new_object(), "status"), "blockedBy", "x");
    if (prb_yaml_parse(yaml, strlen(yaml), &body, &err) < 0 ||
            prb_api_create(prb_hub_api(world.hub), &ref, body, NULL, NULL, &err) < 0 ||
            prb_api_patch(prb_hub_api(world.hub), &ref, PRB_PATCH_MERGE, status, &options, NULL,
                    &err) < 0)
        abort();
}

char *guard_uid(const char *guard)
{
    prb_auto(prb_object_unref) struct prb_object *object = guard_find(guard);

    return prb_strdup(object ? prb_object_uid(object) : "");
}

void guard_remove(const char *name)
{
    prb_autofree char *uid = guard_uid(name);
    struct prb_delete_options options = { .uid = uid };
    struct prb_ref ref = guard_ref(name);
    struct prb_error err;

    if (prb_api_delete(prb_hub_api(world.hub), &ref, &options, &err) < 0)
        abort();
}

void notes_world_init(void)
{
    world_init();
    prb_page_init(&noted.events);
    prb_object_unref(
            put("namespaces", "{apiVersion: v1, kind: Namespace, metadata: {name: default}}"));
    guard_add("guard");
    inner_ops = world.port.api.ops;
    ops = *inner_ops;
    ops.get = get_and_more;
    world.port.api.ops = &ops;
    atomic_store(&noted.between, NULL);
    noted.recorder = prb_recorder_new(&world.port.api, "probate", &world.clock.clock);
    noted.notes = prb_notes_new(&world.port.api, noted.recorder, &world.clock.clock);
}

void notes_world_done(void)
{
    prb_notes_close(noted.notes);
    prb_recorder_free(noted.recorder);
    prb_page_done(&noted.events);
    world_done();
}

void note_add(enum prb_note_type type, const char *guard, const char *uid, const char *user,
        const char *object)
{
    prb_autofree char *guard_uid = prb_strdup(uid), *user_copy = prb_strdup(user);
    char text[] = "the text of the rule";
    char version[] = "probate.dev/v1alpha1", kind[] = "CriticalService";
    char object_version[] = "apps/v1", object_kind[] = "Deployment", object_uid[] = "uid-of-object";
    struct prb_note note = { .type = type,
        .guard = guard_ref(guard),
        .guard_uid = guard_uid,
        .guard_api_version = version,
        .guard_kind = kind,
        .guard_unwritable = noted.unwritable,
        .object = deployment_ref(object),
        .object_uid = object_uid,
        .object_api_version = object_version,
        .object_kind = object_kind,
        .user = user_copy,
        .operation = "DELETE",
        .text = text };

    prb_notes_add(noted.notes, &note, 1);
}

void note_deny_by_unwritable(const char *user, const char *object)
{
    noted.unwritable = true;
    note_deny(user, object);
    noted.unwritable = false;
}

void note_deny(const char *user, const char *object)
{
    prb_autofree char *uid = guard_uid("guard");

    note_add(PRB_NOTE_DENIED, "guard", uid, user, object);
}

bool notes_flush(void)
{
    struct prb_ref ref = ref_of("events", "ns", "any");
    struct prb_error err;

    prb_notes_stop(noted.notes, FLUSH_MS);
    prb_recorder_stop(noted.recorder, FLUSH_MS);
    prb_page_done(&noted.events);
    return prb_api_list_all(prb_hub_api(world.hub), &ref.gvr, NULL, 10000, &noted.events, &err) ==
           0;
}

const char *last_denied(const char *guard, const char *member)
{
    prb_auto(prb_object_unref) struct prb_object *object = guard_find(guard);
    prb_autofree char *pointer = prb_asprintf("/status/lastDenied/%s", member);

    return value_at(object, pointer);
}

int note_fate(const char *result)
{
    prb_auto(prb_str_done) struct prb_str text;
    char line[64];
    const char *at;

    prb_str_init(&text, 1 << 20);
    prb_metrics_print(&text);
    (void)snprintf(line, sizeof(line), "probate_notes_total{result=\"%s\"} ", result);
    at = strstr(prb_str_get(&text), line);
    return at ? (int)strtol(at + strlen(line), NULL, 10) : 0;
}

bool note_await_fate(const char *result, int count)
{
    struct prb_test_wait wait =
            prb_test_wait_for(PRB_TEST_SOON_MS, "%d notes that are %s", count, result);

    do {
        (void)prb_test_saw("%d", note_fate(result));
        if (note_fate(result) >= count)
            return true;
        (void)fault_port_reached(&world.port, "never made", 1);
    } while (prb_test_wait_in_time(&wait));
    return false;
}

void notes_pass_time(int64_t ms)
{
    prb_fake_clock_advance(&world.clock, ms);
    prb_notes_poke(noted.notes);
}

bool notes_pass_time_until(const char *prefix, int count)
{
    struct prb_test_wait wait = prb_test_wait_for(
            PRB_TEST_SOON_MS, "%d calls \"%s\", in steps of a second", count, prefix);

    do {
        if (fault_port_reached(&world.port, prefix, count))
            return true;
        (void)prb_test_saw("%d calls", fault_port_count(&world.port, prefix));
        notes_pass_time(1000);
    } while (prb_test_wait_in_time(&wait));
    return false;
}
