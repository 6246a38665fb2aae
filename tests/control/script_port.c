/* A port that follows a script. */

#include "script_port.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

/* A moment for other threads. */
#define MOMENT_MS 2

struct prb_watch {
    struct prb_watch_sink sink;
};

static struct script_port *of(struct prb_api *api)
{
    return (struct script_port *)api;
}

static int fail_as(enum prb_errc code, struct prb_error *err)
{
    return prb_fail(err, code, "scripted: %s", prb_errc_name(code));
}

static enum prb_errc next_list_error(struct script_port *port)
{
    enum prb_errc code = port->list_error;

    if (port->list_error_count > 0) {
        code = port->list_errors[0];
        port->list_error_count--;
        memmove(port->list_errors, port->list_errors + 1,
                port->list_error_count * sizeof(port->list_errors[0]));
    }
    return code;
}

/* As the port has it: what is missing of an object must not pass for absent. */
static enum prb_errc check_whole(
        const struct script_port *port, const struct prb_list_options *options)
{
    for (size_t i = 0; i < port->count && !options->with_defects; i++) {
        if (prb_object_defect(port->objects[i]))
            return PRB_E_UNSUPPORTED;
    }
    return PRB_OK;
}

static void bring(const struct script_port *port, const struct prb_list_options *options,
        struct prb_page *ret)
{
    size_t all = port->count * (port->times > 0 ? port->times : 1);
    size_t at = options->next ? strtoul(options->next, NULL, 10) : 0;
    size_t room = port->times > 0 ? (size_t)options->limit : all;

    ret->objects = prb_calloc(room + 1, sizeof(struct prb_object *));
    for (; at < all && ret->count < room; at++)
        ret->objects[ret->count++] = prb_object_ref(port->objects[at % port->count]);
    if (at < all)
        ret->next = prb_asprintf("%zu", at);
    ret->resource_version = prb_strdup(port->resource_version);
}

static int do_list(struct prb_api *api, const struct prb_gvr *gvr,
        const struct prb_list_options *options, struct prb_page *ret, struct prb_error *err)
{
    struct script_port *port = of(api);
    enum prb_errc code;

    (void)gvr;
    (void)pthread_mutex_lock(&port->lock);
    port->lists++;
    port->metadata_only = options->metadata_only;
    (void)prb_copy(port->last_selector, sizeof(port->last_selector),
            options->label_selector ? options->label_selector : "");
    code = next_list_error(port);
    if (code == PRB_OK)
        code = check_whole(port, options);
    if (code == PRB_OK)
        bring(port, options, ret);
    (void)pthread_cond_broadcast(&port->moved);
    (void)pthread_mutex_unlock(&port->lock);
    return code == PRB_OK ? 0 : fail_as(code, err);
}

static enum script_open next_open(struct script_port *port)
{
    enum script_open how = SCRIPT_OPENS;

    if (port->open_count > 0) {
        how = port->opens[0];
        port->open_count--;
        memmove(port->opens, port->opens + 1, port->open_count * sizeof(port->opens[0]));
    }
    return how;
}

static int do_watch(struct prb_api *api, const struct prb_gvr *gvr,
        const struct prb_watch_options *options, const struct prb_watch_sink *sink,
        struct prb_watch **ret, struct prb_error *err)
{
    struct script_port *port = of(api);
    struct prb_watch *watch = NULL;
    enum script_open how;
    struct prb_error why;

    (void)gvr;
    (void)pthread_mutex_lock(&port->lock);
    how = next_open(port);
    (void)prb_copy(port->watched_from, sizeof(port->watched_from),
            options->resource_version ? options->resource_version : "");
    (void)fail_as(port->open_error, &why);
    if (how != SCRIPT_FAILS) {
        watch = prb_calloc(1, sizeof(*watch));
        watch->sink = *sink;
        *ret = watch;
    }
    if (how == SCRIPT_CLOSES_BEFORE_RETURN)
        sink->closed(sink->ctx, &why);
    port->watch = how == SCRIPT_OPENS ? watch : NULL;
    port->watches++;
    (void)pthread_cond_broadcast(&port->moved);
    (void)pthread_mutex_unlock(&port->lock);
    if (how != SCRIPT_FAILS)
        return 0;
    *err = why;
    return why.code;
}

/* Callbacks run with the lock held, so none runs when this returns. */
static void do_watch_stop(struct prb_api *api, struct prb_watch *watch)
{
    struct script_port *port = of(api);

    (void)pthread_mutex_lock(&port->lock);
    if (port->watch == watch)
        port->watch = NULL;
    port->stops++;
    (void)pthread_cond_broadcast(&port->moved);
    (void)pthread_mutex_unlock(&port->lock);
    free(watch);
}

static const struct prb_api_ops ops = {
    .list = do_list,
    .watch = do_watch,
    .watch_stop = do_watch_stop,
};

void script_port_init(struct script_port *port)
{
    *port = (struct script_port){ .api = { .ops = &ops }, .resource_version = "1" };
    (void)pthread_mutex_init(&port->lock, NULL);
    (void)pthread_cond_init(&port->moved, NULL);
}

static void drop_objects(struct script_port *port)
{
    while (port->count > 0)
        prb_object_unref(port->objects[--port->count]);
}

void script_port_done(struct script_port *port)
{
    drop_objects(port);
    (void)pthread_cond_destroy(&port->moved);
    (void)pthread_mutex_destroy(&port->lock);
}

struct prb_object *script_object(const char *name, const char *resource_version)
{
    struct json_object *tree = json_object_new_object();
    struct json_object *metadata = prb_json_ensure_obj(tree, "metadata");
    struct prb_object *object = NULL;
    struct prb_error err;

    prb_json_set_str(metadata, "namespace", "ns");
    prb_json_set_str(metadata, "name", name);
    prb_json_set_str(metadata, "resourceVersion", resource_version);
    prb_json_set_str(prb_json_ensure_obj(tree, "spec"), "size", "large");
    prb_json_set_int(prb_json_ensure_obj(tree, "status"), "ready", 1);
    prb_json_set_int(prb_json_ensure_obj(tree, "status"), "more", 2);
    if (prb_object_new(tree, &object, &err) != 0)
        abort();
    return object;
}

void script_port_hold(struct script_port *port, const char *resource_version, ...)
{
    struct prb_object *object;
    va_list args;

    (void)pthread_mutex_lock(&port->lock);
    drop_objects(port);
    (void)prb_copy(port->resource_version, sizeof(port->resource_version), resource_version);
    va_start(args, resource_version);
    while ((object = va_arg(args, struct prb_object *)) != NULL)
        port->objects[port->count++] = object;
    va_end(args);
    (void)pthread_mutex_unlock(&port->lock);
}

void script_port_send(struct script_port *port, enum prb_watch_event_type type,
        struct prb_object *object, const char *resource_version)
{
    struct prb_watch_event event = {
        .type = type, .object = object, .resource_version = resource_version
    };

    (void)pthread_mutex_lock(&port->lock);
    if (port->watch)
        port->watch->sink.event(port->watch->sink.ctx, &event);
    (void)pthread_mutex_unlock(&port->lock);
    prb_object_unref(object);
}

void script_port_close(struct script_port *port, enum prb_errc code)
{
    script_port_close_as(port, code, 0);
}

void script_port_close_as(struct script_port *port, enum prb_errc code, int status)
{
    struct prb_error why;

    (void)fail_as(code, &why);
    why.status = status;
    (void)pthread_mutex_lock(&port->lock);
    if (port->watch) {
        struct prb_watch *watch = port->watch;

        port->watch = NULL;
        watch->sink.closed(watch->sink.ctx, &why);
    }
    (void)pthread_mutex_unlock(&port->lock);
}

bool script_port_wait(struct script_port *port, int lists, int watches)
{
    struct prb_test_wait wait =
            prb_test_wait_for(PRB_TEST_SOON_MS, "%d lists and %d watches", lists, watches);
    bool reached;

    (void)pthread_mutex_lock(&port->lock);
    while (!(reached = port->lists >= lists && port->watches >= watches)) {
        (void)prb_test_saw("%d lists and %d watches", port->lists, port->watches);
        if (!prb_test_wait_cond(&wait, &port->moved, &port->lock))
            break;
    }
    (void)pthread_mutex_unlock(&port->lock);
    return reached;
}

static bool has_reached(struct script_port *port, int lists, int watches)
{
    bool reached;

    (void)pthread_mutex_lock(&port->lock);
    reached = port->lists >= lists && port->watches >= watches;
    if (!reached)
        (void)prb_test_saw("%d lists and %d watches", port->lists, port->watches);
    (void)pthread_mutex_unlock(&port->lock);
    return reached;
}

bool script_port_reached(struct script_port *port, int lists, int watches)
{
    const struct timespec moment = { .tv_nsec = MOMENT_MS * 1000000L };

    if (has_reached(port, lists, watches))
        return true;
    (void)nanosleep(&moment, NULL);
    return has_reached(port, lists, watches);
}
