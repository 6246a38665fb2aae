/* What was concluded about a request, and what is the person told? */

#include "probate/core/verdict.h"

#include <stdarg.h>
#include <stdlib.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

/* A denial names at most five objects of 253 bytes each and two sentences; causes add theirs. */
#define MESSAGE_MAX 4096

/* What ends a text that was cut. */
#define DOTS "..."

void prb_verdict_init(struct prb_verdict *verdict)
{
    *verdict = (struct prb_verdict){ .denial = PRB_DENY_NOT };
}

void prb_verdict_done(struct prb_verdict *verdict)
{
    free(verdict->message);
    free(verdict->audited);
    for (size_t i = 0; i < verdict->cause_count; i++) {
        free(verdict->causes[i].field);
        free(verdict->causes[i].message);
    }
    for (size_t i = 0; i < verdict->warning_count; i++)
        free(verdict->warnings[i]);
    prb_verdict_init(verdict);
}

/* Bytes of the control character at `at`, 0 if it is none: U+0080 to U+009F have two. */
static size_t control_length(const char *at)
{
    unsigned char first = (unsigned char)at[0], second = (unsigned char)at[1];

    if (first < 0x20 || first == 0x7f)
        return 1;
    return first == 0xc2 && second >= 0x80 && second <= 0x9f ? 2 : 0;
}

/*
 * Names and values come from whoever wrote the object. The API server drops a warning with a
 * control character or broken UTF-8 without a word, and a terminal obeys one in a denial.
 */
static void make_deliverable(char *text)
{
    bool valid = prb_utf8_valid(text, strlen(text));

    for (char *c = text; *c; c++) {
        memset(c, ' ', control_length(c));
        if (!valid && (unsigned char)*c >= 0x80)
            *c = '?';
    }
}

/* The text, ending in dots when it was cut; `text` must have been made with room for them. */
static char *take_line(struct prb_str *text)
{
    if (text->cut) {
        text->max += strlen(DOTS);
        text->cut = false;
        prb_str_add(text, DOTS);
    }
    return prb_str_take(text);
}

/* One deliverable line of less than `size` bytes. */
__attribute__((format(printf, 2, 0))) static char *format(
        size_t size, const char *fmt, va_list args)
{
    prb_auto(prb_str_done) struct prb_str text;
    char *line;

    prb_str_init(&text, size - sizeof(DOTS));
    prb_str_vaddf(&text, fmt, args);
    line = take_line(&text);
    make_deliverable(line);
    return line;
}

void prb_forbid(struct prb_verdict *verdict, const char *fmt, ...)
{
    va_list args;

    if (!prb_verdict_allows(verdict))
        return;
    verdict->denial = PRB_DENY_FORBIDDEN;
    va_start(args, fmt);
    verdict->message = format(MESSAGE_MAX, fmt, args);
    va_end(args);
}

void prb_unverified(struct prb_verdict *verdict, int seconds, const char *fmt, ...)
{
    va_list args;

    if (!prb_verdict_allows(verdict))
        return;
    verdict->denial = PRB_DENY_UNAVAILABLE;
    verdict->retry_after_s = seconds;
    va_start(args, fmt);
    verdict->message = format(MESSAGE_MAX, fmt, args);
    va_end(args);
}

/* "field: what; other.field: what": the message of a denial with several causes. */
static void append_cause(struct prb_verdict *verdict, const struct prb_cause *cause)
{
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, MESSAGE_MAX - sizeof(DOTS));
    if (verdict->message)
        prb_str_addf(&text, "%s; ", verdict->message);
    prb_str_addf(&text, "%s: %s", cause->field, cause->message);
    free(verdict->message);
    verdict->message = take_line(&text);
}

void prb_invalid(struct prb_verdict *verdict, const char *field, const char *fmt, ...)
{
    struct prb_cause *cause = &verdict->causes[verdict->cause_count];
    va_list args;

    if (verdict->denial != PRB_DENY_NOT && verdict->denial != PRB_DENY_INVALID)
        return;
    verdict->denial = PRB_DENY_INVALID;
    if (verdict->cause_count == PRB_CAUSES_MAX)
        return;
    va_start(args, fmt);
    *cause = (struct prb_cause){ prb_strdup(field), format(MESSAGE_MAX, fmt, args) };
    va_end(args);
    verdict->cause_count++;
    append_cause(verdict, cause);
}

static bool is_told(const struct prb_verdict *verdict, const char *text)
{
    for (size_t i = 0; i < verdict->warning_count; i++) {
        if (prb_streq(verdict->warnings[i], text))
            return true;
    }
    return false;
}

static bool has_room(const struct prb_verdict *verdict, const char *text)
{
    size_t total = strlen(text);

    for (size_t i = 0; i < verdict->warning_count; i++)
        total += strlen(verdict->warnings[i]);
    return verdict->warning_count < PRB_WARNINGS_MAX && total <= PRB_WARNINGS_TOTAL;
}

void prb_caution(struct prb_verdict *verdict, const char *fmt, ...)
{
    prb_autofree char *text = NULL;
    va_list args;

    va_start(args, fmt);
    text = format(PRB_WARNING_SIZE, fmt, args);
    va_end(args);
    if (has_room(verdict, text) && !is_told(verdict, text))
        verdict->warnings[verdict->warning_count++] = prb_take(text);
}
