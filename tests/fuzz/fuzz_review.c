/* The target: any bytes at all, sent as a review. */

#include "fuzz_review.h"

#include <stdio.h>
#include <stdlib.h>

#include "probate/base/cleanup.h"
#include "probate/base/mem.h"

#include "review_property.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct review_property *property; /* lives as long as the process */
    prb_autofree char *why = prb_malloc(REVIEW_PROPERTY_SIZE);

    if (!property)
        property = review_property_new();
    (void)review_property_check(property, (const char *)data, size, why);
    if (why[0]) {
        (void)fprintf(stderr, "%s\n", why);
        abort();
    }
    return 0;
}
