/* How does a server come to know a kind? */

#include "support/definitions.h"

#include "probate/base/file.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/base/yaml.h"

#include "support/wait.h"

#define FILE_MAX ((size_t)1 << 20)

static const struct prb_gvr definitions = { "apiextensions.k8s.io", "v1",
    "customresourcedefinitions" };

static int create(void *ctx, struct json_object *taken, size_t line, struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *crd = taken;
    const char *name = prb_json_str(prb_json_obj(crd, "metadata"), "name");
    struct prb_ref ref;
    int r;

    (void)line;
    if (!name || !prb_ref_init(&ref, &definitions, NULL, name))
        return prb_fail(err, PRB_E_INVALID, "a definition without a name");
    r = prb_api_create(ctx, &ref, crd, NULL, NULL, err);
    return r == PRB_E_EXISTS ? 0 : r;
}

bool prb_test_is_served(struct prb_api *api, const struct prb_gvr *gvr)
{
    prb_auto(prb_page_done) struct prb_page page;
    struct prb_error err;

    prb_page_init(&page);
    prb_api_forget(api, gvr->group);
    return prb_api_list(api, gvr, NULL, &page, &err) == 0 || prb_test_saw("%s", err.msg);
}

struct question {
    struct prb_api *api;
    const struct prb_gvr *gvr;
};

static bool is_served(void *ctx)
{
    const struct question *question = ctx;

    return prb_test_is_served(question->api, question->gvr);
}

int prb_test_define(struct prb_api *api, const char *folder, const char *name,
        const struct prb_gvr *gvr, struct prb_error *err)
{
    prb_autofree char *path = prb_asprintf("%s/%s.yaml", folder, name);
    struct question question = { .api = api, .gvr = gvr };
    prb_autofree char *text = NULL, *what = NULL;
    size_t len = 0;

    if (prb_file_read(path, FILE_MAX, &text, &len, err) < 0 ||
            prb_yaml_read(text, len, create, api, err) < 0)
        return prb_wrap(err, "define %s", name);
    what = prb_asprintf("%s are served", name);
    return prb_test_await(what, is_served, &question, PRB_TEST_SOON_MS)
                   ? 0
                   : prb_fail(err, PRB_E_UNAVAILABLE, "%s", prb_test_awaited());
}

bool prb_test_is_established(const struct prb_object *definition)
{
    const struct json_object *list = prb_json_arr(prb_object_status(definition), "conditions");

    for (size_t i = 0; i < prb_json_len(list); i++) {
        const struct json_object *item = prb_json_elem(list, i);

        if (prb_streq(prb_json_str(item, "type"), "Established"))
            return prb_streq(prb_json_str(item, "status"), "True");
    }
    return false;
}
