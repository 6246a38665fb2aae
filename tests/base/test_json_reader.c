/* A text gives the same result however it is cut, in memory that only depends on what is built. */

#include <malloc.h>
#include <string.h>
#include <unity.h>

#include "probate/base/json_reader.h"
#include "probate/base/mem.h"

#define MUTATIONS 3000

static uint64_t state;

void setUp(void)
{
    state = 88172645463325252U; /* the same pieces in every run */
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

static const char *const corpus[] = {
    "{\"apiVersion\":\"admission.k8s.io/v1\",\"request\":{\"uid\":\"705ab4f5\",\"dryRun\":false,"
    "\"oldObject\":{\"metadata\":{\"name\":\"a\",\"finalizers\":[\"f\"],\"n\\u0061me\":null},"
    "\"spec\":[1,{\"x\":[]}]},\"object\":null}}",
    "[0,-0,1,-1,1.5,1E+2,1e-7,9223372036854775807,18446744073709551615,18446744073709551616,"
    "1e308,0.30000000000000004]",
    "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\",\"\\u0000\\u001f\\u00e9\\u20ac\\ud83d\\ude00\",\"\xC3\xA9"
    "\xE2\x82\xAC\xF0\x9F\x98\x80\"]",
    "{\"a\":{\"a\":{\"a\":[[[[{\"a\":[]}]]]]}},\"b\":[{},{},[],[[]],null,true,false]}",
    " {\n\t\"a\" : [ 1 , 2 ] ,\r\n \"\xC3\xA9\" : \"\xE2\x82\xAC\", \"a\\u0000\" : 3 , \"a\\u0000\":4}\n",
    "{\"items\":[{\"m\":1,\"s\":[[[[[[1]]]]]],\"t\":2},{\"m\":1e999,\"t\":3},{\"t\":4,\"t\":5},7,"
    "{\"s\":{\"d\":1,\"d\":2},\"t\":6}]}",
    "",
    " ",
    "nul",
    "nulll",
    "-",
    "01",
    "1.",
    "1e+",
    "1e999",
    "\"abc",
    "\"a\tb\"",
    "\"\\x\"",
    "\"\\u12",
    "\"\\u12g4\"",
    "\"\\ud800\"",
    "\"\\ud800\\u0041\"",
    "\"\\ud800\\u0000\"",
    "\"\\ud800x\"",
    "\"\\udc00\"",
    "\"\xED\xA0\x80\"",
    "\"\xC0\xAF\"",
    "\"\xE2\x82",
    "\"\xF4\x90\x80\x80\"",
    "{\"a\":1,\"a\":1}",
    "{\"a\"}",
    "[1,]",
    "[1}",
    "{\"a\":1 \"b\":2}",
    "[\"\xC3\xA9\xC3\xA9\", x]",
    "{\n  \"a\": 1,\n  \"b\" 2\n}",
    "1 2",
    "{}{}",
    "[[[[[[[[[[1]]]]]]]]]]",
    "\xEF\xBB\xBF{}",
};
#define CORPUS (sizeof(corpus) / sizeof(corpus[0]))

static const struct prb_json_filter metadata_only[] = { { .key = "metadata" }, { .key = NULL } };
static const struct prb_json_filter request_parts[] = { { .key = "uid" },
    { .key = "oldObject", .children = metadata_only }, { .key = NULL } };
static const struct prb_json_filter some_parts[] = { { .key = "request",
                                                             .children = request_parts },
    { .key = "a" }, { .key = "items", .items = true }, { .key = NULL } };

/* Writes down the defects that it hears of. */
static void note(void *ctx, size_t item, const char *member, const struct prb_error *why)
{
    prb_str_addf(ctx, "%zu %s %s; ", item, member, why->msg);
}

/* Each with its own way through the reader. */
static struct prb_json_reader_options options_of(size_t way, struct prb_str *defects)
{
    const struct prb_json_reader_options ways[] = {
        { .filter = NULL },
        { .filter = some_parts },
        { .depth_max = 6, .built_max = 4000 },
        { .filter = some_parts, .depth_max = 6, .item_max = 2000, .defect = note, .ctx = defects },
    };

    return ways[way];
}
#define WAYS 4

/* Feed `first` bytes, then pieces of at most `most` bytes (0: the whole), each on the heap so that
 * a sanitizer sees reading past it; the tree printed, or the error, and the defects. Owned. */
static char *outcome_cut(const char *text, size_t len, size_t way, size_t first, size_t most)
{
    prb_auto(prb_str_done) struct prb_str defects;
    prb_auto(prb_json_reader_free) struct prb_json_reader *reader = NULL;
    prb_auto(prb_json_free) struct json_object *tree = NULL;
    struct prb_json_reader_options options;
    struct prb_error err = { .msg = "" };
    prb_autofree char *printed = NULL;
    size_t at = 0;
    int r = 0;

    prb_str_init(&defects, 100000);
    options = options_of(way, &defects);
    reader = prb_json_reader_new(&options);
    while (r == 0 && at < len) {
        size_t size = at == 0 && first > 0 ? first : most ? 1 + pick(most) : len;
        prb_autofree char *piece = NULL;

        size = size < len - at ? size : len - at;
        piece = prb_malloc(size);
        memcpy(piece, text + at, size);
        r = prb_json_reader_feed(reader, piece, size, &err);
        at += size;
    }
    if (r == 0)
        r = prb_json_reader_end(reader, &tree, &err);
    printed = r == 0 ? prb_json_text(tree, false) : prb_strdup(err.msg);
    return prb_asprintf("%d %s | %s", r, printed, prb_str_get(&defects));
}

static char *outcome(const char *text, size_t len, size_t way, size_t most)
{
    return outcome_cut(text, len, way, 0, most);
}

static void test_every_cut_gives_the_same_result(void)
{
    for (size_t i = 0; i < CORPUS * WAYS; i++) {
        const char *text = corpus[i / WAYS];
        prb_autofree char *whole = outcome(text, strlen(text), i % WAYS, 0);

        for (size_t cut = 0; cut <= strlen(text); cut++) {
            prb_autofree char *got = outcome_cut(text, strlen(text), i % WAYS, cut, 0);

            TEST_ASSERT_EQUAL_STRING_MESSAGE(whole, got, text);
        }
    }
}

static void test_pieces_of_any_size_give_the_same_result(void)
{
    static const size_t sizes[] = { 1, 2, 3, 7, 64 };

    for (size_t i = 0; i < CORPUS * WAYS; i++) {
        const char *text = corpus[i / WAYS];
        prb_autofree char *whole = outcome(text, strlen(text), i % WAYS, 0);

        for (size_t k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++) {
            prb_autofree char *got = outcome(text, strlen(text), i % WAYS, sizes[k]);

            TEST_ASSERT_EQUAL_STRING_MESSAGE(whole, got, text);
        }
    }
}

static void test_damaged_texts_give_the_same_result_in_pieces(void)
{
    static const char tokens[] = "{}[],:\"\\0123456789eE+-.tfnu \n\x00\x1F\x80\xC3\xED\xFF";

    for (size_t i = 0; i < MUTATIONS; i++) {
        const char *text = corpus[i % 6];
        size_t len = strlen(text);
        prb_autofree char *damaged = prb_strdup(text);
        prb_autofree char *whole = NULL;
        prb_autofree char *pieces = NULL;

        for (size_t k = 1 + pick(3); k > 0; k--)
            damaged[pick(len)] = tokens[pick(sizeof(tokens) - 1)];
        whole = outcome(damaged, len, i % WAYS, 0);
        pieces = outcome(damaged, len, i % WAYS, 1 + pick(20));
        TEST_ASSERT_EQUAL_STRING_MESSAGE(whole, pieces, damaged);
    }
}

static void test_a_reader_that_failed_fails_the_same_way_again(void)
{
    const struct prb_json_reader_options options = { .filter = NULL };
    prb_auto(prb_json_reader_free) struct prb_json_reader *reader = prb_json_reader_new(&options);
    prb_auto(prb_json_free) struct json_object *tree = NULL;
    struct prb_error err;

    TEST_ASSERT_EQUAL(PRB_E_INVALID, prb_json_reader_feed(reader, "[1,x", 4, &err));
    TEST_ASSERT_EQUAL_STRING("line 1, column 4: expected a value", err.msg);
    TEST_ASSERT_EQUAL(PRB_E_INVALID, prb_json_reader_feed(reader, "]", 1, &err));
    TEST_ASSERT_EQUAL(PRB_E_INVALID, prb_json_reader_end(reader, &tree, &err));
    TEST_ASSERT_EQUAL_STRING("line 1, column 4: expected a value", err.msg);

    prb_json_reader_reset(reader);
    TEST_ASSERT_EQUAL(0, prb_json_reader_feed(reader, "[1]", 3, &err));
    TEST_ASSERT_EQUAL(0, prb_json_reader_end(reader, &tree, &err));
    TEST_ASSERT_EQUAL(1, prb_json_len(tree));
}

static void test_a_reader_can_be_used_again(void)
{
    const struct prb_json_reader_options options = { .filter = some_parts };
    prb_auto(prb_json_reader_free) struct prb_json_reader *reader = prb_json_reader_new(&options);
    struct prb_error err;

    for (int i = 0; i < 3; i++) {
        prb_auto(prb_json_free) struct json_object *tree = NULL;
        prb_autofree char *printed = NULL;

        TEST_ASSERT_EQUAL(0, prb_json_reader_feed(reader, "{\"a\":[1],\"b\":2}", 15, &err));
        TEST_ASSERT_EQUAL(0, prb_json_reader_end(reader, &tree, &err));
        printed = prb_json_text(tree, false);
        TEST_ASSERT_EQUAL_STRING("{\"a\":[1]}", printed);
        TEST_ASSERT_EQUAL(0, prb_json_reader_built(reader));
    }
}

/* Names, strings, numbers, members, elements and levels without end. */
static void test_what_is_stepped_over_takes_no_memory(void)
{
    static const struct {
        const char *name, *before, *piece;
    } cases[] = {
        { "a string", "{\"x\":\"", "\\u003cabc" },
        { "a member name", "{\"", "\\u003cabc" },
        { "a number", "{\"x\":1", "234" },
        { "elements", "{\"x\":[0", ",{\"a\":[1]}" },
        { "members of what nobody reads", "{\"x\":{\"a\":0", ",\"b\":{\"c\":1}" },
        { "members nobody reads of what is read", "{\"a\":{},\"request\":{\"x\":0",
                ",\"y\":{\"c\":[1]}" },
        { "white space", "{\"a\":1", " \n" },
    };
    const struct prb_json_reader_options options = { .filter = some_parts };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_auto(prb_json_reader_free) struct prb_json_reader *reader =
                prb_json_reader_new(&options);
        size_t len = strlen(cases[i].piece), before, after;
        struct prb_error err = { .msg = "" };
        int r = prb_json_reader_feed(reader, cases[i].before, strlen(cases[i].before), &err);

        before = mallinfo2().uordblks;
        for (int k = 0; r == 0 && k < 100000; k++)
            r = prb_json_reader_feed(reader, cases[i].piece, len, &err);
        after = mallinfo2().uordblks;
        TEST_ASSERT_EQUAL_MESSAGE(0, r, err.msg);
        TEST_ASSERT_TRUE_MESSAGE(after <= before + 1024, cases[i].name);
        TEST_ASSERT_TRUE_MESSAGE(prb_json_reader_built(reader) < 2000, cases[i].name);
    }
}

/* Feed `before`, then `piece` with a number in place of '#' until the reader counts two megabytes,
 * then `after`. */
static void fill(const char *name, const char *before, const char *piece, const char *after)
{
    const struct prb_json_reader_options options = { .filter = NULL };
    prb_auto(prb_json_reader_free) struct prb_json_reader *reader = prb_json_reader_new(&options);
    prb_auto(prb_json_free) struct json_object *tree = NULL;
    size_t base = mallinfo2().uordblks + mallinfo2().hblkhd, used, counted, in_all;
    struct prb_error err = { .msg = "" };
    int r = prb_json_reader_feed(reader, before, strlen(before), &err);

    for (int i = 0; r == 0 && prb_json_reader_built(reader) < 2000000; i++) {
        const char *mark = strchr(piece, '#');
        prb_autofree char *next =
                mark ? prb_asprintf("%.*s%d%s", (int)(mark - piece), piece, i, mark + 1)
                     : prb_strdup(piece);

        r = prb_json_reader_feed(reader, next, strlen(next), &err);
    }
    used = mallinfo2().uordblks + mallinfo2().hblkhd - base;
    counted = prb_json_reader_built(reader);
    TEST_ASSERT_TRUE_MESSAGE(used <= counted + 8192, name);
    if (r == 0)
        r = prb_json_reader_feed(reader, after, strlen(after), &err);
    in_all = prb_json_reader_built(reader);
    if (r == 0)
        r = prb_json_reader_end(reader, &tree, &err);
    TEST_ASSERT_EQUAL_MESSAGE(0, r, err.msg);
    TEST_ASSERT_EQUAL_size_t_MESSAGE(in_all, prb_json_built(tree), name);
    used = mallinfo2().uordblks + mallinfo2().hblkhd - base;
    TEST_ASSERT_TRUE_MESSAGE(used <= counted + 8192, name);
    TEST_ASSERT_TRUE_MESSAGE(used <= in_all + 8192, name);
    TEST_ASSERT_TRUE_MESSAGE(used > counted / 5, name); /* not a guess that is always true */
}

static void test_what_is_built_takes_no_more_memory_than_is_counted(void)
{
#ifdef __SANITIZE_ADDRESS__
    TEST_IGNORE_MESSAGE("the sanitizer allocates in a way that mallinfo2 does not count");
#endif
    fill("numbers", "[0", ",0", "]");
    fill("doubles", "[0", ",0.5", "]");
    fill("words", "[true", ",true", "]");
    fill("empty objects", "[{}", ",{}", "]");
    fill("empty arrays", "[[]", ",[]", "]");
    fill("small objects", "[{}", ",{\"a\":0}", "]");
    fill("short strings", "[\"\"", ",\"ab\"", "]");
    fill("long strings", "[\"\"", ",\"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz\"", "]");
    fill("members", "{\"\":0", ",\"k#\":0", "}");
    fill("long names", "{\"\":0", ",\"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz#\":0",
            "}");
    fill("one string", "[\"", "abcdefghijklmnop", "\"]");
}

static void test_what_is_built_is_bounded(void)
{
    static const struct {
        const char *before, *after; /* a long text */
    } cases[] = { { "[1,2,3,4,5,6,7,8,9,10,11,12", "]" }, { "[[],[],[],[],[],", "]" },
        { "{\"a\":1,\"b\":2,\"c\":3,\"d\":4,\"e\":5", "}" }, { "[\"", "\"]" }, { "{\"", "\":1}" },
        { "[1", "]" } };
    const struct prb_json_options options = { .built_max = 900 }, more = { .built_max = 20000 };
    char long_text[901];

    memset(long_text, '1', sizeof(long_text) - 1);
    long_text[900] = '\0';
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_autofree char *text =
                prb_asprintf("%s%s%s", cases[i].before, long_text, cases[i].after);
        prb_auto(prb_json_free) struct json_object *tree = NULL;
        struct prb_error err = { .msg = "" };
        int r = prb_json_parse(text, strlen(text), &options, &tree, &err);

        TEST_ASSERT_EQUAL_MESSAGE(PRB_E_UNSUPPORTED, r, text);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err.msg, "more than is read"), err.msg);
        r = prb_json_parse(text, strlen(text), &more, &tree, &err);
        TEST_ASSERT_TRUE_MESSAGE(r == 0 || strstr(err.msg, "number too large"), text);
    }
}

static void test_an_item_that_cannot_be_built_fails_alone(void)
{
    static const struct {
        const char *text, *outcome;
    } cases[] = {
        { "{\"items\":[{\"m\":1,\"s\":[[[[[[1]]]]]],\"t\":2},{\"m\":2}]}",
                "0 {\"items\":[{\"m\":1,\"t\":2},{\"m\":2}]} | 0 s line 1, column 25: nested too "
                "deeply; " },
        { "{\"items\":[{\"m\":1},{\"n\":1e999,\"m\":2}]}",
                "0 {\"items\":[{\"m\":1},{\"m\":2}]} | 1 n line 1, column 24: number too large; " },
        { "{\"items\":[{\"n\":{\"x\":[1],\"x\":[2]},\"m\":2}]}",
                "0 {\"items\":[{\"m\":2}]} | 0 n line 1, column 25: duplicate member name; " },
        { "{\"items\":[{\"n\":1,\"m\":2,\"n\":3}]}",
                "0 {\"items\":[{\"n\":1,\"m\":2}]} | 0 n line 1, column 24: duplicate member name; " },
        { "{\"items\":[{\"m\":1,\"n\":[0,0,0,0,0,0,0,0,0,0,0,0,0,0],\"o\":[[2]]}]}",
                "0 {\"items\":[{\"m\":1,\"o\":[[2]]}]} | 0 n line 1, column 47: more than is read of one "
                "object; " },
        { "{\"items\":{\"m\":1,\"s\":[[[[[[1]]]]]],\"t\":2}}",
                "0 {\"items\":{\"m\":1,\"t\":2}} | 0 s line 1, column 25: nested too deeply; " },
        { "{\"items\":[{\"m\":1,\"s\":[[[[[[}]]]]],\"t\":2}]}",
                "-1 line 1, column 28: expected a value | 0 s line 1, column 25: nested too deeply; " },
        { "{\"a\":[[[[[[[1]]]]]]]}", "-1 line 1, column 11: nested too deeply | " },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_autofree char *got = outcome(cases[i].text, strlen(cases[i].text), 3, 0);

        TEST_ASSERT_EQUAL_STRING_MESSAGE(cases[i].outcome, got, cases[i].text);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_every_cut_gives_the_same_result);
    RUN_TEST(test_pieces_of_any_size_give_the_same_result);
    RUN_TEST(test_damaged_texts_give_the_same_result_in_pieces);
    RUN_TEST(test_a_reader_that_failed_fails_the_same_way_again);
    RUN_TEST(test_a_reader_can_be_used_again);
    RUN_TEST(test_what_is_stepped_over_takes_no_memory);
    RUN_TEST(test_what_is_built_takes_no_more_memory_than_is_counted);
    RUN_TEST(test_what_is_built_is_bounded);
    RUN_TEST(test_an_item_that_cannot_be_built_fails_alone);
    return UNITY_END();
}
