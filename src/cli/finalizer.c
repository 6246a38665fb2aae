/* May a finalizer that a flag names be used? */

#include "finalizer.h"

#include <string.h>

#include "probate/base/clock.h"
#include "probate/base/log.h"

/* Of a qualified name in Kubernetes: a DNS subdomain, and what comes after its slash. */
#define FINALIZER_DOMAIN_MAX 253
#define FINALIZER_NAME_MAX 63

/* As long as a start tries to reach the server (source.c): it has just answered. */
#define LOOK_FOR_MS 10000
#define LOOK_PAUSE_MS 1000

/* As the API server takes it from a qualified name: letters and digits, others only inside. */
static bool is_made_of(const char *text, size_t len, const char *letters, const char *inside)
{
    for (size_t i = 0; i < len; i++) {
        bool at_an_end = i == 0 || i == len - 1;

        if (!strchr(letters, text[i]) && (at_an_end || !strchr(inside, text[i])))
            return false;
    }
    return len > 0;
}

#define LOWER "abcdefghijklmnopqrstuvwxyz0123456789"
#define UPPER "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

static bool is_domain(const char *text, size_t len)
{
    if (len == 0 || len > FINALIZER_DOMAIN_MAX)
        return false;
    for (const char *end = text + len; text <= end; text++) {
        size_t label = strcspn(text, "./");

        if (!is_made_of(text, label, LOWER, "-"))
            return false;
        text += label;
    }
    return true;
}

/*
 * A bare name is refused, though some kinds take it: the API server warns of it, and those that
 * there are ("orphan", "foregroundDeletion") mean something to Kubernetes.
 */
int prb_finalizer_check(
        const char *flag, const char *text, const char *example, struct prb_error *err)
{
    const char *slash = strchr(text, '/');
    size_t len = slash ? strlen(slash + 1) : 0;

    if (slash && is_domain(text, (size_t)(slash - text)) && len <= FINALIZER_NAME_MAX &&
            is_made_of(slash + 1, len, LOWER UPPER, "-_."))
        return 0;
    return prb_fail(err, PRB_E_INVALID,
            "%s: \"%s\" is no name of a finalizer; that is DOMAIN/NAME, such as %s", flag, text,
            example);
}

static int look_until_answered(struct prb_api *api, prb_finalizer_look_fn *look,
        const char *finalizer, struct prb_supervisor *supervisor, struct prb_error *err)
{
    const struct prb_clock *clock = prb_clock_system();
    int64_t last_try_ms = clock->mono_ms(clock) + LOOK_FOR_MS - LOOK_PAUSE_MS;

    for (;;) {
        int r = look(api, finalizer, err);

        if (prb_supervisor_stopping(supervisor))
            return prb_fail(err, PRB_E_CANCELLED, "stopped during the start");
        if (r == PRB_E_CANCELLED) /* the time was up during the call */
            return prb_fail(err, PRB_E_IO, "no answer within %d s", LOOK_FOR_MS / 1000);
        if (!prb_errc_is_transient(r) || clock->mono_ms(clock) >= last_try_ms)
            return r;
        prb_warn("no answer yet, trying again", KV("error", err->msg));
        (void)prb_supervisor_wait(supervisor, LOOK_PAUSE_MS);
    }
}

int prb_finalizer_settle(struct prb_api *api, prb_finalizer_look_fn *look, const char *finalizer,
        const char *flag, struct prb_supervisor *supervisor, struct prb_error *err)
{
    int r;

    prb_supervisor_limit(supervisor, api, LOOK_FOR_MS, true);
    r = look_until_answered(api, look, finalizer, supervisor, err);
    prb_supervisor_limit(supervisor, NULL, 0, false);
    if (r < 0 && r != PRB_E_CANCELLED)
        return prb_wrap(err, "%s", flag);
    return r;
}
