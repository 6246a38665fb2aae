#ifndef TESTS_KUBE_CALLER_H
#define TESTS_KUBE_CALLER_H

/* A client of a scripted server, and the calls that most tests make with it. */

#include "probate/kube/kube.h"

#include "server.h"

#define PRB_TEST_OBJECT "{\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"1\"}}"
#define PRB_TEST_STATUS(code, reason) \
    "{\"kind\":\"Status\",\"message\":\"m\",\"reason\":\"" reason "\",\"code\":" code "}"

struct prb_test_caller {
    struct prb_test_server *server; /* owned, as the next */
    struct prb_api *api;
};

/* The config map "a" in namespace "ns", which all of this is about. */
extern const struct prb_ref prb_test_a;

/* Start a server and open a client for it; `token_file` and `options` may be NULL. Aborts when it
 * cannot. */
void prb_test_caller_start(struct prb_test_caller *caller, const char *token_file,
        const struct prb_kube_options *options);
void prb_test_caller_stop(struct prb_test_caller *caller);

/* GET and POST of prb_test_a; *err is cleared before. `timeout_ms` 0: the default. */
int prb_test_get(struct prb_api *api, int timeout_ms, struct prb_error *err);
int prb_test_create(struct prb_api *api, struct prb_error *err);

#endif
