/* Which controllers may run that are off unless somebody says so? */

#include "probate/cli/gates.h"

#include <string.h>

#include "probate/cli/selection.h"

static const struct {
    const char *name, *controller;
    const char *flag; /* what switches it on */
} table[PRB_GATE_COUNT] = {
    [PRB_GATE_CLUSTER_LIFECYCLE] = { "ClusterLifeCycle", "cluster-deletion",
            "--feature-gates=ClusterLifeCycle=true" },
};

static int parse_value(const char *text, bool *ret, struct prb_error *err)
{
    static const char *const values[] = { "false", "true" };
    int nearest;

    for (size_t i = 0; i < 2; i++) {
        if (prb_streq(text, values[i])) {
            *ret = i == 1;
            return 0;
        }
    }
    nearest = prb_nearest(text, values, 2);
    if (nearest < 0)
        return prb_fail(err, PRB_E_INVALID, "\"%s\" is neither true nor false", text);
    return prb_fail(err, PRB_E_INVALID, "\"%s\" is neither true nor false; did you mean %s?", text,
            values[nearest]);
}

/* "ClusterLifeCycle=true" */
static int parse_one(const struct prb_selection *known, const char *text, int *ret, bool *ret_on,
        struct prb_error *err)
{
    size_t len = strcspn(text, "=");
    int gate = prb_selection_find(known, text, len, err);

    if (gate < 0)
        return gate;
    if (text[len] == '\0')
        return prb_fail(err, PRB_E_INVALID, "\"%s\" is not of the form NAME=true|false", text);
    *ret = gate;
    return parse_value(text + len + 1, ret_on, err);
}

int prb_gates_parse(const struct prb_list *list, struct prb_gates *ret, struct prb_error *err)
{
    struct prb_selection known = { .noun = "feature gate", .count = PRB_GATE_COUNT };
    struct prb_gates gates = { .on = { false } };
    bool given[PRB_GATE_COUNT] = { false };

    for (size_t i = 0; i < PRB_GATE_COUNT; i++)
        known.names[i] = table[i].name;
    for (size_t i = 0; i < list->count; i++) {
        int gate = 0, r;
        bool on = false;

        r = parse_one(&known, list->items[i], &gate, &on, err);
        if (r < 0)
            return r;
        if (given[gate] && gates.on[gate] != on)
            return prb_fail(
                    err, PRB_E_INVALID, "%s is given both true and false", table[gate].name);
        given[gate] = true;
        gates.on[gate] = on;
    }
    *ret = gates;
    return 0;
}

int prb_gate_of(const char *controller)
{
    for (int i = 0; i < PRB_GATE_COUNT; i++) {
        if (prb_streq(table[i].controller, controller))
            return i;
    }
    return -1;
}

bool prb_gates_let(const struct prb_gates *gates, const char *controller)
{
    int gate = prb_gate_of(controller);

    return gate < 0 || gates->on[gate];
}

const char *prb_gate_flag(enum prb_gate gate)
{
    return table[gate].flag;
}
