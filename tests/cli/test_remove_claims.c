/* Does `probate remove` take its finalizers off claims, of whatever kinds, and nobody else's? */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unity.h>

#include "probate/base/clock.h"
#include "probate/base/str.h"
#include "probate/hub/hub.h"

#include "../control/fault_port.h"
#include "remove.h"

#define FINALIZER "finalizer.apiextensions.crossplane.io"

#define XRD(group, kind, plural, claim, claims)                                                    \
    "---\napiVersion: apiextensions.crossplane.io/v1\nkind: CompositeResourceDefinition\n"         \
    "metadata: {name: " plural "." group "}\nspec: {group: " group ", names: {kind: " kind         \
    ", plural: " plural "}, claimNames: {kind: " claim ", plural: " claims "}, versions: [{name: " \
    "v1, served: true, referenceable: true}]}\n"

#define BY(manager)                                                                                                         \
    ", managedFields: [{manager: " manager                                                                                  \
    ", operation: Update, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {'f:metadata': {'f:finalizers': {'v:\"" FINALIZER \
    "\"': {}}}}}]"

#define CLAIM(kind, name, meta)                                               \
    "---\napiVersion: example.org/v1\nkind: " kind "\nmetadata: {name: " name \
    ", namespace: team, finalizers: [other/one, " FINALIZER "]" meta "}\nspec: {}\n"

/* Of a definition that is gone. */
#define FORMER                                                                                     \
    "---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"                   \
    "metadata: {name: lakes.example.org, ownerReferences: [{apiVersion: "                          \
    "apiextensions.crossplane.io/v1, kind: CompositeResourceDefinition, name: xlakes.example.org," \
    " uid: u1, controller: true}]}\nspec: {group: example.org, scope: Namespaced, names: "         \
    "{kind: Lake, plural: lakes}, versions: [{name: v1, served: true, storage: true}]}\n"

static const char site[] =
        "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: team}\n"
        "---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"
        "metadata: {name: pools.example.org}\nspec: {group: example.org, scope: Namespaced, names: "
        "{kind: Pool, plural: pools}, versions: [{name: v1, served: true, storage: true}]}\n" XRD(
                "example.org", "XNetwork", "xnetworks", "Network", "networks") CLAIM("Network",
                "ours", BY("probate")) CLAIM("Network", "theirs", BY("crossplane")) CLAIM("Network",
                "leaving", ", deletionTimestamp: '2026-01-02T03:00:00Z'" BY("probate"))
                CLAIM("Pool", "flagged", BY("probate")) FORMER CLAIM("Lake", "left", BY("probate"));

static struct prb_hub *hub;
static struct fault_port port;
static struct prb_removal removal;
static const struct prb_gvr pools = { "example.org", "", "pools" };

void setUp(void)
{
    const struct prb_clock *clock = prb_clock_system();
    struct prb_error err;

    hub = prb_hub_new(NULL);
    if (prb_hub_load_text(hub, site, strlen(site), &err) < 0) {
        (void)fprintf(stderr, "%s\n", err.msg);
        abort();
    }
    fault_port_init(&port, prb_hub_api(hub));
    removal.api = &port.api;
    removal.end_ms = clock->mono_ms(clock) + 60000;
    removal.claims = NULL;
    removal.claim_count = removal.done = removal.left = 0;
    removal.dry_run = false;
}

void tearDown(void)
{
    prb_remove_waits_done(&removal);
    fault_port_done(&port);
    prb_hub_free(hub);
}

static bool has_finalizer(const char *resource, const char *name)
{
    const struct prb_gvr gvr = { "example.org", "v1", "" };
    prb_auto(prb_object_unref) struct prb_object *object = NULL;
    struct prb_gvr of = gvr;
    struct prb_error err;
    struct prb_ref ref;

    (void)prb_copy(of.resource, sizeof(of.resource), resource);
    return prb_ref_init(&ref, &of, "team", name) &&
           prb_api_get(prb_hub_api(hub), &ref, NULL, &object, &err) == 0 &&
           prb_object_has_finalizer(object, "other/one") &&
           prb_object_has_finalizer(object, FINALIZER);
}

static void test_ours_go_and_others_stay(void)
{
    prb_remove_claims(&removal);
    TEST_ASSERT_FALSE(has_finalizer("networks", "ours"));
    TEST_ASSERT_FALSE_MESSAGE(has_finalizer("networks", "leaving"), "what is deleted is let go");
    TEST_ASSERT_TRUE(has_finalizer("networks", "theirs"));
    TEST_ASSERT_FALSE_MESSAGE(has_finalizer("lakes", "left"), "its definition is gone");
    TEST_ASSERT_TRUE_MESSAGE(has_finalizer("pools", "flagged"), "no definition speaks of it");
    TEST_ASSERT_EQUAL_size_t(3, removal.done);
    TEST_ASSERT_EQUAL_size_t(0, removal.left);
    prb_remove_claims(&removal);
    TEST_ASSERT_EQUAL_size_t_MESSAGE(3, removal.done, "once more is nothing more");
}

static void test_kinds_that_a_flag_names_are_seen_to_as_well(void)
{
    removal.claims = &pools;
    removal.claim_count = 1;
    prb_remove_claims(&removal);
    TEST_ASSERT_FALSE(has_finalizer("pools", "flagged"));
    TEST_ASSERT_EQUAL_size_t(4, removal.done);
}

static void test_a_dry_run_changes_nothing(void)
{
    removal.dry_run = true;
    prb_remove_claims(&removal);
    TEST_ASSERT_TRUE(has_finalizer("networks", "ours"));
    TEST_ASSERT_EQUAL_size_t(3, removal.done);
}

/* Who never ran the controller has no rights on them, and nothing there. */
static void test_what_may_not_be_listed_is_left_only_when_it_was_named(void)
{
    fault_port_spoil(&port,
            (struct fault){
                    .verb = "list", .resource = "pools", .code = PRB_E_FORBIDDEN, .times = -1 });
    fault_port_spoil(&port,
            (struct fault){
                    .verb = "list", .resource = "networks", .code = PRB_E_FORBIDDEN, .times = -1 });
    prb_remove_claims(&removal);
    TEST_ASSERT_EQUAL_size_t(0, removal.left);
    removal.claims = &pools;
    removal.claim_count = 1;
    prb_remove_claims(&removal);
    TEST_ASSERT_EQUAL_size_t(1, removal.left);
}

static enum prb_exit run_all(struct prb_supervisor *supervisor, void *ctx)
{
    (void)ctx;
    removal.supervisor = supervisor;
    UNITY_BEGIN();
    RUN_TEST(test_ours_go_and_others_stay);
    RUN_TEST(test_kinds_that_a_flag_names_are_seen_to_as_well);
    RUN_TEST(test_a_dry_run_changes_nothing);
    RUN_TEST(test_what_may_not_be_listed_is_left_only_when_it_was_named);
    return UNITY_END() == 0 ? PRB_EXIT_DONE : PRB_EXIT_DENIED;
}

int main(void)
{
    return prb_supervise(run_all, NULL);
}
