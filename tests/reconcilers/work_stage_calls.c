/* Which calls does a controller make, and what if one of them fails? */

#include "work_stage_calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probate/api/definition.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "work_stage.h"

#define FAILS_MAX 16
#define CALL_SIZE 512

static struct prb_api *behind;
static struct prb_str text;
static struct {
    char call[CALL_SIZE];
    struct prb_error err;
} fails[FAILS_MAX];
static size_t fail_count, calls;

void (*meanwhile)(const char *call);

void calls_begin(struct prb_api *api)
{
    behind = api;
    fail_count = calls = 0;
    meanwhile = NULL;
    prb_str_init(&text, (size_t)1024 * 1024);
}

void calls_end(void)
{
    prb_str_done(&text);
}

void calls_note(const char *line)
{
    prb_str_add(&text, line);
}

void calls_clear(void)
{
    prb_str_clear(&text);
}

const char *calls_text(void)
{
    return prb_str_get(&text);
}

void fail(const char *call, enum prb_errc code, const char *reason, const char *words)
{
    size_t i = 0;

    while (i < fail_count && strcmp(fails[i].call, call) != 0)
        i++;
    if (i == FAILS_MAX)
        abort();
    if (i == fail_count)
        fail_count++;
    (void)prb_copy(fails[i].call, sizeof(fails[i].call), call);
    if (code != PRB_OK)
        (void)prb_fail(&fails[i].err, code, "%s", words);
    fails[i].err.code = code;
    (void)prb_copy(fails[i].err.reason, sizeof(fails[i].err.reason), reason);
}

/* Tell the call, and whether it may go through. */
static int enter(const char *call, bool is_read, struct prb_error *err)
{
    if (meanwhile)
        meanwhile(call);
    if (calls++ >= stage.calls_max)
        return prb_fail(err, PRB_E_CANCELLED, "killed");
    if (!is_read || stage.wants_calls)
        prb_str_addf(&text, "%s\n", call);
    for (size_t i = 0; i < fail_count; i++) {
        if (fails[i].err.code != PRB_OK && strcmp(fails[i].call, call) == 0) {
            *err = fails[i].err;
            return err->code;
        }
    }
    return 0;
}

static int enter_ref(
        const char *verb, const struct prb_ref *ref, bool is_read, struct prb_error *err)
{
    char call[CALL_SIZE + PRB_REF_TEXT_SIZE], what[PRB_REF_TEXT_SIZE];

    prb_ref_describe(ref, what);
    (void)snprintf(call, sizeof(call), "%s %s", verb, what);
    return enter(call, is_read, err);
}

static int get(struct prb_api *api, const struct prb_ref *ref,
        const struct prb_get_options *options, struct prb_object **ret, struct prb_error *err)
{
    int r = enter_ref("get", ref, true, err);

    (void)api;
    stage.reads++;
    return r != 0 ? r : prb_api_get(behind, ref, options, ret, err);
}

/* "owners", "finalizers", "status": what it changes, by the last operation that is no test. */
static const char *what_changes(
        enum prb_patch_type type, const struct json_object *body, const char *subresource)
{
    const char *path = "";

    if (subresource)
        return subresource;
    for (size_t i = 0; type == PRB_PATCH_JSON && i < prb_json_len(body); i++) {
        const struct json_object *op = prb_json_elem(body, i);

        if (!prb_streq(prb_json_str(op, "op"), "test"))
            path = prb_json_str(op, "path");
    }
    if (strstr(path, "ownerReferences"))
        return "owners";
    return strstr(path, "finalizers") ? "finalizers" : "patch";
}

/* NOLINTNEXTLINE(readability-function-size): as the port has it */
static int patch(struct prb_api *api, const struct prb_ref *ref, enum prb_patch_type type,
        const struct json_object *body, const struct prb_write_options *options,
        struct prb_object **ret, struct prb_error *err)
{
    int r = enter_ref(what_changes(type, body, options->subresource), ref, false, err);

    (void)api;
    return r != 0 ? r : prb_api_patch(behind, ref, type, body, options, ret, err);
}

static int erase_one(struct prb_api *api, const struct prb_ref *ref,
        const struct prb_delete_options *options, struct prb_error *err)
{
    bool is_guarded = options->uid && options->resource_version &&
                      options->propagation == PRB_PROPAGATE_BACKGROUND;
    int r = enter_ref(is_guarded ? "delete" : "delete unguarded", ref, false, err);

    (void)api;
    return r != 0 ? r : prb_api_delete(behind, ref, options, err);
}

static int resolve(struct prb_api *api, const char *group, const char *name,
        struct prb_resource *ret, struct prb_error *err)
{
    char call[CALL_SIZE];
    int r;

    (void)api;
    (void)snprintf(call, sizeof(call), "resolve %s.%s", name, group);
    r = enter(call, true, err);
    return r != 0 ? r : prb_api_resolve(behind, group, name, ret, err);
}

static void forget(struct prb_api *api, const char *group)
{
    (void)api;
    prb_api_forget(behind, group);
}

/* Nothing but what is served is defined, and that is not written down. */
static int list(struct prb_api *api, const struct prb_gvr *gvr,
        const struct prb_list_options *options, struct prb_page *ret, struct prb_error *err)
{
    (void)api;
    (void)options;
    (void)ret;
    return prb_gvr_equal(gvr, &prb_definitions)
                   ? 0
                   : prb_fail(err, PRB_E_INTERNAL, "no list of %s", gvr->resource);
}

struct prb_api *calls_api(void)
{
    static const struct prb_api_ops ops = { .get = get,
        .list = list,
        .patch = patch,
        .remove = erase_one,
        .resolve = resolve,
        .forget = forget };
    static struct prb_api api = { .ops = &ops };

    return &api;
}
