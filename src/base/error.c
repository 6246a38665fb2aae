/* How is a failure written down: code, message, context in front of it. */

#include "probate/base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char cut_mark[] = "...";

/* vsnprintf that ends a message it had to cut with "...", and never inside a UTF-8 sequence. */
__attribute__((format(printf, 2, 0))) static void format_message(
        char msg[PRB_ERROR_MSG_MAX], const char *fmt, va_list args)
{
    int len = vsnprintf(msg, PRB_ERROR_MSG_MAX, fmt, args);
    size_t end = PRB_ERROR_MSG_MAX - sizeof(cut_mark);

    if (len < 0) {
        msg[0] = '\0';
        return;
    }
    if (len < PRB_ERROR_MSG_MAX)
        return;

    while (end > 0 && ((unsigned char)msg[end] & 0xC0) == 0x80)
        end--;
    memcpy(msg + end, cut_mark, sizeof(cut_mark));
}

int prb_fail(struct prb_error *err, enum prb_errc code, const char *fmt, ...)
{
    char msg[PRB_ERROR_MSG_MAX]; /* the arguments may point into err->msg */
    va_list args;

    va_start(args, fmt);
    format_message(msg, fmt, args);
    va_end(args);

    err->code = code;
    err->status = 0;
    err->retry_after_ms = 0;
    err->reason[0] = '\0';
    memcpy(err->msg, msg, strlen(msg) + 1);
    return code;
}

__attribute__((format(printf, 2, 3))) static void format_into(char *msg, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    format_message(msg, fmt, args);
    va_end(args);
}

int prb_wrap(struct prb_error *err, const char *fmt, ...)
{
    char doing[PRB_ERROR_MSG_MAX];
    char msg[PRB_ERROR_MSG_MAX];
    va_list args;

    va_start(args, fmt);
    format_message(doing, fmt, args);
    va_end(args);

    format_into(msg, "%s: %s", doing, err->msg);
    memcpy(err->msg, msg, strlen(msg) + 1);
    return err->code;
}

const char *prb_errc_name(enum prb_errc code)
{
    static const char *const names[] = {
        [-PRB_OK] = "ok",
        [-PRB_E_INVALID] = "invalid",
        [-PRB_E_NOTFOUND] = "notfound",
        [-PRB_E_EXISTS] = "exists",
        [-PRB_E_CONFLICT] = "conflict",
        [-PRB_E_GONE] = "gone",
        [-PRB_E_UNAUTHORIZED] = "unauthorized",
        [-PRB_E_FORBIDDEN] = "forbidden",
        [-PRB_E_UNSUPPORTED] = "unsupported",
        [-PRB_E_THROTTLED] = "throttled",
        [-PRB_E_UNAVAILABLE] = "unavailable",
        [-PRB_E_IO] = "io",
        [-PRB_E_CANCELLED] = "cancelled",
        [-PRB_E_INTERNAL] = "internal",
    };
    int at = -(int)code;

    if (at < 0 || at >= (int)(sizeof(names) / sizeof(names[0])))
        return "unknown";
    return names[at];
}

bool prb_errc_is_transient(enum prb_errc code)
{
    switch (code) {
    case PRB_E_CONFLICT:
    case PRB_E_GONE:
    case PRB_E_THROTTLED:
    case PRB_E_UNAVAILABLE:
    case PRB_E_IO:
        return true;
    case PRB_OK:
    case PRB_E_INVALID:
    case PRB_E_NOTFOUND:
    case PRB_E_EXISTS:
    case PRB_E_UNAUTHORIZED:
    case PRB_E_FORBIDDEN:
    case PRB_E_UNSUPPORTED:
    case PRB_E_CANCELLED:
    case PRB_E_INTERNAL:
        return false;
    }
    return false;
}
