/* Which calls does the controller make, and what if one fails or somebody else is faster? */

#include "work_world_calls.h"

#include <stdio.h>
#include <string.h>

#include "work_world.h"

#define FAULTS_MAX 8

static struct calls {
    struct prb_api api; /* first: the port casts back */
    struct prb_api *inner;
} calls;

static struct {
    const char *line;
    enum prb_errc code;
    int times;
} faults[FAULTS_MAX];

static void (*mutation)(struct json_object *body);
static const char *interrupted;
static void (*interruption)(void);

void fault(const char *line, enum prb_errc code, int times)
{
    for (size_t i = 0; i < FAULTS_MAX; i++) {
        if (faults[i].times > 0)
            continue;
        faults[i].line = line;
        faults[i].code = code;
        faults[i].times = times;
        return;
    }
}

void meanwhile(const char *line, void (*something)(void))
{
    interrupted = line;
    interruption = something;
}

void mutate(void (*something)(struct json_object *body))
{
    mutation = something;
}

/* What the server stores of it. Owned. */
static struct json_object *mutated(const struct json_object *body)
{
    struct json_object *copy = prb_json_copy(body);

    if (mutation)
        mutation(copy);
    return copy;
}

/* A server that cannot be reached is told of with a port and a time that are others each time. */
static int refuse(enum prb_errc code, struct prb_error *err)
{
    static int number = 40000;

    number++;
    if (code == PRB_E_IO)
        return prb_fail(err, code,
                "read tcp 10.0.0.1:%d->10.0.0.2:443: i/o timeout after %d milliseconds", number,
                number);
    return prb_fail(err, code, "refused by the test");
}

static int note(
        const char *verb, const struct prb_ref *ref, const char *more, struct prb_error *err)
{
    char what[PRB_REF_TEXT_SIZE], line[PRB_REF_TEXT_SIZE + 64];
    void (*something)(void) = interruption;

    prb_ref_describe(ref, what);
    (void)snprintf(line, sizeof(line), "%s %s%s%s", verb, what, more[0] ? " " : "", more);
    prb_str_addf(&work_world.calls, "%s\n", line);
    if (strcmp(verb, "get") == 0)
        work_world.reads++;
    else
        work_world.writes++;
    if (something && prb_starts_with(line, interrupted)) {
        interruption = NULL;
        something();
    }
    for (size_t i = 0; i < FAULTS_MAX; i++) {
        if (faults[i].times > 0 && prb_starts_with(line, faults[i].line)) {
            faults[i].times--;
            return refuse(faults[i].code, err);
        }
    }
    return 0;
}

static int get(struct prb_api *api, const struct prb_ref *ref,
        const struct prb_get_options *options, struct prb_object **ret, struct prb_error *err)
{
    int r = note("get", ref, "", err);

    (void)api;
    return r < 0 ? r : prb_api_get(calls.inner, ref, options, ret, err);
}

static int list(struct prb_api *api, const struct prb_gvr *gvr,
        const struct prb_list_options *options, struct prb_page *ret, struct prb_error *err)
{
    (void)api;
    return prb_api_list(calls.inner, gvr, options, ret, err);
}

static int create(struct prb_api *api, const struct prb_ref *ref, const struct json_object *body,
        const struct prb_write_options *options, struct prb_object **ret, struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *stored = mutated(body);
    int r = note("create", ref, "", err);

    (void)api;
    return r < 0 ? r : prb_api_create(calls.inner, ref, stored, options, ret, err);
}

static int update(struct prb_api *api, const struct prb_ref *ref, const struct json_object *body,
        const struct prb_write_options *options, struct prb_object **ret, struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *stored = mutated(body);
    int r = note("update", ref, "", err);

    (void)api;
    return r < 0 ? r : prb_api_update(calls.inner, ref, stored, options, ret, err);
}

/* An apply says who applies: a manager of ours has a uid in it, which is left out. */
static const char *more_of(enum prb_patch_type type, const struct prb_write_options *options)
{
    if (options->subresource)
        return options->subresource;
    if (type != PRB_PATCH_APPLY)
        return "";
    return prb_starts_with(options->field_manager, "probate-") ? "probate-"
                                                               : options->field_manager;
}

/* NOLINTNEXTLINE(readability-function-size): as the port has it */
static int patch(struct prb_api *api, const struct prb_ref *ref, enum prb_patch_type type,
        const struct json_object *body, const struct prb_write_options *options,
        struct prb_object **ret, struct prb_error *err)
{
    int r = note(type == PRB_PATCH_APPLY ? "apply" : "patch", ref, more_of(type, options), err);

    (void)api;
    return r < 0 ? r : prb_api_patch(calls.inner, ref, type, body, options, ret, err);
}

static int erase_one(struct prb_api *api, const struct prb_ref *ref,
        const struct prb_delete_options *options, struct prb_error *err)
{
    int r = note("delete", ref, "", err);

    (void)api;
    return r < 0 ? r : prb_api_delete(calls.inner, ref, options, err);
}

static int resolve(struct prb_api *api, const char *group, const char *name,
        struct prb_resource *ret, struct prb_error *err)
{
    (void)api;
    return prb_api_resolve(calls.inner, group, name, ret, err);
}

static void close_none(struct prb_api *api)
{
    (void)api;
    memset(faults, 0, sizeof(faults));
    interruption = NULL;
    mutation = NULL;
}

static const struct prb_api_ops ops = {
    .get = get,
    .list = list,
    .create = create,
    .update = update,
    .patch = patch,
    .remove = erase_one,
    .resolve = resolve,
    .close = close_none,
};

struct prb_api *work_world_calls_open(struct prb_api *inner)
{
    calls = (struct calls){ .api = { &ops }, .inner = inner };
    return &calls.api;
}
