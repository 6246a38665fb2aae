/*
 * Whatever others do meanwhile, and however old the cache is: does a deletion end, in order, and is
 * nothing else touched? A world is drawn from a seed; the seed is in the message of a failure.
 */

#include <stdio.h>
#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "cluster_hub.h"
#include "cluster_laws.h"
#include "cluster_world.h"

#define SEEDS 300

/* Rounds in which others do as they please; then all of them do what is asked of them. */
#define ROUNDS 30
#define ROUNDS_MAX 200

#define KEEP_PATCH                                                     \
    "{\"metadata\":{\"labels\":{\"cluster.open-cluster-management.io/" \
    "keep-upon-cluster-deletion\":\"\"}}}"
#define RBAC_YAML(ns)                                                                                                                          \
    RBAC("RoleBinding")                                                                                                                        \
    "metadata: {namespace: " ns ", name: 'open-cluster-management:managedcluster:" ns                                                          \
    ":registration'}\n" RBAC(                                                                                                                  \
            "RoleBinding") "metadata: {namespace: " ns                                                                                         \
                           ", name: 'open-cluster-management:managedcluster:" ns                                                               \
                           ":work', finalizers: [" WORK_FINALIZER "]}\n" RBAC(                                                                 \
                                   "ClusterRole") "metadata: {name: 'open-cluster-management:managedcluster:" ns                               \
                                                  "'}\n" RBAC(                                                                                 \
                                                          "ClusterRoleBinding") "metadata: {name: 'open-cluster-management:managedcluster:" ns \
                                                                                "'}\n"

static uint64_t state;
static unsigned made;  /* objects made so far: for names */
static bool stripped;  /* the finalizer was taken off by hand */
static bool recreated; /* another cluster has the name */
static char bystander[65536];

/* splitmix64: the same on every machine. */
static uint64_t draw(uint64_t below)
{
    uint64_t z = (state += UINT64_C(0x9e3779b97f4a7c15));

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (z ^ (z >> 31)) % below;
}

void setUp(void)
{
    cluster_world_init();
}

void tearDown(void)
{
    cluster_world_done();
}

__attribute__((format(printf, 1, 2))) static void putf(const char *fmt, ...)
{
    prb_auto(prb_str_done) struct prb_str yaml;
    va_list args;

    prb_str_init(&yaml, 8192);
    va_start(args, fmt);
    prb_str_vaddf(&yaml, fmt, args);
    va_end(args);
    put(prb_str_get(&yaml));
}

static void make_addon(void)
{
    putf(ADDON_KIND "metadata: {namespace: c1, name: a%u, finalizers: [%s], annotations: "
                    "{open-cluster-management.io/cleanup-priority: '%d'}}\n",
            made++, draw(2) ? "hook" : "", (int)draw(3) * 50);
}

static void make_work(void)
{
    static const char *const labels[] = { "", OF_ADDON("a0"), OF_ADDON("a1"),
        OF_ADDON("host") ", " IN_NAMESPACE("c2") };

    putf(WORK_KIND "metadata: {namespace: c1, name: w%u, finalizers: [%s], labels: {%s}, "
                   "annotations: {open-cluster-management.io/cleanup-priority: '%d'}}\n",
            made++, draw(3) ? WORK_FINALIZER : "", labels[draw(4)], (int)draw(3) * 50);
}

static void make_monitored(void)
{
    putf("---\napiVersion: v1\nkind: ConfigMap\nmetadata: {namespace: c1, name: m%u}\n", made++);
}

/* Where it is gone by now there is nothing to change. */
static void change(const char *ref, const char *merge_patch)
{
    if (is_there(ref))
        set(ref, NULL, merge_patch);
}

static bool is_open(void)
{
    return is_there(NS1) && !is_going(NS1);
}

/* One of a collection in the namespace; "": there is none. */
static char *one_of(const char *gvr)
{
    size_t count = count_in(gvr, "c1");

    return prb_strdup(count ? nth_in(gvr, "c1", draw(count)) : "");
}

/* The agent can take its finalizer off only while it has rights. */
static const char *serve_work(void)
{
    prb_autofree char *work = one_of(WORKS);

    if (!work[0] || !is_going(work))
        return NULL;
    if (!is_there(ROLEBINDINGS "/c1/" RBAC_NAME(":work")) && !is_going(NS1))
        return "a work is left, and its agent has no rights any more";
    release(work);
    return NULL;
}

static void serve_addon(void)
{
    prb_autofree char *addon = one_of(ADDONS);

    if (!addon[0] || !is_going(addon))
        return;
    if (is_open() && !recreated && draw(4) == 0)
        make_work(); /* a hook */
    else
        release(addon);
}

static void erase_one(const char *gvr)
{
    prb_autofree char *ref = one_of(gvr);

    if (ref[0])
        erase(ref);
}

/* The finalizer is stripped by hand; now and then somebody takes the name again. */
static void meddle(void)
{
    if (stripped || !is_going(C1)) {
        if (stripped && !recreated && is_open() && !is_there(C1)) {
            put(CLUSTER_KIND "metadata: {name: c1}\n" ACCEPTED);
            put(ADDON_KIND "metadata: {namespace: c1, name: fresh}\n");
            recreated = true;
        }
        return;
    }
    release(C1);
    stripped = true;
}

/* Somebody does something. What is wrong, or NULL. */
static const char *act(void)
{
    switch (draw(12)) {
    case 0:
        if (is_open() && !recreated)
            make_monitored();
        return NULL;
    case 1:
        /* Admission lets only addons that are still there make works. */
        if (is_open() && !recreated && count_in(ADDONS, "c1") > 0)
            make_work();
        return NULL;
    case 2:
        if (draw(8) == 0)
            change(NS1, KEEP_PATCH);
        return NULL;
    case 3:
        change(C1, draw(2) ? "{\"metadata\":{\"labels\":{\"x\":\"1\"}}}"
                           : "{\"metadata\":{\"labels\":{\"x\":\"2\"}}}");
        return NULL;
    case 4:
        if (draw(10) == 0)
            meddle();
        return NULL;
    case 5:
        erase_one(MONITORED);
        return NULL;
    case 6:
        if (draw(6) == 0)
            change(C1, "{\"metadata\":{\"annotations\":{\"probate.dev/release-works\":\"gone\"}}}");
        return NULL;
    case 7:
        if (is_there(ADDONS "/c2/host"))
            erase(ADDONS "/c2/host");
        else
            put(ADDON_IN("c2", "host", ""));
        return NULL;
    case 8:
        erase_one(WORKS);
        return NULL;
    case 9:
    case 10:
        serve_addon();
        return NULL;
    default:
        return serve_work();
    }
}

/* Now everybody does what is asked of them. */
static const char *help(void)
{
    const char *wrong = NULL;

    erase(ADDONS "/c2/host");
    for (int i = 0; i < 3 && !wrong; i++) {
        erase_one(MONITORED);
        if (!recreated)
            erase_one(WORKS);
        serve_addon();
        wrong = serve_work();
    }
    return wrong;
}

static const char *round_of(bool helpful)
{
    const char *wrong = NULL;

    cluster_hub.clock.now_ms += 1000;
    for (size_t i = draw(4); i > 0 && !wrong && !helpful; i--)
        wrong = act();
    if (helpful && !wrong)
        wrong = help();
    if (the_cache_is_fresh || helpful)
        see();
    else
        see_some((unsigned)draw(1U << CACHES));
    return wrong ? wrong : pass(C1, law);
}

static void dump(char *text, size_t size)
{
    static const char *const all[] = { CLUSTERS "//c2", NAMESPACES "//c2", WORKS "/c2/w",
        ROLEBINDINGS "/c2/open-cluster-management:managedcluster:c2:work",
        ROLES "//open-cluster-management:managedcluster:c2" };
    prb_auto(prb_str_done) struct prb_str out;

    prb_str_init(&out, size - 1);
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        prb_auto(prb_object_unref) struct prb_object *object = live(all[i]);
        prb_autofree char *json = prb_json_text(object ? prb_object_tree(object) : NULL, true);

        prb_str_addf(&out, "%s\n", json);
    }
    (void)prb_copy(text, size, prb_str_get(&out));
}

static void begin(uint64_t seed)
{
    state = seed;
    made = 0;
    the_cache_is_fresh = seed % 2 == 0;
    stripped = recreated = false;
    cluster_hub_init();
    cluster_hub.settings.delete_works = (enum prb_delete_works)draw(3);
    put(CLUSTER_KIND "metadata: {name: c1, finalizers: [" FINALIZER "]}\n" ACCEPTED NAMESPACE_KIND
                     "metadata: {name: c1}\n" CLUSTER_KIND
                     "metadata: {name: c2, finalizers: [" FINALIZER "]}\n" NAMESPACE_KIND
                     "metadata: {name: c2}\n" ADDON_IN("c2", "host", "") WORK_IN("c2", "w", "")
                             RBAC_YAML("c1") RBAC_YAML("c2"));
    for (size_t i = draw(5); i > 0; i--)
        make_addon();
    for (size_t i = draw(6); i > 0; i--)
        make_work();
    for (size_t i = draw(3); i > 0; i--)
        make_monitored();
    dump(bystander, sizeof(bystander));
    see();
    erase(C1);
}

/* How it has to be in the end; what is not, or NULL. */
static const char *look_at_the_end(bool kept)
{
    static char after[sizeof(bystander)];

    dump(after, sizeof(after));
    if (!prb_streq(bystander, after))
        return "another cluster was touched";
    if (is_marked())
        return "a mark is left";
    if (recreated)
        return is_there(C1) && !is_going(C1) && is_there(ADDONS "/c1/fresh") &&
                               !is_going(ADDONS "/c1/fresh")
                       ? NULL
                       : "the new cluster was harmed";
    if (is_there(C1))
        return "the cluster is left";
    if (stripped)
        return NULL; /* with a mark it is clean, without one nothing was touched */
    if (kept != is_there(NS1))
        return kept ? "the namespace was to be kept" : "the namespace is left";
    return is_there(ROLES "//" RBAC_NAME("")) ? "rights are left" : NULL;
}

/* Is anything left that others still have to do, and that is waited for? */
static bool is_waiting(void)
{
    if (recreated || (!is_there(C1) && !is_marked()))
        return false;
    return count_in(WORKS, "c1") + count_in(ADDONS, "c1") + count_in(MONITORED, "c1") > 0;
}

static const char *play(uint64_t seed)
{
    const char *wrong = NULL;
    int quiet = 0;
    bool kept;

    begin(seed);
    for (int i = 0; i < ROUNDS && !wrong; i++)
        wrong = round_of(false);
    for (int i = 0; i < ROUNDS_MAX && !wrong && quiet < 3; i++) {
        wrong = round_of(true);
        quiet = cluster_hub.changes.count == 0 && !is_waiting() ? quiet + 1 : 0;
    }
    kept = is_kept();
    if (!wrong && quiet < 3)
        wrong = "it does not come to rest";
    if (!wrong)
        wrong = look_at_the_end(kept);
    cluster_hub_done();
    return wrong;
}

static void test_every_deletion_ends_in_order_and_touches_nothing_else(void)
{
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        const char *wrong = play(seed);
        char text[256];

        if (!wrong)
            continue;
        (void)snprintf(text, sizeof(text), "seed %u: %s", (unsigned)seed, wrong);
        TEST_FAIL_MESSAGE(text);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_every_deletion_ends_in_order_and_touches_nothing_else);
    return UNITY_END();
}
