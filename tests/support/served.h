#ifndef TESTS_SUPPORT_SERVED_H
#define TESTS_SUPPORT_SERVED_H

/*
 * What does this server have? Tests that need more than every release has ask the server itself,
 * never its version: a release may have it switched off, another may have it early. A server that
 * could not be asked is an error, and no reason to skip anything.
 */

#include <stdbool.h>

#include "probate/api/api.h"

/* Is this resource served in this version? */
int prb_test_serves(
        struct prb_api *api, const struct prb_gvr *gvr, bool *ret, struct prb_error *err);

/*
 * Would the server store this member of an object? The object is created as a dry run, and the
 * member is looked for in the answer: a server drops what it does not know. `pointer` is a JSON
 * pointer.
 */
int prb_test_stores(struct prb_api *api, const struct prb_ref *ref, const struct json_object *body,
        const char *pointer, bool *ret, struct prb_error *err);

#endif
