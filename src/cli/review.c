/* What does `probate review` do? */

#include "review.h"

#include <stdint.h>

#include "probate/cli/verb.h"

/* The hub in memory answers at once; this is for a machine that is out of breath. */
#define DEADLINE_MS 10000

enum output { OUTPUT_TEXT, OUTPUT_JSON };

struct options {
    const char *embedded;
    int output; /* enum output */
    struct prb_rule_flags rules;
};

/* One run of the verb. */
struct run {
    struct options options;
    struct prb_review_world world;
    bool denied; /* some review was */
    bool failed; /* some document could not be judged */
    bool broken; /* the standard output takes no more */
};

static void complain(struct run *run, const char *message)
{
    prb_cli_complain("review", message, NULL);
    run->failed = true;
}

static int read_request(const struct run *run, const struct prb_review_document *document,
        struct prb_request **ret, struct prb_error *err)
{
    int r = document->tree
                    ? prb_review_read_tree(run->world.reader, document->tree, ret, err)
                    : prb_review_read(run->world.reader, document->text, document->len, ret, err);

    if (r < 0)
        return prb_wrap(err, "%s: document %zu (from line %zu)", document->file, document->number,
                document->line);
    return 0;
}

static void judge(const struct run *run, const struct prb_request *request, struct prb_verdict *out)
{
    const struct prb_engine *engine = &run->world.engine;

    prb_engine_judge(engine, request, engine->clock->mono_ms(engine->clock) + DEADLINE_MS, out);
}

static void review_document(void *ctx, const struct prb_review_document *document)
{
    prb_auto(prb_request_free) struct prb_request *request = NULL;
    prb_auto(prb_verdict_done) struct prb_verdict verdict;
    prb_auto(prb_str_done) struct prb_str line;
    struct run *run = ctx;
    struct prb_error err;

    prb_verdict_init(&verdict);
    prb_str_init(&line, PRB_REVIEW_ANSWER_MAX + 1);
    if (run->broken)
        return;
    if (read_request(run, document, &request, &err) < 0) {
        complain(run, err.msg);
        return;
    }
    judge(run, request, &verdict);
    run->denied = run->denied || !prb_verdict_allows(&verdict);
    if (run->options.output == OUTPUT_JSON) {
        prb_review_write(request, &verdict, &line);
        prb_str_addc(&line, '\n');
    } else {
        prb_review_report(document, request, &verdict, &line);
    }
    run->broken = prb_cli_print(&line) != PRB_EXIT_DONE;
}

static enum prb_exit result_of(const struct run *run)
{
    if (run->broken)
        return PRB_EXIT_INTERNAL;
    if (run->failed)
        return PRB_EXIT_USAGE;
    return run->denied ? PRB_EXIT_DENIED : PRB_EXIT_DONE;
}

static void review_files(struct run *run, const struct prb_args *args)
{
    struct prb_error err;

    for (size_t i = 0; i < args->count; i++) {
        if (prb_review_documents(args->items[i], review_document, run, &err) < 0)
            complain(run, err.msg);
    }
}

static enum prb_exit review(
        struct run *run, const struct prb_rule_choice *choice, const struct prb_args *args)
{
    struct prb_error err;

    if (prb_review_world_open(&run->world, run->options.embedded, choice, &err) < 0)
        complain(run, err.msg);
    else
        review_files(run, args);
    prb_review_world_done(&run->world);
    return result_of(run);
}

static enum prb_exit check_and_review(struct run *run, const struct prb_args *args)
{
    prb_auto(prb_rule_choice_done) struct prb_rule_choice choice = { 0 };
    struct prb_error err;

    if (!run->options.embedded)
        return prb_cli_misused("review", "--embedded DIR is needed: the objects to judge by");
    if (args->count == 0)
        return prb_cli_misused("review", "no file is given; - is the standard input");
    if (prb_rules_choose(&run->options.rules, &choice, &err) < 0)
        return prb_cli_misused("review", err.msg);
    return review(run, &choice, args);
}

static enum prb_exit run_verb(const struct prb_verb *self, const struct prb_flag_input *input)
{
    prb_auto(prb_args_done) struct prb_args args = { 0 };
    struct run run = { .denied = false };
    enum prb_exit result;

    if (prb_verb_parse(self, input, &run.options, &args, &result))
        result = check_and_review(&run, &args);
    prb_flags_done(self->flags, &run.options);
    return result;
}

static const char *const outputs[] = { "text", "json", NULL }; /* as enum output */

static const struct prb_flag table[] = {
    { .section = "What to judge by",
            .name = "embedded",
            .type = PRB_FLAG_TEXT,
            .at = offsetof(struct options, embedded),
            .value = "DIR",
            .help = "The objects on the hub: the .yaml, .yml and .json manifests below DIR." },
    PRB_RULE_FLAGS(struct options, rules),
    { .section = "What to print",
            .name = "output",
            .type = PRB_FLAG_ENUM,
            .at = offsetof(struct options, output),
            .choices = outputs,
            .preset = "text",
            .help = "text: one line for a person; json: one AdmissionReview with the response." },
};
static const struct prb_flags flags = { table, sizeof(table) / sizeof(table[0]) };

const struct prb_verb prb_verb_review = {
    .name = "review",
    .arguments = "--embedded DIR [flags] FILE...",
    .summary = "Judge AdmissionReview files offline, against manifests.",
    .description =
            "Judges the AdmissionReview requests in the files with the same rules, and the same "
            "words, as the admission server, and prints one line for each. A file is JSON or YAML "
            "and may hold several; - is the standard input. What begins with a brace is JSON. "
            "Needs no cluster, no network and no certificate.\n"
            "Exit codes: 0 all are allowed, 1 one or more are denied, 2 wrong usage, or a document "
            "that cannot be read (the others are still judged).",
    .flags = &flags,
    .args_max = SIZE_MAX,
    .more_help = prb_rules_help,
    .run = run_verb,
};
