/*
 * What does `probate remove` wait for?
 *
 * Each thing that stays has a line on stderr: at once, again when its reason changes, and again
 * from time to time as long as it stays. The last words of a run that gives up name all of them.
 */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probate/base/clock.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "remove.h"

#define AGAIN_MS 15000

/* A reason: a name and the message of an API server, cut to what fits a line. */
#define TEXT_MAX 2048

/* The last words: a line for a person, and not a page. */
#define NAMED_MAX 5
#define LAST_WORDS_MAX ((size_t)(NAMED_MAX + 1) * (TEXT_MAX + 64))

/* One thing that is or was waited for. */
struct thing {
    char *text; /* owned: why */
    int64_t said_ms;
    unsigned round; /* in which it was met last */
    size_t number;  /* in the order in which they were met */
};

static void thing_free(void *value)
{
    struct thing *thing = value;

    free(thing->text);
    free(thing);
}

static struct prb_map *ensure(struct prb_map **map, prb_map_free_fn free_value)
{
    if (!*map)
        *map = prb_map_new(free_value);
    return *map;
}

static struct thing *ensure_thing(struct prb_remove_waits *waits, const char *what)
{
    struct prb_map *known = ensure(&waits->known, thing_free);
    struct thing *thing = prb_map_find(known, what);

    if (!thing) {
        thing = prb_calloc(1, sizeof(*thing));
        thing->number = waits->next++;
        prb_map_set(known, what, thing);
    }
    return thing;
}

/* Once it is said, again only when it is another text or much later. */
static bool is_news(const struct prb_removal *removal, const struct thing *thing, const char *text,
        int64_t now_ms)
{
    int64_t again_ms = removal->waits.again_ms ? removal->waits.again_ms : AGAIN_MS;

    return !thing->text || !prb_streq(thing->text, text) || now_ms - thing->said_ms >= again_ms;
}

void prb_remove_wait_for(struct prb_removal *removal, const char *what, const char *fmt, ...)
{
    const struct prb_clock *clock = prb_clock_system();
    int64_t now_ms = clock->mono_ms(clock);
    FILE *out = removal->waits.out ? removal->waits.out : stderr;
    struct thing *thing = ensure_thing(&removal->waits, what);
    char text[TEXT_MAX];
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    thing->round = removal->waits.round;
    if (!is_news(removal, thing, text, now_ms))
        return;
    free(thing->text);
    thing->text = prb_strdup(text);
    thing->said_ms = now_ms;
    (void)fprintf(out, "waiting for %s: %s\n", what, text);
    (void)fflush(out);
}

void prb_remove_wait_over(struct prb_removal *removal, const char *what)
{
    if (removal->waits.known)
        (void)prb_map_remove(removal->waits.known, what);
}

void prb_remove_round_begin(struct prb_removal *removal)
{
    removal->waits.round++;
    removal->waits.whole = false;
}

void prb_remove_round_end(struct prb_removal *removal)
{
    removal->waits.whole = prb_remove_goes_on(removal);
}

void prb_remove_waits_done(struct prb_removal *removal)
{
    prb_map_free(prb_take(removal->waits.known));
    prb_map_free(prb_take(removal->waits.taken));
}

static bool is_waited_for(const struct prb_remove_waits *waits, const struct thing *thing)
{
    return thing->round == waits->round || (!waits->whole && thing->round + 1 == waits->round);
}

/* The first thing with this number or above that is waited for, with its name; NULL: none. */
static const struct thing *find_from(
        const struct prb_remove_waits *waits, size_t number, const char **ret_name)
{
    const struct thing *first = NULL;
    const char *name;
    size_t at = 0;
    void *value;

    while (waits->known && prb_map_next(waits->known, &at, &name, &value)) {
        const struct thing *thing = value;

        if (thing->number < number || !is_waited_for(waits, thing) ||
                (first && first->number < thing->number))
            continue;
        first = thing;
        *ret_name = name;
    }
    return first;
}

static size_t count_waited_for(const struct prb_remove_waits *waits)
{
    size_t at = 0, count = 0;
    const char *name;
    void *value;

    while (waits->known && prb_map_next(waits->known, &at, &name, &value))
        count += is_waited_for(waits, value);
    return count;
}

char *prb_remove_last_words(struct prb_removal *removal)
{
    const struct prb_remove_waits *waits = &removal->waits;
    const char *why = prb_supervisor_stopping(removal->supervisor) ? "it was told to stop"
                      : prb_remove_goes_on(removal)                ? "it cannot be done"
                                                                   : "the time is up";
    size_t count = count_waited_for(waits), number = 0;
    prb_auto(prb_str_done) struct prb_str out;
    const char *name = NULL;

    prb_str_init(&out, LAST_WORDS_MAX);
    prb_str_add(&out, why);
    if (count == 0)
        prb_str_add(&out, " before the last look was finished");
    for (size_t i = 0; i < count && i < NAMED_MAX; i++) {
        const struct thing *thing = find_from(waits, number, &name);

        if (!thing)
            break;
        prb_str_addf(&out, "%s%s: %s", i == 0 ? ", still waiting for " : "; ", name, thing->text);
        number = thing->number + 1;
    }
    if (count > NAMED_MAX)
        prb_str_addf(&out, "; and %zu more", count - NAMED_MAX);
    return prb_str_take(&out);
}

/* The program that wrote the object last, as the API server noted it; NULL: it did not. */
static const char *last_writer(const struct prb_object *object)
{
    const struct json_object *entries = prb_json_arr(prb_object_metadata(object), "managedFields");
    const char *newest = "", *manager = NULL;

    for (size_t i = 0; i < prb_json_len(entries); i++) {
        const struct json_object *entry = prb_json_elem(entries, i);
        const char *time = prb_json_str(entry, "time");

        /* RFC 3339 in UTC, always of the same length: the order of time is that of the letters. */
        if (prb_json_str(entry, "manager") && strcmp(time ? time : "", newest) >= 0) {
            newest = time ? time : "";
            manager = prb_json_str(entry, "manager");
        }
    }
    return manager;
}

void prb_remove_took(struct prb_removal *removal, const struct prb_object *object, const char *name,
        const char *what)
{
    struct prb_map *taken = ensure(&removal->waits.taken, NULL);
    /* Without the remark in parentheses, which may be another when it is put back. */
    const char *remark = strstr(what, " (");
    prb_autofree char *key =
            prb_asprintf("%s %.*s", name, remark ? (int)(remark - what) : (int)strlen(what), what);
    const char *writer = last_writer(object);

    removal->done++;
    prb_remove_wait_over(removal, name);
    if (removal->dry_run)
        return;
    if (prb_map_find(taken, key))
        prb_remove_wait_for(removal, name, "%s was put back%s%s; end the program that does it",
                what, writer ? ", and the last to write the object was " : "",
                writer ? writer : "");
    prb_map_set(taken, key, removal);
}
