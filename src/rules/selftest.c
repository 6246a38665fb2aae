/*
 * A self-test is answered.
 *
 * Looks at:  the name of a Lease that is labelled as a self-test
 * Refuses:   a dry run that creates such a Lease (403), with its name in the text
 * Why:       whoever gets that text knows that the API server reaches Probate, trusts its
 *            certificate and gets verdicts from it. It is a dry run of a Lease because the right to
 *            create one is there anyway, for leader election. The registration fails closed: it
 *            holds up nothing but self-tests, and the API server then says what is wrong.
 */

#include "probate/base/str.h"
#include "probate/rules/registry.h"

static void judge(const struct prb_rule_settings *settings, const struct prb_request *request,
        const struct prb_view *view, const struct prb_questions *answers, struct prb_verdict *out)
{
    (void)settings;
    (void)view;
    (void)answers;
    if (request->dry_run && prb_starts_with(request->name, PRB_SELFTEST_PREFIX))
        prb_forbid(out, "Probate " PRB_VERSION " " PRB_SELFTEST_ANSWER " %s", request->name);
}

static const struct prb_registration registrations[] = {
    { .label = PRB_SELFTEST_LABEL, .own_namespace = true },
};

static const struct prb_rule_match matches[] = {
    {
            .group = "coordination.k8s.io",
            .resource = "leases",
            .operations = PRB_CREATE,
            .namespaced = true,
    },
};

static const char *const reads[] = { "metadata.name", NULL };

const struct prb_rule prb_rule_selftest = {
    .name = "selftest",
    .summary = "a dry run by which Probate makes sure that the API server asks it is answered",
    .matches = matches,
    .match_count = sizeof(matches) / sizeof(matches[0]),
    .registrations = registrations,
    .registration_count = sizeof(registrations) / sizeof(registrations[0]),
    .reads = reads,
    .judge = judge,
};
