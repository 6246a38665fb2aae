#ifndef PROBATE_TESTS_HTTP_CLIENT_H
#define PROBATE_TESTS_HTTP_CLIENT_H

/* A client as rude as a test needs it: sockets and bytes on 127.0.0.1. */

#include <stdbool.h>
#include <stdint.h>

#include "support/wait.h"

/* How long anything may take before it counts as hanging. */
#define PATIENCE_MS prb_test_patience_ms(PRB_TEST_SOON_MS)

int dial(uint16_t port);
bool readable(int fd, int ms);
void say(int fd, const char *text);

/* Everything until the server closes; what came so far when it does not. The caller frees. */
char *read_all(int fd);

/* One request that asks for the connection to be closed, and the whole answer. */
char *ask_port(uint16_t port, const char *method, const char *target, const char *headers);

const char *body_of(const char *answer);
bool has_status(const char *answer, int status);

/* NULL has none. */
bool has_text(const char *text, const char *part);

/* Wait for an answer, or the end; false: neither came. */
bool await_readable(int fd);
#define ASSERT_READABLE(fd) TEST_ASSERT_CAME(await_readable(fd))

/* A failed assert does not leave the test, so these bear what comes after one. */
#define ASSERT_HAS(text, part) \
    TEST_ASSERT_TRUE_MESSAGE(has_text((text), (part)), (text) ? (text) : "(nothing)")
#define ASSERT_STATUS(answer, status) \
    TEST_ASSERT_TRUE_MESSAGE(has_status((answer), (status)), (answer))

#endif
