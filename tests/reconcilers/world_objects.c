/* What is there by now, and what do others do to it? */

#include "world_objects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probate/base/mem.h"

#include "support/world.h"

/* Texts that were given out and still hold. */
#define TEXTS 8

static struct prb_api *server;
static char *texts[TEXTS];
static size_t next_text;

void must(int r, const char *what, const struct prb_error *err)
{
    if (r == 0)
        return;
    (void)fprintf(stderr, "%s: %s\n", what, err->msg);
    abort();
}

void world_objects_open(struct prb_api *api)
{
    server = api;
}

void world_objects_close(void)
{
    for (size_t i = 0; i < TEXTS; i++)
        free(prb_take(texts[i]));
    server = NULL;
}

struct prb_object *live(const char *ref)
{
    struct prb_ref parsed = prb_world_ref(ref);
    struct prb_object *object = NULL;
    struct prb_error err;

    return prb_api_get(server, &parsed, NULL, &object, &err) == 0 ? object : NULL;
}

bool is_there(const char *ref)
{
    prb_auto(prb_object_unref) struct prb_object *object = live(ref);

    return object != NULL;
}

bool is_going(const char *ref)
{
    prb_auto(prb_object_unref) struct prb_object *object = live(ref);

    return object && prb_object_is_deleting(object);
}

const char *give_out(char *text_taken)
{
    char **place = &texts[next_text++ % TEXTS];

    free(*place);
    *place = text_taken;
    return *place;
}

const char *at(const char *ref, const char *pointer)
{
    prb_auto(prb_object_unref) struct prb_object *object = live(ref);
    struct json_object *value;

    if (!object || !prb_json_pointer_get(prb_object_tree(object), pointer, &value))
        return "";
    return give_out(prb_json_string(value) ? prb_strdup(prb_json_string(value))
                                           : prb_json_text(value, true));
}

void set(const char *ref, const char *subresource, const char *merge_patch)
{
    struct prb_ref parsed = prb_world_ref(ref);
    struct prb_write_options options = { .subresource = subresource };
    prb_auto(prb_json_free) struct json_object *patch = NULL;
    struct prb_error err;

    must(prb_json_parse(merge_patch, strlen(merge_patch), NULL, &patch, &err), merge_patch, &err);
    must(prb_api_patch(server, &parsed, PRB_PATCH_MERGE, patch, &options, NULL, &err), "set", &err);
}

void erase(const char *ref)
{
    struct prb_ref parsed = prb_world_ref(ref);
    prb_auto(prb_object_unref) struct prb_object *object = live(ref);
    struct prb_delete_options options = { .propagation = PRB_PROPAGATE_BACKGROUND };
    struct prb_error err;

    if (!object)
        return;
    options.uid = prb_object_uid(object);
    must(prb_api_delete(server, &parsed, &options, &err), "erase", &err);
}
