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

#define WORK "work"

int prb_controllers_choose(const struct prb_list *names, const struct prb_reconciler *const *table,
        size_t count, bool *ret_chosen, struct prb_error *err)
{
    struct prb_selection selection = { .noun = "controller", .count = count };

    if (count > PRB_SELECTION_MAX)
        return prb_fail(
                err, PRB_E_INTERNAL, "%zu controllers are more than PRB_SELECTION_MAX", count);
    for (size_t i = 0; i < count; i++) {
        selection.names[i] = table[i]->name;
        selection.by_name[i] = table[i]->by_name;
    }
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

/* The entry of the registry with what the flags set. */
static struct prb_reconciler *set_up(const struct prb_reconciler *entry, const void *settings)
{
    struct prb_reconciler *made = prb_calloc(1, sizeof(*made));

    *made = *entry;
    made->settings = settings;
    return made;
}

/* An agent is for works: there it need not be named. */
static struct prb_reconciler *set_up_work(const struct prb_reconciler *entry,
        const struct prb_work_settings *settings, enum prb_controller_place place)
{
    struct prb_reconciler *made = set_up(entry, settings);

    made->by_name = made->by_name && place != PRB_PLACE_AGENT;
    return made;
}

static struct prb_reconciler *set_up_policy(
        const struct prb_reconciler *entry, const char *namespace)
{
    struct prb_reconciler *made = set_up(entry, NULL);

    made->namespace = namespace;
    return made;
}

/* Is it there in this place? */
static bool is_there(const struct prb_reconciler *reconciler, enum prb_controller_place place)
{
    return place == PRB_PLACE_SERVER || prb_streq(reconciler->name, WORK) ||
           prb_streq(reconciler->name, prb_reconciler_policy.name);
}

/* An agent is for works, whoever else it may run. */
static bool is_preset(const struct prb_reconciler *reconciler, enum prb_controller_place place)
{
    return place == PRB_PLACE_AGENT && prb_streq(reconciler->name, WORK);
}

/* The registry, with entries of our own where there are settings. */
static void fill_table(struct prb_controller_choice *choice, enum prb_controller_place place)
{
    size_t count;
    const struct prb_reconciler *const *table = prb_reconcilers(&count);

    choice->table = prb_calloc(count, sizeof(struct prb_reconciler *));
    choice->chosen = prb_calloc(count, sizeof(*choice->chosen));
    choice->cluster_deletion =
            set_up(&prb_reconciler_cluster_deletion, &choice->clusters->settings);
    for (size_t i = 0; i < count; i++) {
        const struct prb_reconciler *entry = table[i];

        if (!is_there(entry, place))
            continue;
        if (entry == &prb_reconciler_cluster_deletion)
            entry = choice->cluster_deletion;
        if (prb_streq(entry->name, WORK))
            entry = choice->work = set_up_work(entry, choice->works, place);
        if (entry == &prb_reconciler_claims)
            entry = choice->claims = set_up(entry, choice->claim_settings);
        if (entry == &prb_reconciler_policy)
            entry = choice->policy = set_up_policy(entry, choice->policy_namespace);
        if (entry == &prb_reconciler_critical_service)
            entry = choice->critical = set_up(entry, choice->critical_settings);
        choice->table[choice->count++] = entry;
    }
}

/* What each controller needs to know, whether it runs or not: a wrong flag is wrong anyway. */
static int choose_settings(const struct prb_controller_flags *flags,
        struct prb_controller_choice *choice, struct prb_error *err)
{
    int r = prb_clusters_choose(&flags->clusters, &choice->clusters, err);

    if (r < 0)
        return r;
    choice->claim_settings = prb_calloc(1, sizeof(*choice->claim_settings));
    r = prb_claims_choose(&flags->claims, choice->claim_settings, err);
    if (r < 0)
        return r;
    choice->critical_settings = prb_calloc(1, sizeof(*choice->critical_settings));
    choice->works = prb_calloc(1, sizeof(*choice->works));
    r = prb_works_choose(&flags->works, choice->works, err);
    if (r < 0)
        return r;
    return prb_policies_choose(
            &flags->policies, flags->works.cluster_name, &choice->policy_namespace, err);
}

static int check_works(const struct prb_controller_choice *choice, struct prb_error *err)
{
    const struct prb_work_settings *works = prb_controller_choice_works(choice);

    if (!works || works->cluster_name[0] != '\0')
        return 0;
    return prb_fail(err, PRB_E_INVALID,
            "--cluster-name is missing: the controller %s needs the name of this cluster on the hub",
            WORK);
}

/* Without it, whoever may write a policy anywhere would act with Probate's rights. */
static int check_policies(const struct prb_controller_choice *choice, struct prb_error *err)
{
    if (choice->policy_namespace || !prb_controller_choice_has(choice, prb_reconciler_policy.name))
        return 0;
    return prb_fail(err, PRB_E_INVALID,
            "--policy-namespace is missing: the controller %s carries out the policies of one "
            "namespace, which is --cluster-name unless you say another",
            prb_reconciler_policy.name);
}

int prb_controller_choice_make(const struct prb_controller_flags *flags,
        enum prb_controller_place place, struct prb_controller_choice *ret, struct prb_error *err)
{
    prb_auto(prb_controller_choice_done) struct prb_controller_choice choice = { 0 };
    struct prb_gates gates;
    int r;

    if (prb_gates_parse(&flags->gates, &gates, err) < 0)
        return prb_wrap(err, "--feature-gates");
    r = choose_settings(flags, &choice, err);
    if (r < 0)
        return r;
    fill_table(&choice, place);
    if (prb_controllers_choose(
                &flags->controllers, choice.table, choice.count, choice.chosen, err) < 0)
        return prb_wrap(err, "--controllers");
    choice.clusters_open = gates.on[PRB_GATE_CLUSTER_LIFECYCLE];
    choice.clusters_meant = prb_controller_choice_has(&choice, choice.cluster_deletion->name);
    r = close_gates(flags, &gates, &choice, err);
    if (r == 0)
        r = check_works(&choice, err);
    if (r == 0)
        r = check_policies(&choice, err);
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
    free(choice->work);
    free(choice->works);
    free(choice->claims);
    free(choice->claim_settings);
    free(choice->policy);
    free(choice->policy_namespace);
    free(choice->critical);
    free(choice->critical_settings);
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

struct prb_work_settings *prb_controller_choice_works(const struct prb_controller_choice *choice)
{
    return prb_controller_choice_has(choice, WORK) ? choice->works : NULL;
}

struct prb_claim_settings *prb_controller_choice_claims(const struct prb_controller_choice *choice)
{
    return prb_controller_choice_has(choice, prb_reconciler_claims.name) ? choice->claim_settings
                                                                         : NULL;
}

const char *prb_controller_choice_policies(const struct prb_controller_choice *choice)
{
    return prb_controller_choice_has(choice, prb_reconciler_policy.name) ? choice->policy_namespace
                                                                         : NULL;
}

/* "keeps things clean (needs --feature-gates=X=true)" */
static void add_help(
        struct prb_str *out, const struct prb_reconciler *reconciler, bool by_name, size_t width)
{
    int gate = prb_gate_of(reconciler->name);
    prb_autofree char *text = NULL;

    if (gate >= 0)
        text = prb_asprintf(
                "%s (needs %s)", reconciler->summary, prb_gate_flag((enum prb_gate)gate));
    else if (by_name)
        text = prb_asprintf("%s (only when named in --controllers)", reconciler->summary);
    prb_help_item(out, reconciler->name, width, text ? text : reconciler->summary);
}

void prb_controllers_help(enum prb_controller_place place, struct prb_str *out)
{
    size_t count, width = 0;
    const struct prb_reconciler *const *table = prb_reconcilers(&count);

    for (size_t i = 0; i < count; i++) {
        if (is_there(table[i], place) && strlen(table[i]->name) > width)
            width = strlen(table[i]->name);
    }
    prb_str_add(out, "\nControllers:\n");
    for (size_t i = 0; i < count; i++) {
        if (is_there(table[i], place))
            add_help(out, table[i], table[i]->by_name && !is_preset(table[i], place), width);
    }
}
