/* How is a person told what is left of a work, and why? */

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/model/names.h"

#include "work_remove.h"

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
static const char *reason_of(const struct prb_removal *removal)
{
    if (!removal->err)
        return removal->defect ? removal->defect : "it is not known why";
    if (removal->err->code == PRB_E_CONFLICT && !strstr(removal->err->msg, "admission webhook"))
        return "it was changed meanwhile, and is looked at again";
    return removal->err->msg;
}

/* Did one before it say the same? */
static bool is_repeated(const struct prb_removals *removals, size_t index)
{
    const char *reason = reason_of(&removals->items[index]);

    for (size_t i = 0; i < index; i++) {
        if (removals->items[i].state == PRB_REMOVAL_FAILED &&
                prb_streq(reason_of(&removals->items[i]), reason))
            return true;
    }
    return false;
}

static void add_error(struct prb_str *out, const struct prb_removal *removal)
{
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, ERROR_TEXT_MAX);
    prb_str_add(&text, reason_of(removal));
    prb_str_add(out, "; ");

    /* An error of a call says itself what it was about. */
    if (!strstr(prb_str_get(&text), removal->entry.name)) {
        add_name(out, &removal->entry);
        prb_str_add(out, ": ");
    }
    prb_str_addf(out, "%s%s", prb_str_get(&text), text.cut ? "..." : "");
}

static void add_errors(struct prb_str *out, const struct prb_removals *removals)
{
    size_t count = 0;

    for (size_t i = 0; i < removals->count; i++) {
        if (removals->items[i].state != PRB_REMOVAL_FAILED || is_repeated(removals, i))
            continue;
        if (count++ < ERRORS_MAX)
            add_error(out, &removals->items[i]);
    }
    if (count > ERRORS_MAX)
        prb_str_addf(out, "; and %zu more errors", count - ERRORS_MAX);
}

void prb_removals_describe(const struct prb_removals *removals, size_t total, struct prb_str *out)
{
    size_t left = removals->count - prb_removals_in(removals, PRB_REMOVAL_DONE);
    size_t named = 0;

    prb_str_addf(out, "%zu of %zu resources %s left", left, total, left == 1 ? "is" : "are");
    if (left > 0)
        prb_str_add(out, ": ");
    for (size_t i = 0; i < removals->count; i++) {
        if (removals->items[i].state == PRB_REMOVAL_DONE)
            continue;
        if (!prb_names_next(out, named++, left))
            break;
        add_left(out, &removals->items[i]);
    }
    add_errors(out, removals);
}

struct json_object *prb_removals_remember(const struct prb_removals *removals)
{
    struct json_object *known = json_object_new_object();

    for (size_t i = 0; i < removals->count; i++) {
        prb_autofree char *key = prb_applied_entry_key(&removals->items[i].entry);

        if (removals->items[i].state == PRB_REMOVAL_DONE)
            prb_json_set_str(known, key, removals->items[i].entry.uid);
    }
    return known;
}
