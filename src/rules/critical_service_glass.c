/* What does a break-glass annotation say, and does it count now? */

#include "critical_service_glass.h"

#include <stdlib.h>
#include <string.h>

#include "probate/base/clock.h"
#include "probate/base/mem.h"
#include "probate/model/critical_service.h"

static const char white[] = " \t\r\n";
static const char until[] = "until=";

void prb_glass_done(struct prb_glass *glass)
{
    free(prb_take(glass->reason));
}

/* The text without white space around it; NULL: nothing is left. */
static char *trim(const char *text)
{
    size_t len;

    text += strspn(text, white);
    len = strlen(text);
    while (len > 0 && strchr(white, text[len - 1]))
        len--;
    return len > 0 ? prb_strndup(text, len) : NULL;
}

/* The time up to the next white space; what follows it is *ret_rest. */
static bool read_time(const char *text, int64_t *ret_ms, const char **ret_rest)
{
    size_t len = strcspn(text, white);
    prb_autofree char *time = prb_strndup(text, len);

    *ret_rest = text + len;
    return prb_time_parse(time, ret_ms);
}

static enum prb_glass_state read_value(const char *text, int64_t now_ms, struct prb_glass *ret)
{
    prb_autofree char *value = trim(text);
    const char *rest;

    if (!value)
        return PRB_GLASS_UNREASONED;
    if (!prb_starts_with(value, until))
        return PRB_GLASS_UNDATED;
    if (!read_time(value + strlen(until), &ret->until_ms, &rest))
        return PRB_GLASS_MISDATED;
    if (ret->until_ms <= now_ms)
        return PRB_GLASS_EXPIRED;
    if (ret->until_ms > now_ms + PRB_GLASS_MAX_MS)
        return PRB_GLASS_DISTANT;
    ret->reason = trim(rest);
    return ret->reason ? PRB_GLASS_COUNTS : PRB_GLASS_UNREASONED;
}

bool prb_glass_applies(const struct prb_request *request)
{
    return request->operation == PRB_DELETE ||
           (request->operation == PRB_UPDATE &&
                   prb_streq(request->gvr.group, prb_critical_services.group));
}

static const char *value_of(const struct prb_object *object)
{
    return object ? prb_object_annotation(object, PRB_ANNOTATION_ALLOW_DELETE) : NULL;
}

void prb_glass_read(const struct prb_request *request, int64_t now_ms, struct prb_glass *ret)
{
    bool written = request->operation == PRB_UPDATE;
    const char *stored = value_of(request->old);
    const char *text = written ? value_of(request->object) : stored;

    *ret = (struct prb_glass){ .state = PRB_GLASS_NONE };
    if (!text || !prb_glass_applies(request))
        return;
    ret->state = read_value(text, now_ms, ret);
    if (ret->state == PRB_GLASS_COUNTS && written && prb_streq(text, stored)) {
        ret->state = PRB_GLASS_STORED;
        free(prb_take(ret->reason));
    }
}

void prb_glass_flaw_text(const struct prb_glass *glass, struct prb_str *out)
{
    char time[PRB_TIME_SIZE];

    prb_time_format(glass->until_ms, time);
    switch (glass->state) {
    case PRB_GLASS_NONE:
    case PRB_GLASS_COUNTS:
        break;
    case PRB_GLASS_UNDATED:
        prb_str_add(out, "it has no expiry");
        break;
    case PRB_GLASS_MISDATED:
        prb_str_add(out, "what follows \"until=\" is no RFC 3339 time");
        break;
    case PRB_GLASS_EXPIRED:
        prb_str_addf(out, "it expired at %s", time);
        break;
    case PRB_GLASS_DISTANT:
        prb_str_addf(out, "it expires at %s, which is more than an hour ahead", time);
        break;
    case PRB_GLASS_UNREASONED:
        prb_str_add(out, "it gives no reason");
        break;
    case PRB_GLASS_STORED:
        prb_str_add(out, "it was there before, and must be written with the change itself");
        break;
    }
}

void prb_glass_value_text(int64_t now_ms, struct prb_str *out)
{
    char time[PRB_TIME_SIZE];

    prb_time_format(now_ms + PRB_GLASS_OFFER_MS, time);
    prb_str_addf(out, "%s%s REASON", until, time);
}
