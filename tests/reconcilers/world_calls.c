/* Which calls does the controller make, and what if one fails or somebody else is faster? */

#include "world_calls.h"

#include <stdio.h>
#include <string.h>

#define FAULTS_MAX 8

static struct calls {
    struct prb_api api; /* first: the port casts back */
    struct prb_api *inner;
    struct world_notes notes;
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

/* A server that cannot be reached is told of with a port and a time that are others each time;
 * something invalid as a server does it, unless the test wants another status. */
static int refuse_so(size_t index, struct prb_error *err)
{
    static int number = 40000;
    enum prb_errc code = faults[index].code;

    number++;
    if (code == PRB_E_UNAVAILABLE || code == PRB_E_IO)
        return prb_fail(err, code,
                "read tcp 10.0.0.1:%d->10.0.0.2:443: i/o timeout after %d milliseconds", number,
                number);
    (void)prb_fail(err, code, "refused by the test");
    if (code == PRB_E_INVALID) {
        err->status = faults[index].status ? faults[index].status : 422;
        (void)prb_copy(
                err->reason, sizeof(err->reason), err->status == 422 ? "Invalid" : "BadRequest");
    }
    return code;
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

static bool is_dead(void)
{
    const struct world_notes *notes = &calls.notes;

    return notes->killed_after && *notes->killed_after > 0 &&
           *notes->writes > (size_t)*notes->killed_after;
}

static struct fate note(
        const char *verb, const struct prb_ref *ref, const char *more, struct prb_error *err)
{
    char what[PRB_REF_TEXT_SIZE], line[PRB_REF_TEXT_SIZE + 64];
    void (*something)(void) = interruption;
    bool reads = strcmp(verb, "get") == 0 || strcmp(verb, "try") == 0;

    prb_ref_describe(ref, what);
    (void)snprintf(line, sizeof(line), "%s %s%s%s", verb, what, more[0] ? " " : "", more);
    prb_str_addf(calls.notes.calls, "%s\n", line);
    ++*(reads ? calls.notes.reads : calls.notes.writes);
    if (something && prb_starts_with(line, interrupted)) {
        interruption = NULL;
        something();
    }
    if (!reads && is_dead())
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
    struct fate fate =
            note(type == PRB_PATCH_APPLY ? "apply" : "patch", ref, more_of(type, options), err);
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

struct prb_api *world_calls_open(struct prb_api *inner, const struct world_notes *notes)
{
    calls = (struct calls){ .api = { &ops }, .inner = inner, .notes = *notes };
    return &calls.api;
}
