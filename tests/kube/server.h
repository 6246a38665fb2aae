#ifndef TESTS_KUBE_SERVER_H
#define TESTS_KUBE_SERVER_H

/*
 * A scripted HTTP/1.1 server on 127.0.0.1, for what a real API server does not do on demand. The
 * n-th request, on whatever connection it comes, gets the n-th reply; one too many gets a 500.
 */

#include <stdbool.h>
#include <stddef.h>

#include "probate/base/cleanup.h"

enum prb_test_after {
    PRB_TEST_KEEP,  /* the connection takes the next request */
    PRB_TEST_CLOSE, /* it is closed */
    PRB_TEST_HOLD,  /* it stays open; see prb_test_server_push */
    PRB_TEST_MUTE,  /* it stays open, and nothing is pushed to it */
};

struct prb_test_server;

struct prb_test_server *prb_test_server_start(void);
void prb_test_server_stop(struct prb_test_server *server);
PRB_DEFINE_CLEANUP(struct prb_test_server *, prb_test_server_stop)

/* From now on connections are refused; the port stays ours, so that no other program can be met
 * there. */
void prb_test_server_deafen(struct prb_test_server *server);

/* "http://127.0.0.1:PORT"; lives as long as the server. */
char *prb_test_server_url(struct prb_test_server *server);

/* Add a reply: a whole answer with Content-Length (`headers` "A: b\r\n" or ""), or any bytes. */
void prb_test_server_reply(
        struct prb_test_server *server, const char *status, const char *headers, const char *body);
void prb_test_server_reply_raw(
        struct prb_test_server *server, const char *bytes, enum prb_test_after after);

/* Wait until so many requests have come. */
bool prb_test_server_wait(struct prb_test_server *server, size_t requests);
bool prb_test_server_wait_held(struct prb_test_server *server);   /* until one is held open */
bool prb_test_server_wait_closed(struct prb_test_server *server); /* until one was closed */
size_t prb_test_server_count(struct prb_test_server *server);

/* Connections made so far. */
size_t prb_test_server_connections(struct prb_test_server *server);

/* The text of a request, from 0; heap. NULL: there was none. */
char *prb_test_server_request(struct prb_test_server *server, size_t index);

/* Write to every held connection; `after` PRB_TEST_HOLD keeps them so. */
void prb_test_server_push(
        struct prb_test_server *server, const char *bytes, enum prb_test_after after);

#endif
