/* Which rules judge, and in which mode? */

#include "probate/cli/rules.h"

#include <stdlib.h>
#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/cli/verb.h"
#include "probate/rules/registry.h"

#include "rules_claims.h"

/* Rules there may be; the design names five. */
#define RULES_MAX 64

/* A choice being made. */
struct choosing {
    const struct prb_rule *const *table;
    size_t count;
    const char *names[RULES_MAX];
    bool chosen[RULES_MAX];
    bool mode_given[RULES_MAX];
    enum prb_rule_mode modes[RULES_MAX];
};

static int unknown_rule(
        const struct choosing *choosing, const char *name, size_t len, struct prb_error *err)
{
    prb_autofree char *shown = prb_strndup(name, len);
    int nearest = prb_nearest(shown, choosing->names, choosing->count);

    if (nearest < 0)
        return prb_fail(err, PRB_E_INVALID, "there is no rule \"%s\"", shown);
    return prb_fail(err, PRB_E_INVALID, "there is no rule \"%s\"; did you mean %s?", shown,
            choosing->names[nearest]);
}

/* Its index in the table, or the error. */
static int find_rule(
        const struct choosing *choosing, const char *name, size_t len, struct prb_error *err)
{
    for (size_t i = 0; i < choosing->count; i++) {
        const char *known = choosing->names[i];

        if (strlen(known) == len && memcmp(known, name, len) == 0)
            return (int)i;
    }
    return unknown_rule(choosing, name, len, err);
}

static void choose_all(struct choosing *choosing, bool on)
{
    for (size_t i = 0; i < choosing->count; i++)
        choosing->chosen[i] = on;
}

/* Those that are listed with a minus, or those without. */
static int mark(
        struct choosing *choosing, const struct prb_list *list, bool on, struct prb_error *err)
{
    for (size_t i = 0; i < list->count; i++) {
        const char *name = list->items[i];
        int index;

        if ((name[0] != '-') != on)
            continue;
        if (prb_streq(name, "*")) {
            choose_all(choosing, true);
            continue;
        }
        name += on ? 0 : 1;
        index = find_rule(choosing, name, strlen(name), err);
        if (index < 0)
            return index;
        choosing->chosen[index] = on;
    }
    return 0;
}

/* What is left out is left out, wherever it stands in the list. With nothing but that, all others
 * are meant. */
static int choose_rules(
        struct choosing *choosing, const struct prb_list *list, struct prb_error *err)
{
    bool only_exclusions = true;
    int r;

    for (size_t i = 0; i < list->count; i++)
        only_exclusions = only_exclusions && list->items[i][0] == '-';
    choose_all(choosing, only_exclusions);
    r = mark(choosing, list, true, err);
    if (r == 0)
        r = mark(choosing, list, false, err);
    if (r < 0)
        return prb_wrap(err, "--rules");
    for (size_t i = 0; i < choosing->count; i++) {
        if (choosing->chosen[i])
            return 0;
    }
    return prb_fail(err, PRB_E_INVALID, "--rules: this leaves no rule");
}

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
    index = find_rule(choosing, text, len, err);
    if (index < 0)
        return index;
    if (!prb_rule_mode_parse(text + len + 1, &mode))
        return unknown_mode(text + len + 1, err);
    if (choosing->mode_given[index] && choosing->modes[index] != mode)
        return prb_fail(err, PRB_E_INVALID, "%s is given two modes", choosing->names[index]);
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
    choice->entries = prb_calloc(choosing->count, sizeof(*choice->entries));
    choice->rules = prb_calloc(choosing->count, sizeof(struct prb_rule *));
    for (size_t i = 0; i < choosing->count; i++) {
        if (!choosing->chosen[i])
            continue;
        choice->rules[choice->count] = choosing->table[i];
        choice->entries[choice->count++] = (struct prb_rule_entry){
            .rule = choosing->table[i],
            .mode = choosing->modes[i],
        };
    }
}

int prb_rules_choose(
        const struct prb_rule_flags *flags, struct prb_rule_choice *ret, struct prb_error *err)
{
    prb_auto(prb_rule_choice_done) struct prb_rule_choice choice = { 0 };
    struct choosing choosing = { .modes = { PRB_MODE_DENY } };
    int r;

    choosing.table = prb_rules(&choosing.count);
    if (choosing.count > RULES_MAX)
        return prb_fail(err, PRB_E_INTERNAL, "%zu rules; RULES_MAX is too small", choosing.count);
    for (size_t i = 0; i < choosing.count; i++)
        choosing.names[i] = choosing.table[i]->name;
    r = choose_rules(&choosing, &flags->rules, err);
    if (r == 0)
        r = choose_modes(&choosing, &flags->modes, err);
    if (r == 0)
        r = prb_claims_parse(&flags->claims, &choice.claims, &choice.claim_count, err);
    if (r < 0)
        return r;
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
        .settings = { .claims = choice->claims, .claim_count = choice->claim_count },
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
