/* What if the server refuses, or is not to be understood? Only on a real one, behind its proxy. */

#include "rows.h"
#include "support/wait.h"

static int add_rule(struct family *family, struct prb_fault_rule rule)
{
    rule.name = family->id;
    return prb_fault_proxy_add(family->stage->real.proxy, &rule);
}

/* As an admission webhook answers: 403, or 409 as Crossplane's Usages do. */
static int refuse_deletion(struct family *family, int status)
{
    int rule;

    DO(make_seen(family, "Foreground", 1, 0));
    rule = add_rule(family, (struct prb_fault_rule){ .fault = PRB_FAULT_ANSWER,
                                    .verb = "delete",
                                    .resource = "xnetworks." GROUP,
                                    .status = status });
    DO(family_delete(family, CLAIM, "", PRB_PROPAGATE_BACKGROUND));
    DO(family_await_said(family, "Deleting", "cannot delete composite XNetwork "));
    DO(family_expect_untouched(family, ROOT, ""));
    prb_fault_proxy_clear(family->stage->real.proxy, rule);
    DO(family_await_end(family));
    return family_expect_bottom_up(family);
}

static int deletion_is_forbidden(struct family *family)
{
    return family->stage->hub ? 0 : refuse_deletion(family, 403);
}

static int deletion_is_a_conflict(struct family *family)
{
    return family->stage->hub ? 0 : refuse_deletion(family, 409);
}

/* The answer to each kind of call is lost, or never comes, a few times. */
static int answers_are_lost(struct family *family)
{
    static const struct prb_fault_rule rules[] = {
        { .fault = PRB_FAULT_DROP_AFTER, .verb = "patch", .resource = "networks." GROUP },
        { .fault = PRB_FAULT_DROP_BEFORE, .verb = "get", .resource = "networks." GROUP },
        { .fault = PRB_FAULT_ANSWER, .verb = "get", .resource = "xnetworks." GROUP, .status = 500 },
        { .fault = PRB_FAULT_DROP_AFTER, .verb = "delete", .resource = "xnetworks." GROUP },
        { .fault = PRB_FAULT_ANSWER,
                .verb = "patch",
                .resource = "networks." GROUP "/status",
                .status = 409 },
    };

    if (family->stage->hub)
        return 0;
    for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
        struct prb_fault_rule rule = rules[i];

        rule.times = 2;
        (void)add_rule(family, rule);
    }
    DO(make_seen(family, "Foreground", 2, 0));
    DO(family_delete(family, CLAIM, "", PRB_PROPAGATE_BACKGROUND));
    DO(family_await_end(family));
    return family_expect_bottom_up(family);
}

/* While a leaf hangs nothing is written but what has changed. */
static int waiting_is_quiet(struct family *family)
{
    struct prb_fault_proxy *proxy = family->stage->real.proxy;
    int64_t began_ms = prb_test_now_ms();
    unsigned long deletions, statuses, most;

    if (family->stage->hub)
        return 0;
    DO(make_seen(family, "Foreground", LEAVES, DEEP | HELD_LEAF));
    DO(family_delete(family, CLAIM, "", PRB_PROPAGATE_BACKGROUND));
    DO(family_await_said(family, "Deleting", "2 composed resources are left"));
    DO(family_let_go(family, LEAF, "-0"));
    DO(family_await_end(family));
    deletions = prb_fault_proxy_count_named(proxy, "delete", "xnetworks." GROUP, family->id);
    statuses = prb_fault_proxy_count_named(proxy, "patch", "networks." GROUP "/status", family->id);

    /* The first word, one each five seconds, and the last. */
    most = 2 + (unsigned long)((prb_test_now_ms() - began_ms) / 5000);
    if (deletions != 1 || statuses > most)
        return family_fail(
                family, "%lu deletions and %lu writes of the status", deletions, statuses);
    return family_expect_bottom_up(family);
}

static const struct row list[] = {
    { "a deletion that is forbidden is told of, and tried again", deletion_is_forbidden },
    { "a deletion that meets a Usage is told of, and tried again", deletion_is_a_conflict },
    { "answers that are lost change nothing", answers_are_lost },
    { "who waits is quiet", waiting_is_quiet },
};

ROW_LIST(rows_trouble);
