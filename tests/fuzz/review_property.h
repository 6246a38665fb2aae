#ifndef TESTS_FUZZ_REVIEW_PROPERTY_H
#define TESTS_FUZZ_REVIEW_PROPERTY_H

/*
 * What holds for every sequence of bytes that is sent as a review: either it is refused with a text
 * that says why, or it is answered; the answer is one line of JSON with the uid of the request and
 * the decision; and rules come to the same decision from what they declared to read as from the
 * whole objects.
 */

#include <stddef.h>

/* Room for what does not hold. */
#define REVIEW_PROPERTY_SIZE 4096

struct review_property; /* readers, rules, and a hub with clusters c1 (live) and c2 (going) */

struct review_property *review_property_new(void);
void review_property_free(struct review_property *property);

/* Leaves `why` empty when all of it holds. True: it was answered, and not refused. */
_Bool review_property_check(struct review_property *property, const char *text, size_t len,
        char why[REVIEW_PROPERTY_SIZE]);

#endif
