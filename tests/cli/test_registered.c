/* Is a request judged by the registrations that an API server would ask, and by no other? */

#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/hub/hub.h"

#include "registered.h"
#include "support/json_text.h"

#define OWN "probate-system"
#define LABEL "example.dev/label"

enum { WITH, WITHOUT, ANYWHERE, OF_NODES };

static const struct prb_registration registrations[] = {
    [WITH] = { .name = "with", .label = LABEL },
    [WITHOUT] = { .name = "without", .label = LABEL, .without_label = true },
    [ANYWHERE] = { .name = "anywhere", .own_namespace = true },
    [OF_NODES] = { .name = "of-nodes" },
};

#define MAPS .group = "", .resource = "configmaps", .namespaced = true

static const struct prb_rule_match matches[] = {
    { MAPS, .operations = PRB_UPDATE | PRB_DELETE, .registration = WITH },
    { MAPS, .operations = PRB_UPDATE | PRB_DELETE, .registration = WITHOUT },
    { MAPS, .operations = PRB_DELETE, .registration = ANYWHERE },
    { .group = "",
            .resource = "namespaces",
            .operations = PRB_UPDATE | PRB_DELETE,
            .registration = WITH },
    { .group = "", .resource = "nodes", .operations = PRB_DELETE, .registration = OF_NODES },
    { .group = "",
            .resource = "nodes",
            .operations = PRB_UPDATE,
            .subresource = "status",
            .registration = OF_NODES },
};

static const struct prb_rule rule = { .name = "made-up",
    .matches = matches,
    .match_count = sizeof(matches) / sizeof(matches[0]),
    .registrations = registrations,
    .registration_count = sizeof(registrations) / sizeof(registrations[0]) };

static struct prb_hub *hub;
static struct prb_registered *registered;
static char asked[256];

static struct prb_view *open_view(void *ctx)
{
    (void)ctx;
    return prb_view_open(NULL, 0, 0);
}

void setUp(void)
{
    static const char world[] = "{apiVersion: v1, kind: Namespace, metadata: {name: ns}}\n";
    static struct prb_rule_entry entry = { .rule = &rule };
    static const struct prb_rule *rules[] = { &rule };
    static const struct prb_rule_choice choice = { .entries = &entry, .rules = rules, .count = 1 };
    struct prb_error err;

    hub = prb_hub_new(NULL);
    TEST_ASSERT_EQUAL(0, prb_hub_load_text(hub, world, strlen(world), &err));
    TEST_ASSERT_EQUAL(0, prb_registered_new(&choice, OWN, &registered, &err));
}

void tearDown(void)
{
    prb_registered_free(registered);
    prb_hub_free(hub);
}

/* `labels` as JSON with ' for "; NULL: there is no such object. */
static struct prb_object *object_of(const struct prb_request *request, const char *labels)
{
    struct prb_object *object = NULL;
    struct prb_error err;

    if (labels)
        (void)prb_object_new(
                prb_test_json("{'apiVersion':'v1','kind':'X','metadata':{'name':'%s','namespace':"
                              "'%s','labels':%s}}",
                        request->name, request->namespace, labels),
                &object, &err);
    return object;
}

struct question {
    enum prb_operation operation;
    const char *resource, *subresource, *namespace, *name;
    const char *old, *new; /* labels */
};

/* The names of those that are asked, with spaces. */
static const char *ask(struct question question)
{
    prb_auto(prb_request_free) struct prb_request *request = prb_calloc(1, sizeof(*request));
    const struct prb_registered_source source = { .api = prb_hub_api(hub), .open_view = open_view };
    struct prb_registered_call calls[sizeof(registrations) / sizeof(registrations[0])];
    struct prb_error err = { .msg = "" };
    int count;

    request->operation = question.operation;
    (void)prb_gvr_init(&request->gvr, "", "v1", question.resource);
    request->subresource = prb_strdup(question.subresource ? question.subresource : "");
    request->namespace = prb_strdup(question.namespace ? question.namespace : "");
    request->name = prb_strdup(question.name ? question.name : "a");
    request->old = object_of(request, question.old);
    request->object = object_of(request, question.new);
    count = prb_registered_find(registered, &source, request, calls, &err);
    asked[0] = '\0';
    if (count < 0)
        return err.msg[0] ? "error" : "error without a text";
    for (int i = 0; i < count; i++)
        (void)snprintf(asked + strlen(asked), sizeof(asked) - strlen(asked), "%s ",
                registrations[calls[i].index].name);
    return asked;
}

#define ASK(...) ask((struct question){ __VA_ARGS__ })

static void test_rules_name_operation_resource_and_subresource(void)
{
    TEST_ASSERT_EQUAL_STRING("of-nodes ", ASK(PRB_DELETE, "nodes", .old = "{}"));
    TEST_ASSERT_EQUAL_STRING("", ASK(PRB_UPDATE, "nodes", .old = "{}", .new = "{}"));
    TEST_ASSERT_EQUAL_STRING("of-nodes ",
            ASK(PRB_UPDATE, "nodes", .subresource = "status", .old = "{}", .new = "{}"));
    TEST_ASSERT_EQUAL_STRING("", ASK(PRB_DELETE, "pods", .namespace = "ns", .old = "{}"));
    TEST_ASSERT_EQUAL_STRING("", ASK(PRB_CREATE, "configmaps", .namespace = "ns", .new = "{}"));
}

static void test_the_label_of_an_object_selects(void)
{
    TEST_ASSERT_EQUAL_STRING(
            "without anywhere ", ASK(PRB_DELETE, "configmaps", .namespace = "ns", .old = "{}"));
    TEST_ASSERT_EQUAL_STRING("with anywhere ",
            ASK(PRB_DELETE, "configmaps", .namespace = "ns", .old = "{'" LABEL "':'true'}"));
}

static void test_of_old_and_new_one_will_do(void)
{
    TEST_ASSERT_EQUAL_STRING("with without ", ASK(PRB_UPDATE, "configmaps", .namespace = "ns",
                                                      .old = "{'" LABEL "':'true'}", .new = "{}"));
    TEST_ASSERT_EQUAL_STRING("with without ", ASK(PRB_UPDATE, "configmaps", .namespace = "ns",
                                                      .old = "{}", .new = "{'" LABEL "':'true'}"));
    TEST_ASSERT_EQUAL_STRING(
            "without ", ASK(PRB_UPDATE, "configmaps", .namespace = "ns", .old = "{}", .new = "{}"));
}

static void test_exempt_namespaces_are_left_out_by_their_names(void)
{
    TEST_ASSERT_EQUAL_STRING(
            "anywhere ", ASK(PRB_DELETE, "configmaps", .namespace = "kube-system", .old = "{}"));
    TEST_ASSERT_EQUAL_STRING(
            "anywhere ", ASK(PRB_DELETE, "configmaps", .namespace = OWN, .old = "{}"));
    TEST_ASSERT_EQUAL_STRING("", ASK(PRB_DELETE, "namespaces", .name = OWN, .namespace = OWN,
                                         .old = "{'" LABEL "':'true'}"));
    TEST_ASSERT_EQUAL_STRING("with ", ASK(PRB_DELETE, "namespaces", .name = "ns", .namespace = "ns",
                                              .old = "{'" LABEL "':'true'}"));
}

/* As Kubernetes does it, and manifests of a folder need not list their Namespaces. */
static void test_a_namespace_that_is_not_there_has_no_labels(void)
{
    TEST_ASSERT_EQUAL_STRING("without anywhere ",
            ASK(PRB_DELETE, "configmaps", .namespace = "elsewhere", .old = "{}"));
}

static void test_a_namespace_that_cannot_be_looked_up_is_an_error(void)
{
    prb_api_interrupt(prb_hub_api(hub));
    TEST_ASSERT_EQUAL_STRING(
            "error", ASK(PRB_DELETE, "configmaps", .namespace = "ns", .old = "{}"));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_rules_name_operation_resource_and_subresource);
    RUN_TEST(test_the_label_of_an_object_selects);
    RUN_TEST(test_of_old_and_new_one_will_do);
    RUN_TEST(test_exempt_namespaces_are_left_out_by_their_names);
    RUN_TEST(test_a_namespace_that_is_not_there_has_no_labels);
    RUN_TEST(test_a_namespace_that_cannot_be_looked_up_is_an_error);
    return UNITY_END();
}
