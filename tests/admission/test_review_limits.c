/* How much of a review is read, and what of it may be odd. */

#include <stdlib.h>
#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "review_text.h"

void setUp(void)
{
}

void tearDown(void)
{
}

/* A review with `unit` repeated among the labels, which are read, or below what is not. */
static int read_repeated(const char *before, const char *unit, size_t times, const char *after,
        struct prb_error *err)
{
    prb_auto(prb_request_free) struct prb_request *request = NULL;
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, SIZE_MAX / 4);
    prb_str_add(&text, before);
    for (size_t i = 0; i < times; i++)
        prb_str_add(&text, unit);
    prb_str_add(&text, after);
    return review_read(
            prb_str_get(&text), (const char *[]){ "metadata.labels", NULL }, &request, err);
}

static void test_depth_and_memory_are_bounded(void)
{
    static const char metadata[] =
            REVIEW(RESOURCE "'uid':'u','operation':'CREATE','object':{'metadata':{'labels':[");
    static const char spec[] =
            REVIEW(RESOURCE "'uid':'u','operation':'CREATE','object':{'spec':{'x':[");
    prb_autofree char *in_metadata = prb_strndup(metadata, strlen(metadata) - 2);
    prb_autofree char *in_spec = prb_strndup(spec, strlen(spec) - 2);
    struct prb_error err = { 0 };

    TEST_ASSERT_EQUAL_INT_MESSAGE(
            0, read_repeated(in_spec, "0,", 1000000, "0]}}}}", &err), err.msg);
    TEST_ASSERT_EQUAL_INT_MESSAGE(
            0, read_repeated(in_metadata, "0,", 500000, "0]}}}}", &err), err.msg);
    TEST_ASSERT_EQUAL_INT(PRB_E_UNSUPPORTED,
            read_repeated(in_metadata, "0,", PRB_REVIEW_BUILT_MAX / 64, "0]}}}}", &err));
    TEST_ASSERT_NOT_NULL(strstr(err.msg, "more than is read"));
    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, read_repeated(in_spec, "[", 100000, "", &err));
    TEST_ASSERT_NOT_NULL(strstr(err.msg, "nested too deeply"));
    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, read_repeated(in_metadata, "[", 1000, "", &err));
    TEST_ASSERT_NOT_NULL(strstr(err.msg, "nested too deeply"));
    TEST_ASSERT_EQUAL_INT_MESSAGE(
            0, read_repeated(in_spec, "                ", 1000000, "0]}}}}", &err), err.msg);
}

/* Nested as deep as the API server takes it, and with a name that no rule can have. */
static void test_whatever_is_not_read_of_an_object_may_be_odd(void)
{
    prb_autofree char *open = prb_malloc(5 * 10000 + 1);
    prb_autofree char *close = prb_malloc(10000 + 1);
    prb_autofree char *text = NULL;
    prb_auto(prb_request_free) struct prb_request *request = NULL;
    struct prb_error err = { .msg = "" };

    for (size_t i = 0; i < 9998; i++)
        memcpy(open + 5 * i, "{\"a\":", 5);
    memset(close, '}', 9998);
    open[5 * 9998] = close[9998] = '\0';
    text = prb_asprintf(
            "{'apiVersion':'admission.k8s.io/v1','kind':'AdmissionReview','request':{"
            "'uid':'u','operation':'DELETE'," RESOURCE
            "'oldObject':{'spec':{'deep':%s1%s,'met\\u0000':1,'met\\u0000':1},"
            "'metadata':{'name':'a','labels':{'x':'y','x\\u0000':1}},'metadata\\u0000':{},"
            "'spec\\u0000':1}}}",
            open, close);
    TEST_ASSERT_EQUAL_INT_MESSAGE(0,
            review_read(text, (const char *[]){ "metadata.labels", NULL }, &request, &err),
            err.msg);
    if (request)
        TEST_ASSERT_EQUAL_STRING("y", prb_object_label(request->old, "x"));
}

/* The most that etcd takes for one object. */
#define STORED_MAX ((size_t)1536 * 1024)

/* The beginning and end of an object, and what is between as often as it can be stored. */
struct dense {
    const char *begin, *unit, *end; /* %zx in a unit: its number */
};

static void add_dense(struct prb_str *text, const struct dense *dense)
{
    size_t begin = text->len;

    prb_str_add(text, dense->begin);
    for (size_t i = 0; text->len - begin < STORED_MAX - 1024; i++) {
        const char *number = strstr(dense->unit, "%zx");

        if (i > 0)
            prb_str_add(text, ",");
        prb_str_addn(text, dense->unit, number ? (size_t)(number - dense->unit) : 0);
        if (number)
            prb_str_addf(text, "%zx", i);
        prb_str_add(text, number ? number + 3 : dense->unit);
    }
    prb_str_add(text, dense->end);
}

/* Else its finalizer could never be removed. */
static void test_whatever_can_be_stored_can_be_updated(void)
{
    static const char *const paths[] = { "metadata.labels", "spec.deleteOption",
        "spec.workload.manifests.kind", NULL };
    static const struct dense cases[] = {
        { "{'metadata':{'name':'a','labels':{", "'%zx':''", "}}}" },
        { "{'metadata':{'name':'a','finalizers':[", "'a'", "]}}" },
        { "{'metadata':{'name':'a'},'spec':{'deleteOption':{'selectivelyOrphans':{"
          "'orphaningRules':[",
                "{'name':'','resource':''}", "]}}}}" },
        { "{'metadata':{'name':'a'},'spec':{'workload':{'manifests':[",
                "{'apiVersion':'v1','kind':'K','metadata':{'name':'n'},'a':0,'b':0,'c':0,'d':0,"
                "'e':0,'f':0,'g':0,'h':0,'i':0,'j':0,'k':0,'l':0,'m':0,'n':0,'o':0,'p':0,'q':0,"
                "'r':0,'s':0,'t':0,'u':0,'v':0,'w':0,'x':0,'y':0,'z':0,'A':0,'B':0,'C':0,'D':0,"
                "'E':0,'F':0,'G':0,'H':0,'I':0,'J':0,'K':0,'L':0,'M':0,'N':0,'O':0,'P':0,'Q':0,"
                "'R':0,'S':0,'T':0,'U':0,'V':0,'W':0,'X':0,'Y':0,'Z':0}",
                "]}}}" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_auto(prb_request_free) struct prb_request *request = NULL;
        prb_auto(prb_str_done) struct prb_str text;
        struct prb_error err = { 0 };
        int r;

        prb_str_init(&text, SIZE_MAX / 4);
        prb_str_add(&text, "{'apiVersion':'admission.k8s.io/v1','kind':'AdmissionReview',"
                           "'request':{'uid':'u','operation':'UPDATE'," RESOURCE "'object':");
        add_dense(&text, &cases[i]);
        prb_str_add(&text, ",'oldObject':");
        add_dense(&text, &cases[i]);
        prb_str_add(&text, "}}");
        r = review_read(prb_str_get(&text), paths, &request, &err);
        TEST_ASSERT_EQUAL_INT_MESSAGE(0, r, err.msg);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_depth_and_memory_are_bounded);
    RUN_TEST(test_whatever_is_not_read_of_an_object_may_be_odd);
    RUN_TEST(test_whatever_can_be_stored_can_be_updated);
    return UNITY_END();
}
