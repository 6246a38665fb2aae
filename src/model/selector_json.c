/* What does a LabelSelector object say: matchLabels and matchExpressions? */

#include <string.h>

#include "probate/base/mem.h"

#include "selector_internal.h"

static const struct {
    const char *name;
    enum selector_op op;
} operators[] = {
    { "In", OP_IN },
    { "NotIn", OP_NOT_IN },
    { "Exists", OP_EXISTS },
    { "DoesNotExist", OP_ABSENT },
};

static bool find_operator(const char *name, enum selector_op *ret)
{
    for (size_t i = 0; name && i < sizeof(operators) / sizeof(operators[0]); i++) {
        if (strcmp(operators[i].name, name) == 0) {
            *ret = operators[i].op;
            return true;
        }
    }
    return false;
}

static int read_labels(
        const struct json_object *labels, struct prb_selector *selector, struct prb_error *err)
{
    struct json_object_iterator at;
    struct json_object *value;
    const char *key;
    bool started = false;

    if (labels && !json_object_is_type(labels, json_type_object))
        return prb_fail(err, PRB_E_INVALID, "matchLabels is no object");
    while (prb_json_next(labels, &at, &started, &key, &value)) {
        struct requirement *requirement = prb_selector_add(selector, SUBJECT_LABEL, OP_IN);
        const char *text = prb_json_string(value);
        int r;

        requirement->key = prb_strdup(key);
        if (!text)
            return prb_fail(err, PRB_E_INVALID, "matchLabels: the value of '%s' is no string", key);
        prb_requirement_add(requirement, text, strlen(text));
        r = prb_requirement_check(requirement, err);
        if (r < 0)
            return prb_wrap(err, "matchLabels");
    }
    return 0;
}

static int read_values(
        const struct json_object *values, struct requirement *requirement, struct prb_error *err)
{
    if (values && !json_object_is_type(values, json_type_array))
        return prb_fail(err, PRB_E_INVALID, "values is no array");
    for (size_t i = 0; i < prb_json_len(values); i++) {
        const char *text = prb_json_string(prb_json_elem(values, i));

        if (!text)
            return prb_fail(err, PRB_E_INVALID, "values[%zu] is no string", i);
        prb_requirement_add(requirement, text, strlen(text));
    }
    return 0;
}

static int read_expression(
        const struct json_object *expression, struct prb_selector *selector, struct prb_error *err)
{
    const char *key = prb_json_str(expression, "key");
    const char *name = prb_json_str(expression, "operator");
    struct requirement *requirement;
    enum selector_op op;
    int r;

    if (!key)
        return prb_fail(err, PRB_E_INVALID, "key is missing or no string");
    if (!find_operator(name, &op))
        return prb_fail(err, PRB_E_INVALID,
                "operator '%s' is none of In, NotIn, Exists, DoesNotExist", name ? name : "");
    requirement = prb_selector_add(selector, SUBJECT_LABEL, op);
    requirement->key = prb_strdup(key);
    r = read_values(prb_json_find(expression, "values"), requirement, err);
    return r < 0 ? r : prb_requirement_check(requirement, err);
}

static int read_expressions(
        const struct json_object *expressions, struct prb_selector *selector, struct prb_error *err)
{
    if (expressions && !json_object_is_type(expressions, json_type_array))
        return prb_fail(err, PRB_E_INVALID, "matchExpressions is no array");
    for (size_t i = 0; i < prb_json_len(expressions); i++) {
        if (read_expression(prb_json_elem(expressions, i), selector, err) < 0)
            return prb_wrap(err, "matchExpressions[%zu]", i);
    }
    return 0;
}

int prb_selector_from_json(
        const struct json_object *label_selector, struct prb_selector **ret, struct prb_error *err)
{
    prb_auto(prb_selector_free) struct prb_selector *selector = prb_selector_new();
    int r;

    if (label_selector && !json_object_is_type(label_selector, json_type_object))
        return prb_fail(err, PRB_E_INVALID, "a label selector is an object");
    r = read_labels(prb_json_find(label_selector, "matchLabels"), selector, err);
    if (r == 0)
        r = read_expressions(prb_json_find(label_selector, "matchExpressions"), selector, err);
    if (r < 0)
        return r;
    *ret = prb_take(selector);
    return 0;
}
