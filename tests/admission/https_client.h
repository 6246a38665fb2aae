#ifndef PROBATE_TESTS_HTTPS_CLIENT_H
#define PROBATE_TESTS_HTTPS_CLIENT_H

/* A TLS client as careful or as rude as a test needs it; on 127.0.0.1, one thread each. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gnutls/gnutls.h>

#include "support/tls_stream.h"
#include "support/wait.h"

/* How long anything may take before it counts as hanging. */
#define HTTPS_PATIENCE_MS prb_test_patience_ms(PRB_TEST_SOON_MS)

struct https {
    struct prb_tls_stream stream;
};

/* One answer. */
struct answer {
    int status;  /* 0: there was none */
    char *head;  /* owned: its fields, a line each */
    char *body;  /* owned */
    bool closes; /* it says Connection: close */
};

void answer_done(struct answer *answer);
static inline void answer_donep(struct answer *answer)
{
    answer_done(answer);
}

int https_dial(uint16_t port);

/* Connect and shake hands, trusting what `credentials` trust; the server is "localhost". */
bool https_open(struct https *https, uint16_t port, gnutls_certificate_credentials_t credentials);

/* With a goodbye, and without. Both may be called on what is closed, or all zero. */
void https_close(struct https *https);
void https_cut(struct https *https);

bool https_send(struct https *https, const char *data, size_t len);
bool https_say(struct https *https, const char *text);

/* Read one answer; false when the connection ends before it is whole. */
bool https_read(struct https *https, struct answer *ret);

/* Send a POST of application/json to /validate with further header lines (each with \r\n; may be
 * NULL). False when the connection breaks. */
bool https_post(struct https *https, const char *headers, const char *body, size_t len);

/* A POST and its answer. */
bool https_call(struct https *https, const char *body, struct answer *ret);

/* The same on a connection of its own. */
bool https_call_once(uint16_t port, gnutls_certificate_credentials_t credentials, const char *body,
        struct answer *ret);

/* Wait until the server closes; false when it does not, or sends something. */
bool https_ends(struct https *https);

/* The value of a header of an answer, "" when it is not there. */
void answer_header(const struct answer *answer, const char *name, char *value, size_t size);

#endif
