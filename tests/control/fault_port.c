/* A port that notes and spoils calls on their way. */

#include "fault_port.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "probate/base/mem.h"

/* A moment for other threads. */
#define MOMENT_MS 2

/* Bytes of the noted calls in the message of a wait that failed. */
#define CALLS_SEEN_MAX 300

static struct fault_port *of(struct prb_api *api)
{
    return (struct fault_port *)api;
}

/* What is to happen to one call. */
struct call {
    struct fault fault; /* .times 0: nothing */
};

static void note(struct fault_port *port, const char *verb, const struct prb_ref *ref)
{
    prb_str_addf(&port->calls, "%s %s %s/%s\n", verb, ref->gvr.resource, ref->namespace, ref->name);
    (void)pthread_cond_broadcast(&port->called);
}

/*
 * Lock held. Until the faults are cleared. A test in which that does not come in time waits for the
 * call itself, or has forgotten it; either is a failure, and the program ends here with the text.
 */
static void hold(struct fault_port *port, const char *verb)
{
    struct prb_test_wait wait =
            prb_test_wait_for(PRB_TEST_SOON_MS, "the fault is cleared that holds a %s", verb);
    int cleared = port->cleared;

    while (port->cleared == cleared) {
        if (!prb_test_wait_cond(&wait, &port->called, &port->lock))
            abort();
    }
}

static struct call begin(
        struct prb_api *api, const char *verb, const struct prb_ref *ref, int timeout_ms)
{
    struct fault_port *port = of(api);
    struct call call = { .fault = { .times = 0 } };

    (void)pthread_mutex_lock(&port->lock);
    note(port, verb, ref);
    port->last_timeout_ms = timeout_ms;
    for (size_t i = 0; i < port->fault_count; i++) {
        struct fault *fault = &port->faults[i];

        if (fault->times == 0 || !prb_streq(fault->verb, verb) ||
                (fault->resource && !prb_streq(fault->resource, ref->gvr.resource)))
            continue;
        call.fault = *fault;
        if (fault->times > 0)
            fault->times--;
        break;
    }
    if (call.fault.hold) {
        hold(port, verb);
        call.fault.times = 0;
    }
    (void)pthread_mutex_unlock(&port->lock);
    return call;
}

static bool is_refused(const struct call *call)
{
    return call->fault.times != 0 && !call->fault.after;
}

/* The answer of a spoiled call; otherwise `r`. */
static int answer(const struct call *call, int r, struct prb_error *err)
{
    if (call->fault.times == 0)
        return r;
    (void)prb_fail(err, call->fault.code, "%s",
            call->fault.message ? call->fault.message : prb_errc_name(call->fault.code));
    err->status = call->fault.status;
    err->retry_after_ms = call->fault.retry_after_ms;
    if (call->fault.reason)
        (void)prb_copy(err->reason, sizeof(err->reason), call->fault.reason);
    return err->code;
}

static int do_get(struct prb_api *api, const struct prb_ref *ref,
        const struct prb_get_options *options, struct prb_object **ret, struct prb_error *err)
{
    struct call call = begin(api, "get", ref, options->timeout_ms);

    if (call.fault.times != 0)
        return answer(&call, 0, err);
    return prb_api_get(of(api)->inner, ref, options, ret, err);
}

/* What a list or a watch is noted as: "n1/", of all namespaces "/". */
static struct prb_ref collection(const struct prb_gvr *gvr, const char *namespace)
{
    struct prb_ref ref = { .gvr = *gvr };

    (void)prb_copy(ref.namespace, sizeof(ref.namespace), namespace ? namespace : "");
    return ref;
}

static int do_list(struct prb_api *api, const struct prb_gvr *gvr,
        const struct prb_list_options *options, struct prb_page *ret, struct prb_error *err)
{
    struct prb_ref ref = collection(gvr, options->namespace);
    struct call call = begin(api, "list", &ref, options->timeout_ms);

    if (call.fault.times != 0)
        return answer(&call, 0, err);
    return prb_api_list(of(api)->inner, gvr, options, ret, err);
}

static int do_create(struct prb_api *api, const struct prb_ref *ref, const struct json_object *body,
        const struct prb_write_options *options, struct prb_object **ret, struct prb_error *err)
{
    struct call call = begin(api, "create", ref, options->timeout_ms);
    int r = is_refused(&call) ? 0
                              : prb_api_create(of(api)->inner, ref, body, options,
                                        call.fault.times != 0 ? NULL : ret, err);

    return answer(&call, r, err);
}

static int do_update(struct prb_api *api, const struct prb_ref *ref, const struct json_object *body,
        const struct prb_write_options *options, struct prb_object **ret, struct prb_error *err)
{
    struct call call = begin(api, "update", ref, options->timeout_ms);
    int r = is_refused(&call) ? 0
                              : prb_api_update(of(api)->inner, ref, body, options,
                                        call.fault.times != 0 ? NULL : ret, err);

    return answer(&call, r, err);
}

static void note_patch(struct fault_port *port, const struct prb_write_options *options)
{
    (void)pthread_mutex_lock(&port->lock);
    (void)prb_copy(port->last_manager, sizeof(port->last_manager), options->field_manager);
    port->last_force = options->force;
    (void)pthread_mutex_unlock(&port->lock);
}

/* NOLINTNEXTLINE(readability-function-size): as the port has it */
static int do_patch(struct prb_api *api, const struct prb_ref *ref, enum prb_patch_type type,
        const struct json_object *body, const struct prb_write_options *options,
        struct prb_object **ret, struct prb_error *err)
{
    struct call call = begin(api, "patch", ref, options->timeout_ms);
    int r;

    note_patch(of(api), options);
    r = is_refused(&call) ? 0
                          : prb_api_patch(of(api)->inner, ref, type, body, options,
                                    call.fault.times != 0 ? NULL : ret, err);
    return answer(&call, r, err);
}

static int do_remove(struct prb_api *api, const struct prb_ref *ref,
        const struct prb_delete_options *options, struct prb_error *err)
{
    struct call call = begin(api, "delete", ref, options->timeout_ms);
    int r = is_refused(&call) ? 0 : prb_api_delete(of(api)->inner, ref, options, err);

    return answer(&call, r, err);
}

static void enter_watch(
        struct fault_port *port, const struct prb_watch *watch, const char *resource)
{
    struct fault_watch *entry;

    (void)pthread_mutex_lock(&port->lock);
    port->watches = prb_realloc(port->watches, port->watch_count + 1, sizeof(*port->watches));
    entry = &port->watches[port->watch_count++];
    entry->watch = watch;
    (void)prb_copy(entry->resource, sizeof(entry->resource), resource);
    (void)pthread_mutex_unlock(&port->lock);
}

static void leave_watch(struct fault_port *port, const struct prb_watch *watch)
{
    (void)pthread_mutex_lock(&port->lock);
    for (size_t i = 0; i < port->watch_count; i++) {
        if (port->watches[i].watch != watch)
            continue;
        port->watches[i] = port->watches[--port->watch_count];
        break;
    }
    (void)pthread_mutex_unlock(&port->lock);
}

static int do_watch(struct prb_api *api, const struct prb_gvr *gvr,
        const struct prb_watch_options *options, const struct prb_watch_sink *sink,
        struct prb_watch **ret, struct prb_error *err)
{
    struct prb_ref ref = collection(gvr, options->namespace);
    struct call call = begin(api, "watch", &ref, 0);
    int r;

    if (call.fault.times != 0)
        return answer(&call, 0, err);
    r = prb_api_watch(of(api)->inner, gvr, options, sink, ret, err);
    if (r == 0)
        enter_watch(of(api), *ret, gvr->resource);
    return r;
}

static void do_watch_stop(struct prb_api *api, struct prb_watch *watch)
{
    leave_watch(of(api), watch);
    prb_api_watch_stop(of(api)->inner, watch);
}

static int do_resolve(struct prb_api *api, const char *group, const char *name,
        struct prb_resource *ret, struct prb_error *err)
{
    struct prb_ref ref = { .name = "" };
    struct call call;

    (void)prb_copy(ref.gvr.resource, sizeof(ref.gvr.resource), name);
    call = begin(api, "resolve", &ref, 0);
    if (call.fault.times != 0)
        return answer(&call, 0, err);
    return prb_api_resolve(of(api)->inner, group, name, ret, err);
}

static void do_forget(struct prb_api *api, const char *group)
{
    struct prb_ref ref = { .name = "" };

    (void)prb_copy(ref.gvr.resource, sizeof(ref.gvr.resource), group);
    (void)begin(api, "forget", &ref, 0);
    prb_api_forget(of(api)->inner, group);
}

static const struct prb_api_ops ops = {
    .resolve = do_resolve,
    .forget = do_forget,
    .get = do_get,
    .list = do_list,
    .watch = do_watch,
    .watch_stop = do_watch_stop,
    .create = do_create,
    .update = do_update,
    .patch = do_patch,
    .remove = do_remove,
};

void fault_port_init(struct fault_port *port, struct prb_api *inner)
{
    *port = (struct fault_port){ .api = { .ops = &ops }, .inner = inner };
    (void)pthread_mutex_init(&port->lock, NULL);
    (void)pthread_cond_init(&port->called, NULL);
    prb_str_init(&port->calls, (size_t)1 << 20);
}

void fault_port_done(struct fault_port *port)
{
    prb_str_done(&port->calls);
    free(port->watches);
    (void)pthread_cond_destroy(&port->called);
    (void)pthread_mutex_destroy(&port->lock);
}

void fault_port_spoil(struct fault_port *port, struct fault fault)
{
    (void)pthread_mutex_lock(&port->lock);
    if (port->fault_count == FAULTS_MAX)
        abort();
    port->faults[port->fault_count++] = fault;
    (void)pthread_mutex_unlock(&port->lock);
}

void fault_port_clear(struct fault_port *port)
{
    (void)pthread_mutex_lock(&port->lock);
    port->fault_count = 0;
    port->cleared++;
    (void)pthread_cond_broadcast(&port->called);
    (void)pthread_mutex_unlock(&port->lock);
}

int fault_port_watches(struct fault_port *port, const char *resource)
{
    int count = 0;

    (void)pthread_mutex_lock(&port->lock);
    for (size_t i = 0; i < port->watch_count; i++)
        count += prb_streq(port->watches[i].resource, resource) ? 1 : 0;
    (void)pthread_mutex_unlock(&port->lock);
    return count;
}

static int count_lines(const struct fault_port *port, const char *prefix)
{
    int count = 0;

    for (const char *line = prb_str_get(&port->calls); *line; line = strchr(line, '\n') + 1)
        count += prb_starts_with(line, prefix) ? 1 : 0;
    return count;
}

int fault_port_count(struct fault_port *port, const char *prefix)
{
    int count;

    (void)pthread_mutex_lock(&port->lock);
    count = count_lines(port, prefix);
    (void)pthread_mutex_unlock(&port->lock);
    return count;
}

/* Lock held. The calls that were noted last, as many as fit. */
static void see_calls(struct fault_port *port, int count, int wanted)
{
    const char *calls = prb_str_get(&port->calls);
    size_t len = strlen(calls);

    (void)prb_test_saw("%d of %d; the last calls:\n%s", count, wanted,
            len > CALLS_SEEN_MAX ? calls + len - CALLS_SEEN_MAX : calls);
}

bool fault_port_wait(struct fault_port *port, const char *prefix, int count)
{
    struct prb_test_wait wait =
            prb_test_wait_for(PRB_TEST_SOON_MS, "%d calls \"%s\"", count, prefix);
    bool reached;

    (void)pthread_mutex_lock(&port->lock);
    while (!(reached = count_lines(port, prefix) >= count)) {
        see_calls(port, count_lines(port, prefix), count);
        if (!prb_test_wait_cond(&wait, &port->called, &port->lock))
            break;
    }
    (void)pthread_mutex_unlock(&port->lock);
    return reached;
}

bool fault_port_reached(struct fault_port *port, const char *prefix, int count)
{
    const struct timespec moment = { .tv_nsec = MOMENT_MS * 1000000L };

    if (fault_port_count(port, prefix) >= count)
        return true;
    (void)nanosleep(&moment, NULL);
    return fault_port_count(port, prefix) >= count;
}

char *fault_port_take(struct fault_port *port)
{
    char *calls;

    (void)pthread_mutex_lock(&port->lock);
    calls = prb_str_take(&port->calls);
    (void)pthread_mutex_unlock(&port->lock);
    return calls;
}
