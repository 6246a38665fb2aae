#include <string.h>
#include <unity.h>

#include "probate/base/cleanup.h"
#include "probate/base/mem.h"
#include "probate/base/sha256.h"

void setUp(void)
{
}

void tearDown(void)
{
}

/* Of RFC 6234, section 8.5, and NIST's own examples, where the text is given. */
static const struct {
    const char *name;
    const char *text;
    size_t repeat;
    const char *hash;
} cases[] = {
    { "nothing", "", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
    { "abc", "abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
    { "the length needs a block of its own",
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" },
    { "two blocks of text",
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnop"
            "qrlmnopqrsmnopqrstnopqrstu",
            1, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1" },
    { "whole blocks", "0123456701234567012345670123456701234567012345670123456701234567", 10,
            "594847328451bdfa85056225462cc1d867d877fb388df0ce35f25ab5562bfbb5" },
    { "a million bytes", "a", 1000000,
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0" },
    { "one byte that is no text", "\x19", 1,
            "68aa2e2ee5dff96e3355e6c7ee373e3d6a4e17f75f9518d843709c0c9bc3e3d4" },
};

static void test_the_published_vectors_hold(void)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        size_t len = strlen(cases[i].text);
        prb_autofree char *bytes = prb_calloc(len * cases[i].repeat + 1, 1);
        char hash[PRB_SHA256_HEX_SIZE];

        for (size_t at = 0; at < cases[i].repeat; at++)
            memcpy(bytes + at * len, cases[i].text, len);
        prb_sha256_hex(bytes, len * cases[i].repeat, hash);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(cases[i].hash, hash, cases[i].name);
    }
}

static void test_no_bytes_at_all_may_be_a_null_pointer(void)
{
    char hash[PRB_SHA256_HEX_SIZE];

    prb_sha256_hex(NULL, 0, hash);
    TEST_ASSERT_EQUAL_STRING(cases[0].hash, hash);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_the_published_vectors_hold);
    RUN_TEST(test_no_bytes_at_all_may_be_a_null_pointer);
    return UNITY_END();
}
