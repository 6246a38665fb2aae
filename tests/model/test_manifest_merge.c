/* What is written for a manifest, and when is it there already? */

#include <unity.h>

#include "probate/model/manifest_merge.h"

#include "support/json_text.h"

void setUp(void)
{
}

void tearDown(void)
{
}

static struct prb_object *object_of(const char *json)
{
    struct prb_object *object = NULL;
    struct prb_error err;

    (void)prb_object_draft(prb_test_json("%s", json), &object, &err);
    return object;
}

#define TEST_ASSERT_JSON(wanted, tree)                                                            \
    do {                                                                                          \
        prb_auto(prb_json_free) struct json_object *wanted_tree_ = prb_test_json("%s", (wanted)); \
        prb_autofree char *wanted_ = prb_json_text(wanted_tree_, true);                           \
        prb_autofree char *got_ = prb_json_text((tree), true);                                    \
        TEST_ASSERT_EQUAL_STRING(wanted_, got_);                                                  \
    } while (0)

static void test_a_body_says_nothing_that_only_a_server_can(void)
{
    prb_auto(prb_json_free) struct json_object *raw = prb_test_json(
            "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'a','namespace':'other',"
            "'uid':'u','resourceVersion':'7','generation':3,'creationTimestamp':null,"
            "'ownerReferences':[{'uid':'x'}],'managedFields':[],'selfLink':'/x','labels':{'l':'1'},"
            "'annotations':{'a':'1'},'finalizers':['x/y'],'deletionTimestamp':'now'},"
            "'data':{'k':'v'},'status':{'x':1}}");
    const struct prb_manifest manifest = { .raw = raw, .name = "a", .namespace = "other" };
    prb_auto(prb_json_free) struct json_object *body = prb_manifest_body(&manifest, "n");
    prb_auto(prb_json_free) struct json_object *cluster = prb_manifest_body(&manifest, "");

    TEST_ASSERT_JSON("{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'a','namespace':'n',"
                     "'labels':{'l':'1'},'annotations':{'a':'1'},'finalizers':['x/y']},"
                     "'data':{'k':'v'}}",
            body);
    TEST_ASSERT_NULL(prb_json_str(prb_json_obj(cluster, "metadata"), "namespace"));
}

static void test_plain_text_of_a_secret_is_encoded(void)
{
    static const struct {
        const char *raw, *wanted;
    } cases[] = {
        { "{'stringData':{'a':'','b':'f','c':'fo','d':'foo','e':'foob'}}",
                "{'data':{'a':'','b':'Zg==','c':'Zm8=','d':'Zm9v','e':'Zm9vYg=='}}" },
        { "{'data':{'a':'eA==','z':'eA=='},'stringData':{'a':'\\u0000'}}",
                "{'data':{'a':'AA==','z':'eA=='}}" },
        { "{'stringData':{'a':null}}", "{'data':{'a':''}}" },
        { "{'stringData':{'a':7}}", "{'stringData':{'a':7}}" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_auto(prb_json_free) struct json_object *raw = prb_test_json("%s", cases[i].raw);
        prb_auto(prb_json_free) struct json_object *body = NULL;
        const struct prb_manifest manifest = { .raw = raw, .name = "s" };

        prb_json_set_str(raw, "apiVersion", "v1");
        prb_json_set_str(raw, "kind", "Secret");
        body = prb_manifest_body(&manifest, "");
        prb_json_del(body, "apiVersion");
        prb_json_del(body, "kind");
        prb_json_del(body, "metadata");
        TEST_ASSERT_JSON(cases[i].wanted, body);
    }
}

static void test_a_merge_takes_the_body_and_leaves_what_is_others(void)
{
    prb_auto(prb_json_free) struct json_object *body = prb_test_json(
            "{'apiVersion':'x.io/v1','kind':'Foo','metadata':{'name':'a','labels':{'l':'1'},"
            "'annotations':{'n':null},'finalizers':['ours']},'spec':{'a':1}}");
    prb_auto(prb_object_unref) struct prb_object *live = object_of(
            "{'apiVersion':'x.io/v1','kind':'Foo','metadata':{'name':'a','uid':'u',"
            "'resourceVersion':'7','labels':{'l':'0','m':'2'},'annotations':{'n':'3'},"
            "'finalizers':['theirs'],'ownerReferences':[{'uid':'o'}],'managedFields':[{}]},"
            "'spec':{'a':2,'b':3},'more':4,'status':{'s':5}}");
    prb_auto(prb_json_free) struct json_object *merged = prb_manifest_merge(body, live);

    TEST_ASSERT_JSON("{'apiVersion':'x.io/v1','kind':'Foo','metadata':{'name':'a','uid':'u',"
                     "'resourceVersion':'7','labels':{'l':'1','m':'2'},'annotations':{'n':'3'},"
                     "'finalizers':['theirs'],'ownerReferences':[{'uid':'o'}]},'spec':{'a':1},"
                     "'status':{'s':5}}",
            merged);
}

/* Members of the objects beside apiVersion, kind and metadata. */
struct kept {
    const char *version, *kind, *body, *live, *merged;
};

#define TRUSTED "'metadata':{'labels':{'config.openshift.io/inject-trusted-cabundle':'true'}}"
#define SERVED "'metadata':{'annotations':{'service.beta.openshift.io/inject-cabundle':'true'}}"
#define AGGREGATED "'aggregationRule':{'clusterRoleSelectors':[{}]}"

static const struct kept allocated[] = {
    { "v1", "Service", "{'spec':{'ports':[{'port':80}]}}",
            "{'spec':{'clusterIP':'10.0.0.1','clusterIPs':['10.0.0.1'],'ipFamilies':['IPv4'],"
            "'ipFamilyPolicy':'SingleStack','ports':[{'port':80,'nodePort':30000}]}}",
            "{'spec':{'clusterIP':'10.0.0.1','clusterIPs':['10.0.0.1'],'ipFamilies':['IPv4'],"
            "'ipFamilyPolicy':'SingleStack','ports':[{'port':80}]}}" },
    { "v1", "Service",
            "{'spec':{'type':'NodePort','ports':[{'port':80},{'port':80,'protocol':'UDP'},"
            "{'port':81,'nodePort':30009}]}}",
            "{'spec':{'type':'NodePort','ports':[{'port':80,'protocol':'UDP','nodePort':30001},"
            "{'port':80,'protocol':'TCP','nodePort':30002},{'port':81,'nodePort':30003}]}}",
            "{'spec':{'type':'NodePort','ports':[{'port':80,'nodePort':30002},{'port':80,"
            "'protocol':'UDP','nodePort':30001},{'port':81,'nodePort':30009}]}}" },
    { "v1", "Service", "{'spec':{'type':'ExternalName','externalName':'x'}}",
            "{'spec':{'clusterIP':'10.0.0.1'}}",
            "{'spec':{'type':'ExternalName','externalName':'x'}}" },
    { "v1", "Service", "{'spec':{'clusterIP':'None'}}",
            "{'spec':{'clusterIP':'10.0.0.1','clusterIPs':['10.0.0.1']}}",
            "{'spec':{'clusterIP':'None'}}" },
    { "v1", "Service", "{'spec':{'type':'LoadBalancer','externalTrafficPolicy':'Local'}}",
            "{'spec':{'type':'LoadBalancer','healthCheckNodePort':31000}}",
            "{'spec':{'type':'LoadBalancer','externalTrafficPolicy':'Local',"
            "'healthCheckNodePort':31000}}" },
    { "v1", "Service", "{'spec':{'type':'LoadBalancer','externalTrafficPolicy':'Cluster'}}",
            "{'spec':{'type':'LoadBalancer','healthCheckNodePort':31000}}",
            "{'spec':{'type':'LoadBalancer','externalTrafficPolicy':'Cluster'}}" },
    { "networking.k8s.io/v1", "Ingress", "{'spec':{'rules':[]}}",
            "{'spec':{'ingressClassName':'nginx','other':1}}",
            "{'spec':{'rules':[],'ingressClassName':'nginx'}}" },
    { "networking.k8s.io/v1", "Ingress", "{'spec':{'ingressClassName':'mine'}}",
            "{'spec':{'ingressClassName':'nginx'}}", "{'spec':{'ingressClassName':'mine'}}" },
    { "v1", "Service", "{'spec':{'type':'NodePort','ports':['x',7]}}",
            "{'spec':{'type':'NodePort','ports':[{'nodePort':30001}]}}",
            "{'spec':{'type':'NodePort','ports':['x',7]}}" },
    { "v1", "PersistentVolumeClaim", "{'spec':{'resources':{}}}",
            "{'spec':{'volumeName':'v','storageClassName':'s','other':1}}",
            "{'spec':{'resources':{},'volumeName':'v','storageClassName':'s'}}" },
    { "v1", "PersistentVolume", "{'spec':{'capacity':{}}}", "{'spec':{'claimRef':{'name':'c'}}}",
            "{'spec':{'capacity':{},'claimRef':{'name':'c'}}}" },
    { "v1", "Namespace", "{}", "{'spec':{'finalizers':['kubernetes']}}",
            "{'spec':{'finalizers':['kubernetes']}}" },
    { "v1", "ServiceAccount", "{'imagePullSecrets':[{'name':'a'}]}",
            "{'secrets':[{'name':'t'}],'imagePullSecrets':[{'name':'b'},{'name':'a'}]}",
            "{'secrets':[{'name':'t'}],'imagePullSecrets':[{'name':'a'},{'name':'b'}]}" },
    { "v1", "Pod",
            "{'spec':{'containers':[{'name':'c','image':'2','volumeMounts':[{'name':'v',"
            "'mountPath':'/v'}]}],'tolerations':[{'key':'k'}],'volumes':[{'name':'v'}]}}",
            "{'spec':{'nodeName':'n','containers':[{'name':'c','image':'1','pull':'Always',"
            "'volumeMounts':[{'name':'v','mountPath':'/v','readOnly':false},{'name':'t',"
            "'mountPath':'/t'}]}],'tolerations':[{'key':'k','effect':'x'},{'key':'not-ready'}],"
            "'volumes':[{'name':'v'},{'name':'t'}]}}",
            "{'spec':{'nodeName':'n','containers':[{'name':'c','image':'2','pull':'Always',"
            "'volumeMounts':[{'name':'v','mountPath':'/v','readOnly':false},{'name':'t',"
            "'mountPath':'/t'}]}],'tolerations':[{'key':'k','effect':'x'},{'key':'not-ready'}],"
            "'volumes':[{'name':'v'},{'name':'t'}]}}" },
    { "v1", "Pod", "{'spec':{'containers':[{'name':'b'}],'tolerations':[{'key':'new'}]}}",
            "{'spec':{'containers':[{'name':'a'}],'tolerations':[{'key':'old'}]}}",
            "{'spec':{'containers':[{'name':'a'},{'name':'b'}],'tolerations':[{'key':'old'},"
            "{'key':'new'}]}}" },
    { "apps/v1", "Deployment", "{'spec':{'paused':true}}", "{'spec':{'replicas':7}}",
            "{'spec':{'paused':true,'replicas':7}}" },
    { "apps/v1", "Deployment", "{'spec':{'replicas':1}}", "{'spec':{'replicas':7}}",
            "{'spec':{'replicas':1}}" },
    { "batch/v1", "Job", "{'spec':{'template':{'spec':{}}}}",
            "{'spec':{'selector':{'m':1},'template':{'metadata':{'labels':{'controller-uid':'u',"
            "'job-name':'j','other':'x'}}}}}",
            "{'spec':{'selector':{'m':1},'template':{'spec':{},'metadata':{'labels':{"
            "'controller-uid':'u','job-name':'j'}}}}}" },
    { "admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration",
            "{'webhooks':[{'name':'b','clientConfig':{}},{'name':'a','clientConfig':{'caBundle':"
            "'M'}},{'name':'c'}]}",
            "{'webhooks':[{'name':'a','clientConfig':{'caBundle':'A'}},{'name':'b','clientConfig':"
            "{'caBundle':'B'}},{'name':'c','clientConfig':{'caBundle':'C'}}]}",
            "{'webhooks':[{'name':'b','clientConfig':{'caBundle':'B'}},{'name':'a','clientConfig':"
            "{'caBundle':'M'}},{'name':'c'}]}" },
    { "apiregistration.k8s.io/v1", "APIService", "{'spec':{}}", "{'spec':{'caBundle':'A'}}",
            "{'spec':{'caBundle':'A'}}" },
    { "apiregistration.k8s.io/v1", "APIService", "{'spec':{'insecureSkipTLSVerify':true}}",
            "{'spec':{'caBundle':'A'}}", "{'spec':{'insecureSkipTLSVerify':true}}" },
    { "apiextensions.k8s.io/v1", "CustomResourceDefinition",
            "{'spec':{'conversion':{'webhook':{'clientConfig':{'url':'u'}}}}}",
            "{'spec':{'conversion':{'webhook':{'clientConfig':{'caBundle':'A'}}}}}",
            "{'spec':{'conversion':{'webhook':{'clientConfig':{'url':'u','caBundle':'A'}}}}}" },
    { "apiextensions.k8s.io/v1", "CustomResourceDefinition", "{'spec':{}}",
            "{'spec':{'conversion':{'webhook':{'clientConfig':{'caBundle':'A'}}}}}",
            "{'spec':{}}" },
    { "v1", "Secret", "{'type':'kubernetes.io/service-account-token'}",
            "{'type':'kubernetes.io/service-account-token','data':{'token':'eA==','ca.crt':''}}",
            "{'type':'kubernetes.io/service-account-token','data':{'token':'eA==','ca.crt':''}}" },
    { "v1", "Secret", "{'type':'kubernetes.io/service-account-token','data':{'token':'eQ=='}}",
            "{'type':'kubernetes.io/service-account-token','data':{'token':'eA=='}}",
            "{'type':'kubernetes.io/service-account-token','data':{'token':'eQ=='}}" },
    { "v1", "Secret", "{'type':'Opaque'}", "{'type':'Opaque','data':{'token':'eA=='}}",
            "{'type':'Opaque'}" },
    { "v1", "ConfigMap", "{" TRUSTED ",'data':{'a':'1'}}",
            "{" TRUSTED ",'data':{'ca-bundle.crt':'CA','b':'2'}}",
            "{" TRUSTED ",'data':{'a':'1','ca-bundle.crt':'CA'}}" },
    { "v1", "ConfigMap", "{" SERVED "}", "{" SERVED ",'data':{'service-ca.crt':'CA'}}",
            "{" SERVED ",'data':{'service-ca.crt':'CA'}}" },
    { "v1", "ConfigMap", "{}", "{'data':{'service-ca.crt':'CA','ca-bundle.crt':'CA'}}", "{}" },
    { "rbac.authorization.k8s.io/v1", "ClusterRole", "{" AGGREGATED ",'rules':[]}",
            "{" AGGREGATED ",'rules':[{'verbs':['get']}]}",
            "{" AGGREGATED ",'rules':[{'verbs':['get']}]}" },
    { "rbac.authorization.k8s.io/v1", "ClusterRole", "{" AGGREGATED "}",
            "{" AGGREGATED ",'rules':[{'verbs':['get']}]}",
            "{" AGGREGATED ",'rules':[{'verbs':['get']}]}" },
    { "rbac.authorization.k8s.io/v1", "ClusterRole", "{'rules':[]}",
            "{'rules':[{'verbs':['get']}]}", "{'rules':[]}" },
    { "example.com/v1", "Service", "{'spec':{}}", "{'spec':{'clusterIP':'10.0.0.1'}}",
            "{'spec':{}}" },
};

static struct json_object *named(const struct kept *row, const char *json)
{
    struct json_object *tree = prb_test_json("%s", json);

    prb_json_set_str(tree, "apiVersion", row->version);
    prb_json_set_str(tree, "kind", row->kind);
    prb_json_set_str(prb_json_ensure_obj(tree, "metadata"), "name", "a");
    return tree;
}

static void test_what_is_allocated_is_kept(void)
{
    for (size_t i = 0; i < sizeof(allocated) / sizeof(allocated[0]); i++) {
        const struct kept *row = &allocated[i];
        prb_auto(prb_json_free) struct json_object *body = named(row, row->body);
        prb_auto(prb_json_free) struct json_object *wanted = named(row, row->merged);
        prb_auto(prb_object_unref) struct prb_object *live = NULL;
        prb_auto(prb_json_free) struct json_object *merged = NULL;
        prb_autofree char *wanted_text = prb_json_text(wanted, true), *text = NULL;
        struct prb_error err;

        TEST_ASSERT_EQUAL_INT(0, prb_object_new(named(row, row->live), &live, &err));
        merged = prb_manifest_merge(body, live);
        text = prb_json_text(merged, true);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(wanted_text, text, row->body);
    }
}

static void test_what_is_there_already_is_known(void)
{
    static const struct {
        const char *name, *live, *wanted;
        bool contained;
    } cases[] = {
        { "the same", "{'spec':{'a':1}}", "{'spec':{'a':1}}", true },
        { "defaults beside it", "{'spec':{'a':1,'b':2},'more':3}", "{'spec':{'a':1}}", true },
        { "another value", "{'spec':{'a':2}}", "{'spec':{'a':1}}", false },
        { "of another type", "{'spec':{'a':'1'}}", "{'spec':{'a':1}}", false },
        { "missing", "{'spec':{}}", "{'spec':{'a':1}}", false },
        { "false is not absent", "{'spec':{}}", "{'spec':{'a':false}}", false },
        { "1 is 1.0", "{'spec':{'a':1.0}}", "{'spec':{'a':1}}", true },
        { "null says nothing", "{'spec':{'a':1}}", "{'spec':{'a':null}}", true },
        { "an empty map says nothing", "{'spec':{}}", "{'spec':{'a':{}}}", true },
        { "an empty list says nothing", "{'spec':{}}", "{'spec':{'a':[]}}", true },
        { "an empty list is not a full one", "{'spec':{'a':[1]}}", "{'spec':{'a':[]}}", false },
        { "a map is no list", "{'spec':{'a':[]}}", "{'spec':{'a':{}}}", false },
        { "elements with defaults", "{'l':[{'a':1,'b':2}]}", "{'l':[{'a':1}]}", true },
        { "another order", "{'l':[1,2]}", "{'l':[2,1]}", false },
        { "one more", "{'l':[1,2]}", "{'l':[1]}", false },
        { "one less", "{'l':[1]}", "{'l':[1,2]}", false },
        { "status is others' business", "{'status':{'a':1}}", "{'status':{'a':2}}", true },
        { "a label", "{'metadata':{'labels':{'a':'1','b':'2'}}}",
                "{'metadata':{'labels':{'a':'1'}}}", true },
        { "another label", "{'metadata':{'labels':{'a':'2'}}}", "{'metadata':{'labels':{'a':'1'}}}",
                false },
        { "an annotation less", "{'metadata':{}}", "{'metadata':{'annotations':{'a':'1'}}}",
                false },
        { "finalizers are as they are", "{'metadata':{'finalizers':['x']}}",
                "{'metadata':{'finalizers':['y']}}", true },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_auto(prb_json_free) struct json_object *live = prb_test_json("%s", cases[i].live);
        prb_auto(prb_json_free) struct json_object *wanted = prb_test_json("%s", cases[i].wanted);

        TEST_ASSERT_EQUAL_MESSAGE(
                cases[i].contained, prb_manifest_contains(live, wanted), cases[i].name);
    }
}

static void test_data_is_equal_or_not(void)
{
    static const struct {
        const char *kind, *live, *wanted;
        bool contained;
    } cases[] = {
        { "ConfigMap", "{'data':{'a':'1'}}", "{'data':{'a':'1'}}", true },
        { "ConfigMap", "{'data':{'a':'1','b':'2'}}", "{'data':{'a':'1'}}", false },
        { "ConfigMap", "{'data':{'a':'1'}}", "{}", false },
        { "ConfigMap", "{'data':{}}", "{}", true },
        { "ConfigMap", "{'binaryData':{'a':'eA=='}}", "{'data':{}}", false },
        { "ConfigMap", "{'immutable':false}", "{}", true },
        { "Secret", "{'data':{'a':'eA==','b':'eA=='},'type':'Opaque'}", "{'data':{'a':'eA=='}}",
                false },
        { "Secret", "{'data':{'a':'eA=='},'type':'Opaque'}", "{'data':{'a':'eA=='}}", true },
        { "Other", "{'data':{'a':'1','b':'2'}}", "{'data':{'a':'1'}}", true },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct kept row = { .version = "v1", .kind = cases[i].kind };
        prb_auto(prb_json_free) struct json_object *live = named(&row, cases[i].live);
        prb_auto(prb_json_free) struct json_object *wanted = named(&row, cases[i].wanted);

        TEST_ASSERT_EQUAL_MESSAGE(
                cases[i].contained, prb_manifest_contains(live, wanted), cases[i].live);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_body_says_nothing_that_only_a_server_can);
    RUN_TEST(test_plain_text_of_a_secret_is_encoded);
    RUN_TEST(test_a_merge_takes_the_body_and_leaves_what_is_others);
    RUN_TEST(test_what_is_allocated_is_kept);
    RUN_TEST(test_what_is_there_already_is_known);
    RUN_TEST(test_data_is_equal_or_not);
    return UNITY_END();
}
