/* Which changes of a CriticalService loosen it? A table, and a search for a world that was held
 * before and is not now, although nothing says that the change loosens. */

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unity.h>

#include "probate/base/str.h"
#include "probate/model/loosening.h"

#include "support/dice.h"
#include "support/json_text.h"

void setUp(void)
{
}

void tearDown(void)
{
}

static struct prb_object *object_of(const char *spec)
{
    struct prb_object *object = NULL;
    struct prb_error err;

    (void)prb_object_new(
            prb_test_json("{'metadata':{'name':'guard'},'spec':%s}", spec), &object, &err);
    return object;
}

static bool loosens(const char *before, const char *now, struct prb_loosening *ret)
{
    prb_auto(prb_object_unref) struct prb_object *old = object_of(before), *new = object_of(now);
    struct prb_critical_service a, b;

    *ret = (struct prb_loosening){ .lost = NULL };
    if (!old || !new)
        return false;
    prb_critical_service_read(old, &a);
    prb_critical_service_read(new, &b);
    return prb_loosening_find(&a, &b, ret);
}

/* ---- the table ---- */

#define PROVIDER_OF(group, resource, namespace, name)       \
    "'provider':{'group':'" group "','resource':'" resource \
    "','namespace':'" namespace "','name':'" name "'}"
#define OP PROVIDER_OF("apps", "deployments", "ops", "op")
#define FIN(group, resource, name)                                               \
    "{'type':'Finalizer','finalizer':{'group':'" group "','resource':'" resource \
    "','finalizerName':'" name "'}}"
#define RES(resource, namespace, name)                                                \
    "{'type':'SpecificResource','specificResource':{'group':'','resource':'" resource \
    "','namespace':'" namespace "','name':'" name "'}}"
#define A FIN("g.dev", "widgets", "g.dev/a")
#define B RES("configmaps", "team", "b")
#define WITH(provider, criteria, rest) "{" provider ",'criteria':[" criteria "]" rest "}"
#define SPEC(criteria) WITH(OP, criteria, "")
#define FOUR(x) x "," x "," x "," x
#define THIRTY_TWO(x) \
    FOUR(x) "," FOUR(x) "," FOUR(x) "," FOUR(x) "," FOUR(x) "," FOUR(x) "," FOUR(x) "," FOUR(x)

static const struct {
    const char *name, *before, *now;
    bool loosens;
} cases[] = {
    { "nothing", SPEC(A "," B), SPEC(A "," B), false },
    { "another order", SPEC(A "," B), SPEC(B "," A), false },
    { "a duplicate", SPEC(A), SPEC(A "," A), false },
    { "without a duplicate", SPEC(A "," A), SPEC(A), false },
    { "one criterion more", SPEC(A), SPEC(A "," B), false },
    { "one criterion less", SPEC(A "," B), SPEC(A), true },
    { "no criterion", SPEC(A), SPEC(""), true },
    { "criteria are absent", SPEC(A), "{" OP "}", true },
    { "criteria are null", SPEC(A), "{" OP ",'criteria':null}", true },
    { "the first criteria", SPEC(""), SPEC(A), false },
    { "another finalizer", SPEC(A), SPEC(FIN("g.dev", "widgets", "g.dev/b")), true },
    { "another finalizer beside it", SPEC(A), SPEC(A "," FIN("g.dev", "widgets", "g.dev/b")),
            false },
    { "the case of a finalizer", SPEC(A), SPEC(FIN("g.dev", "widgets", "g.dev/A")), true },
    { "another resource", SPEC(A), SPEC(FIN("g.dev", "gadgets", "g.dev/a")), true },
    { "the case of a resource", SPEC(A), SPEC(FIN("g.dev", "Widgets", "g.dev/a")), true },
    { "a kind in lower case", SPEC(FIN("g.dev", "Widget", "g.dev/a")),
            SPEC(FIN("g.dev", "widget", "g.dev/a")), true },
    { "the singular of a resource", SPEC(A), SPEC(FIN("g.dev", "widget", "g.dev/a")), true },
    { "another group", SPEC(A), SPEC(FIN("h.dev", "widgets", "g.dev/a")), true },
    { "the core group", SPEC(FIN("", "secrets", "g.dev/a")),
            SPEC("{'type':'Finalizer','finalizer':{'resource':'secrets','finalizerName':'g.dev/a'}}"),
            false },
    { "another name", SPEC(B), SPEC(RES("configmaps", "team", "c")), true },
    { "another namespace", SPEC(B), SPEC(RES("configmaps", "other", "b")), true },
    { "without a namespace", SPEC(B), SPEC(RES("configmaps", "", "b")), true },
    { "another type", SPEC(A), SPEC(B), true },
    { "one that is not understood instead", SPEC(A), SPEC("{'type':'Selector'}"), true },
    { "one that is not understood is mended", SPEC("{'type':'Selector'}"), SPEC(A), true },
    { "one that is not understood stays", SPEC("{'type':'Selector'}"), SPEC("{'type':'Other'}," A),
            false },
    { "criteria that are no list", SPEC(A), "{" OP ",'criteria':'none'}", true },
    { "criteria that were no list", "{" OP ",'criteria':'none'}", SPEC(A), true },
    { "more criteria than are looked at", SPEC(A), SPEC(THIRTY_TWO(B) "," B), false },
    { "no longer more than are looked at", SPEC(THIRTY_TWO(B) "," A), SPEC(B "," A), true },
    { "still more than are looked at", SPEC(THIRTY_TWO(B) "," A), SPEC(THIRTY_TWO(A) "," A),
            false },
    { "BestEffort", SPEC(A), WITH(OP, A, ",'deletionPolicy':'BestEffort'"), true },
    { "Strict in words", SPEC(A), WITH(OP, A, ",'deletionPolicy':'Strict'"), false },
    { "Strict again", WITH(OP, A, ",'deletionPolicy':'BestEffort'"), SPEC(A), false },
    { "still BestEffort", WITH(OP, A, ",'deletionPolicy':'BestEffort'"),
            WITH(OP, A, ",'deletionPolicy':'BestEffort'"), false },
    { "BestEffort with fewer criteria", WITH(OP, A "," B, ",'deletionPolicy':'BestEffort'"),
            WITH(OP, A, ",'deletionPolicy':'BestEffort'"), true },
    { "an unknown policy", SPEC(A), WITH(OP, A, ",'deletionPolicy':'Loose'"), false },
    { "BestEffort after an unknown policy", WITH(OP, A, ",'deletionPolicy':7"),
            WITH(OP, A, ",'deletionPolicy':'BestEffort'"), true },
    { "another provider", SPEC(A), WITH(PROVIDER_OF("apps", "deployments", "ops", "other"), A, ""),
            true },
    { "a provider elsewhere", SPEC(A),
            WITH(PROVIDER_OF("apps", "deployments", "other", "op"), A, ""), true },
    { "a provider of another kind", SPEC(A),
            WITH(PROVIDER_OF("apps", "statefulsets", "ops", "op"), A, ""), true },
    { "a provider of another group", SPEC(A),
            WITH(PROVIDER_OF("", "deployments", "ops", "op"), A, ""), true },
    { "no provider", SPEC(A), "{'criteria':[" A "]}", true },
    { "a provider that cannot exist", SPEC(A),
            WITH(PROVIDER_OF("apps", "deployments", "ops", "a/b"), A, ""), true },
    { "another spelling of the provider", SPEC(A),
            WITH(PROVIDER_OF("apps", "Deploy", "ops", "op"), A, ""), false },
    { "a provider where none is shown, or half of one", "{'criteria':[" A "]}", SPEC(""), true },
    { "a provider is still not shown", "{'criteria':[" A "]}", "{'criteria':[]}", false },
    { "a provider that could not exist",
            WITH(PROVIDER_OF("apps", "deployments", "ops", "a/b"), A, ""), SPEC(""), false },
};

static void test_what_loosens(void)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct prb_loosening found;

        TEST_ASSERT_EQUAL_MESSAGE(
                cases[i].loosens, loosens(cases[i].before, cases[i].now, &found), cases[i].name);
        TEST_ASSERT_EQUAL_MESSAGE(
                cases[i].loosens, found.provider || found.policy || found.criteria, cases[i].name);
    }
}

/* ---- the search ---- */

/* Changes that are tried, and worlds for each. */
#define CHANGES 30000
#define WORLDS 16

/* A change of up to 34 criteria. */
#define SPEC_SIZE 8192

static const char *const resources[] = { "widgets", "Widgets", "widget", "gadgets", "w" };
static const char *const finalizers[] = { "x/a", "x/b" };
static const char *const namespaces[] = { "", "n1", "n2" };
static const char *const names[] = { "o1", "o2" };
static const char *const providers[] = { OP, OP, OP, OP, OP,
    PROVIDER_OF("apps", "Deployment", "ops", "op"), PROVIDER_OF("apps", "deployments", "ops", "q"),
    PROVIDER_OF("apps", "deployments", "o", "op"), PROVIDER_OF("apps", "daemonsets", "ops", "op"),
    "'provider':7" };
static const char *const policies[] = { "", "", ",'deletionPolicy':'Strict'",
    ",'deletionPolicy':'BestEffort'", ",'deletionPolicy':'Loose'" };

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define ANY(dice, array) ((array)[prb_test_roll(dice, COUNT(array))])

struct draft {
    const char *provider, *policy; /* static */
    unsigned criteria[PRB_CRITERIA_MAX + 2];
    size_t count;
};

/* A criterion by a number. */
static void add_criterion(unsigned number, struct prb_str *out)
{
    const char *resource = resources[number % COUNT(resources)];
    unsigned rest = number / COUNT(resources);

    if (rest >= 195)
        prb_str_add(out, "{'type':'Finalizer'}");
    else if (rest % 2 == 0)
        prb_str_addf(out, FIN("g.dev", "%s", "%s"), resource, finalizers[rest / 8 % 2]);
    else
        prb_str_addf(out,
                "{'type':'SpecificResource','specificResource':{'group':'g.dev','resource':'%s',"
                "'namespace':'%s','name':'%s'}}",
                resource, namespaces[rest / 8 % 3], names[rest / 24 % 2]);
}

static void write_draft(const struct draft *draft, char text[SPEC_SIZE])
{
    prb_auto(prb_str_done) struct prb_str out;

    prb_str_init(&out, SPEC_SIZE - 1);
    prb_str_addf(&out, "{%s%s,'criteria':[", draft->provider, draft->policy);
    for (size_t i = 0; i < draft->count; i++) {
        prb_str_add(&out, i > 0 ? "," : "");
        add_criterion(draft->criteria[i], &out);
    }
    prb_str_add(&out, "]}");
    (void)snprintf(text, SPEC_SIZE, "%s", prb_str_get(&out));
}

static void draw(uint64_t *dice, struct draft *ret)
{
    *ret = (struct draft){ ANY(dice, providers), ANY(dice, policies), { 0 }, 0 };
    ret->count = prb_test_roll(dice, 20) == 0 ? PRB_CRITERIA_MAX + prb_test_roll(dice, 3)
                                              : prb_test_roll(dice, 4);
    for (size_t i = 0; i < ret->count; i++)
        ret->criteria[i] = (unsigned)prb_test_roll(dice, 1000);
}

/* One step away, or two: what is far away loosens anyway. */
static void change(uint64_t *dice, struct draft *draft)
{
    size_t at = draft->count > 0 ? prb_test_roll(dice, draft->count) : 0;

    switch (prb_test_roll(dice, 6)) {
    case 0:
        draft->provider = ANY(dice, providers);
        break;
    case 1:
        draft->policy = ANY(dice, policies);
        break;
    case 2:
        if (draft->count > 0)
            draft->criteria[at] = draft->criteria[--draft->count];
        break;
    case 3:
        if (draft->count < PRB_CRITERIA_MAX + 2)
            draft->criteria[draft->count++] = (unsigned)prb_test_roll(dice, 1000);
        break;
    case 4: /* the same with another spelling of the resource */
        if (draft->count > 0)
            draft->criteria[at] += 1 - 2 * (draft->criteria[at] % 2);
        break;
    default:
        if (draft->count > 0)
            draft->criteria[at] = (unsigned)prb_test_roll(dice, 1000);
        break;
    }
}

enum { WIDGETS, GADGETS, NO_KIND };

/* Live objects: of two kinds, in three places (one of them no namespace), with two names. */
struct live {
    int meant[COUNT(resources)]; /* which kind a spelling means here */
    bool there[2][3][2];
    unsigned held[2][3][2]; /* by which finalizers */
    bool op, q, elsewhere;  /* the providers ops/op, ops/q and o/op */
};

static void live_draw(uint64_t *dice, struct live *ret)
{
    uint64_t density = prb_test_roll(dice, 3);

    *ret = (struct live){ .meant = { WIDGETS, WIDGETS, (int)prb_test_roll(dice, 3), GADGETS,
                                  (int)prb_test_roll(dice, 3) } };
    for (size_t i = 0; i < 12; i++) {
        (&ret->there[0][0][0])[i] = prb_test_roll(dice, 4) < density;
        (&ret->held[0][0][0])[i] = (unsigned)prb_test_roll(dice, 4);
    }
    ret->op = prb_test_roll(dice, 8) > 0;
    ret->q = prb_test_roll(dice, 2) == 0;
    ret->elsewhere = prb_test_roll(dice, 2) == 0;
}

static size_t find(const char *text, const char *const *in, size_t count)
{
    size_t i = 0;

    while (i < count && !prb_streq(text, in[i]))
        i++;
    return i;
}

static bool is_unmet(const struct prb_criterion *criterion, const struct live *live)
{
    int kind = NO_KIND;
    size_t place = find(criterion->namespace, namespaces, COUNT(namespaces));
    size_t name = find(criterion->name, names, COUNT(names));
    unsigned finalizer = 1U << find(criterion->finalizer, finalizers, COUNT(finalizers));

    if (criterion->type == PRB_CRITERION_UNKNOWN)
        return true;
    for (size_t i = 0; i < COUNT(resources); i++) {
        if (prb_streq(criterion->resource, resources[i]))
            kind = live->meant[i];
    }
    if (kind == NO_KIND)
        return false;
    if (criterion->type == PRB_CRITERION_RESOURCE)
        return live->there[kind][place][name];
    for (size_t i = 0; i < 6; i++) {
        if ((&live->there[kind][0][0])[i] && ((&live->held[kind][0][0])[i] & finalizer))
            return true;
    }
    return false;
}

static bool holds_provider(const struct prb_critical_service *service, const struct live *live)
{
    bool unmet = service->too_many;

    for (size_t i = 0; i < service->criterion_count; i++)
        unmet = unmet || is_unmet(&service->criteria[i], live);
    return unmet;
}

/* Which of the three providers a CriticalService holds here, and whether it must stay itself. */
static unsigned held(const struct prb_critical_service *service, const struct live *live)
{
    const char *kind = service->provider.resource, *in = service->provider.namespace;
    bool is_op = prb_streq(service->provider.name, "op"), unmet = holds_provider(service, live);
    unsigned which = 0;

    if (strcasecmp(kind, "deployments") != 0 && strcasecmp(kind, "deployment") != 0)
        return 0;
    if (live->op && is_op && prb_streq(in, "ops"))
        which = 1;
    else if (live->q && !is_op)
        which = 2;
    else if (live->elsewhere && is_op && prb_streq(in, "o"))
        which = 4;
    return (unmet ? which : 0) | (which && !service->best_effort ? 8 : 0);
}

struct tried {
    size_t loosening, harmless, proven; /* proven: a world was found that is let go */
};

static void try_change(uint64_t *dice, struct tried *tried)
{
    static char before[SPEC_SIZE], now[SPEC_SIZE], why[2 * SPEC_SIZE + 64];
    prb_auto(prb_object_unref) struct prb_object *old = NULL, *new = NULL;
    struct prb_critical_service a, b;
    struct prb_loosening found;
    struct draft draft;
    bool loosening, lets_go = false;

    draw(dice, &draft);
    write_draft(&draft, before);
    for (uint64_t i = prb_test_roll(dice, 3); i < 3; i++)
        change(dice, &draft);
    write_draft(&draft, now);
    old = object_of(before);
    new = object_of(now);
    prb_critical_service_read(old, &a);
    prb_critical_service_read(new, &b);
    loosening = prb_loosening_find(&a, &b, &found);
    for (int i = 0; i < WORLDS; i++) {
        struct live live;

        live_draw(dice, &live);
        lets_go = lets_go || (held(&a, &live) & ~held(&b, &live)) != 0;
    }
    (void)snprintf(why, sizeof(why), "before: %s now: %s", before, now);
    TEST_ASSERT_FALSE_MESSAGE(lets_go && !loosening, why);
    tried->loosening += loosening;
    tried->harmless += !loosening;
    tried->proven += lets_go;
}

static void test_what_lets_something_go_loosens(void)
{
    struct tried tried = { 0 };

    for (uint64_t i = 0; i < CHANGES; i++) {
        uint64_t dice = prb_test_mix(5, i) | 1;

        try_change(&dice, &tried);
    }

    /* There was enough of each to tell. */
    TEST_ASSERT_GREATER_THAN(CHANGES / 10, tried.harmless);
    TEST_ASSERT_GREATER_THAN(CHANGES / 10, tried.loosening);
    TEST_ASSERT_GREATER_THAN(CHANGES / 10, tried.proven);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_what_loosens);
    RUN_TEST(test_what_lets_something_go_loosens);
    return UNITY_END();
}
