/* When is a denial written, and what if it cannot be? */

#include "probate/base/log.h"

#include "notes_internal.h"
#include "text.h"

/* Tries while the server is away or others write the guard: 0.5 s, doubled each time, is about half
 * a minute in all. */
#define TRIES_MAX 7
#define RETRY_MIN_MS 500

/* Which one is due first? NULL: none is there. Lock held. */
static const char *first_due(const struct prb_notes *notes, int64_t *ret_due_ms)
{
    const char *key, *first = NULL;
    size_t at = 0;
    void *value;

    while (prb_map_next(notes->denials, &at, &key, &value)) {
        const struct prb_noted_denial *denial = value;

        if (first && denial->due_ms >= *ret_due_ms)
            continue;
        first = key;
        *ret_due_ms = denial->due_ms;
    }
    return first;
}

/* Wait for the next denial to write; NULL: the end. */
static struct prb_noted_denial *next_denial(struct prb_notes *notes)
{
    PRB_HOLD(&notes->waker);

    for (;;) {
        int64_t due_ms = PRB_WAKER_NEVER, now_ms = prb_waker_now(&notes->waker);
        const char *key = first_due(notes, &due_ms);

        if (notes->stop && (!key || now_ms >= notes->stop_ms))
            return NULL;
        if (key && (notes->stop || now_ms >= due_ms))
            return prb_map_take(notes->denials, key);
        prb_waker_wait(&notes->waker, due_ms);
    }
}

/* It is over with this one: written or not, the guard is left alone for a while. */
static void set_pace(struct prb_notes *notes, const struct prb_noted_denial *denial)
{
    PRB_HOLD(&notes->waker);
    int64_t now_ms = prb_waker_now(&notes->waker);
    struct prb_noted_denial *newer;
    char key[PRB_REF_TEXT_SIZE];

    prb_ref_format(&denial->guard, key);
    prb_notes_set_pace(notes->written, key, now_ms);
    newer = prb_map_find(notes->denials, key);
    if (newer)
        newer->due_ms = now_ms + PRB_NOTES_PACE_MS;
}

/* False: this was the last try. */
static bool put_back(
        struct prb_notes *notes, struct prb_noted_denial **denial, const struct prb_error *why)
{
    PRB_HOLD(&notes->waker);
    int64_t delay_ms = (int64_t)RETRY_MIN_MS << (*denial)->tries;
    struct prb_noted_denial *newer;
    char key[PRB_REF_TEXT_SIZE];

    if (!prb_errc_is_transient(why->code) || notes->stop || (*denial)->tries + 1 == TRIES_MAX)
        return false;
    if (delay_ms < why->retry_after_ms)
        delay_ms = why->retry_after_ms;
    prb_ref_format(&(*denial)->guard, key);
    newer = prb_map_find(notes->denials, key);
    if (!newer) {
        newer = prb_take(*denial);
        prb_map_set(notes->denials, key, newer);
    } else {
        newer->tries = (*denial)->tries;
        prb_notes_count("replaced");
    }
    newer->tries++;
    newer->due_ms = prb_waker_after(&notes->waker, delay_ms);
    return true;
}

static void drop_for(
        struct prb_notes *notes, const struct prb_noted_denial *denial, const struct prb_error *why)
{
    char text[sizeof(notes->said)];

    prb_notes_count("dropped_error");
    prb_text_copy(text, sizeof(text), why->msg);
    if (prb_text_says_same(notes->said, text))
        return;
    prb_text_copy(notes->said, sizeof(notes->said), text);
    prb_warn("denial not written into the status", KV("resource", denial->guard.gvr.resource),
            KV("name", denial->guard.name), KV("error", why->msg));
}

/* What became of it; `why` NULL: it was written. */
static void tell_end(
        struct prb_notes *notes, const struct prb_noted_denial *denial, const struct prb_error *why)
{
    if (why && why->code != PRB_E_NOTFOUND) {
        drop_for(notes, denial, why);
        return;
    }
    notes->said[0] = '\0';
    prb_notes_count(why ? "gone" : "written");
}

void *prb_notes_writer(void *arg)
{
    struct prb_notes *notes = arg;

    for (;;) {
        prb_auto(prb_noted_denial_free) struct prb_noted_denial *denial = next_denial(notes);
        struct prb_error err;
        int r;

        if (!denial)
            return NULL;
        r = prb_noted_denial_write(notes->api, denial, &err);
        if (r < 0 && r != PRB_E_NOTFOUND && put_back(notes, &denial, &err))
            continue;
        set_pace(notes, denial);
        tell_end(notes, denial, r < 0 ? &err : NULL);
    }
}
