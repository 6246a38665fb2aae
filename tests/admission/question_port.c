/* A port that answers questions by their names. */

#include "question_port.h"

#include <ctype.h>
#include <stdlib.h>
#include <time.h>

#include "probate/api/definition.h"
#include "probate/base/clock.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/core/question.h"

#include "support/wait.h"

/* How long a test waits for what must come. */
#define PATIENCE_MS prb_test_patience_ms(PRB_TEST_SOON_MS)

static struct question_port *of(struct prb_api *api)
{
    return (struct question_port *)api;
}

static struct timespec in_ms(int ms)
{
    struct timespec until;

    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += ms / 1000;
    until.tv_nsec += ms % 1000 * 1000000L;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    return until;
}

static int fail_as(enum prb_errc code, struct prb_error *err)
{
    return prb_fail(err, code, "scripted: %s", prb_errc_name(code));
}

/* Lock held. Wait as long as the name says. */
static void dawdle(struct question_port *port, const char *name, int timeout_ms)
{
    struct timespec until = in_ms(prb_starts_with(name, "slow") ? timeout_ms : PATIENCE_MS);
    bool slow = prb_starts_with(name, "slow"), hangs = prb_starts_with(name, "hang");

    if (slow && port->clock) {
        prb_fake_clock_advance(port->clock, timeout_ms);
        return;
    }
    while ((slow || hangs) && !port->released) {
        if (pthread_cond_timedwait(&port->moved, &port->lock, &until) != 0)
            break;
    }
}

static int answer(const char *name, struct prb_error *err)
{
    for (int code = PRB_E_INVALID; code >= PRB_E_INTERNAL; code--) {
        if (prb_streq(name, prb_errc_name((enum prb_errc)code)))
            return fail_as((enum prb_errc)code, err);
    }
    if (prb_starts_with(name, "live") || prb_starts_with(name, "hang"))
        return 0;
    if (prb_starts_with(name, "slow"))
        return fail_as(PRB_E_IO, err);
    (void)fail_as(PRB_E_NOTFOUND, err);
    (void)prb_copy(err->reason, sizeof(err->reason),
            prb_streq(name, "unserved") ? "NotServed" : "NotFound");
    return err->code;
}

static int handle(
        struct question_port *port, const char *name, int timeout_ms, struct prb_error *err)
{
    (void)pthread_mutex_lock(&port->lock);
    port->calls++;
    port->running++;
    if (port->running > port->running_most)
        port->running_most = port->running;
    (void)pthread_cond_broadcast(&port->moved);
    dawdle(port, name, timeout_ms);
    port->running--;
    (void)pthread_mutex_unlock(&port->lock);
    return answer(name, err);
}

static int do_get(struct prb_api *api, const struct prb_ref *ref,
        const struct prb_get_options *options, struct prb_object **ret, struct prb_error *err)
{
    struct question_port *port = of(api);
    struct json_object *tree;
    int r;

    (void)pthread_mutex_lock(&port->lock);
    port->whole = port->whole || !options->metadata_only;
    port->timeout_ms = options->timeout_ms;
    (void)pthread_mutex_unlock(&port->lock);
    r = handle(port, ref->name, options->timeout_ms, err);
    if (r < 0)
        return r;
    tree = json_object_new_object();
    prb_json_set_str(prb_json_ensure_obj(tree, "metadata"), "name", ref->name);
    return prb_object_new(tree, ret, err);
}

static int do_resolve(struct prb_api *api, const char *group, const char *name,
        struct prb_resource *ret, struct prb_error *err)
{
    const char *kind = prb_streq(name, "Alias") ? "Live" : name;
    struct prb_resource resource = { .namespaced = true };
    char lower[PRB_RESOURCE_SIZE];
    int r;

    (void)prb_copy(lower, sizeof(lower), kind);
    lower[0] = (char)tolower((unsigned char)lower[0]);
    r = handle(of(api), lower, 1000, err);
    if (r < 0)
        return r;
    (void)prb_gvr_init(&resource.gvr, group, "v1", lower);
    (void)prb_copy(resource.kind, sizeof(resource.kind), kind);
    *ret = resource;
    return 0;
}

/* Collections by the name of their resource: each has one object, of that name and with the
 * finalizer g.io/f. */
static int do_list(struct prb_api *api, const struct prb_gvr *gvr,
        const struct prb_list_options *options, struct prb_page *ret, struct prb_error *err)
{
    struct json_object *tree, *metadata, *finalizers;
    int r;

    if (prb_gvr_equal(gvr, &prb_definitions))
        return 0;
    r = handle(of(api), gvr->resource, options->timeout_ms, err);
    if (r < 0)
        return r;
    tree = json_object_new_object();
    metadata = prb_json_ensure_obj(tree, "metadata");
    finalizers = json_object_new_array();
    prb_json_push(finalizers, json_object_new_string("g.io/f"));
    prb_json_set_str(metadata, "name", gvr->resource);
    prb_json_set(metadata, "finalizers", finalizers);
    ret->objects = prb_calloc(1, sizeof(struct prb_object *));
    r = prb_object_new(tree, &ret->objects[0], err);
    ret->count = r == 0;
    return r;
}

static int do_may(struct prb_api *api, const struct prb_access_question *question,
        enum prb_access *ret, struct prb_error *err)
{
    int r = handle(of(api), question->name, question->timeout_ms, err);

    if (r == 0)
        *ret = PRB_ACCESS_ALLOWED;
    return r;
}

static const struct prb_api_ops ops = {
    .get = do_get, .list = do_list, .resolve = do_resolve, .may = do_may
};

void question_port_init(struct question_port *port)
{
    *port = (struct question_port){ .api = { .ops = &ops } };
    (void)pthread_mutex_init(&port->lock, NULL);
    (void)pthread_cond_init(&port->moved, NULL);
}

void question_port_done(struct question_port *port)
{
    (void)pthread_cond_destroy(&port->moved);
    (void)pthread_mutex_destroy(&port->lock);
}

void question_port_release(struct question_port *port)
{
    (void)pthread_mutex_lock(&port->lock);
    port->released = true;
    (void)pthread_cond_broadcast(&port->moved);
    (void)pthread_mutex_unlock(&port->lock);
}

bool question_port_wait(struct question_port *port, int running)
{
    struct prb_test_wait wait =
            prb_test_wait_for(PRB_TEST_SOON_MS, "%d calls are running", running);
    bool reached;

    (void)pthread_mutex_lock(&port->lock);
    while (port->running < running) {
        (void)prb_test_saw("%d calls", port->running);
        if (!prb_test_wait_cond(&wait, &port->moved, &port->lock))
            break;
    }
    reached = port->running >= running;
    (void)pthread_mutex_unlock(&port->lock);
    return reached;
}

int question_port_calls(struct question_port *port)
{
    int calls;

    (void)pthread_mutex_lock(&port->lock);
    calls = port->calls;
    port->calls = 0;
    (void)pthread_mutex_unlock(&port->lock);
    return calls;
}

int question_port_timeout(struct question_port *port)
{
    int timeout_ms;

    (void)pthread_mutex_lock(&port->lock);
    timeout_ms = port->timeout_ms;
    (void)pthread_mutex_unlock(&port->lock);
    return timeout_ms;
}

static void add_access(struct prb_questions *questions, const struct prb_ref *ref)
{
    prb_auto(prb_subject_unref) struct prb_subject *subject = prb_subject_new(
            prb_strdup("alice"), prb_strdup(""), prb_calloc(1, sizeof(char *)), NULL);
    const struct prb_request request = { .operation = PRB_DELETE, .subject = subject };

    prb_ask_access(questions, &request, "override", ref);
}

void question_add(struct prb_questions *questions, const char *text)
{
    const char *colon = strchr(text, ':'), *name = colon ? colon + 1 : text;
    struct prb_gvr gvr;
    struct prb_ref ref;

    if (!prb_gvr_init(&gvr, "g.io", "v1", "things") || !prb_ref_init(&ref, &gvr, "ns", name))
        abort();
    if (prb_starts_with(text, "named:"))
        prb_ask_named(questions, "g.io", "lives", "ns", name);
    else if (prb_starts_with(text, "finalizer:"))
        prb_ask_finalizer(questions, "g.io", name, "g.io/f");
    else if (prb_starts_with(text, "list:") && prb_gvr_init(&gvr, "g.io", "v1", name))
        prb_ask_list(questions, &gvr);
    else if (prb_starts_with(text, "access:"))
        add_access(questions, &ref);
    else if (isupper((unsigned char)name[0]))
        prb_ask_resource(questions, "g.io", name);
    else
        prb_ask_object(questions, &ref);
}
