#ifndef TESTS_CONFORMANCE_CONF_H
#define TESTS_CONFORMANCE_CONF_H

/*
 * One table of API behaviours, checked over the port only, on the embedded hub and on a real API
 * server: what is expected is written once, so the two cannot drift apart.
 *
 * Rows run side by side, and so may runs. Each row has an id of its own, which is part of the name
 * of every object that the helpers make and is a label on it: rows never see each other's objects.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probate/api/api.h"

#include "support/table.h"
#include "support/temp_dir.h"

/* Events that the hub keeps here for watches to resume from: more than any row writes, but for the
 * one that wants to see it forget. */
#define CONF_HUB_LOG_MAX 64

/* One kind of object the rows work with. */
struct conf_kind {
    struct prb_gvr gvr;
    char kind[PRB_RESOURCE_SIZE];
    bool namespaced;
};

/* What one row has. */
struct conf {
    struct prb_api *api;               /* borrowed */
    bool real;                         /* a real API server; else the hub */
    char ns[PRB_TEST_NAME_SIZE];       /* where its objects live, shared with other rows */
    char other_ns[PRB_TEST_NAME_SIZE]; /* another one */
    char id[32];             /* "r12-1f0c9a7e": prefix of names, value of the label "row" */
    char selector[40];       /* "row=r12-1f0c9a7e" */
    struct prb_error err;    /* of the last call through a helper */
    struct conf_kind widget; /* namespaced, of a CRD with a status subresource */
    struct conf_kind gadget; /* cluster-scoped, of a CRD without one */
    char *why;               /* borrowed: PRB_TEST_WHY_SIZE bytes, "" so far */
};

extern const struct conf_kind conf_configmap;
extern const struct conf_kind conf_namespace;
extern const struct conf_kind conf_clusterrole;
extern const struct conf_kind conf_crd;
extern const struct conf_kind conf_lease;
extern const struct conf_kind conf_webhooks;
extern const struct conf_kind conf_budget;

struct conf_row {
    const char *name; /* a sentence: what is so */
    int (*check)(struct conf *c);
};

/* A group of rows, one for each file. */
struct conf_rows {
    const struct conf_row *rows; /* static */
    size_t count;
};

extern const struct conf_rows conf_create_rows, conf_update_rows, conf_status_rows,
        conf_delete_rows, conf_owner_rows, conf_foreground_rows, conf_namespace_rows,
        conf_list_rows, conf_selector_rows, conf_watch_rows, conf_watch_start_rows, conf_patch_rows,
        conf_apply_rows, conf_dry_run_rows, conf_resolve_rows, conf_crd_rows, conf_access_rows,
        conf_share_rows, conf_served_rows;

#define CONF_ROWS(name, table) \
    const struct conf_rows name = { table, sizeof(table) / sizeof(table[0]) }

/* Say why the row fails; returns -1, so that it can be returned. */
__attribute__((format(printf, 3, 4))) int conf_fail(struct conf *c, int line, const char *fmt, ...);

/* Leave the row as skipped, with what this server lacks; returns 0, so that it can be returned. */
__attribute__((format(printf, 2, 3))) int conf_skip(struct conf *c, const char *reason, ...);

/*
 * What rows state; each leaves the row with the reason when it is not so. They are bare ifs: not
 * to be used before an else.
 */

/* `call` must return 0. */
#define CONF_OK(c, call)                                           \
    if (conf_check_code((c), __LINE__, #call, PRB_OK, (call)) < 0) \
    return -1

/* `call` must fail with this code. */
#define CONF_FAILS(c, want, call)                                  \
    if (conf_check_code((c), __LINE__, #call, (want), (call)) < 0) \
    return -1

#define CONF_TRUE(c, condition) \
    if (!(condition))           \
    return conf_fail((c), __LINE__, "not so: %s", #condition)

#define CONF_STR(c, want, got)                                  \
    if (conf_check_str((c), __LINE__, #got, (want), (got)) < 0) \
    return -1

#define CONF_INT(c, want, got)                                                    \
    if (conf_check_int((c), __LINE__, #got, (int64_t)(want), (int64_t)(got)) < 0) \
    return -1

int conf_check_code(struct conf *c, int line, const char *text, enum prb_errc want, int got);
int conf_check_str(struct conf *c, int line, const char *text, const char *want, const char *got);
int conf_check_int(struct conf *c, int line, const char *text, int64_t want, int64_t got);

#endif
