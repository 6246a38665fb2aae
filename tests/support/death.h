#ifndef TESTS_SUPPORT_DEATH_H
#define TESTS_SUPPORT_DEATH_H

/* Contracts whose breach ends the process: played in a child, so that the test lives on. */

#include <stdbool.h>
#include <stddef.h>

/* Does `act` end in abort()? What it wrote to stderr is in `ret_words`, cut at `size`. */
bool prb_test_aborts(void (*act)(void *ctx), void *ctx, char *ret_words, size_t size);

#endif
