/* How is a name or a value shown to a person? */

#include "shown.h"

#include <stdio.h>

#include "probate/base/mem.h"

static const char *show(const char *quote, const char *text, char buffer[PRB_SHOWN_SIZE])
{
    static const char dots[] = "...";
    prb_auto(prb_str_done) struct prb_str shown;
    size_t frame = 2 * strlen(quote);

    prb_str_init(&shown, PRB_SHOWN_SIZE - 1 - frame);
    prb_str_add(&shown, text);
    if (shown.cut) {
        prb_str_clear(&shown);
        shown.max -= strlen(dots);
        prb_str_add(&shown, text);
    }
    (void)snprintf(buffer, PRB_SHOWN_SIZE, "%s%s%s%s", quote, prb_str_get(&shown),
            shown.cut ? dots : "", quote);
    return buffer;
}

const char *prb_shown_name(const char *text, char buffer[PRB_SHOWN_SIZE])
{
    return show("", text, buffer);
}

const char *prb_shown(const struct json_object *value, char buffer[PRB_SHOWN_SIZE])
{
    prb_autofree char *text = NULL;

    switch (json_object_get_type(value)) {
    case json_type_object:
        return show("", "a map", buffer);
    case json_type_array:
        return show("", "a list", buffer);
    case json_type_string:
        if (prb_json_string(value))
            return show("\"", prb_json_string(value), buffer);
        return show("", "a text with U+0000 in it", buffer);
    case json_type_null:
    case json_type_boolean:
    case json_type_double:
    case json_type_int:
        break;
    }
    text = prb_json_text(value, true);
    return show("", text, buffer);
}

/* The name, or the beginning of the one that the API server will make up. */
static const char *name_of(const struct prb_request *request, bool *ret_made_up)
{
    const char *begin = request->object
                                ? prb_json_str(prb_object_metadata(request->object), "generateName")
                                : NULL;

    *ret_made_up = request->name[0] == '\0';
    if (*ret_made_up)
        return begin ? begin : "";
    return request->name;
}

const char *prb_shown_subject(const struct prb_request *request, char buffer[PRB_SUBJECT_SIZE])
{
    char kind[PRB_SHOWN_SIZE], namespace[PRB_SHOWN_SIZE], name[PRB_SHOWN_SIZE];
    bool made_up;

    (void)prb_shown_name(request->kind[0] ? request->kind : request->gvr.resource, kind);
    (void)prb_shown_name(request->namespace, namespace);
    (void)prb_shown_name(name_of(request, &made_up), name);
    (void)snprintf(buffer, PRB_SUBJECT_SIZE, "%s %s%s%s%s", kind, namespace,
            namespace[0] ? "/" : "", name, made_up ? "*" : "");
    return buffer;
}
