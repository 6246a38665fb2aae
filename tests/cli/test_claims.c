/* What do the flags say about claims, and what beside Crossplane? */

#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/base/yaml.h"
#include "probate/cli/claims.h"
#include "probate/hub/hub.h"

#include "claim_rights.h"
#include "crossplane.h"

static struct prb_error err;

void setUp(void)
{
    err = (struct prb_error){ 0 };
}

void tearDown(void)
{
}

static void test_the_finalizer_is_crossplanes_or_one_of_your_own(void)
{
    static const struct {
        const char *given, *taken; /* NULL: refused */
    } cases[] = {
        { NULL, PRB_CLAIM_FINALIZER },
        { PRB_CLAIM_FINALIZER, PRB_CLAIM_FINALIZER },
        { "probate.dev/claim-cleanup", "probate.dev/claim-cleanup" },
        { "orphan", NULL },
        { "foregroundDeletion", NULL },
        { "finalizer.apiextensions.example.org", NULL },
        { "", NULL },
        { "a/b/c", NULL },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct prb_claim_flags flags = { .finalizer = cases[i].given };
        struct prb_claim_settings settings = { .finalizer = NULL };
        int r = prb_claims_choose(&flags, &settings, &err);

        TEST_ASSERT_EQUAL_MESSAGE(cases[i].taken ? 0 : PRB_E_INVALID, r, cases[i].given);
        TEST_ASSERT_EQUAL_STRING(cases[i].taken, settings.finalizer);
        if (!cases[i].taken)
            TEST_ASSERT_EQUAL_STRING_LEN("--claim-finalizer: ", err.msg, 19);
    }
}

static int look(const char *yaml, const char *finalizer)
{
    prb_auto(prb_hub_free) struct prb_hub *hub = prb_hub_new(NULL);
    int r = prb_hub_load_text(hub, yaml, strlen(yaml), &err);

    return r < 0 ? r : prb_crossplane_look(prb_hub_api(hub), finalizer, &err);
}

#define DEPLOYMENT(namespace, name, app)                                                             \
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {namespace: " namespace ", name: " name        \
                                                                              ", labels: {app: " app \
                                                                              "}}\n"
#define CORE DEPLOYMENT("crossplane-system", "crossplane", "crossplane")

static void test_crossplanes_name_is_refused_where_its_core_runs(void)
{
    TEST_ASSERT_EQUAL(PRB_E_INVALID, look(CORE, PRB_CLAIM_FINALIZER));
    TEST_ASSERT_EQUAL_STRING(
            "Crossplane's core runs on this cluster (Deployment crossplane-system/crossplane) and "
            "uses the finalizer finalizer.apiextensions.crossplane.io on claims: of two "
            "controllers that share one, either may take it off before the other is done. Give "
            "Probate its own: --claim-finalizer=probate.dev/claim-cleanup",
            err.msg);
    TEST_ASSERT_EQUAL_MESSAGE(PRB_E_INVALID,
            look(DEPLOYMENT("upbound-system", "xp", "crossplane"), PRB_CLAIM_FINALIZER),
            "wherever it is");
}

static void test_without_crossplane_or_with_a_name_of_its_own_it_may(void)
{
    TEST_ASSERT_EQUAL(0, look("", PRB_CLAIM_FINALIZER));
    TEST_ASSERT_EQUAL(0, look(CORE, PRB_CLAIM_FINALIZER_OWN));
    TEST_ASSERT_EQUAL(0, look(DEPLOYMENT("crossplane-system", "crossplane-rbac-manager",
                                      "crossplane-rbac-manager"),
                                 PRB_CLAIM_FINALIZER));
}

/* A server whose first page is empty, as it may be where labels are asked for. */
static int list_late(struct prb_api *api, const struct prb_gvr *gvr,
        const struct prb_list_options *options, struct prb_page *ret, struct prb_error *ret_err)
{
    struct json_object *tree = NULL;

    (void)api;
    (void)gvr;
    if (!options->next) {
        ret->next = prb_strdup("more");
        return 0;
    }
    ret->objects = prb_calloc(1, sizeof(struct prb_object *));
    ret->count = 1;
    if (prb_yaml_parse(CORE, strlen(CORE), &tree, ret_err) < 0)
        return ret_err->code;
    return prb_object_new(tree, &ret->objects[0], ret_err);
}

static void test_an_empty_page_does_not_say_that_there_is_none(void)
{
    static const struct prb_api_ops ops = { .list = list_late };
    struct prb_api api = { .ops = &ops };

    TEST_ASSERT_EQUAL(PRB_E_INVALID, prb_crossplane_look(&api, PRB_CLAIM_FINALIZER, &err));
}

static void keep_line(void *sink, const struct prb_ops_check *check)
{
    prb_str_addf(sink, "%s%s: %s", check->state == PRB_OPS_INFO ? "[i] " : "", check->name,
            check->detail);
}

/* What is said of it now; it is time to look. Static buffer. */
static const char *said_beside(struct prb_crossplane_beside *beside)
{
    static char said[PRB_ERROR_MSG_MAX];
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, sizeof(said) - 1);
    beside->due_ms = 0;
    prb_crossplane_tend(beside);
    prb_crossplane_each_check(beside, keep_line, &text);
    (void)prb_copy(said, sizeof(said), prb_str_get(&text));
    return said;
}

static void test_crossplane_that_comes_later_is_told_of_until_it_goes(void)
{
    static const struct prb_ref core = { .gvr = { "apps", "v1", "deployments" },
        .namespace = "crossplane-system",
        .name = "crossplane" };
    prb_auto(prb_hub_free) struct prb_hub *hub = prb_hub_new(NULL);
    struct prb_crossplane_beside beside = PRB_CROSSPLANE_BESIDE_INIT;
    prb_auto(prb_object_unref) struct prb_object *found = NULL;
    struct prb_delete_options options = { .propagation = PRB_PROPAGATE_BACKGROUND };

    TEST_ASSERT_EQUAL_STRING_MESSAGE("", said_beside(&beside), "nobody looks");
    prb_crossplane_beside_init(&beside, prb_hub_api(hub), PRB_CLAIM_FINALIZER);
    TEST_ASSERT_EQUAL_STRING("", said_beside(&beside));
    TEST_ASSERT_EQUAL(0, prb_hub_load_text(hub, CORE, strlen(CORE), &err));
    prb_crossplane_tend(&beside);
    TEST_ASSERT_EQUAL_STRING_MESSAGE("", beside.text, "it is looked at now and then only");
    TEST_ASSERT_NOT_NULL(strstr(said_beside(&beside),
            "[i] claim finalizer: Crossplane's core runs on this cluster "
            "(Deployment crossplane-system/crossplane)"));
    TEST_ASSERT_EQUAL(0, prb_api_get(prb_hub_api(hub), &core, NULL, &found, &err));
    options.uid = prb_object_uid(found);
    TEST_ASSERT_EQUAL(0, prb_api_delete(prb_hub_api(hub), &core, &options, &err));
    TEST_ASSERT_EQUAL_STRING("", said_beside(&beside));
}

static const char *verbs_on(const struct prb_claim_rights *rights, const char *resource)
{
    for (size_t i = 0; i < rights->count; i++) {
        if (strcmp(rights->items[i].resource, resource) == 0)
            return rights->items[i].verbs;
    }
    return "none";
}

static void test_rights_follow_the_kinds_that_flags_name(void)
{
    static const struct prb_gvr claims[] = { { "example.org", "", "networks" } };
    struct prb_claim_flags flags = { .finalizer = NULL };
    prb_auto(prb_claim_kinds_done) struct prb_claim_kinds kinds = { .composites = NULL };
    prb_auto(prb_claim_rights_done) struct prb_claim_rights rights = { .count = 0 };

    prb_list_add(&flags.composites, "xnetworks.example.org", 21);
    prb_list_add(&flags.composed, "secrets", 7);
    TEST_ASSERT_EQUAL(0, prb_claim_kinds_parse(&flags, &kinds, &err));
    prb_claim_rights_fill(&rights, claims, 1, &kinds);
    TEST_ASSERT_EQUAL_STRING("get,list,watch,patch", verbs_on(&rights, "networks"));
    TEST_ASSERT_EQUAL_STRING("patch", verbs_on(&rights, "networks/status"));
    TEST_ASSERT_EQUAL_STRING("get,list,watch,patch,delete", verbs_on(&rights, "xnetworks"));
    TEST_ASSERT_EQUAL_STRING("update", verbs_on(&rights, "xnetworks/finalizers"));
    TEST_ASSERT_EQUAL_STRING("list,watch,patch,delete", verbs_on(&rights, "secrets"));
    TEST_ASSERT_EQUAL_size_t(5, rights.count);
    prb_list_add(&flags.composites, "xnetworks", 9);
    TEST_ASSERT_EQUAL(PRB_E_INVALID, prb_claim_kinds_parse(&flags, &kinds, &err));
    TEST_ASSERT_EQUAL_STRING_LEN("--composite-resource", err.msg, 20);
    prb_list_done(&flags.composites);
    prb_list_done(&flags.composed);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_the_finalizer_is_crossplanes_or_one_of_your_own);
    RUN_TEST(test_crossplanes_name_is_refused_where_its_core_runs);
    RUN_TEST(test_without_crossplane_or_with_a_name_of_its_own_it_may);
    RUN_TEST(test_an_empty_page_does_not_say_that_there_is_none);
    RUN_TEST(test_crossplane_that_comes_later_is_told_of_until_it_goes);
    RUN_TEST(test_rights_follow_the_kinds_that_flags_name);
    return UNITY_END();
}
