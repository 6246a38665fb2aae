#ifndef PROBATE_CORE_JUDGE_H
#define PROBATE_CORE_JUDGE_H

/*
 * Runs the rules that match over one request: first all questions, then all verdicts. The first
 * denial in the order of the table stands; warnings of all rules are kept. An object that is
 * already being deleted is never refused for being invalid.
 */

#include "probate/core/rule.h"

enum prb_rule_mode {
    PRB_MODE_DENY,
    PRB_MODE_WARN,  /* allow, with the denial text as a warning */
    PRB_MODE_AUDIT, /* allow; annotation and metric only */
};

struct prb_rule_entry {
    const struct prb_rule *rule; /* static */
    enum prb_rule_mode mode;
};

struct prb_judge {
    const struct prb_rule_entry *entries; /* borrowed: the rules that are switched on, in order */
    size_t count;
    struct prb_rule_settings settings;
};

/* Does the rule have a say in this request? */
bool prb_rule_matches(const struct prb_rule *rule, const struct prb_rule_settings *settings,
        const struct prb_request *request, const struct prb_view *view);

/* The same for one match of the rule, and so for one of its registrations. */
bool prb_rule_match_covers(const struct prb_rule *rule, const struct prb_rule_match *match,
        const struct prb_rule_settings *settings, const struct prb_request *request,
        const struct prb_view *view);

/*
 * What the rules must know. Called again, with the same `out`, once that is answered: rules see the
 * answers so far and add what these bring up. When nothing is added, or after PRB_ASK_ROUNDS_MAX
 * rounds, it is time to decide.
 */
void prb_judge_ask(const struct prb_judge *judge, const struct prb_request *request,
        const struct prb_view *view, struct prb_questions *out);

void prb_judge_decide(const struct prb_judge *judge, const struct prb_request *request,
        const struct prb_view *view, const struct prb_questions *answers, struct prb_verdict *out);

/* Lists of paths that the rules for one request can have: more than all matches of all rules. */
#define PRB_READS_MAX 64

/*
 * The paths that rules read of the objects of this request, one list for each rule or match;
 * returns how many. What a view may say later is left open: a kind that is only known at run time
 * counts.
 */
size_t prb_judge_reads(const struct prb_judge *judge, const struct prb_request *request,
        const char *const *ret[PRB_READS_MAX]);

/* "deny", "warn", "audit"; false for anything else. */
bool prb_rule_mode_parse(const char *text, enum prb_rule_mode *ret);

#endif
