/* Is a review answered as its golden case expects, and from what the rules say they read? */

#include "golden.h"

#include "probate/base/file.h"
#include "probate/base/mem.h"
#include "probate/base/yaml.h"
#include "probate/rules/registry.h"

#include "golden_expect.h"
#include "golden_hub.h"
#include "reads.h"
#include "review_request.h"

/* Written by hand, all of them. */
#define FILE_MAX ((size_t)256 * 1024)

static struct prb_object *reduced(struct prb_object *object_taken, const struct prb_rule *rule)
{
    struct prb_object *left = NULL;
    struct prb_error err;

    if (!object_taken)
        return NULL;
    (void)prb_object_draft(
            prb_test_reduce(prb_object_tree(object_taken), rule->reads), &left, &err);
    prb_object_unref(object_taken);
    return left;
}

/* The whole of what was concluded, as text. */
static char *describe(const struct prb_outcome *outcome)
{
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, FILE_MAX);
    prb_str_addf(&text, "%d %s;", outcome->verdict.denial,
            outcome->verdict.message ? outcome->verdict.message : "");
    for (size_t i = 0; i < outcome->verdict.warning_count; i++)
        prb_str_addf(&text, " warns %s;", outcome->verdict.warnings[i]);
    prb_str_addf(&text, " override %s;",
            outcome->verdict.override_reason ? outcome->verdict.override_reason : "");
    for (size_t i = 0; i < outcome->verdict.note_count; i++)
        prb_str_addf(&text, " notes %d %s %s;", outcome->verdict.notes[i].type,
                outcome->verdict.notes[i].guard.name, outcome->verdict.notes[i].text);
    for (size_t i = 0; i < outcome->questions.count; i++) {
        prb_autofree char *question = prb_golden_question(&outcome->questions.items[i]);

        prb_str_addf(&text, " asks %s;", question);
    }
    return prb_str_take(&text);
}

/* A rule must come to the same from what it says it reads. */
static void check_reads(const struct prb_complaint *complaint, const struct json_object *review,
        const struct prb_rule *rule)
{
    const struct json_object *source = prb_json_obj(review, "case");
    prb_auto(prb_request_free) struct prb_request *request = prb_test_request(review);
    prb_auto(prb_outcome_done) struct prb_outcome whole, part;
    prb_autofree char *from_whole = NULL, *from_part = NULL;

    request->route = prb_json_str(source, "route");
    prb_golden_run(source, request, rule, &whole);
    request->object = reduced(request->object, rule);
    request->old = reduced(request->old, rule);
    prb_golden_run(source, request, rule, &part);
    from_whole = describe(&whole);
    from_part = describe(&part);
    if (!prb_streq(from_whole, from_part))
        prb_complain(complaint, "%s reads more than it says: %s but %s", rule->name, from_whole,
                from_part);
}

static void check_review(const struct prb_complaint *complaint, const struct json_object *review,
        const char *directory)
{
    const struct json_object *source = prb_json_obj(review, "case");
    prb_auto(prb_request_free) struct prb_request *request = prb_test_request(review);
    prb_auto(prb_outcome_done) struct prb_outcome outcome;

    request->route = prb_json_str(source, "route");
    prb_golden_run(source, request, NULL, &outcome);
    prb_golden_expect(complaint, source, directory, &outcome);
}

static void check_all(const struct prb_complaint *complaint, const struct json_object *review,
        const char *directory)
{
    size_t count;
    const struct prb_rule *const *rules = prb_rules(&count);

    check_review(complaint, review, directory);
    for (size_t i = 0; i < count; i++)
        check_reads(complaint, review, rules[i]);
}

int prb_golden_read(const char *path, struct json_object **ret, struct prb_error *err)
{
    prb_autofree char *text = NULL;
    size_t len;
    int r = prb_file_read(path, FILE_MAX, &text, &len, err);

    return r < 0 ? r : prb_yaml_parse(text, len, ret, err);
}

void prb_golden_check(const char *path, const char *directory, char *why, size_t size)
{
    struct prb_complaint complaint = { .why = why, .size = size };
    prb_auto(prb_json_free) struct json_object *review = NULL;
    struct prb_error err;

    why[0] = '\0';
    if (prb_golden_read(path, &review, &err) < 0)
        prb_complain(&complaint, "%s", err.msg);
    else
        check_all(&complaint, review, directory);
}
