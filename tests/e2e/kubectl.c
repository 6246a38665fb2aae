/* What does kubectl say? */

#include "kubectl.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "probate/base/clock.h"
#include "probate/base/file.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "support/process.h"
#include "support/temp_dir.h"

/* Twenty clusters and works in one command are the most; what kubectl prints of an error is a few
 * KB. */
#define TEXT_MAX ((size_t)256 * 1024)

/* Long enough for a slow machine, and within the hour that break-glass may have. */
#define SOON_MS (30 * 60 * 1000)

/* Words of a command, and what every command gets. */
#define WORDS_MAX 48

/* With this much it also prints the calls that it made, and mostly the Status that it got. */
#define VERBOSITY "-v=6"
#define CALL "\"Response\" "
#define CODE " status=\""
#define STATUS_BEGIN "server response object: %s["
#define STATUS_END "\n}]\n"

void kubectl_init(struct kubectl *kubectl)
{
    const char *program = getenv("PROBATE_KUBECTL"); /* NOLINT(concurrency-mt-unsafe) */

    *kubectl = (struct kubectl){ .program = program && *program ? program : "kubectl",
        .dir = prb_test_temp_dir() };
}

void kubectl_done(struct kubectl *kubectl)
{
    prb_test_temp_dir_remove(prb_take(kubectl->dir));
}

char *kubectl_expand(const char *text, const char *name)
{
    prb_auto(prb_str_done) struct prb_str out;
    char soon[PRB_TIME_SIZE];

    prb_time_format(prb_clock_system()->wall_ms(prb_clock_system()) + SOON_MS, soon);
    prb_str_init(&out, TEXT_MAX);
    for (; *text; text++) {
        if (prb_starts_with(text, "@@")) {
            prb_str_addc(&out, *text++);
        } else if (*text == '@') {
            prb_str_add(&out, name);
        } else if (prb_starts_with(text, KUBECTL_SOON)) {
            prb_str_add(&out, soon);
            text += strlen(KUBECTL_SOON) - 1;
        } else {
            prb_str_addc(&out, *text == '\'' ? '"' : *text);
        }
    }
    return prb_str_take(&out);
}

/* "I0102 15:04:05.000000 ...": a line of kubectl's own log. */
static bool is_log(const char *line)
{
    for (int i = 1; i <= 4; i++) {
        if (!isdigit((unsigned char)line[i]))
            return false;
    }
    return strchr("IWEF", line[0]) && line[5] == ' ';
}

/* Cut the first Status out of the output, and the line that it begins in; NULL: there is none. */
static struct json_object *cut_status(char *output)
{
    char *begin = strstr(output, STATUS_BEGIN), *end = begin ? strstr(begin, STATUS_END) : NULL;
    struct json_object *status = NULL;
    struct prb_error err;
    char *json;

    if (!end)
        return NULL;
    json = begin + strlen(STATUS_BEGIN);
    (void)prb_json_parse(json, (size_t)(end + 2 - json), NULL, &status, &err);
    end += strlen(STATUS_END) - 1;
    memmove(begin, end, strlen(end) + 1);
    return status;
}

/* The first of all; a command on several objects may have several. */
static struct json_object *take_status(char *output)
{
    struct json_object *first = cut_status(output), *other;

    while ((other = cut_status(output)) != NULL)
        prb_json_free(other);
    return first;
}

/* The last code of the calls that is no success. */
static int find_code(const char *output)
{
    int found = 0;

    while ((output = strstr(output, CALL)) != NULL) {
        const char *code = strstr(output, CODE);
        int64_t number;
        char digits[4];

        (void)snprintf(digits, sizeof(digits), "%.3s", code ? code + strlen(CODE) : "");
        if (prb_parse_int(digits, 400, 599, &number))
            found = (int)number;
        output += strlen(CALL);
    }
    return found;
}

static char *without_log(const char *output)
{
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, TEXT_MAX);
    while (*output) {
        size_t len = strcspn(output, "\n");

        len += output[len] == '\n';
        if (!is_log(output))
            prb_str_addn(&text, output, len);
        output += len;
    }
    return prb_str_take(&text);
}

static void run(const char *const *argv, struct kubectl_answer *ret)
{
    prb_autofree char *output = prb_calloc(1, TEXT_MAX);

    /* A line break more, which prb_test_run takes off the end. */
    ret->exit = prb_test_run(&(struct prb_test_command){ .argv = argv }, output, TEXT_MAX - 1);
    output[strlen(output)] = '\n';
    ret->code = find_code(output);
    ret->status = take_status(output);
    ret->text = without_log(output);
}

/* Manifests go by a file: what is on stdin has no name in what kubectl says. */
static char *write_input(const struct kubectl *kubectl, const char *name, const char *input)
{
    prb_autofree char *text = kubectl_expand(input, name);
    char file[PRB_TEST_NAME_SIZE];
    char *path;
    struct prb_error err;

    prb_test_unique_name("input", file);
    path = prb_asprintf("%s/%s.json", kubectl->dir, file);
    (void)prb_file_write(path, text, strlen(text), 0600, &err);
    return path;
}

void kubectl_run(const struct kubectl *kubectl, const char *name, const char *command,
        const char *input, struct kubectl_answer *ret)
{
    prb_autofree char *words = kubectl_expand(command, name);
    prb_autofree char *cache = prb_asprintf("%s/cache", kubectl->dir);
    prb_autofree char *path = input ? write_input(kubectl, name, input) : NULL;
    const char *argv[WORDS_MAX] = { "sh", "-c", "exec \"$@\" 2>&1", "sh", kubectl->program,
        "--kubeconfig", kubectl->kubeconfig, "--cache-dir", cache, VERBOSITY };
    char *at = words, *word;
    size_t count = 0;

    while (argv[count])
        count++;
    if (!input && !strstr(command, " -f ")) {
        argv[count++] = "-n";
        argv[count++] = name;
    }
    while ((word = strsep(&at, " ")) != NULL && count < WORDS_MAX - 4)
        argv[count++] = word;
    if (path) {
        argv[count++] = "-f";
        argv[count++] = path;
        /* It is the API server's answer that is wanted, not kubectl's own opinion. */
        argv[count++] = "--validate=false";
    }
    run(argv, ret);
    if (path)
        (void)unlink(path);
}

void kubectl_answer_done(struct kubectl_answer *answer)
{
    free(prb_take(answer->text));
    prb_json_free(prb_take(answer->status));
}
