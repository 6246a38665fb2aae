#ifndef TESTS_SUPPORT_WAIT_H
#define TESTS_SUPPORT_WAIT_H

/* Waiting for a condition, with a deadline: what tests do where a sleep would only hope. */

#include <stdbool.h>
#include <stdint.h>

/* Milliseconds of the monotonic clock. */
int64_t prb_test_now_ms(void);

/* Ask `holds` again and again until it says true (true) or `timeout_ms` are over (false). */
bool prb_test_wait(bool (*holds)(void *ctx), void *ctx, int timeout_ms);

/* The pause between two looks of a loop of one's own. */
void prb_test_pause(void);

#endif
