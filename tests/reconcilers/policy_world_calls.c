/* Which calls does the controller make, and what if one fails or somebody else is faster? */

#include "policy_world_calls.h"

#include <stdio.h>
#include <string.h>

#include "policy_world.h"

#define FAULTS_MAX 8

static struct calls {
    struct prb_api api; /* first: the port casts back */
    struct prb_api *inner;
} calls;

static struct {
    const char *line;
    enum prb_errc code;
    int times;
    bool is_made; /* the call, though its answer is lost */
    int status;   /* 0: as the code has it */
} faults[FAULTS_MAX];

static void (*mutation)(struct json_object *body);
static const char *interrupted;
static void (*interruption)(void);

static void add_fault(const char *line, enum prb_errc code, int times, bool is_made)
{
    for (size_t i = 0; i < FAULTS_MAX; i++) {
        if (faults[i].times > 0)
            continue;
        faults[i].line = line;
        faults[i].code = code;
        faults[i].times = times;
        faults[i].is_made = is_made;
        faults[i].status = 0;
        return;
    }
}

void refuse(const char *line, int status, int times)
{
    for (size_t i = 0; i < FAULTS_MAX; i++) {
        if (faults[i].times > 0)
            continue;
        add_fault(line, PRB_E_INVALID, times, false);
        faults[i].status = status;
        return;
    }
}

/* As a server says that a webhook is not there, or that something is invalid, unless the test wants
 * another status. */
static int refuse_so(size_t index, struct prb_error *err)
{
    static int port = 40000;
    int r = faults[index].code == PRB_E_UNAVAILABLE
                    ? prb_fail(err, PRB_E_UNAVAILABLE,
                              "read tcp 10.0.0.1:%d->10.0.0.2:443: i/o timeout after %d ms", port,
                              port + 1)
                    : prb_fail(err, faults[index].code, "refused by the test");

    port++;

    if (r == PRB_E_INVALID) {
        err->status = faults[index].status ? faults[index].status : 422;
        (void)prb_copy(
                err->reason, sizeof(err->reason), err->status == 422 ? "Invalid" : "BadRequest");
    }
    return r;
}

void fault(const char *line, enum prb_errc code, int times)
{
    add_fault(line, code, times, false);
}

void lose(const char *line, int times)
{
    add_fault(line, PRB_E_IO, times, true);
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

/* What is to become of a call. */
struct fate {
    int result;   /* negative: it fails so */
    bool is_made; /* nevertheless */
};

static struct fate note(
        const char *verb, const struct prb_ref *ref, const char *more, struct prb_error *err)
{
    char what[PRB_REF_TEXT_SIZE], line[PRB_REF_TEXT_SIZE + 64];
    void (*something)(void) = interruption;
    bool reads = strcmp(verb, "get") == 0 || strcmp(verb, "try") == 0;

    prb_ref_describe(ref, what);
    (void)snprintf(line, sizeof(line), "%s %s%s%s", verb, what, more[0] ? " " : "", more);
    prb_str_addf(&policy_world.calls, "%s\n", line);
    policy_world.reads += reads ? 1 : 0;
    policy_world.writes += reads ? 0 : 1;
    if (something && prb_starts_with(line, interrupted)) {
        interruption = NULL;
        something();
    }
    if (policy_world.killed_after > 0 && !reads &&
            policy_world.writes > (size_t)policy_world.killed_after)
        return (struct fate){ prb_fail(err, PRB_E_CANCELLED, "killed"), false };
    for (size_t i = 0; i < FAULTS_MAX; i++) {
        if (faults[i].times > 0 && prb_starts_with(line, faults[i].line)) {
            faults[i].times--;
            return (struct fate){ refuse_so(i, err), faults[i].is_made };
        }
    }
    return (struct fate){ 0, true };
}

static int get(struct prb_api *api, const struct prb_ref *ref,
        const struct prb_get_options *options, struct prb_object **ret, struct prb_error *err)
{
    struct fate fate = note("get", ref, "", err);

    (void)api;
    return fate.result < 0 ? fate.result : prb_api_get(calls.inner, ref, options, ret, err);
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
    struct fate fate = note(options->dry_run ? "try" : "create", ref, "", err);
    struct prb_error ignored;

    (void)api;
    if (fate.result == 0)
        return prb_api_create(calls.inner, ref, stored, options, ret, err);
    if (fate.is_made)
        (void)prb_api_create(calls.inner, ref, stored, options, NULL, &ignored);
    return fate.result;
}

static int update(struct prb_api *api, const struct prb_ref *ref, const struct json_object *body,
        const struct prb_write_options *options, struct prb_object **ret, struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *stored = mutated(body);
    struct fate fate = note("update", ref, "", err);
    struct prb_error ignored;

    (void)api;
    if (fate.result == 0)
        return prb_api_update(calls.inner, ref, stored, options, ret, err);
    if (fate.is_made)
        (void)prb_api_update(calls.inner, ref, stored, options, NULL, &ignored);
    return fate.result;
}

static int patch(struct prb_api *api, const struct prb_ref *ref, enum prb_patch_type type,
        const struct json_object *body, const struct prb_write_options *options,
        struct prb_object **ret, struct prb_error *err)
{
    struct fate fate = note("patch", ref, options->subresource ? options->subresource : "", err);
    struct prb_error ignored;

    (void)api;
    if (fate.result == 0)
        return prb_api_patch(calls.inner, ref, type, body, options, ret, err);
    if (fate.is_made)
        (void)prb_api_patch(calls.inner, ref, type, body, options, NULL, &ignored);
    return fate.result;
}

static int erase_one(struct prb_api *api, const struct prb_ref *ref,
        const struct prb_delete_options *options, struct prb_error *err)
{
    struct fate fate = note("delete", ref, "", err);
    struct prb_error ignored;

    (void)api;
    if (fate.result == 0)
        return prb_api_delete(calls.inner, ref, options, err);
    if (fate.is_made)
        (void)prb_api_delete(calls.inner, ref, options, &ignored);
    return fate.result;
}

static int resolve(struct prb_api *api, const char *group, const char *name,
        struct prb_resource *ret, struct prb_error *err)
{
    (void)api;
    for (size_t i = 0; i < FAULTS_MAX; i++) {
        if (faults[i].times > 0 && strcmp(faults[i].line, "resolve") == 0) {
            faults[i].times--;
            return prb_fail(err, faults[i].code, "refused by the test");
        }
    }
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

struct prb_api *policy_world_calls_open(struct prb_api *inner)
{
    calls = (struct calls){ .api = { &ops }, .inner = inner };
    return &calls.api;
}
