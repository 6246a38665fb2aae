/* What does the text given to a flag mean, and if nothing, what would have been right? */

#include <inttypes.h>
#include <string.h>

#include "probate/base/clock.h"
#include "probate/cli/flags.h"

static int set_int(
        const struct prb_flag *flag, const char *text, int64_t *target, struct prb_error *err)
{
    if (prb_parse_int(text, flag->min, flag->max, target))
        return 0;
    return prb_fail(err, PRB_E_INVALID, "\"%s\" is not a whole number from %" PRId64 " to %" PRId64,
            text, flag->min, flag->max);
}

static int set_duration(
        const struct prb_flag *flag, const char *text, int64_t *target, struct prb_error *err)
{
    char min[PRB_TIME_SIZE], max[PRB_TIME_SIZE];
    int64_t ms;

    if (prb_parse_duration(text, &ms) && ms >= flag->min && ms <= flag->max) {
        *target = ms;
        return 0;
    }
    prb_duration_format(flag->min, min);
    prb_duration_format(flag->max, max);
    return prb_fail(err, PRB_E_INVALID,
            "\"%s\" is not a length of time from %s to %s, such as 15s or 1m30s", text, min, max);
}

static int set_switch(const char *text, int *target, struct prb_error *err)
{
    bool on = prb_streq(text, "true");

    if (!on && !prb_streq(text, "false"))
        return prb_fail(err, PRB_E_INVALID, "\"%s\" is neither true nor false", text);
    *target = on;
    return 0;
}

static int set_enum(
        const struct prb_flag *flag, const char *text, int *target, struct prb_error *err)
{
    prb_auto(prb_str_done) struct prb_str known;

    prb_str_init(&known, PRB_ERROR_MSG_MAX);
    for (int i = 0; flag->choices[i]; i++) {
        if (prb_streq(text, flag->choices[i])) {
            *target = i;
            return 0;
        }
        prb_str_addf(&known, "%s%s", i > 0 ? ", " : "", flag->choices[i]);
    }
    return prb_fail(err, PRB_E_INVALID, "\"%s\" is none of %s", text, prb_str_get(&known));
}

static int set_address(const char *text, struct prb_address *target, struct prb_error *err)
{
    if (prb_address_parse(text, target))
        return 0;
    return prb_fail(err, PRB_E_INVALID,
            "\"%s\" is no address to listen on, such as 127.0.0.1:8081, [::1]:8081 or :8081", text);
}

static int set_list(const char *text, struct prb_list *target, struct prb_error *err)
{
    for (const char *at = text;; at++) {
        size_t len = strcspn(at, ",");

        if (len == 0)
            return prb_fail(err, PRB_E_INVALID, "\"%s\" has an empty entry", text);
        prb_list_add(target, at, len);
        at += len;
        if (*at == '\0')
            return 0;
    }
}

int prb_flag_set(
        const struct prb_flag *flag, const char *text, void *options, struct prb_error *err)
{
    void *target = (char *)options + flag->at;

    if (text[0] == '\0')
        return prb_fail(err, PRB_E_INVALID, "the value is empty");
    switch (flag->type) {
    case PRB_FLAG_TEXT:
        *(const char **)target = text;
        return 0;
    case PRB_FLAG_INT:
        return set_int(flag, text, target, err);
    case PRB_FLAG_DURATION:
        return set_duration(flag, text, target, err);
    case PRB_FLAG_SWITCH:
        return set_switch(text, target, err);
    case PRB_FLAG_ENUM:
        return set_enum(flag, text, target, err);
    case PRB_FLAG_ADDRESS:
        return set_address(text, target, err);
    case PRB_FLAG_LIST:
        return set_list(text, target, err);
    }
    return prb_fail(err, PRB_E_INTERNAL, "flag of no known type");
}
