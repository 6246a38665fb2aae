/* Is every review refused or answered, and answered as it should be? */

#include "review_property.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probate/admission/engine.h"
#include "probate/admission/review.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/rules/registry.h"

#include "support/json_text.h"
#include "support/world.h"

/* Rules there are, with room. */
#define RULES_MAX 16

struct review_property {
    struct prb_review_reader *reader; /* owned, as all here: of the rules */
    struct prb_review_reader *whole;  /* of a rule that reads all */
    struct prb_world *world;
    struct prb_rule_entry entries[RULES_MAX];
    struct prb_judge judge;
    struct prb_engine engine;
};

static const char hub[] =
        "apiVersion: cluster.open-cluster-management.io/v1\n"
        "kind: ManagedCluster\n"
        "metadata: {name: c1}\n"
        "---\n"
        "apiVersion: cluster.open-cluster-management.io/v1\n"
        "kind: ManagedCluster\n"
        "metadata: {name: c2, deletionTimestamp: '2026-01-01T00:00:00Z'}\n"
        "---\n"
        "apiVersion: apiextensions.crossplane.io/v1\n"
        "kind: CompositeResourceDefinition\n"
        "metadata: {name: xbuckets.example.org}\n"
        "spec: {group: example.org, claimNames: {kind: Bucket, plural: buckets}}\n";

static const struct prb_gvr claims[] = { { "example.org", "v1", "databases" } };

static struct prb_view *open_view(void *ctx)
{
    const struct review_property *property = ctx;

    return prb_world_view(property->world, 1000);
}

struct review_property *review_property_new(void)
{
    static const char *const all_paths[] = { "apiVersion", "kind", "metadata", "spec", "status",
        NULL };
    static const struct prb_rule all = { .name = "all", .reads = all_paths };
    static const struct prb_rule *const all_rules[] = { &all };
    struct review_property *property = prb_calloc(1, sizeof(*property));
    size_t count;
    const struct prb_rule *const *rules = prb_rules(&count);

    if (count > RULES_MAX)
        abort();
    for (size_t i = 0; i < count; i++)
        property->entries[i].rule = rules[i];
    property->reader = prb_review_reader_new(rules, count);
    property->whole = prb_review_reader_new(all_rules, 1);
    property->world = prb_world_new(hub);
    property->judge = (struct prb_judge){ .entries = property->entries,
        .count = count,
        .settings = { .claims = claims, .claim_count = 1 } };
    property->engine = (struct prb_engine){
        .judge = &property->judge, .open_view = open_view, .ctx = property
    };
    return property;
}

void review_property_free(struct review_property *property)
{
    prb_world_free(property->world);
    prb_review_reader_free(property->whole);
    prb_review_reader_free(property->reader);
    free(property);
}

static struct prb_object *object_of(struct json_object *tree_taken)
{
    struct prb_object *object = NULL;
    struct prb_error err;

    if (prb_object_new(tree_taken, &object, &err) < 0)
        abort();
    return object;
}

static struct prb_object *thing_of(const char *name)
{
    struct json_object *tree = json_object_new_object();
    struct json_object *metadata = prb_json_ensure_obj(tree, "metadata");

    prb_json_set_str(metadata, "name", name);
    if (name[0] == 'd')
        prb_json_set_str(metadata, "deletionTimestamp", "2026-01-01T00:00:00Z");
    return object_of(tree);
}

/* A guard with a criterion of each type. */
static struct prb_object *service(void)
{
    return object_of(prb_test_json(
            "{'metadata':{'name':'s'},'spec':{'provider':{'group':'apps','resource':'deployments',"
            "'namespace':'n','name':'p'},'criteria':[{'type':'Finalizer','finalizer':{'group':'g.io',"
            "'resource':'things','finalizerName':'g.io/f'}},{'type':'SpecificResource',"
            "'specificResource':{'group':'g.io','resource':'thing','name':'x'}}]}}"));
}

static void fill(struct prb_question *question, const char *name)
{
    prb_auto(prb_object_unref) struct prb_object *object = thing_of(name);

    switch (question->type) {
    case PRB_ASK_OBJECT:
    case PRB_ASK_NAMED:
        question->object = prb_take(object);
        break;
    case PRB_ASK_FINALIZER:
        prb_holders_add(&question->holders, object);
        break;
    case PRB_ASK_LIST:
        question->objects = prb_calloc(1, sizeof(struct prb_object *));
        question->objects[question->object_count++] = service();
        break;
    case PRB_ASK_RESOURCE:
    case PRB_ASK_ACCESS:
        break;
    }
}

/* The API server says one thing or another, but always the same to the same question. */
static void answer(struct prb_question *question)
{
    const char *asked = question->ref.name[0] ? question->ref.name : question->kind;
    const char *name = asked[0] ? asked : "x"; /* a list has none */

    question->asked = true;
    question->state = (enum prb_answer_state)(strlen(name) % 3);
    if (question->type == PRB_ASK_LIST)
        question->state = PRB_PRESENT;
    if (question->state == PRB_PRESENT)
        fill(question, name);
    (void)prb_copy(question->resource, sizeof(question->resource), "things");
    question->namespaced = name[0] != 'N';
}

static void judge(
        const struct prb_engine *engine, const struct prb_request *request, struct prb_verdict *out)
{
    prb_auto(prb_questions_done) struct prb_questions questions;

    prb_questions_init(&questions);
    while (prb_engine_ask(engine, request, &questions)) {
        for (size_t i = 0; i < questions.count; i++) {
            if (!questions.items[i].asked)
                answer(&questions.items[i]);
        }
    }
    prb_engine_decide(engine, request, &questions, out);
}

static void complain(char *why, const char *text, const char *more)
{
    if (why[0] == '\0')
        (void)snprintf(why, REVIEW_PROPERTY_SIZE, "%s: %.2000s", text, more);
}

static void check_refusal(int r, const struct prb_error *err, char *why)
{
    if (r != PRB_E_INVALID || err->code != PRB_E_INVALID)
        complain(why, "refused with another code than INVALID", err->msg);
    if (err->msg[0] == '\0' || !prb_utf8_valid(err->msg, strlen(err->msg)))
        complain(why, "refused with a text that is none", err->msg);
}

static void check_answer(const struct prb_request *request, const struct prb_verdict *verdict,
        const struct prb_str *line, char *why)
{
    prb_auto(prb_json_free) struct json_object *tree = NULL;
    const struct json_object *response;
    struct prb_error err;
    bool allowed = false;

    if (line->cut || strlen(prb_str_get(line)) != line->len)
        complain(why, "the answer does not fit", prb_str_get(line));
    if (strpbrk(prb_str_get(line), "\n\r\x7f"))
        complain(why, "the answer is no line", prb_str_get(line));
    if (prb_json_parse(prb_str_get(line), line->len, NULL, &tree, &err) < 0) {
        complain(why, "the answer is no JSON", err.msg);
        return;
    }
    response = prb_json_obj(tree, "response");
    if (!prb_streq(prb_json_str(response, "uid"), request->uid))
        complain(why, "the answer has another uid", prb_str_get(line));
    if (!prb_json_bool(response, "allowed", &allowed) || allowed != prb_verdict_allows(verdict))
        complain(why, "the answer has another decision", prb_str_get(line));
}

/* Judge and write. */
static void conclude(const struct review_property *property, const struct prb_request *request,
        struct prb_str *line, char *why)
{
    prb_auto(prb_verdict_done) struct prb_verdict verdict;

    prb_verdict_init(&verdict);
    judge(&property->engine, request, &verdict);
    prb_review_write(request, &verdict, line);
    check_answer(request, &verdict, line, why);
}

/* From all of the objects, where they can be read whole: what is stepped over may have defects. */
static void check_whole(const struct review_property *property, const char *text, size_t len,
        const struct prb_str *line, char *why)
{
    prb_auto(prb_request_free) struct prb_request *request = NULL;
    prb_auto(prb_str_done) struct prb_str other;
    struct prb_error err;

    prb_str_init(&other, PRB_REVIEW_ANSWER_MAX);
    if (prb_review_read(property->whole, text, len, &request, &err) < 0)
        return;
    conclude(property, request, &other, why);
    if (!prb_streq(prb_str_get(line), prb_str_get(&other)))
        complain(why, "the whole object is judged otherwise", prb_str_get(&other));
}

/* In pieces, as a server gets it, the same is read or refused as from the whole. */
static void check_pieces(const struct review_property *property, const char *text, size_t len,
        const char *error, char *why)
{
    prb_auto(prb_json_reader_free) struct prb_json_reader *json =
            prb_review_begin(property->reader);
    prb_auto(prb_request_free) struct prb_request *request = NULL;
    struct prb_error err = { 0 };
    size_t at = 0, size = 1;
    int r = 0;

    while (r == 0 && at < len) {
        size = size % 67 + 1;
        size = size < len - at ? size : len - at;
        r = prb_json_reader_feed(json, text + at, size, &err);
        at += size;
    }
    if (r == 0)
        (void)prb_review_end(json, &request, &err);
    if (!prb_streq(err.msg, error))
        complain(why, "it is read otherwise in pieces", err.msg);
}

_Bool review_property_check(struct review_property *property, const char *text, size_t len,
        char why[REVIEW_PROPERTY_SIZE])
{
    prb_auto(prb_request_free) struct prb_request *request = NULL;
    prb_auto(prb_str_done) struct prb_str line;
    struct prb_error err = { 0 };
    int r = prb_review_read(property->reader, text, len, &request, &err);

    why[0] = '\0';
    prb_str_init(&line, PRB_REVIEW_ANSWER_MAX);
    if (len % 4 == 0) /* it takes as long as reading does, and pieces have tests of their own */
        check_pieces(property, text, len, err.msg, why);
    if (r < 0) {
        check_refusal(r, &err, why);
        return false;
    }
    conclude(property, request, &line, why);
    check_whole(property, text, len, &line, why);
    return true;
}
