/* Does an object match a selector? */

#include "probate/model/selector.h"

#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "selector_internal.h"

struct prb_selector *prb_selector_new(void)
{
    return prb_calloc(1, sizeof(struct prb_selector));
}

void prb_selector_free(struct prb_selector *selector)
{
    if (!selector)
        return;
    for (size_t i = 0; i < selector->count; i++) {
        struct requirement *requirement = &selector->items[i];

        for (size_t j = 0; j < requirement->count; j++)
            free(requirement->values[j]);
        free(requirement->values);
        free(requirement->key);
    }
    free(selector->items);
    free(selector);
}

struct requirement *prb_selector_add(
        struct prb_selector *selector, enum selector_subject subject, enum selector_op op)
{
    struct requirement *added;

    selector->items = prb_realloc(selector->items, selector->count + 1, sizeof(*selector->items));
    added = &selector->items[selector->count++];
    *added = (struct requirement){ .subject = subject, .op = op };
    return added;
}

void prb_requirement_add(struct requirement *requirement, const char *value, size_t len)
{
    requirement->values =
            prb_realloc(requirement->values, requirement->count + 1, sizeof(*requirement->values));
    requirement->values[requirement->count++] = prb_strndup(value, len);
}

static const char *subject_of(
        const struct requirement *requirement, const struct prb_object *object)
{
    switch (requirement->subject) {
    case SUBJECT_NAME:
        return prb_object_name(object);
    case SUBJECT_NAMESPACE:
        return prb_object_namespace(object);
    case SUBJECT_LABEL:
        break;
    }
    return prb_object_label(object, requirement->key);
}

static bool is_one_of(const struct requirement *requirement, const char *text)
{
    for (size_t i = 0; i < requirement->count; i++) {
        if (strcmp(requirement->values[i], text) == 0)
            return true;
    }
    return false;
}

static bool holds(const struct requirement *requirement, const struct prb_object *object)
{
    const char *text = subject_of(requirement, object);
    int64_t number;

    switch (requirement->op) {
    case OP_IN:
        return text && is_one_of(requirement, text);
    case OP_NOT_IN:
        return !text || !is_one_of(requirement, text);
    case OP_EXISTS:
        return text;
    case OP_ABSENT:
        return !text;
    case OP_GREATER:
        return text && prb_parse_int(text, INT64_MIN, INT64_MAX, &number) &&
               number > requirement->bound;
    case OP_LESS:
        return text && prb_parse_int(text, INT64_MIN, INT64_MAX, &number) &&
               number < requirement->bound;
    }
    return false;
}

bool prb_selector_matches(const struct prb_selector *selector, const struct prb_object *object)
{
    for (size_t i = 0; selector && i < selector->count; i++) {
        if (!holds(&selector->items[i], object))
            return false;
    }
    return true;
}
