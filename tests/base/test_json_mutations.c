/*
 * Valid documents, damaged byte by byte: the reader must return cleanly, and whatever it still
 * takes must print and read back as the same tree.
 */

#include <string.h>
#include <unity.h>

#include "probate/base/json.h"
#include "probate/base/mem.h"

/* Each costs some ten microseconds, a hundred times that under a sanitizer. */
#define MUTATIONS 20000

static const char *const documents[] = {
    "{\"apiVersion\":\"admission.k8s.io/v1\",\"kind\":\"AdmissionReview\",\"request\":{\"uid\":"
    "\"705ab4f5-6393-11e8-b7cc-42010a800002\",\"operation\":\"DELETE\",\"dryRun\":false,"
    "\"oldObject\":{\"metadata\":{\"name\":\"a\",\"labels\":{\"x\":\"y\"},\"finalizers\":[\"f\"],"
    "\"generation\":3}},\"object\":null,\"userInfo\":{\"groups\":[\"system:authenticated\"]}}}",
    "[0,-0,1,-1,1.5,1E+2,1e-7,9223372036854775807,18446744073709551615,18446744073709551616,"
    "1e308,0.30000000000000004]",
    "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\",\"\\u0000\\u001f\\u00e9\\u20ac\\ud83d\\ude00\",\"\xC3\xA9"
    "\xE2\x82\xAC\xF0\x9F\x98\x80\"]",
    "{\"a\":{\"a\":{\"a\":[[[[{\"a\":[]}]]]]}},\"b\":[{},{},[],[[]],null,true,false]}",
};

static const struct prb_json_filter metadata_only[] = { { .key = "metadata" }, { .key = NULL } };
static const struct prb_json_filter request_parts[] = { { .key = "uid" },
    { .key = "oldObject", .children = metadata_only }, { .key = NULL } };
static const struct prb_json_filter review_parts[] = {
    { .key = "request", .children = request_parts }, { .key = "a" }, { .key = NULL }
};

static uint64_t state;

void setUp(void)
{
    state = 88172645463325252U; /* the same damage in every run */
}

void tearDown(void)
{
}

/* xorshift64 */
static size_t pick(size_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (size_t)(state % below);
}

/* Damage `text` once; returns its new length, at most one more than before. */
static size_t mutate(char *text, size_t len)
{
    static const char tokens[] = "{}[],:\"\\0123456789eE+-.tfnu \n\x00\x1F\x80\xC3\xED\xFF";
    char token = tokens[pick(sizeof(tokens) - 1)];
    size_t at = pick(len), other = pick(len);

    if (len < 2)
        return len;
    switch (pick(6)) {
    case 0:
        text[at] = (char)(text[at] ^ (1 << pick(8)));
        return len;
    case 1:
        text[at] = token;
        return len;
    case 2:
        memmove(text + at, text + at + 1, len - at - 1);
        return len - 1;
    case 3:
        memmove(text + at + 1, text + at, len - at);
        text[at] = token;
        return len + 1;
    case 4:
        text[at] = text[other];
        return len;
    default:
        return at > 0 ? at : 1;
    }
}

/* What goes wrong with a text that was taken: NULL when it reads back the same. */
static const char *fault_of(const struct json_object *tree)
{
    prb_auto(prb_json_free) struct json_object *again = NULL;
    prb_autofree char *printed = prb_json_text(tree, false);
    prb_autofree char *reprinted = NULL;
    struct prb_error err;

    if (prb_json_parse(printed, strlen(printed), NULL, &again, &err) < 0)
        return "what was printed is refused";
    if (!prb_json_equal(tree, again))
        return "what was printed is another tree";
    reprinted = prb_json_text(again, false);
    return strcmp(printed, reprinted) == 0 ? NULL : "printing twice differs";
}

static const char *try_mutation(size_t number, const struct prb_json_options *options, bool *ret_ok)
{
    const char *document = documents[number % (sizeof(documents) / sizeof(documents[0]))];
    prb_auto(prb_json_free) struct json_object *tree = NULL;
    size_t len = strlen(document), rounds = 1 + pick(3);
    prb_autofree char *damaged = prb_calloc(len + rounds + 1, 1);
    prb_autofree char *exact = NULL;
    struct prb_error err = { .msg = "" };

    memcpy(damaged, document, len + 1);
    for (size_t i = 0; i < rounds; i++)
        len = mutate(damaged, len);
    exact = prb_malloc(len); /* of its own size, so that a sanitizer sees reading past it */
    memcpy(exact, damaged, len);

    *ret_ok = prb_json_parse(exact, len, options, &tree, &err) == 0;
    if (*ret_ok)
        return fault_of(tree);
    return err.code == PRB_E_INVALID && prb_starts_with(err.msg, "line ") ? NULL : "no clear error";
}

static void test_damaged_documents_are_refused_or_read_back_the_same(void)
{
    size_t taken = 0;

    for (size_t i = 0; i < MUTATIONS; i++) {
        bool ok;
        const char *fault = try_mutation(i, NULL, &ok);

        taken += ok ? 1 : 0;
        TEST_ASSERT_NULL_MESSAGE(fault, fault);
    }
    /* The damage is neither all fatal nor all harmless: both branches were walked. */
    TEST_ASSERT_TRUE(taken > MUTATIONS / 20 && taken < MUTATIONS * 19 / 20);
}

static void test_damaged_documents_behind_a_filter_too(void)
{
    const struct prb_json_options options = { .filter = review_parts, .depth_max = 12 };

    for (size_t i = 0; i < MUTATIONS; i++) {
        bool ok;
        const char *fault = try_mutation(i, &options, &ok);

        TEST_ASSERT_NULL_MESSAGE(fault, fault);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_damaged_documents_are_refused_or_read_back_the_same);
    RUN_TEST(test_damaged_documents_behind_a_filter_too);
    return UNITY_END();
}
