/* What was concluded about a request, and what is the person told? */

#include "probate/core/verdict.h"

#include <stdarg.h>
#include <stdlib.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "line.h"

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
    free(verdict->override_reason);
    prb_notes_free(verdict->notes, verdict->note_count);
    for (size_t i = 0; i < verdict->cause_count; i++) {
        free(verdict->causes[i].field);
        free(verdict->causes[i].message);
    }
    for (size_t i = 0; i < verdict->warning_count; i++)
        free(verdict->warnings[i]);
    prb_verdict_init(verdict);
}

void prb_forbid(struct prb_verdict *verdict, const char *fmt, ...)
{
    va_list args;

    if (!prb_verdict_allows(verdict))
        return;
    verdict->denial = PRB_DENY_FORBIDDEN;
    va_start(args, fmt);
    verdict->message = prb_line_vformat(MESSAGE_MAX, fmt, args);
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
    verdict->message = prb_line_vformat(MESSAGE_MAX, fmt, args);
    va_end(args);
}

/* "field: what; other.field: what": the message of a denial with several causes. */
static void append_cause(struct prb_verdict *verdict, const struct prb_cause *cause)
{
    prb_auto(prb_str_done) struct prb_str text;

    prb_line_init(&text, MESSAGE_MAX);
    if (verdict->message)
        prb_str_addf(&text, "%s; ", verdict->message);
    prb_str_addf(&text, "%s: %s", cause->field, cause->message);
    free(verdict->message);
    verdict->message = prb_line_take(&text);
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
    *cause = (struct prb_cause){ prb_strdup(field), prb_line_vformat(MESSAGE_MAX, fmt, args) };
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
    text = prb_line_vformat(PRB_WARNING_SIZE, fmt, args);
    va_end(args);
    if (has_room(verdict, text) && !is_told(verdict, text))
        verdict->warnings[verdict->warning_count++] = prb_take(text);
}
