/* Does kubectl get the answers that a row says? */

#include "row.h"

#include <stdio.h>

#include "probate/base/mem.h"

#include "step_fill.h"
#include "support/wait.h"

#define FIELDS_MAX 1024

__attribute__((format(printf, 2, 3))) static bool fail(
        char why[PRB_TEST_WHY_SIZE], const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(why, PRB_TEST_WHY_SIZE, fmt, args);
    va_end(args);
    return false;
}

static int count_warnings(const char *text)
{
    int count = prb_starts_with(text, "Warning: ");

    while ((text = strstr(text, "\nWarning: ")) != NULL) {
        count++;
        text++;
    }
    return count;
}

static bool check_code(const struct step *step, const struct kubectl_answer *answer, char *why)
{
    if (step->code == 0)
        return answer->exit == 0 || fail(why, "exit code %d: %s", answer->exit, answer->text);
    if (answer->exit == 0 || answer->code != step->code)
        return fail(why, "code %d instead of %d, exit code %d: %s", answer->code, step->code,
                answer->exit, answer->text);
    return true;
}

static bool check_says(
        const struct step *step, const char *name, const struct kubectl_answer *answer, char *why)
{
    for (size_t i = 0; i < STEP_SAYS_MAX && step->says[i]; i++) {
        prb_autofree char *part = kubectl_expand(step->says[i], name);

        if (!strstr(answer->text, part))
            return fail(why, "\"%s\" is not in: %s", part, answer->text);
    }
    if (step->lacks && strstr(answer->text, step->lacks))
        return fail(why, "\"%s\" is in: %s", step->lacks, answer->text);
    if (count_warnings(answer->text) != step->warns)
        return fail(why, "%d warnings instead of %d: %s", count_warnings(answer->text), step->warns,
                answer->text);
    return true;
}

static void add_field(struct prb_str *fields, const char *field, size_t len)
{
    /* Newer API servers say so of rules that they left out after another error. */
    static const char none[] = "<nil>";

    if (len == sizeof(none) - 1 && strncmp(field, none, len) == 0)
        return;
    if (fields->len > 0)
        prb_str_addc(fields, ' ');
    prb_str_addn(fields, field, len);
}

static void add_fields_of_status(const struct json_object *status, struct prb_str *fields)
{
    const struct json_object *causes = prb_json_arr(prb_json_obj(status, "details"), "causes");

    for (size_t i = 0; i < prb_json_len(causes); i++) {
        const char *field = prb_json_str(prb_json_elem(causes, i), "field");

        if (field)
            add_field(fields, field, strlen(field));
    }
}

/* "The request is invalid: spec.a: why", or a line "* spec.a: why" for each of several. */
static void add_fields_of_text(const char *text, struct prb_str *fields)
{
    static const char one[] = " is invalid: ", next[] = "\n* ";
    const char *at = strstr(text, one);

    if (!at)
        return;
    at += strlen(one);
    if (*at != '\n') {
        add_field(fields, at, strcspn(at, ": "));
        return;
    }
    while (prb_starts_with(at, next)) {
        at += strlen(next);
        add_field(fields, at, strcspn(at, ": "));
        at += strcspn(at, "\n");
    }
}

/* Kubernetes 1.20 says spec.rules.name where newer servers say spec.rules[0].name. */
static char *without_indices(const char *fields)
{
    prb_auto(prb_str_done) struct prb_str out;

    prb_str_init(&out, FIELDS_MAX);
    for (; *fields; fields++) {
        if (*fields == '[')
            fields += strcspn(fields, "]");
        else
            prb_str_addc(&out, *fields);
    }
    return prb_str_take(&out);
}

static bool are_fields(const struct step *step, const char *got)
{
    const char *expected = step->fields ? step->fields : "";
    prb_autofree char *older = step->by_schema ? without_indices(expected) : NULL;

    return prb_streq(got, expected) || (older && prb_streq(got, older));
}

static bool check_causes(const struct step *step, const struct kubectl_answer *answer, char *why)
{
    prb_auto(prb_str_done) struct prb_str fields;

    prb_str_init(&fields, FIELDS_MAX);
    if (answer->status)
        add_fields_of_status(answer->status, &fields);
    else
        add_fields_of_text(answer->text, &fields);
    return are_fields(step, prb_str_get(&fields)) ||
           fail(why, "causes \"%s\" instead of \"%s\": %s", prb_str_get(&fields),
                   step->fields ? step->fields : "", answer->text);
}

/* The text with the name of the row, and that of the file, taken out: the same in every row. */
static void add_plain(struct prb_str *out, const char *text, size_t len, const char *name)
{
    static const char file[] = "error when creating \"";
    const char *end = text + len;

    while (text < end) {
        if (prb_starts_with(text, name)) {
            prb_str_addc(out, '@');
            text += strlen(name);
        } else if (prb_starts_with(text, file)) {
            text += strlen(file);
            text += strcspn(text, "\"") + strlen("\": ");
        } else {
            prb_str_addc(out, *text++);
        }
    }
}

/* The words of a refusal, and of warnings, for the log of the test. */
static void note(const struct kubectl_answer *answer, const char *name, struct prb_str *said)
{
    const char *line = answer->text;

    while (*line) {
        size_t len = strcspn(line, "\n");

        if (len > 0 && (answer->exit != 0 || prb_starts_with(line, "Warning: "))) {
            prb_str_add(said, "        ");
            add_plain(said, line, len, name);
            prb_str_addc(said, '\n');
        }
        line += len + (line[len] == '\n');
    }
}

static bool try(const struct step *as_written, const struct kubectl *kubectl, const char *name,
        struct prb_str *said, char *why)
{
    prb_auto(kubectl_answer_done) struct kubectl_answer answer = { 0 };
    prb_auto(filled_step_done) struct filled_step filled;
    const struct step *step = &filled.step;
    bool right;

    filled_step_init(&filled, as_written, kubectl, name);
    kubectl_run(kubectl, name, step->run, step->input, &answer);
    right = check_code(step, &answer, why) && check_says(step, name, &answer, why) &&
            check_causes(step, &answer, why);
    /* What is waited for is no answer to a person. */
    if (right && said && !step->until && step->code != 404)
        note(&answer, name, said);
    return right;
}

/* kubectl computes for a tenth of a second to have a look, and others want to compute too. */
static void wait_a_little(void)
{
    for (int i = 0; i < 10; i++)
        prb_test_pause();
}

bool step_run(const struct step *step, const struct kubectl *kubectl, const char *name,
        struct prb_str *said, char why[PRB_TEST_WHY_SIZE])
{
    struct prb_test_wait wait =
            prb_test_wait_for(PRB_TEST_SOON_MS, "the answer to: kubectl %s", step->run);

    while (!try(step, kubectl, name, said, why)) {
        (void)prb_test_saw("%s", why);
        if (!step->until)
            return false;
        if (!prb_test_wait_in_time(&wait))
            return fail(why, "%s", prb_test_awaited());
        why[0] = '\0';
        wait_a_little();
    }
    return true;
}

void row_run(const struct row *row, const struct kubectl *kubectl, const char *name,
        struct prb_str *said, char why[PRB_TEST_WHY_SIZE])
{
    char reason[PRB_TEST_WHY_SIZE] = "";

    for (size_t i = 0; i < ROW_STEPS_MAX && row->steps[i].run; i++) {
        if (step_run(&row->steps[i], kubectl, name, said, reason))
            continue;
        (void)fail(why, "step %zu, kubectl %.200s: %.700s", i + 1, row->steps[i].run, reason);
        return;
    }
}
