#ifndef SRC_CONTROL_ECHO_H
#define SRC_CONTROL_ECHO_H

/*
 * Does the cache show by now what the last pass over a key has written?
 *
 * Who decides on what it has itself written over says the same again: calls that change nothing, or
 * are refused as conflicts, and the more of them the longer the server takes to tell of changes,
 * which is when it has the most to do. So it is noted which versions a pass has written over, or
 * was told are old; as long as the cache shows one of these, its news is still to come, and a pass
 * would be in vain.
 *
 * Belongs to one thread; what it leaves for the next pass is a tree, for a prb_memory.
 */

#include "probate/base/cleanup.h"
#include "probate/base/json.h"
#include "probate/core/changes.h"
#include "probate/model/view.h"

/* So long the cache may be behind: most news takes milliseconds, a list that is under way or a
 * storm of changes some seconds. Then what it shows is believed, for versions may come back with a
 * backup. */
#define PRB_ECHO_WAIT_MS 5000

/* So long after a refusal alone: a webhook may answer with 409 as well, and then nothing is to
 * come. */
#define PRB_ECHO_REFUSED_WAIT_MS 500

struct prb_echo {
    struct json_object *seen; /* owned: ref -> the version that was decided on */
    struct json_object *last; /* owned: ref -> the version that the last write left */
    struct json_object *old;  /* owned: ref -> which versions are old, and how long to wait */
};

void prb_echo_init(struct prb_echo *echo);
void prb_echo_done(struct prb_echo *echo);
static inline void prb_echo_donep(struct prb_echo *echo)
{
    prb_echo_done(echo);
}

/* These changes were decided on this view. */
void prb_echo_see(
        struct prb_echo *echo, const struct prb_view *view, const struct prb_changes *changes);

/* prb_apply_options.told, of those; `ctx` is the echo. */
void prb_echo_hear(void *ctx, const struct prb_change *change, int code, const char *version);

/* What is to be waited for; NULL: nothing. Owned. */
struct json_object *prb_echo_take(struct prb_echo *echo, int64_t mono_ms);

/* Is the cache behind such a tree (NULL: none)? For how long to wait then, at most; 0: no. */
int64_t prb_echo_wait_ms(
        const struct json_object *tree, const struct prb_view *view, int64_t mono_ms);

#endif
