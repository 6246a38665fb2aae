/* Which rules judge, and in which mode? */

#include "probate/cli/rules.h"

#include <stdlib.h>
#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/cli/selection.h"
#include "probate/cli/verb.h"
#include "probate/rules/registry.h"

#include "resources.h"

static const struct prb_resource_flag claim_flag = {
    .name = "--claim-resource",
    .example = "buckets.example.org",
};

/* A choice being made. */
struct choosing {
    const struct prb_rule *const *table;
    struct prb_selection selection; /* the names in the table */
    bool chosen[PRB_SELECTION_MAX];
    bool mode_given[PRB_SELECTION_MAX];
    enum prb_rule_mode modes[PRB_SELECTION_MAX];
};

static int unknown_mode(const char *text, struct prb_error *err)
{
    static const char *const modes[] = { "deny", "warn", "audit" };
    int nearest = prb_nearest(text, modes, sizeof(modes) / sizeof(modes[0]));

    if (nearest < 0)
        return prb_fail(
                err, PRB_E_INVALID, "\"%s\" is no mode; there are deny, warn and audit", text);
    return prb_fail(
            err, PRB_E_INVALID, "\"%s\" is no mode; did you mean %s?", text, modes[nearest]);
}

/* "cluster-lifecycle=warn" */
static int choose_mode(struct choosing *choosing, const char *text, struct prb_error *err)
{
    size_t len = strcspn(text, "=");
    enum prb_rule_mode mode;
    int index;

    if (text[len] == '\0')
        return prb_fail(err, PRB_E_INVALID, "\"%s\" is not of the form NAME=MODE", text);
    index = prb_selection_find(&choosing->selection, text, len, err);
    if (index < 0)
        return index;
    if (!prb_rule_mode_parse(text + len + 1, &mode))
        return unknown_mode(text + len + 1, err);
    if (choosing->mode_given[index] && choosing->modes[index] != mode)
        return prb_fail(
                err, PRB_E_INVALID, "%s is given two modes", choosing->selection.names[index]);
    choosing->mode_given[index] = true;
    choosing->modes[index] = mode;
    return 0;
}

static int choose_modes(
        struct choosing *choosing, const struct prb_list *list, struct prb_error *err)
{
    for (size_t i = 0; i < list->count; i++) {
        if (choose_mode(choosing, list->items[i], err) < 0)
            return prb_wrap(err, "--rule-mode");
    }
    return 0;
}

static void fill_entries(const struct choosing *choosing, struct prb_rule_choice *choice)
{
    choice->entries = prb_calloc(choosing->selection.count + 1, sizeof(*choice->entries));
    choice->rules = prb_calloc(choosing->selection.count + 1, sizeof(struct prb_rule *));
    for (size_t i = 0; i < choosing->selection.count; i++) {
        if (!choosing->chosen[i])
            continue;
        choice->rules[choice->count] = choosing->table[i];
        choice->entries[choice->count++] = (struct prb_rule_entry){
            .rule = choosing->table[i],
            .mode = choosing->modes[i],
        };
    }

    /* Whatever is chosen, whether the API server reaches it must be possible to find out. */
    choice->rules[choice->count] = &prb_rule_selftest;
    choice->entries[choice->count++] = (struct prb_rule_entry){ .rule = &prb_rule_selftest };
}

static int check_exempt(const struct prb_list *names, struct prb_error *err)
{
    static const struct prb_gvr namespaces = { "", "v1", "namespaces" };
    struct prb_ref ref;

    for (size_t i = 0; i < names->count; i++) {
        if (strlen(names->items[i]) >= PRB_NAMESPACE_SIZE ||
                !prb_ref_init(&ref, &namespaces, NULL, names->items[i]))
            return prb_fail(err, PRB_E_INVALID,
                    "--exempt-namespaces: \"%s\" is no name of a namespace", names->items[i]);
    }
    return 0;
}

int prb_rules_choose(
        const struct prb_rule_flags *flags, struct prb_rule_choice *ret, struct prb_error *err)
{
    prb_auto(prb_rule_choice_done) struct prb_rule_choice choice = { 0 };
    struct choosing choosing = { .selection = { .noun = "rule" } };
    struct prb_selection *selection = &choosing.selection;
    int r;

    choosing.table = prb_rules(&selection->count);
    if (selection->count > PRB_SELECTION_MAX)
        return prb_fail(
                err, PRB_E_INTERNAL, "%zu rules are more than PRB_SELECTION_MAX", selection->count);
    for (size_t i = 0; i < selection->count; i++)
        selection->names[i] = choosing.table[i]->name;
    r = prb_selection_choose(selection, &flags->rules, choosing.chosen, err);
    if (r < 0)
        return prb_wrap(err, "--rules");
    r = choose_modes(&choosing, &flags->modes, err);
    if (r == 0)
        r = prb_resources_parse(
                &claim_flag, &flags->claims, &choice.claims, &choice.claim_count, err);
    if (r < 0)
        return r;
    r = check_exempt(&flags->exempt, err);
    if (r < 0)
        return r;
    choice.exempt = (const char *const *)flags->exempt.items;
    choice.exempt_count = flags->exempt.count;
    fill_entries(&choosing, &choice);
    *ret = choice;
    choice = (struct prb_rule_choice){ 0 };
    return 0;
}

void prb_rule_choice_done(struct prb_rule_choice *choice)
{
    free(choice->entries);
    free(choice->rules);
    free(choice->claims);
    *choice = (struct prb_rule_choice){ 0 };
}

struct prb_judge prb_rule_choice_judge(const struct prb_rule_choice *choice)
{
    return (struct prb_judge){
        .entries = choice->entries,
        .count = choice->count,
        .settings = { .claims = choice->claims,
                .claim_count = choice->claim_count,
                .exempt_namespaces = choice->exempt,
                .exempt_count = choice->exempt_count },
    };
}

void prb_rules_help(struct prb_str *out)
{
    size_t count, width = 0;
    const struct prb_rule *const *table = prb_rules(&count);

    for (size_t i = 0; i < count; i++) {
        if (strlen(table[i]->name) > width)
            width = strlen(table[i]->name);
    }
    prb_str_add(out, "\nRules:\n");
    for (size_t i = 0; i < count; i++)
        prb_help_item(out, table[i]->name, width, table[i]->summary);
}
