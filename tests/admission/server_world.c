/* What is around an admission server? */

#include "server_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probate/base/mem.h"

/* The asker's threads: more than a test has reviews waiting. */
#define ASKER_THREADS 32

static const struct prb_gvr things = { "g.io", "v1", "things" };

static bool is_asked(const char *name)
{
    static const char *const prefixes[] = { "live", "absent", "slow", "hang" };

    for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
        if (prb_starts_with(name, prefixes[i]))
            return true;
    }
    return false;
}

/* What is asked after the object itself, if that is there; NULL: nothing. */
static const char *next_of(const char *name)
{
    const char *then = strstr(name, "-then-");

    return then ? then + strlen("-then-") : NULL;
}

static const struct prb_question *answer_of(const struct prb_questions *answers, const char *name)
{
    struct prb_ref ref;

    if (!prb_ref_init(&ref, &things, "ns", name))
        abort();
    return prb_answer_object(answers, &ref);
}

static void ask(const struct prb_rule_settings *settings, const struct prb_request *request,
        const struct prb_view *view, struct prb_questions *out)
{
    (void)settings;
    (void)view;
    if (!is_asked(request->name))
        return;
    question_add(out, request->name);
    if (next_of(request->name) && answer_of(out, request->name)->state == PRB_PRESENT)
        question_add(out, next_of(request->name));
}

static void judge_answer(const struct prb_request *request, const struct prb_questions *answers,
        struct prb_verdict *out)
{
    const struct prb_question *answer = answer_of(answers, request->name);

    if (answer && answer->state == PRB_PRESENT && next_of(request->name))
        answer = answer_of(answers, next_of(request->name));
    if (!answer || answer->state == PRB_UNKNOWN)
        prb_unverified(out, 1, "not known");
    else if (answer->state == PRB_ABSENT)
        prb_forbid(out, "not there");
}

static void judge(const struct prb_rule_settings *settings, const struct prb_request *request,
        const struct prb_view *view, const struct prb_questions *answers, struct prb_verdict *out)
{
    (void)settings;
    (void)view;
    if (strstr(request->name, "-with-data") && request->object &&
            prb_json_has(prb_object_tree(request->object), "data"))
        prb_caution(out, "its data is in memory");
    if (is_asked(request->name))
        judge_answer(request, answers, out);
    else if (prb_starts_with(request->name, "deny"))
        prb_forbid(out, "no things like %s", request->name);
    else if (prb_starts_with(request->name, "unsure"))
        prb_unverified(out, 1, "not known");
    else if (prb_starts_with(request->name, "invalid"))
        prb_invalid(out, "data", "is not to be had");
    else if (prb_starts_with(request->name, "override"))
        out->override_reason = prb_strdup("it\nburns");
    else if (prb_starts_with(request->name, "warn"))
        prb_caution(out, "things like %s are on sale", request->name);
}

static const struct prb_rule_match matches[] = {
    { .group = "g.io",
            .resource = "things",
            .operations = PRB_CREATE | PRB_UPDATE | PRB_DELETE,
            .namespaced = true },
};
static const char *const reads[] = { "metadata", NULL };
static const struct prb_rule rule = {
    .name = "test", .matches = matches, .match_count = 1, .reads = reads, .ask = ask, .judge = judge
};
static const struct prb_rule_entry entry = { .rule = &rule };

static struct prb_view *open_view(void *ctx)
{
    struct prb_store *stores[] = { ctx };

    return prb_view_open(stores, 1, 1000);
}

static void note(
        void *ctx, const struct prb_request *request, const struct prb_verdict *verdict, int64_t us)
{
    struct server_world *world = ctx;

    (void)request;
    (void)us;
    atomic_fetch_add(&world->decided, 1);
    if (!prb_verdict_allows(verdict))
        atomic_fetch_add(&world->denied, 1);
}

void world_init(struct server_world *world)
{
    const struct prb_rule *rules[] = { &rule };

    *world = (struct server_world){ 0 };
    question_port_init(&world->port);
    world->store = prb_store_new(&things);
    prb_store_set_synced(world->store);
    world->reader = prb_review_reader_new(rules, 1);
    world->judge = (struct prb_judge){ .entries = &entry, .count = 1 };
    world->engine = (struct prb_engine){ .judge = &world->judge,
        .api = &world->port.api,
        .clock = prb_clock_system(),
        .open_view = open_view,
        .ctx = world->store };
    make_pair(&world->certs);
    world->client = make_client(world->certs.ca_cert, NULL, NULL);
}

static int start(struct server_world *world, const struct prb_server_options *given,
        const struct prb_tls_options *tls_options)
{
    const struct prb_tls_options in_memory = { .cert_pem = world->certs.cert,
        .key_pem = world->certs.key };
    struct prb_server_options options = given ? *given : (struct prb_server_options){ 0 };
    int r;

    r = prb_tls_open(tls_options ? tls_options : &in_memory, &world->tls, &world->err);
    if (r == 0)
        r = prb_asker_new(
                &world->port.api, prb_clock_system(), ASKER_THREADS, &world->asker, &world->err);
    if (r < 0)
        return r;
    options.host = "127.0.0.1";
    options.tls = world->tls;
    options.engine = &world->engine;
    options.reader = world->reader;
    options.asker = world->asker;
    options.decided = note;
    options.ctx = world;
    return prb_server_start(&options, &world->server, &world->err);
}

bool world_start(struct server_world *world, const struct prb_server_options *options,
        const struct prb_tls_options *tls_options)
{
    if (start(world, options, tls_options) == 0)
        return true;
    (void)fprintf(stderr, "%s\n", world->err.msg);
    return false;
}

void world_stop(struct server_world *world, int64_t finish_ms)
{
    prb_server_stop(prb_take(world->server), finish_ms);
    question_port_release(&world->port);
    prb_asker_free(prb_take(world->asker));
    prb_tls_free(prb_take(world->tls));
}

void world_done(struct server_world *world)
{
    world_stop(world, 0);
    gnutls_certificate_free_credentials(world->client);
    prb_certs_done(&world->certs);
    prb_review_reader_free(world->reader);
    prb_store_unref(world->store);
    question_port_done(&world->port);
}

uint16_t world_port(const struct server_world *world)
{
    return prb_server_port(world->server);
}

char *review_of(const char *name, const char *uid, size_t padding)
{
    prb_auto(prb_str_done) struct prb_str text;
    static const char line[] = "lorem ipsum dolor sit amet ";

    prb_str_init(&text, padding + 4096);
    prb_str_addf(&text,
            "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\",\"request\":{"
            "\"uid\":\"%s\",\"kind\":{\"group\":\"g.io\",\"version\":\"v1\",\"kind\":\"Thing\"},"
            "\"resource\":{\"group\":\"g.io\",\"version\":\"v1\",\"resource\":\"things\"},"
            "\"requestKind\":{\"group\":\"g.io\",\"version\":\"v1\",\"kind\":\"Thing\"},"
            "\"requestResource\":{\"group\":\"g.io\",\"version\":\"v1\",\"resource\":\"things\"},"
            "\"name\":\"%s\",\"namespace\":\"ns\",\"operation\":\"CREATE\","
            "\"userInfo\":{\"username\":\"alice\",\"groups\":[\"system:authenticated\"]},"
            "\"object\":{\"apiVersion\":\"g.io/v1\",\"kind\":\"Thing\","
            "\"metadata\":{\"name\":\"%s\",\"namespace\":\"ns\"},\"data\":\"",
            uid, name, name);
    for (size_t i = 0; i < padding; i++)
        prb_str_addc(&text, line[i % (sizeof(line) - 1)]);
    prb_str_add(&text, "\"},\"oldObject\":null,\"dryRun\":false,\"options\":null}}");
    return prb_str_take(&text);
}

char *world_call(struct server_world *world, const char *name)
{
    prb_autofree char *review = review_of(name, "u-1", 0);
    prb_auto(answer_done) struct answer answer = { 0 };

    if (!https_call_once(world_port(world), world->client, review, &answer))
        return prb_strdup("");
    return prb_take(answer.body);
}

bool says_allowed(const char *body)
{
    return body && strstr(body, "\"kind\":\"AdmissionReview\"") && strstr(body, "\"allowed\":true");
}

bool says_denied(const char *body, int code)
{
    char text[32];

    (void)snprintf(text, sizeof(text), "\"code\":%d", code);
    return body && strstr(body, "\"kind\":\"AdmissionReview\"") &&
           strstr(body, "\"allowed\":false") && strstr(body, text);
}
