#ifndef TESTS_KUBE_HAS_H
#define TESTS_KUBE_HAS_H

#include <string.h>

/* The first of `parts` (ended by NULL) that is not in `text`; NULL when all are. */
static inline const char *prb_test_missing(const char *text, const char *const *parts)
{
    for (; *parts; parts++) {
        if (!text || !strstr(text, *parts))
            return *parts;
    }
    return NULL;
}

/* Assert that a text has all of these in it. */
#define ASSERT_HAS(text, ...)         \
    TEST_ASSERT_EQUAL_STRING_MESSAGE( \
            NULL, prb_test_missing((text), (const char *const[]){ __VA_ARGS__, NULL }), (text))

#endif
