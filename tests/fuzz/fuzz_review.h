#ifndef TESTS_FUZZ_FUZZ_REVIEW_H
#define TESTS_FUZZ_FUZZ_REVIEW_H

#include <stddef.h>
#include <stdint.h>

/* By this name libFuzzer finds it. Aborts on what must not be. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
