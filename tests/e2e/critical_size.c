/* What if an object is as fat, or nested as deep, as the API server can store it? */

#include <stdio.h>
#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/kube/kube.h"
#include "probate/model/critical_service.h"

#include "critical.h"
#include "support/json_text.h"

/* etcd takes 1.5 MiB; the API server writes each of these as six bytes of JSON. */
#define FAT_BYTES 1450000

/* Go reads 10,000 levels, and what is around the object counts. These are lists: of members nested
 * in members the API server keeps managedFields, which takes it longer than its 34 s from some
 * hundred levels on. */
#define DEEP_LEVELS 9000

static struct bench *sized;
static struct prb_api *api;

/* Do the steps for a row of that name; what went wrong, or NULL. */
static const char *run_steps(const char *name, const struct row *row)
{
    static char why[PRB_TEST_WHY_SIZE];

    why[0] = '\0';
    row_run(row, &sized->kubectl, name, NULL, why);
    return why[0] ? why : NULL;
}

static int create_fat_provider(const char *namespace, struct prb_error *err)
{
    prb_autofree char *fat = prb_malloc(FAT_BYTES + 1);
    prb_auto(prb_json_free) struct json_object *body = prb_test_json(
            "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'provider'},'spec':{"
            "'replicas':0,'selector':{'matchLabels':{'app':'fat'}},'template':{'metadata':{"
            "'labels':{'app':'fat'}},'spec':{'containers':[{'name':'c','image':'none','env':[]}]}}}"
            "}");
    struct json_object *container =
            prb_json_elem(prb_json_at(body, "spec", "template", "spec", "containers"), 0);
    struct json_object *variable = json_object_new_object();
    struct prb_ref ref;

    memset(fat, '<', FAT_BYTES);
    fat[FAT_BYTES] = '\0';
    prb_json_set_str(variable, "name", "FAT");
    prb_json_set_str(variable, "value", fat);
    prb_json_push(prb_json_arr(container, "env"), variable);
    (void)prb_ref_init(&ref, &prb_deployments, namespace, "provider");
    return prb_api_create(api, &ref, body, NULL, NULL, err);
}

static void test_a_fat_provider_is_protected_like_any_other(void)
{
    static const struct row before = ROW("", GUARDED, NULL, SEND("create", NAMESPACE COOL));
    static const struct row after =
            ROW("", GUARDED, NULL, SEND("create", CRITICAL), IT_IS_PROTECTED,
                    REFUSED(403, DELETE_PROVIDER, NULL,
                            "Deployment @/provider cannot be deleted yet", DATA "/@"),
                    REFUSED(403, DELETE_NAMESPACE, NULL, DATA "/@"), DO(LET_GO("@")),
                    DO(DELETE_PROVIDER), GONE("get deployment provider"));
    prb_autofree char *log = NULL;
    struct prb_error err = { .msg = "" };

    TEST_ASSERT_NULL_MESSAGE(run_steps("size-fat", &before), "given");
    TEST_ASSERT_EQUAL_MESSAGE(0, create_fat_provider("size-fat", &err), err.msg);
    TEST_ASSERT_EQUAL_STRING(NULL, run_steps("size-fat", &after));

    /* The watches have carried it too. */
    log = program_log(&sized->programs[DENYING]);
    TEST_ASSERT_NULL(strstr(log, "longer than"));
    TEST_ASSERT_NULL(strstr(log, "cannot be read"));
}

/* A CoolResource in which something is nested deep, under a name that no JSON tree here can hold.
 */
static char *deep_cool(void)
{
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, (size_t)1024 * 1024);
    prb_str_add(&text, "{'apiVersion':'my.crd.group/v1','kind':'CoolResource','metadata':{"
                       "'namespace':'" DATA "','name':'@','finalizers':['example.dev/@']},"
                       "'a\\u0000b':1,'spec':");
    for (int i = 0; i < DEEP_LEVELS; i++)
        prb_str_addc(&text, '[');
    for (int i = 0; i < DEEP_LEVELS; i++)
        prb_str_addc(&text, ']');
    prb_str_addc(&text, '}');
    return prb_str_take(&text);
}

static void test_a_deeply_nested_object_counts_like_any_other(void)
{
    static const struct row after = ROW("", GUARDED, NULL,
            SEND("create", A_PROVIDER CRITICAL_FOR(THE_FINALIZER
                                   "," GONE_IN("my.crd.group", "coolresources", DATA, "@"))),
            IT_IS_PROTECTED,
            REFUSED(403, DELETE_PROVIDER, NULL, "has the finalizer example.dev/@",
                    "coolresources.my.crd.group " DATA "/@"),
            UNTIL(GET_CONDITIONS, DATA "/@"),
            DO("delete coolresource @ --wait=false --namespace=" DATA), DO(LET_GO("@")),
            DO(DELETE_PROVIDER), GONE("get deployment provider"));
    prb_autofree char *deep = deep_cool();
    const struct row before = ROW("", GUARDED, NULL,
            SEND("create --raw /apis/my.crd.group/v1/namespaces/" DATA "/coolresources", deep));

    TEST_ASSERT_EQUAL_STRING(NULL, run_steps("size-deep", &before));
    TEST_ASSERT_EQUAL_STRING(NULL, run_steps("size-deep", &after));
}

void run_critical_size_tests(struct bench *bench)
{
    prb_auto(prb_kube_config_free) struct prb_kube_config *config = NULL;
    struct prb_error err;

    sized = bench;
    UnitySetTestFile(__FILE__);
    if (prb_kube_config_load(bench->kubectl.kubeconfig, NULL, &config, &err) < 0 ||
            prb_kube_open(config, NULL, &api, &err) < 0) {
        (void)fprintf(stderr, "%s\n", err.msg);
        TEST_FAIL();
        return;
    }
    RUN_TEST(test_a_fat_provider_is_protected_like_any_other);
    RUN_TEST(test_a_deeply_nested_object_counts_like_any_other);
    prb_api_close(prb_take(api));
}
