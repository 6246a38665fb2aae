/* Which versions has a pass written over, and does the cache still show one? */

#include "echo.h"

#include "probate/base/str.h"

/* Of an object in the tree. */
#define VERSIONS "versions"
#define WAIT "wait" /* how long, in ms */

/* Of the tree. */
#define SINCE "since"
#define OBJECTS "objects"

void prb_echo_init(struct prb_echo *echo)
{
    *echo = (struct prb_echo){ .seen = json_object_new_object(),
        .last = json_object_new_object(),
        .old = json_object_new_object() };
}

void prb_echo_done(struct prb_echo *echo)
{
    prb_json_free(echo->seen);
    prb_json_free(echo->last);
    prb_json_free(echo->old);
}

/* Of what is deleting already a DELETE need not change anything. */
static bool may_change(const struct prb_change *change, const struct prb_object *object)
{
    return object && !(change->type == PRB_CHANGE_DELETE && prb_object_is_deleting(object));
}

void prb_echo_see(
        struct prb_echo *echo, const struct prb_view *view, const struct prb_changes *changes)
{
    for (size_t i = 0; i < changes->count; i++) {
        const struct prb_ref *ref = &changes->items[i].ref;
        const struct prb_object *object = prb_view_find(view, ref);
        char key[PRB_REF_TEXT_SIZE];

        if (!prb_change_type_writes(changes->items[i].type))
            continue;
        prb_ref_format(ref, key);
        if (may_change(&changes->items[i], object))
            prb_json_set_str(echo->seen, key, prb_object_resource_version(object));
        else
            prb_json_del(echo->seen, key);
    }
}

static void note_old(struct prb_echo *echo, const char *key, const char *version, int64_t wait_ms)
{
    struct json_object *object = prb_json_ensure_obj(echo->old, key);
    int64_t before_ms = 0;

    (void)prb_json_int(object, WAIT, &before_ms);
    prb_json_set_int(object, WAIT, wait_ms > before_ms ? wait_ms : before_ms);
    prb_json_set_bool(prb_json_ensure_obj(object, VERSIONS), version, true);
}

/* The server has it in this version by now: a write that changed nothing makes none old. */
static void note_new(struct prb_echo *echo, const char *key, const char *version)
{
    const char *last = prb_json_str(echo->last, key);
    struct json_object *object = prb_json_ensure_obj(echo->old, key);

    if (last && !prb_streq(last, version))
        note_old(echo, key, last, PRB_ECHO_WAIT_MS);
    prb_json_del(prb_json_ensure_obj(object, VERSIONS), version);
    prb_json_set_str(echo->last, key, version);
}

void prb_echo_hear(void *ctx, const struct prb_change *change, int code, const char *version)
{
    struct prb_echo *echo = ctx;
    const char *seen;
    char key[PRB_REF_TEXT_SIZE];

    prb_ref_format(&change->ref, key);
    seen = prb_json_str(echo->seen, key);
    if (!seen)
        return;
    if (code == PRB_OK && change->type == PRB_CHANGE_DELETE) {
        note_old(echo, key, seen, PRB_ECHO_WAIT_MS);
    } else if (code == PRB_OK && version) {
        if (!prb_streq(version, seen))
            note_old(echo, key, seen, PRB_ECHO_WAIT_MS);
        note_new(echo, key, version);
    } else if (code == PRB_E_CONFLICT && prb_streq(change->resource_version, seen)) {
        note_old(echo, key, seen, PRB_ECHO_REFUSED_WAIT_MS);
    }
}

static bool is_empty(const struct json_object *old)
{
    struct json_object_iterator at;
    struct json_object *object;
    bool started = false;
    const char *key;

    while (prb_json_next(old, &at, &started, &key, &object)) {
        if (json_object_object_length(prb_json_obj(object, VERSIONS)) > 0)
            return false;
    }
    return true;
}

struct json_object *prb_echo_take(struct prb_echo *echo, int64_t mono_ms)
{
    struct json_object *tree;

    if (is_empty(echo->old))
        return NULL;
    tree = json_object_new_object();
    prb_json_set(tree, OBJECTS, prb_take(echo->old));
    prb_json_set_int(tree, SINCE, mono_ms);
    return tree;
}

static bool is_shown(const struct json_object *object, const char *key, const struct prb_view *view)
{
    const struct prb_object *cached;
    struct prb_ref ref;

    if (!prb_ref_parse(key, &ref))
        return false; /* cannot be: it was made from a ref */
    cached = prb_view_find(view, &ref);
    return cached &&
           prb_json_has(prb_json_obj(object, VERSIONS), prb_object_resource_version(cached));
}

int64_t prb_echo_wait_ms(
        const struct json_object *tree, const struct prb_view *view, int64_t mono_ms)
{
    struct json_object_iterator at;
    struct json_object *object;
    bool started = false;
    const char *key;
    int64_t since_ms = 0, longest_ms = 0;

    (void)prb_json_int(tree, SINCE, &since_ms);
    while (prb_json_next(prb_json_obj(tree, OBJECTS), &at, &started, &key, &object)) {
        int64_t wait_ms = 0;

        (void)prb_json_int(object, WAIT, &wait_ms);
        wait_ms -= mono_ms - since_ms;
        if (wait_ms > longest_ms && is_shown(object, key, view))
            longest_ms = wait_ms;
    }
    return longest_ms;
}
