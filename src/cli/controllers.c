/* Which controllers are to run, and how are they set? */

#include "probate/cli/controllers.h"

#include <stdlib.h>
#include <string.h>

#include "probate/base/cleanup.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/cli/selection.h"
#include "probate/cli/verb.h"
#include "probate/reconcilers/registry.h"

int prb_controllers_choose(const struct prb_list *names, const struct prb_reconciler *const *table,
        size_t count, bool *ret_chosen, struct prb_error *err)
{
    struct prb_selection selection = { .noun = "controller", .count = count };

    if (count > PRB_SELECTION_MAX)
        return prb_fail(
                err, PRB_E_INTERNAL, "%zu controllers are more than PRB_SELECTION_MAX", count);
    for (size_t i = 0; i < count; i++)
        selection.names[i] = table[i]->name;
    return prb_selection_choose(&selection, names, ret_chosen, err);
}

static bool is_named(const struct prb_list *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++) {
        if (prb_streq(names->items[i], name))
            return true;
    }
    return false;
}

/* Take out what is behind a gate that is off. Who names such a one has forgotten the gate. */
static int close_gates(const struct prb_controller_flags *flags, const struct prb_gates *gates,
        struct prb_controller_choice *choice, struct prb_error *err)
{
    const char *hint = NULL;
    size_t left = 0;

    for (size_t i = 0; i < choice->count; i++) {
        const char *name = choice->table[i]->name;

        if (choice->chosen[i] && !prb_gates_let(gates, name)) {
            hint = prb_gate_flag((enum prb_gate)prb_gate_of(name));
            if (is_named(&flags->controllers, name))
                return prb_fail(
                        err, PRB_E_INVALID, "--controllers: %s is off; it needs %s", name, hint);
            choice->chosen[i] = false;
        }
        left += choice->chosen[i] ? 1 : 0;
    }
    if (left == 0)
        return prb_fail(err, PRB_E_INVALID,
                "--controllers: this leaves no controller but what needs %s", hint);
    return 0;
}

/* The registry, with entries of our own where there are settings. */
static void fill_table(struct prb_controller_choice *choice)
{
    const struct prb_reconciler *const *table = prb_reconcilers(&choice->count);

    choice->table = prb_calloc(choice->count, sizeof(struct prb_reconciler *));
    choice->chosen = prb_calloc(choice->count, sizeof(*choice->chosen));
    choice->cluster_deletion = prb_calloc(1, sizeof(*choice->cluster_deletion));
    *choice->cluster_deletion = prb_reconciler_cluster_deletion;
    choice->cluster_deletion->settings = &choice->clusters->settings;
    for (size_t i = 0; i < choice->count; i++)
        choice->table[i] =
                table[i] == &prb_reconciler_cluster_deletion ? choice->cluster_deletion : table[i];
}

int prb_controller_choice_make(const struct prb_controller_flags *flags,
        struct prb_controller_choice *ret, struct prb_error *err)
{
    prb_auto(prb_controller_choice_done) struct prb_controller_choice choice = { 0 };
    struct prb_gates gates;
    int r;

    if (prb_gates_parse(&flags->gates, &gates, err) < 0)
        return prb_wrap(err, "--feature-gates");
    r = prb_clusters_choose(&flags->clusters, &choice.clusters, err);
    if (r < 0)
        return r;
    fill_table(&choice);
    if (prb_controllers_choose(
                &flags->controllers, choice.table, choice.count, choice.chosen, err) < 0)
        return prb_wrap(err, "--controllers");
    choice.clusters_meant = prb_controller_choice_has(&choice, choice.cluster_deletion->name);
    r = close_gates(flags, &gates, &choice, err);
    if (r < 0)
        return r;
    *ret = choice;
    choice = (struct prb_controller_choice){ 0 };
    return 0;
}

void prb_controller_choice_done(struct prb_controller_choice *choice)
{
    free(choice->table);
    free(choice->chosen);
    free(choice->cluster_deletion);
    free(choice->clusters);
    *choice = (struct prb_controller_choice){ 0 };
}

bool prb_controller_choice_has(const struct prb_controller_choice *choice, const char *name)
{
    for (size_t i = 0; i < choice->count; i++) {
        if (choice->chosen[i] && prb_streq(choice->table[i]->name, name))
            return true;
    }
    return false;
}

const struct prb_cluster_settings *prb_controller_choice_clusters(
        const struct prb_controller_choice *choice)
{
    return prb_controller_choice_has(choice, choice->cluster_deletion->name)
                   ? &choice->clusters->settings
                   : NULL;
}

/* "keeps things clean (needs --feature-gates=X=true)" */
static void add_help(struct prb_str *out, const struct prb_reconciler *reconciler, size_t width)
{
    int gate = prb_gate_of(reconciler->name);
    prb_autofree char *text = NULL;

    if (gate < 0) {
        prb_help_item(out, reconciler->name, width, reconciler->summary);
        return;
    }
    text = prb_asprintf("%s (needs %s)", reconciler->summary, prb_gate_flag((enum prb_gate)gate));
    prb_help_item(out, reconciler->name, width, text);
}

void prb_controllers_help(struct prb_str *out)
{
    size_t count, width = 0;
    const struct prb_reconciler *const *table = prb_reconcilers(&count);

    for (size_t i = 0; i < count; i++) {
        if (strlen(table[i]->name) > width)
            width = strlen(table[i]->name);
    }
    prb_str_add(out, "\nControllers:\n");
    for (size_t i = 0; i < count; i++)
        add_help(out, table[i], width);
}
