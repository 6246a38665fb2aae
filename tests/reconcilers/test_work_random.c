/*
 * Whatever others do meanwhile: does nothing disappear that has no reference of the work, and does
 * what was frozen decide? A play is drawn from a seed, which is in the message of a failure.
 *
 * Others make, change, hold and delete a work and the objects that it names, and the settings of a
 * work that is going only as far as the rule manifestwork-orphan lets them. The agent is killed,
 * its calls fail, and an older one takes its finalizer off with all settings.
 */

#include <stdio.h>
#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/model/patch.h"

#include "../../src/reconcilers/work_internal.h"
#include "orphan_rule.h"
#include "work_world.h"

#define SEEDS 300

/* Moves of one play; then all others do what is asked of them. */
#define MOVES 40

#define OBJECTS 3
#define W WORK("w")
#define A APPLIED("w")

/* Half the grace period: two of these and a work that is gone is evicted. */
#define HALF_GRACE_MS ((int64_t)PRB_EVICTION_GRACE_MS / 2 + 1)

static const char *const refs[OBJECTS] = { CM("a"), CM("b"), CM("c") };
static uint64_t state;

/* The uid of what must not go any more, by what was frozen; "": nothing. */
static char frozen[OBJECTS][64];
static char trouble[256];

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
    work_world_init();
    watch("", "ConfigMap");
}

void tearDown(void)
{
    work_world_done();
}

/* ---- what is frozen ---- */

static bool spares(const struct prb_manifest_work *settings, int object)
{
    const char name[] = { (char)('a' + object), '\0' };
    const struct prb_applied_entry entry = {
        .group = "", .version = "v1", .resource = "configmaps", .namespace = "default", .name = name
    };

    return prb_orphans_spare(settings, &entry);
}

/* From now on what is there and spared by these settings must stay; NULL: nothing is. */
static void freeze(const struct prb_manifest_work *settings)
{
    for (int i = 0; i < OBJECTS; i++) {
        prb_auto(prb_object_unref) struct prb_object *object = live(refs[i]);

        frozen[i][0] = '\0';
        if (object && !prb_object_is_deleting(object) && spares(settings, i))
            (void)prb_copy(frozen[i], sizeof(frozen[i]), prb_object_uid(object));
    }
}

static void freeze_work(void)
{
    prb_auto(prb_manifest_work_done) struct prb_manifest_work settings;
    prb_auto(prb_object_unref) struct prb_object *work = live(W);

    prb_manifest_work_read(work, &settings);
    freeze(&settings);
}

/* The work says nothing any more: what is on record counts. */
static void freeze_record(void)
{
    prb_auto(prb_orphans_done) struct prb_orphans orphans = { .any = false };
    prb_auto(prb_object_unref) struct prb_object *applied = live(A);

    if (applied)
        prb_orphans_read(applied, &orphans);
    freeze(orphans.any ? &orphans.work : NULL);
}

/* ---- the laws ---- */

struct seen {
    char uid[64];
    bool is_going, has_reference;
};

static void look(struct seen seen[OBJECTS])
{
    for (int i = 0; i < OBJECTS; i++) {
        prb_auto(prb_object_unref) struct prb_object *object = live(refs[i]);

        seen[i] = (struct seen){ .is_going = false };
        if (!object)
            continue;
        (void)prb_copy(seen[i].uid, sizeof(seen[i].uid), prb_object_uid(object));
        seen[i].is_going = prb_object_is_deleting(object);
        seen[i].has_reference = prb_object_owner_count(object) > 0;
    }
}

static void compare(const struct seen before[OBJECTS], const struct seen after[OBJECTS])
{
    for (int i = 0; i < OBJECTS; i++) {
        bool is_same = strcmp(before[i].uid, after[i].uid) == 0;

        if (before[i].uid[0] == '\0' || before[i].is_going || (is_same && !after[i].is_going))
            continue;
        if (!before[i].has_reference)
            (void)snprintf(trouble, sizeof(trouble), "%s was deleted without a reference", refs[i]);
        if (strcmp(before[i].uid, frozen[i]) == 0)
            (void)snprintf(trouble, sizeof(trouble), "%s was deleted, and was to stay", refs[i]);
    }
}

static void act(void)
{
    struct seen before[OBJECTS], after[OBJECTS];

    look(before);
    (void)pass("w");
    look(after);
    compare(before, after);
}

/* ---- what others do ---- */

static const char *const settings[] = {
    "\"deleteOption\":null,\"manifestConfigs\":null",
    "\"deleteOption\":{\"propagationPolicy\":\"Orphan\"},\"manifestConfigs\":null",
#define SPARE_A                                                                                \
    "{\"propagationPolicy\":\"SelectivelyOrphan\",\"selectivelyOrphans\":{\"orphaningRules\":" \
    "[{\"resource\":\"configmaps\",\"namespace\":\"default\",\"name\":\"a\"}]}}"
#define READ_ONLY(name)                                                                                \
    "[{\"resourceIdentifier\":{\"resource\":\"configmaps\",\"namespace\":\"default\",\"name\":\"" name \
    "\"},\"updateStrategy\":{\"type\":\"ReadOnly\"}}]"
    "\"deleteOption\":" SPARE_A ",\"manifestConfigs\":null",
    "\"deleteOption\":null,\"manifestConfigs\":" READ_ONLY("b"),
    "\"deleteOption\":null,\"manifestConfigs\":" READ_ONLY("*"),
    "\"deleteOption\":" SPARE_A ",\"manifestConfigs\":" READ_ONLY("c"),
};

static const char *draw_settings(void)
{
    return settings[draw(sizeof(settings) / sizeof(settings[0]))];
}

static void make_object(int object)
{
    prb_autofree char *yaml = prb_asprintf(
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %c, namespace: default}\n",
            'a' + object);

    if (!is_there(refs[object]))
        spoke_put(yaml);
}

static void change(const char *ref, const char *patch)
{
    if (is_there(ref))
        set(ref, NULL, patch);
}

static bool is_allowed(const char *patch)
{
    prb_auto(prb_json_free) struct json_object *merge = NULL;
    prb_auto(prb_object_unref) struct prb_object *old = live(W), *now = NULL;
    struct prb_error err;

    must(prb_json_parse(patch, strlen(patch), NULL, &merge, &err), "patch", &err);
    must(prb_object_draft(prb_merge_patch(prb_object_tree(old), merge), &now, &err), "draft", &err);
    return orphan_rule_allows(old, now);
}

static void edit(void)
{
    prb_autofree char *patch = prb_asprintf("{\"spec\":{%s}}", draw_settings());

    if (is_there(W) && (!is_going(W) || is_allowed(patch)))
        set(W, NULL, patch);
}

static bool has_agent(void)
{
    prb_auto(prb_object_unref) struct prb_object *work = live(W);

    return work && prb_object_has_finalizer(work, PRB_WORK_FINALIZER);
}

static void delete_work(void)
{
    if (!is_there(W) || is_going(W))
        return;
    erase(W);
    if (has_agent())
        freeze_work();
    else
        freeze_record();
}

#define LET_GO(finalizers)                                                           \
    "{\"metadata\":{\"finalizers\":" finalizers "},\"spec\":{\"deleteOption\":null," \
    "\"manifestConfigs\":null}}"

/* An agent that knows neither setting lets go. */
static void let_go(void)
{
    prb_auto(prb_object_unref) struct prb_object *work = live(W);
    bool is_held = work && prb_object_has_finalizer(work, "x/hold");
    const char *patch = is_held ? LET_GO("[\"x/hold\"]") : LET_GO("null");

    if (!is_going(W) || !has_agent())
        return;
    TEST_ASSERT_TRUE_MESSAGE(is_allowed(patch), "an old agent cannot let go");
    freeze_record();
    set(W, NULL, patch);
}

static void break_call(void)
{
    static const char *const calls[] = { "get configmaps", "patch configmaps", "delete configmaps",
        "patch appliedmanifestworks", "delete appliedmanifestworks" };

    fault(calls[draw(5)], PRB_E_UNAVAILABLE, 1);
}

static void kill_agent(void)
{
    prb_json_free(prb_take(work_world.memory));
}

static void erase_by_hand(const char *ref, int object)
{
    if (!is_there(ref) || is_going(ref))
        return;
    if (object >= 0)
        frozen[object][0] = '\0';
    erase(ref);
}

static void move(void)
{
    int object = (int)draw(OBJECTS);

    switch (draw(16)) {
    case 0:
    case 1:
        edit();
        break;
    case 2:
        delete_work();
        break;
    case 3:
        let_go();
        break;
    case 4:
        change(refs[object], "{\"metadata\":{\"ownerReferences\":null}}");
        break;
    case 5:
        if (!is_going(refs[object]))
            change(refs[object], "{\"metadata\":{\"finalizers\":[\"x/y\"]}}");
        break;
    case 6:
        change(refs[object], "{\"metadata\":{\"finalizers\":null}}");
        break;
    case 7:
        make_object(object);
        break;
    case 8:
        kill_agent();
        break;
    case 9:
        prb_fake_clock_advance(&work_world.clock, HALF_GRACE_MS);
        break;
    case 10:
        break_call();
        break;
    case 11:
        if (draw(3) == 0)
            erase_by_hand(refs[object], object);
        break;
    case 12:
        if (draw(4) == 0)
            erase_by_hand(A, -1);
        break;
    default:
        act();
        break;
    }
}

/* ---- one play ---- */

static void begin(uint64_t seed)
{
    prb_autofree char *yaml = NULL;

    state = seed;
    trouble[0] = '\0';
    memset(frozen, 0, sizeof(frozen));
    for (int i = 0; i < OBJECTS; i++) {
        if (draw(2))
            make_object(i);
    }
    hub_put(WORK_YAML("w", "",
            CM_YAML("a", "x: '1'") ", " CM_YAML("b", "x: '1'") ", " CM_YAML("c", "x: '1'")));
    yaml = prb_asprintf("{\"metadata\":{\"finalizers\":%s},\"spec\":{%s}}",
            draw(2) ? "[\"x/hold\"]" : "null", draw_settings());
    set(W, NULL, yaml);
    for (uint64_t i = draw(4); i > 0; i--)
        act();
}

/* Nobody holds anything any more. */
static void end(void)
{
    delete_work();
    for (int i = 0; i < OBJECTS; i++)
        change(refs[i], "{\"metadata\":{\"finalizers\":null}}");
    if (is_there(W))
        set(W, NULL,
                has_agent() ? "{\"metadata\":{\"finalizers\":[\"" PRB_WORK_FINALIZER "\"]}}"
                            : "{\"metadata\":{\"finalizers\":null}}");
    for (int i = 0; i < 12; i++) {
        act();
        prb_fake_clock_advance(&work_world.clock, HALF_GRACE_MS);
    }
}

static void play(uint64_t seed)
{
    begin(seed);
    for (int i = 0; i < MOVES && trouble[0] == '\0'; i++)
        move();
    if (trouble[0] == '\0')
        end();
    if (trouble[0] == '\0' && (is_there(W) || is_there(A)))
        (void)snprintf(trouble, sizeof(trouble), "the work, or its record, never ends");
}

static void test_nothing_goes_that_is_to_stay_and_what_can_go_does(void)
{
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        char text[320];

        tearDown();
        setUp();
        play(seed);
        (void)snprintf(text, sizeof(text), "seed %llu: %s", (unsigned long long)seed, trouble);
        TEST_ASSERT_EQUAL_STRING_MESSAGE("", trouble, text);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_nothing_goes_that_is_to_stay_and_what_can_go_does);
    return UNITY_END();
}
