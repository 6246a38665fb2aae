/* `probate explain`: the deletions in one namespace, and the reason why each has not ended. */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probate/api/definition.h"
#include "probate/base/clock.h"
#include "probate/base/log.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/cli/verb.h"
#include "probate/reconcilers/registry.h"

#include "loop_flags.h"

#define NAMESPACE "default"
#define NAMESPACE_MAX 63

/* Collections of the controller that says what deletions wait for. */
#define STORES_MAX 8

/* Of each call: a person waits for it. */
#define CALL_MS 10000

struct options {
    struct prb_source_options source;
    const char *namespace;
};

/* The objects of one namespace, and the ManagedCluster of its name, as they were read. */
struct picture {
    struct prb_api *api;   /* borrowed */
    const char *namespace; /* borrowed */
    struct prb_store *stores[STORES_MAX];
    size_t count;
    struct prb_error unread[STORES_MAX]; /* PRB_OK: it was read */
};

static void picture_donep(struct picture *picture)
{
    for (size_t i = 0; i < picture->count; i++)
        prb_store_unref(picture->stores[i]);
}

/* Clusters and namespaces are found by name. */
static bool is_in_namespaces(const struct prb_gvr *gvr)
{
    return !prb_streq(gvr->resource, "managedclusters") && !prb_streq(gvr->resource, "namespaces");
}

static int take_page(void *ctx, struct prb_page *page, struct prb_error *err)
{
    (void)err;
    for (size_t i = 0; i < page->count; i++)
        (void)prb_store_put(ctx, page->objects[i]);
    return 0;
}

static int read_list(const struct picture *picture, struct prb_store *store, struct prb_error *err)
{
    const struct prb_list_options options = {
        .namespace = picture->namespace, .metadata_only = true, .timeout_ms = CALL_MS
    };
    prb_autofree char *resource_version = NULL;

    return prb_api_list_pages(
            picture->api, prb_store_gvr(store), &options, take_page, store, &resource_version, err);
}

static int read_one(const struct picture *picture, struct prb_store *store, struct prb_error *err)
{
    const struct prb_get_options options = { .metadata_only = true, .timeout_ms = CALL_MS };
    prb_auto(prb_object_unref) struct prb_object *object = NULL;
    struct prb_ref ref;
    int r;

    if (!prb_ref_init(&ref, prb_store_gvr(store), NULL, picture->namespace))
        return prb_fail(err, PRB_E_INVALID, "\"%s\" is no name", picture->namespace);
    r = prb_api_get(picture->api, &ref, &options, &object, err);
    if (r == 0)
        (void)prb_store_put(store, object);
    return r;
}

/*
 * A kind that no CustomResourceDefinition defines has no objects. One that is defined and not
 * served has some perhaps, and nobody can ask for them. `err` has the answer to the read, and then
 * why the collection is not known.
 */
static bool is_known_empty(
        const struct picture *picture, const struct prb_gvr *gvr, struct prb_error *err)
{
    const struct prb_clock *clock = prb_clock_system();
    const struct prb_sought sought = { .group = gvr->group,
        .name = gvr->resource,
        .clock = clock,
        .deadline_ms = clock->mono_ms(clock) + CALL_MS };

    if (err->code != PRB_E_NOTFOUND)
        return false;
    if (!prb_streq(err->reason, PRB_REASON_NOT_SERVED))
        return true;
    return gvr->group[0] && prb_api_confirm_unserved(picture->api, &sought, err) == PRB_E_NOTFOUND;
}

static void read_collection(struct picture *picture, const struct prb_watch_spec *spec)
{
    struct prb_error *err = &picture->unread[picture->count];
    struct prb_store *store;
    struct prb_gvr gvr;
    int r;

    *err = (struct prb_error){ .code = PRB_OK };
    if (picture->count == STORES_MAX ||
            !prb_gvr_init(&gvr, spec->group, spec->version, spec->resource))
        return;
    store = prb_store_new(&gvr);
    r = is_in_namespaces(&gvr) ? read_list(picture, store, err) : read_one(picture, store, err);
    if (r == 0 || is_known_empty(picture, &gvr, err)) {
        *err = (struct prb_error){ .code = PRB_OK };
        prb_store_set_synced(store);
    }
    picture->stores[picture->count++] = store;
}

/* The lines to print: one for each deletion in the picture. */
struct telling {
    const struct prb_view *view;
    const struct prb_gvr *gvr; /* of the collection that is gone through */
    char **lines;              /* owned, as each in it */
    size_t count;
};

static void telling_donep(struct telling *telling)
{
    for (size_t i = 0; i < telling->count; i++)
        free(telling->lines[i]);
    free(telling->lines);
}

static bool tell(void *ctx, const struct prb_object *object)
{
    struct telling *telling = ctx;
    const struct prb_reconciler *reconciler = &prb_reconciler_deletion_watch;
    prb_auto(prb_changes_done) struct prb_changes changes;
    char name[PRB_REF_TEXT_SIZE];
    struct prb_ref ref;

    prb_changes_init(&changes);
    if (!prb_object_ref_in(object, telling->gvr, &ref))
        return true;
    reconciler->decide(reconciler, telling->view, &ref, &changes);
    if (!changes.waits_for)
        return true;
    prb_ref_describe(&ref, name);
    telling->lines = prb_realloc(telling->lines, telling->count + 1, sizeof(char *));
    telling->lines[telling->count++] = prb_asprintf("%s waits for: %s\n", name, changes.waits_for);
    return true;
}

static int by_text(const void *a, const void *b)
{
    const char *const *left = a, *const *right = b;

    return strcmp(*left, *right);
}

/* Name each collection that could not be read, on stderr. False: all were read. */
static bool tell_unread(const struct picture *picture)
{
    bool any = false;

    for (size_t i = 0; i < picture->count; i++) {
        prb_autofree char *text = NULL;

        if (picture->unread[i].code == PRB_OK)
            continue;
        any = true;
        text = prb_asprintf("%s could not be read: %s", prb_store_gvr(picture->stores[i])->resource,
                picture->unread[i].msg);
        prb_cli_complain("explain", text, NULL);
    }
    return any;
}

/* One line for each deletion, in the order of their names. */
static void look(const struct picture *picture, struct telling *telling)
{
    const struct prb_clock *clock = prb_clock_system();
    struct prb_view *view = prb_view_open(picture->stores, picture->count, clock->wall_ms(clock));

    telling->view = view;
    for (size_t i = 0; i < picture->count; i++) {
        if (picture->unread[i].code != PRB_OK)
            prb_view_set_unread(view, prb_store_gvr(picture->stores[i]), picture->unread[i].msg);
    }
    for (size_t i = 0; i < picture->count; i++) {
        telling->gvr = prb_store_gvr(picture->stores[i]);
        prb_view_each(view, telling->gvr, NULL, tell, telling);
    }
    prb_view_close(view);
    if (telling->count > 0)
        qsort(telling->lines, telling->count, sizeof(char *), by_text);
}

static enum prb_exit explain(const struct picture *picture)
{
    __attribute__((cleanup(telling_donep))) struct telling telling = { .count = 0 };
    prb_auto(prb_str_done) struct prb_str text;
    enum prb_exit result;
    bool is_unread;

    prb_str_init(&text, PRB_JSON_SIZE_MAX);
    look(picture, &telling);
    for (size_t i = 0; i < telling.count; i++)
        prb_str_add(&text, telling.lines[i]);
    is_unread = tell_unread(picture);
    if (telling.count == 0 && !is_unread)
        prb_str_addf(&text, "nothing is being deleted in namespace %s\n", picture->namespace);
    result = prb_cli_print(&text);
    return result == PRB_EXIT_DONE && is_unread ? PRB_EXIT_UNREACHABLE : result;
}

/* As RFC 1123 has it; anything else in a URL would lead to other resources. */
static bool is_name_of_namespace(const char *name)
{
    static const char alphanumeric[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    size_t len = strlen(name);

    return len > 0 && len <= NAMESPACE_MAX && strchr(alphanumeric, name[0]) &&
           strchr(alphanumeric, name[len - 1]) &&
           strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == len;
}

static enum prb_exit refuse_name(const char *name)
{
    prb_autofree char *text = prb_asprintf("--namespace %s: no namespace can have this name", name);

    return prb_cli_misused("explain", text);
}

static enum prb_exit read_and_explain(struct picture *picture, struct prb_supervisor *supervisor)
{
    const struct prb_reconciler *reconciler = &prb_reconciler_deletion_watch;

    if (!is_name_of_namespace(picture->namespace))
        return refuse_name(picture->namespace);
    for (size_t i = 0; i < reconciler->watch_count && !prb_supervisor_stopping(supervisor); i++)
        read_collection(picture, &reconciler->watches[i]);
    return prb_supervisor_stopping(supervisor) ? PRB_EXIT_UNREACHABLE : explain(picture);
}

static enum prb_exit work(struct prb_supervisor *supervisor, void *ctx)
{
    const struct options *options = ctx;
    struct prb_source source = { 0 };
    __attribute__((cleanup(picture_donep))) struct picture picture = { .count = 0 };
    enum prb_exit result;
    struct prb_error err;

    if (prb_source_open(&options->source, supervisor, &source, &err) < 0) {
        prb_cli_complain("explain", err.msg, NULL);
        return err.code == PRB_E_INVALID ? PRB_EXIT_USAGE : PRB_EXIT_UNREACHABLE;
    }
    picture.api = source.api;
    picture.namespace = options->namespace    ? options->namespace
                        : source.namespace[0] ? source.namespace
                                              : NAMESPACE;
    result = read_and_explain(&picture, supervisor);
    prb_source_close(&source);
    return result;
}

static enum prb_exit run(const struct prb_verb *self, const struct prb_flag_input *input)
{
    prb_auto(prb_args_done) struct prb_args args = { 0 };
    struct options options = { 0 };
    enum prb_exit result;

    if (prb_verb_parse(self, input, &options, &args, &result)) {
        prb_log_configure(PRB_LOG_WARN, PRB_LOG_TEXT, STDERR_FILENO);
        result = prb_supervise(work, &options);
    }
    prb_flags_done(self->flags, &options);
    return result;
}

static const struct prb_flag table[] = {
    { .name = "embedded",
            .type = PRB_FLAG_TEXT,
            .at = offsetof(struct options, source.embedded),
            .value = "DIR",
            .help = "Look at the manifests below DIR instead of a cluster." },
    PRB_KUBECONFIG_FLAGS(struct options, source),
    { .name = "namespace",
            .type = PRB_FLAG_TEXT,
            .at = offsetof(struct options, namespace),
            .value = "NAME",
            .preset_text = "that of the service account or context, else " NAMESPACE,
            .help = "The namespace to look at." },
};
static const struct prb_flags flags = { table, sizeof(table) / sizeof(table[0]) };

const struct prb_verb prb_verb_explain = {
    .name = "explain",
    .arguments = "[flags]",
    .summary = "Say what the deletions in a namespace wait for.",
    .description =
            "Reads one namespace, and the ManagedCluster of its name, and prints a line for each of "
            "the namespace, the cluster, its works and addons that is being deleted: what it waits "
            "for, and for how long. It needs nothing but the right to list and get these, and writes "
            "nothing; Probate need not be installed. Unlike /waiting it also shows a work that is "
            "stuck in a cluster that is not being deleted.\n"
            "Exit codes: 0 all was read, 2 wrong usage or input, 3 something could not be read; the "
            "text says what.",
    .flags = &flags,
    .run = run,
};
