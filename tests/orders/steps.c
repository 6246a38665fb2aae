/* Did the removals obey the design's order? */

#include "steps.h"

#include <stdbool.h>
#include <stdio.h>

#include "probate/base/str.h"

static const char *const names[STEPS] = {
    [CRD_ACCEPTED] = "the CRD's deletion is accepted",
    [CR_ACCEPTED] = "the CR's deletion is accepted",
    [CR_REMOVED] = "the CR is removed",
    [CRD_REMOVED] = "the CRD is removed",
    [DEPLOYMENT_ACCEPTED] = "the Deployment's deletion is accepted",
    [NAMESPACE_ACCEPTED] = "the Namespace's deletion is accepted",
    [DEPLOYMENT_REMOVED] = "the Deployment is removed",
    [NAMESPACE_REMOVED] = "the Namespace is removed",
    [SERVICE_REMOVED] = "the CriticalService is removed",
};

/* 1<4, 2<3<4, 4<5, 4<6, 5<7, 6<8, 7<8, 7<9. */
static const struct {
    enum step before, after;
    bool same_write; /* may be one */
} relations[] = {
    { CRD_ACCEPTED, CRD_REMOVED, false },
    { CR_ACCEPTED, CR_REMOVED, false },
    { CR_REMOVED, CRD_REMOVED, false },
    { CRD_REMOVED, DEPLOYMENT_ACCEPTED, false },
    { CRD_REMOVED, NAMESPACE_ACCEPTED, false },
    { DEPLOYMENT_ACCEPTED, DEPLOYMENT_REMOVED, true },
    { NAMESPACE_ACCEPTED, NAMESPACE_REMOVED, false },
    { DEPLOYMENT_REMOVED, NAMESPACE_REMOVED, false },
    { DEPLOYMENT_REMOVED, SERVICE_REMOVED, false },
};

static void check_missing(const struct steps *steps, struct prb_str *out)
{
    for (int i = 1; i < STEPS; i++) {
        if (steps->at[i] == 0)
            prb_str_addf(out, "%s%d never happened: %s", out->len ? "; " : "", i, names[i]);
    }
}

static void check_relation(const struct steps *steps, size_t index, struct prb_str *out)
{
    enum step before = relations[index].before, after = relations[index].after;
    int64_t first = steps->at[before], second = steps->at[after];

    if (first < second || (first == second && relations[index].same_write))
        return;
    prb_str_addf(out, "%snot %d<%d: %s at %lld, %s at %lld", out->len ? "; " : "", (int)before,
            (int)after, names[before], (long long)first, names[after], (long long)second);
}

void steps_check(const struct steps *steps, char *why, size_t size)
{
    prb_auto(prb_str_done) struct prb_str out;
    bool whole;

    prb_str_init(&out, size - 1);
    check_missing(steps, &out);
    whole = out.len == 0;
    for (size_t i = 0; whole && i < sizeof(relations) / sizeof(relations[0]); i++)
        check_relation(steps, i, &out);
    (void)snprintf(why, size, "%s", prb_str_get(&out));
}
