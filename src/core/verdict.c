/* What was concluded about a request, and what is the person told? */

#include "probate/core/verdict.h"

#include <stdarg.h>
#include <stdlib.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

/* A denial names at most five objects of 253 bytes each and two sentences; causes add theirs. */
#define MESSAGE_MAX 4096

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

__attribute__((format(printf, 2, 0))) static char *format(size_t max, const char *fmt, va_list args)
{
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, max);
    prb_str_vaddf(&text, fmt, args);
    return prb_str_take(&text);
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

/* "field: what, and other.field: what": the message of a denial with several causes. */
static void append_cause(struct prb_verdict *verdict, const struct prb_cause *cause)
{
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, MESSAGE_MAX);
    if (verdict->message)
        prb_str_addf(&text, "%s; ", verdict->message);
    prb_str_addf(&text, "%s: %s", cause->field, cause->message);
    free(verdict->message);
    verdict->message = prb_str_take(&text);
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

/* The longest beginning of at most `max` bytes that does not end inside a character. */
static size_t cut_at_character(const char *text, size_t max)
{
    size_t len = strlen(text);

    if (len <= max)
        return len;
    while (max > 0 && ((unsigned char)text[max] & 0xc0) == 0x80)
        max--;
    return max;
}

/* The API server drops a warning with a control character or broken UTF-8 without a word. */
static void make_deliverable(char *text)
{
    text[cut_at_character(text, PRB_WARNING_SIZE - 1)] = '\0';
    for (char *c = text; *c; c++) {
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            *c = ' ';
    }
    if (prb_utf8_valid(text, strlen(text)))
        return;
    for (char *c = text; *c; c++) {
        if ((unsigned char)*c >= 0x80)
            *c = '?';
    }
}

static bool is_told(const struct prb_verdict *verdict, const char *text)
{
    for (size_t i = 0; i < verdict->warning_count; i++) {
        if (prb_streq(verdict->warnings[i], text))
            return true;
    }
    return false;
}

void prb_caution(struct prb_verdict *verdict, const char *fmt, ...)
{
    prb_autofree char *text = NULL;
    va_list args;

    if (verdict->warning_count == PRB_WARNINGS_MAX)
        return;
    va_start(args, fmt);
    text = format(MESSAGE_MAX, fmt, args);
    va_end(args);
    make_deliverable(text);
    if (!is_told(verdict, text))
        verdict->warnings[verdict->warning_count++] = prb_take(text);
}
