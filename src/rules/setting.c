/* May this request leave a setting as it wants it? */

#include "setting.h"

#include "probate/base/str.h"

#include "shown.h"

/* A handful of words and one that somebody wrote. */
#define TEXT_MAX 1024

void prb_setting_refuse(
        struct prb_verdict *verdict, bool changed, const char *field, const char *text)
{
    if (changed)
        prb_invalid(verdict, field, "%s", text);
    else
        prb_caution(verdict, "%s: %s (accepted because it was stored so before)", field, text);
}

static int find_value(const struct prb_choice *choice, const char *text)
{
    for (size_t i = 0; i < choice->count; i++) {
        if (prb_streq(choice->values[i], text))
            return (int)i;
    }
    return -1;
}

bool prb_choice_allows(const struct prb_choice *choice, const struct json_object *value)
{
    return json_object_is_type(value, json_type_null) ||
           find_value(choice, prb_json_string(value)) >= 0;
}

/* "A, B or C" */
static void add_values(struct prb_str *text, const struct prb_choice *choice)
{
    for (size_t i = 0; i < choice->count; i++) {
        if (i > 0)
            prb_str_add(text, i + 1 < choice->count ? ", " : " or ");
        prb_str_add(text, choice->values[i]);
    }
}

void prb_choice_check(const struct prb_choice *choice, const struct json_object *value,
        bool changed, struct prb_verdict *verdict)
{
    prb_auto(prb_str_done) struct prb_str text;
    const char *word = prb_json_string(value);
    int meant = word ? prb_nearest(word, choice->values, choice->count) : -1;
    char shown[PRB_SHOWN_SIZE];

    prb_str_init(&text, TEXT_MAX);
    if (prb_choice_allows(choice, value))
        return;
    prb_str_addf(&text, "%s is not supported", prb_shown(value, shown));
    if (meant >= 0)
        prb_str_addf(&text, " (did you mean %s?)", choice->values[meant]);
    prb_str_add(&text, ". Use ");
    add_values(&text, choice);
    prb_str_add(&text, ", or leave it out");
    prb_setting_refuse(verdict, changed, choice->field, prb_str_get(&text));
}

static const struct json_object *spec_of(const struct prb_object *object)
{
    return object ? prb_object_spec(object) : NULL;
}

const struct json_object *prb_setting(const struct prb_request *request, const char *key)
{
    return prb_json_find(spec_of(request->object), key);
}

bool prb_setting_changed(const struct prb_request *request, const char *key)
{
    return !prb_json_equal(prb_json_find(spec_of(request->old), key), prb_setting(request, key));
}
