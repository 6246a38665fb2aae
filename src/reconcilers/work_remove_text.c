/* How is a person told what is left of a work, and why? */

#include <string.h>

#include "probate/base/str.h"
#include "probate/model/names.h"

#include "work_remove_run.h"

/* Errors that are quoted: most often they are all the same, and the texts are long. */
#define ERRORS_MAX 3

/* Bytes of each: the longest texts of an admission webhook are here the most important. */
#define ERROR_TEXT_MAX 1000

static void add_name(struct prb_str *out, const struct prb_applied_entry *entry)
{
    prb_str_addf(out, "%s %s%s%s", entry->resource, entry->namespace,
            entry->namespace[0] != '\0' ? "/" : "", entry->name);
}

static void add_left(struct prb_str *out, const struct prb_removal *removal)
{
    bool is_going = removal->deleted || (removal->live && prb_object_is_deleting(removal->live));

    add_name(out, &removal->entry);
    if (!is_going)
        return;
    prb_str_add(out, " (deleting");
    if (prb_object_finalizer_count(removal->live) > 0)
        prb_str_add(out, ", ");
    prb_names_finalizers(out, removal->live);
    prb_str_addc(out, ')');
}

/* What was changed meanwhile says so with a number that is another one each time; a webhook may
 * refuse with the same code, and is to be quoted. */
static const char *words_of(const struct prb_removal *removal)
{
    if (!removal->err)
        return "";
    if (removal->err->code == PRB_E_CONFLICT && !strstr(removal->err->msg, PRB_REFUSED_BY_WEBHOOK))
        return "it was changed meanwhile";
    return removal->err->msg;
}

static const char *defect_of(const struct prb_removal *removal)
{
    return removal->defect ? removal->defect : "it could not be done";
}

static bool says_the_same(const struct prb_removal *a, const struct prb_removal *b)
{
    return a->state == PRB_REMOVAL_FAILED && b->state == PRB_REMOVAL_FAILED &&
           prb_streq(defect_of(a), defect_of(b)) && prb_streq(words_of(a), words_of(b));
}

/* How many of the first `end` say what this one says? */
static size_t count_alike(const struct prb_removals *removals, size_t index, size_t end)
{
    size_t count = 0;

    for (size_t i = 0; i < end; i++)
        count += says_the_same(&removals->items[i], &removals->items[index]) ? 1 : 0;
    return count;
}

/* "configmaps default/a and 3 more: it could not be deleted: no" */
static void add_error(struct prb_str *out, const struct prb_removals *removals, size_t index)
{
    const struct prb_removal *removal = &removals->items[index];
    size_t alike = count_alike(removals, index, removals->count);
    prb_auto(prb_str_done) struct prb_str words;

    prb_str_init(&words, ERROR_TEXT_MAX);
    prb_str_add(&words, words_of(removal));
    prb_str_add(out, "; ");
    add_name(out, &removal->entry);
    if (alike > 1)
        prb_str_addf(out, " and %zu more", alike - 1);
    prb_str_addf(out, ": %s%s%s%s", defect_of(removal), words.len > 0 ? ": " : "",
            prb_str_get(&words), words.cut ? "..." : "");
}

static void add_errors(struct prb_str *out, const struct prb_removals *removals)
{
    size_t count = 0;

    for (size_t i = 0; i < removals->count; i++) {
        if (removals->items[i].state != PRB_REMOVAL_FAILED || count_alike(removals, i, i) > 0)
            continue;
        if (count++ < ERRORS_MAX)
            add_error(out, removals, i);
    }
    if (count > ERRORS_MAX)
        prb_str_addf(out, "; and %zu more errors", count - ERRORS_MAX);
}

/* A manifest that is not on record is left only if it was seen. */
static bool is_left(const struct prb_removal *removal)
{
    return removal->state != PRB_REMOVAL_DONE && (!removal->entry.by_kind || removal->live);
}

void prb_removals_describe(const struct prb_removals *removals, size_t total, struct prb_str *out)
{
    size_t left = 0, named = 0;

    for (size_t i = 0; i < removals->count; i++)
        left += is_left(&removals->items[i]) ? 1 : 0;

    prb_str_addf(out, "%zu of %zu resources %s left", left, total, left == 1 ? "is" : "are");
    if (left > 0)
        prb_str_add(out, ": ");
    for (size_t i = 0; i < removals->count; i++) {
        if (!is_left(&removals->items[i]))
            continue;
        if (!prb_names_next(out, named++, left))
            break;
        add_left(out, &removals->items[i]);
    }
    add_errors(out, removals);
}

static struct json_object *remember_one(const struct prb_removal *removal)
{
    struct json_object *one = json_object_new_object();

    prb_json_set_str(one, PRB_KNOWN_UID, removal->entry.uid);
    if (removal->unowned)
        prb_json_set_bool(one, PRB_KNOWN_UNOWNED, true);
    return one;
}

void prb_removals_describe_unowned(
        const struct prb_removals *removals, const struct prb_object *applied, struct prb_str *out)
{
    size_t count = 0, named = 0;

    for (size_t i = 0; i < removals->count; i++)
        count += removals->items[i].unowned ? 1 : 0;
    if (count == 0)
        return;
    prb_str_addf(out,
            "%zu resource%s, because %s no owner reference of AppliedManifestWork %s: ", count,
            count == 1 ? " stays" : "s stay", count == 1 ? "it has" : "they have",
            prb_object_name(applied));
    for (size_t i = 0; i < removals->count; i++) {
        if (!removals->items[i].unowned)
            continue;
        if (!prb_names_next(out, named++, count))
            return;
        add_name(out, &removals->items[i].entry);
    }
}

struct json_object *prb_removals_remember(const struct prb_removals *removals)
{
    struct json_object *known = json_object_new_object();

    for (size_t i = 0; i < removals->count; i++) {
        prb_autofree char *key = prb_applied_entry_key(&removals->items[i].entry);

        /* What is on record comes first, and is not to be forgotten for its manifest. */
        if (removals->items[i].state == PRB_REMOVAL_DONE && !removals->items[i].not_served &&
                !prb_json_has(known, key))
            prb_json_set(known, key, remember_one(&removals->items[i]));
    }
    return known;
}
