/* Is what a template says there? */

#include "policy_match.h"

#include <stdlib.h>
#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/model/policy_compare.h"

/* ---- single values ---- */

static bool is_container(const struct json_object *value)
{
    return json_object_is_type(value, json_type_object) ||
           json_object_is_type(value, json_type_array);
}

/* What an absent member means to most kinds. */
static bool is_zero(const struct json_object *wanted)
{
    if (json_object_is_type(wanted, json_type_boolean))
        return !json_object_get_boolean(wanted);
    if (json_object_is_type(wanted, json_type_int))
        return json_object_get_int64(wanted) == 0;
    return false;
}

static char *printed(const struct json_object *value)
{
    const char *text = prb_json_string(value);

    return text ? prb_strdup(text) : prb_json_text(value, false);
}

static bool scalar_is_there(
        const struct json_object *live, const struct json_object *wanted, enum prb_texts texts)
{
    prb_autofree char *one = NULL, *other = NULL;

    if (!live)
        return is_zero(wanted);
    if (is_container(live))
        return false;
    one = printed(live);
    other = printed(wanted);
    if (prb_streq(one, other))
        return true;
    return texts == PRB_TEXTS_AS_VALUES && prb_json_string(live) && prb_json_string(wanted) &&
           prb_quantity_equal(one, other);
}

/* ---- maps ---- */

static bool map_is_there(
        const struct json_object *live, const struct json_object *wanted, enum prb_texts texts)
{
    struct json_object_iterator at;
    struct json_object *value;
    bool started = false;
    const char *key;

    if (live && !json_object_is_type(live, json_type_object))
        return false;
    while (prb_json_next(wanted, &at, &started, &key, &value)) {
        if (!prb_policy_has(prb_json_find(live, key), value, texts))
            return false;
    }
    return true;
}

/* ---- lists ---- */

/* An element may fit several of which another needs one: taken in any order the last may find none
 * although there is a way. So who has one gives it up if it finds another (augmenting paths). */
struct pairing {
    const struct json_object *live, *wanted;
    enum prb_texts texts;
    size_t *of_wanted; /* the caller's */
    size_t *of_live;   /* owned: PRB_NOWHERE: free */
    bool *tried;       /* owned: in this search */
    char *fits;        /* owned: YES, NO, or 0: not known; of each pair, once pushing begins */
    bool in_order;     /* too long for anything else */
};

/* Recursion is as deep as `wanted` is long. Past this many nobody gives up anything: lists of that
 * length are data, and their elements differ. How long the list is that is there must not matter:
 * what is added to it would be added again and again. */
#define GIVING_UP_MAX 256

/* The work grows with the square: two lists of this length take some milliseconds. Longer ones are
 * compared element by element, in their order. */
#define ANY_ORDER_MAX 2000

enum { YES = 1, NO };

/* Pushing asks for the same pairs again and again: their answers are kept. */
static bool does_fit(struct pairing *pairing, size_t wanted, size_t live)
{
    char *known =
            pairing->fits ? &pairing->fits[wanted * prb_json_len(pairing->live) + live] : NULL;
    bool fits;

    if (known && *known)
        return *known == YES;
    fits = prb_policy_has(prb_json_elem(pairing->live, live),
            prb_json_elem(pairing->wanted, wanted), pairing->texts);
    if (known)
        *known = fits ? YES : NO;
    return fits;
}

static bool place(struct pairing *pairing, size_t wanted, bool may_push)
{
    size_t count = prb_json_len(pairing->live), steps = pairing->in_order ? 1 : count;

    /* Most lists are in order. */
    for (size_t step = 0; step < steps && (wanted < count || !pairing->in_order); step++) {
        size_t i = (wanted + step) % count, holder = pairing->of_live[i];

        if (pairing->tried[i] || (holder != PRB_NOWHERE && !may_push) ||
                !does_fit(pairing, wanted, i))
            continue;
        pairing->tried[i] = true;
        if (holder == PRB_NOWHERE || place(pairing, holder, true)) {
            pairing->of_live[i] = wanted;
            pairing->of_wanted[wanted] = i;
            return true;
        }
    }
    return false;
}

static bool is_repeated(const struct json_object *list, size_t index)
{
    for (size_t i = 0; i < index; i++) {
        if (prb_json_equal(prb_json_elem(list, i), prb_json_elem(list, index)))
            return true;
    }
    return false;
}

bool prb_policy_pairs_in_order(const struct json_object *live, const struct json_object *wanted)
{
    return prb_json_len(live) > ANY_ORDER_MAX || prb_json_len(wanted) > ANY_ORDER_MAX;
}

size_t *prb_policy_pair(
        const struct json_object *live, const struct json_object *wanted, enum prb_texts texts)
{
    size_t count = prb_json_len(live), asked = prb_json_len(wanted);
    bool in_order = prb_policy_pairs_in_order(live, wanted);
    bool may_push = asked <= GIVING_UP_MAX && !in_order;
    prb_autofree size_t *of_live = prb_calloc(count + 1, sizeof(*of_live));
    prb_autofree bool *tried = prb_calloc(count + 1, sizeof(*tried));
    prb_autofree char *fits = NULL;
    struct pairing pairing = { .live = live,
        .wanted = wanted,
        .texts = texts,
        .of_wanted = prb_calloc(asked + 1, sizeof(size_t)),
        .of_live = of_live,
        .tried = tried,
        .in_order = in_order };

    for (size_t i = 0; i < count; i++)
        of_live[i] = PRB_NOWHERE;
    for (size_t i = 0; i < asked; i++) {
        pairing.of_wanted[i] =
                !pairing.in_order && is_repeated(wanted, i) ? PRB_TWICE : PRB_NOWHERE;
        memset(tried, 0, (count + 1) * sizeof(*tried));
        if (pairing.of_wanted[i] == PRB_NOWHERE && !place(&pairing, i, false)) {
            memset(tried, 0, (count + 1) * sizeof(*tried));
            if (may_push && !pairing.fits)
                pairing.fits = fits = prb_calloc(asked * count + 1, sizeof(*fits));
            (void)(may_push && place(&pairing, i, true));
        }
    }
    return pairing.of_wanted;
}

static bool list_is_there(
        const struct json_object *live, const struct json_object *wanted, enum prb_texts texts)
{
    prb_autofree size_t *pairs = NULL;

    if (live && !json_object_is_type(live, json_type_array))
        return false;
    pairs = prb_policy_pair(live, wanted, texts);
    for (size_t i = 0; i < prb_json_len(wanted); i++) {
        if (pairs[i] == PRB_NOWHERE)
            return false;
    }
    return true;
}

/* Recursion is bounded: a tree is no deeper than PRB_JSON_DEPTH_MAX. */
bool prb_policy_has(
        const struct json_object *live, const struct json_object *wanted, enum prb_texts texts)
{
    if (!wanted)
        return true;
    if (json_object_is_type(wanted, json_type_object))
        return map_is_there(live, wanted, texts);
    if (json_object_is_type(wanted, json_type_array))
        return list_is_there(live, wanted, texts);
    return scalar_is_there(live, wanted, texts);
}
