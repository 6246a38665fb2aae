/* How does a test see what the claims controller wants done, round by round? */

#include "claim_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unity.h>

#include "probate/base/clock.h"
#include "probate/base/mem.h"
#include "probate/model/outcome.h"

#define KINDS 5
#define FAILURES_MAX 4
#define LINES_MAX 64

struct prb_world *world;
struct prb_world *server;
struct prb_claim_settings settings;
struct prb_changes changes;
const char *now;
size_t rounds;

static struct prb_known_resource known[KINDS];
static struct {
    const char *call, *text;
    enum prb_errc code;
} failures[FAILURES_MAX];
static size_t failure_count;
static const char *short_name; /* of composites; NULL: they have none */
static struct json_object *memory;
static struct prb_str wanted, called;
static char said[4096], patched[4096];

static void know(size_t at, const char *group, const char *name, const char *gvr, const char *kind)
{
    known[at] = (struct prb_known_resource){ .state = PRB_RESOURCE_PRESENT };
    (void)prb_copy(known[at].group, sizeof(known[at].group), group);
    (void)prb_copy(known[at].name, sizeof(known[at].name), name);
    (void)prb_copy(known[at].kind, sizeof(known[at].kind), kind);
    (void)prb_gvr_parse(gvr, &known[at].gvr);
}

void claim_world_init(void)
{
    settings = (struct prb_claim_settings){ .finalizer = FINALIZER };
    now = NOW;
    failure_count = 0;
    short_name = NULL;
    prb_changes_init(&changes);
    prb_str_init(&wanted, 65536);
    prb_str_init(&called, 65536);
    know(0, PRB_DEFINITION_GROUP, PRB_DEFINITION_RESOURCE, DEFINITIONS,
            "CompositeResourceDefinition");
    know(1, "example.org", "Network", NETWORKS, "Network");
    known[1].namespaced = true;
    know(2, "example.org", "XNetwork", XNETWORKS, "XNetwork");
    know(3, "example.org", "XSubnet", XSUBNETS, "XSubnet");
    know(4, "example.org", "Bucket", BUCKETS, "Bucket");
}

void claim_world_done(void)
{
    prb_changes_done(&changes);
    prb_world_free(world);
    prb_world_free(server);
    prb_json_free(memory);
    prb_str_done(&wanted);
    prb_str_done(&called);
    world = server = NULL;
    memory = NULL;
}

void build_bare(const char *yaml)
{
    static const char *const served[] = { NETWORKS, XNETWORKS, XSUBNETS, BUCKETS };

    prb_world_free(world);
    prb_world_free(server);
    server = NULL;
    world = prb_world_new(yaml);
    for (size_t i = 0; i < sizeof(served) / sizeof(served[0]); i++)
        (void)prb_world_serve(world, served[i]);
}

void build(const char *yaml)
{
    build_bare(yaml);
    prb_world_add(world, DEFINITION("") OTHER_DEFINITION);
}

void serve(const char *yaml)
{
    prb_world_free(server);
    server = prb_world_new(yaml);
}

void set_kind(const char *kind, int state, const char *trouble)
{
    for (size_t i = 0; i < KINDS; i++) {
        if (!prb_streq(known[i].kind, kind))
            continue;
        known[i].state = state;
        (void)prb_copy(known[i].trouble, sizeof(known[i].trouble), trouble);
    }
}

void give_short_name(const char *name)
{
    short_name = name;
}

void leave_out(const char *kind, const char *trouble)
{
    set_kind(kind, PRB_RESOURCE_UNKNOWN, trouble);
    for (size_t i = 0; i < KINDS; i++)
        known[i].left_out = known[i].left_out || prb_streq(known[i].kind, kind);
}

void know_definitions(const char *gvr)
{
    (void)prb_gvr_parse(gvr, &known[0].gvr);
}

struct prb_view *claim_view(void)
{
    struct prb_view *view;
    int64_t now_ms = 0;

    (void)prb_time_parse(now, &now_ms);
    view = prb_world_view(world, now_ms);
    prb_view_set_resources(view, known, KINDS);
    return view;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

const char *sorted(const char *lines)
{
    static char text[4096];
    prb_autofree char *copy = prb_strdup(lines);
    char *items[LINES_MAX], *at = copy, *line;
    size_t count = 0, len = 0;

    while ((line = strsep(&at, "\n")) && count < LINES_MAX) {
        if (line[0])
            items[count++] = line;
    }
    qsort(items, count, sizeof(items[0]), by_text);
    text[0] = '\0';
    for (size_t i = 0; i < count; i++)
        len += (size_t)snprintf(text + len, sizeof(text) - len, "%s\n", items[i]);
    return text;
}

void fail_on(const char *call, enum prb_errc code, const char *text)
{
    failures[failure_count].call = call;
    failures[failure_count].code = code;
    failures[failure_count++].text = text;
}

static const struct json_object *ready_of(const struct prb_change *change)
{
    const struct json_object *list =
            prb_json_arr(prb_json_obj(change->body, "status"), "conditions");

    for (size_t i = 0; i < prb_json_len(list); i++) {
        if (prb_streq(prb_json_str(prb_json_elem(list, i), "type"), "Ready"))
            return prb_json_elem(list, i);
    }
    return NULL;
}

static void print_merge(const struct prb_change *change, const char *what, struct prb_str *out)
{
    const struct json_object *ready = ready_of(change);
    const struct json_object *list =
            prb_json_arr(prb_json_obj(change->body, "status"), "conditions");

    if (!ready || !prb_streq(change->subresource, "status")) {
        prb_str_addf(out, "merge %s ?\n", what);
        return;
    }
    (void)prb_copy(said, sizeof(said), prb_json_str(ready, "message"));
    prb_str_addf(out, "condition Ready %s %s @%s%s\n", prb_json_str(ready, "status"),
            prb_json_str(ready, "reason"), change->resource_version,
            prb_json_len(list) > 1 ? " beside others" : "");
}

/* The last operation that is no test, and on what. */
static void print_json(const struct prb_change *change, const char *what, struct prb_str *out)
{
    const struct json_object *op = NULL;
    const char *path;

    prb_autofree char *text = prb_json_text(change->body, false);

    (void)prb_copy(patched, sizeof(patched), text);
    for (size_t i = 0; i < prb_json_len(change->body); i++) {
        if (!prb_streq(prb_json_str(prb_json_elem(change->body, i), "op"), "test"))
            op = prb_json_elem(change->body, i);
    }
    path = prb_json_str(op, "path");
    if (path && strstr(path, "ownerReferences")) {
        prb_str_addf(out, "block %s %s\n", what, path + strlen("/metadata/ownerReferences"));
        return;
    }
    prb_autofree char *value = prb_json_text(prb_json_find(op, "value"), false);

    prb_str_addf(out, "finalizers %s %s %s\n", what, prb_json_str(op, "op"),
            prb_streq(prb_json_str(op, "op"), "remove") ? "" : value);
}

static const char *propagation_name(enum prb_propagation propagation)
{
    switch (propagation) {
    case PRB_PROPAGATE_BACKGROUND:
        return "Background";
    case PRB_PROPAGATE_FOREGROUND:
        return "Foreground";
    case PRB_PROPAGATE_DEFAULT:
    case PRB_PROPAGATE_ORPHAN:
        break;
    }
    return "?";
}

static void print_change(const struct prb_change *change, struct prb_str *out)
{
    char what[PRB_REF_TEXT_SIZE];

    prb_ref_describe(&change->ref, what);
    if (change->type == PRB_CHANGE_MERGE_PATCH)
        print_merge(change, what, out);
    else if (change->type == PRB_CHANGE_JSON_PATCH)
        print_json(change, what, out);
    else if (change->type == PRB_CHANGE_DELETE)
        prb_str_addf(out, "delete %s %s %s%s%s\n", what, change->uid,
                propagation_name(change->propagation), change->resource_version ? " @" : "",
                change->resource_version ? change->resource_version : "");
    else if (change->type == PRB_CHANGE_EVENT)
        prb_str_addf(
                out, "%s %s on %s\n", change->warning ? "warning" : "event", change->reason, what);
    else
        prb_str_addf(out, "? %s\n", what);
}

static void name_call(const struct prb_change *change, char *text, size_t size)
{
    char what[PRB_REF_TEXT_SIZE];

    prb_ref_describe(&change->ref, what);
    if (change->type == PRB_CHANGE_RESOLVE)
        (void)snprintf(text, size, "resolve %s", change->kind);
    else
        (void)snprintf(text, size, "%s %s",
                change->type == PRB_CHANGE_READ     ? "read"
                : change->type == PRB_CHANGE_DELETE ? "delete"
                                                    : "write",
                what);
}

static struct prb_outcome failed(enum prb_errc code, const char *text)
{
    struct prb_outcome outcome = { .code = code, .err = prb_calloc(1, sizeof(struct prb_error)) };

    (void)prb_fail(outcome.err, code, "%s", text);
    if (prb_streq(text, NOT_SERVED))
        (void)prb_copy(outcome.err->reason, sizeof(outcome.err->reason), text);
    return outcome;
}

static struct prb_object *find_live(const struct prb_ref *ref)
{
    struct prb_world *from = server ? server : world;
    struct prb_store *store;

    for (size_t i = 0; (store = prb_world_store_at(from, i)); i++) {
        if (prb_gvr_equal(prb_store_gvr(store), &ref->gvr))
            return prb_store_get(store, ref->namespace, ref->name);
    }
    return NULL;
}

static struct prb_outcome resolve(const struct prb_change *change)
{
    struct prb_outcome outcome = { .code = PRB_OK };

    for (size_t i = 0; i < KINDS; i++) {
        bool by_short_name =
                prb_streq(known[i].kind, "XNetwork") && prb_streq(short_name, change->kind);

        if ((!prb_streq(known[i].kind, change->kind) && !by_short_name) ||
                !prb_streq(known[i].group, change->api_version))
            continue;
        if (known[i].state == PRB_RESOURCE_ABSENT)
            break;
        outcome.resource = prb_calloc(1, sizeof(*outcome.resource));
        *outcome.resource = known[i];
        outcome.resource->state = PRB_RESOURCE_PRESENT;
        return outcome;
    }

    /* Discovery does not show what is defined and not served. */
    return change->is_sure ? failed(PRB_E_NOTFOUND, "no such kind")
                           : failed(PRB_E_UNAVAILABLE, "nobody asked whether it is defined");
}

/* What a server would say to it. */
static struct prb_outcome answer(const struct prb_change *change)
{
    struct prb_outcome outcome = { .code = PRB_OK };
    char call[PRB_REF_TEXT_SIZE + 16];

    name_call(change, call, sizeof(call));
    for (size_t i = 0; i < failure_count; i++) {
        if (prb_streq(failures[i].call, call))
            return failed(failures[i].code, failures[i].text);
    }
    if (change->type == PRB_CHANGE_RESOLVE)
        return resolve(change);
    if (change->type != PRB_CHANGE_READ)
        return outcome;
    outcome.object = find_live(&change->ref);
    return outcome.object ? outcome : failed(PRB_E_NOTFOUND, "not found");
}

static void perform(struct prb_outcomes *outcomes)
{
    char call[PRB_REF_TEXT_SIZE + 16];

    for (size_t i = 0; i < changes.count; i++) {
        const struct prb_change *change = &changes.items[i];

        if (change->type != PRB_CHANGE_READ && change->type != PRB_CHANGE_RESOLVE)
            print_change(change, &wanted);
        if (change->type == PRB_CHANGE_EVENT)
            continue;
        name_call(change, call, sizeof(call));
        prb_str_addf(&called, "%s\n", call);
        if (change->slot)
            prb_outcomes_set(outcomes, change->slot, answer(change));
    }
}

const char *play(const char *key)
{
    struct prb_ref ref = prb_world_ref(key);
    struct prb_reconciler reconciler = prb_reconciler_claims;
    prb_auto(prb_outcomes_free) struct prb_outcomes *outcomes = prb_outcomes_new();

    reconciler.settings = &settings;
    prb_str_clear(&wanted);
    prb_str_clear(&called);
    said[0] = patched[0] = '\0';
    for (rounds = 0; rounds < PRB_ROUNDS_MAX; rounds++) {
        struct prb_view *view = claim_view();

        prb_view_set_outcomes(view, outcomes);
        prb_view_set_memory(view, memory);
        prb_changes_done(&changes);
        reconciler.decide(&reconciler, view, &ref, &changes);
        prb_view_close(view);
        perform(outcomes);
        if (!changes.go_on)
            break;
    }
    return prb_str_get(&wanted);
}

const char *calls(void)
{
    return prb_str_get(&called);
}

void check(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        build(rows[i].world);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(rows[i].wanted, play(N1), rows[i].name);
    }
}

const char *message(void)
{
    return said;
}

const char *last_patch(void)
{
    return patched;
}

const char *waits(void)
{
    return changes.waits_for ? changes.waits_for : "";
}

void keep_memory(void)
{
    prb_json_free(memory);
    memory = changes.memory ? prb_json_copy(changes.memory) : NULL;
}
