#ifndef TESTS_LIFECYCLE_SITE_H
#define TESTS_LIFECYCLE_SITE_H

/*
 * A control plane of its own, with the definitions and the accounts that an installation brings:
 * each account has exactly the rights that the chart gives it, and Probate runs as a user who can
 * read nothing of the administrator's.
 */

#include "probate/api/api.h"

#include "../cli/program.h"
#include "../e2e/kubectl.h"
#include "support/account.h"

#define SITE_NAMESPACE PRB_TEST_RELEASE_NAMESPACE
#define SITE_SECRET SITE_NAMESPACE "/probate-ca"

struct site {
    struct kubectl kubectl;
    const char *cluster; /* borrowed: folder of the control plane */
    const char *crds[2]; /* borrowed: folders of definitions */
    char *dir;           /* owned: manifests */
    struct prb_test_account account;
    struct prb_api *api;    /* owned: as the administrator */
    struct program program; /* Probate; pid 0: it does not run */
    bool conditions;        /* the API server keeps matchConditions of a webhook */
    char why[1024];         /* why something could not be done */
};

/* All of these return false, and say why in the site. */

bool site_open(struct site *site);
void site_close(struct site *site);

/* Run a command that has to succeed; `input` may be NULL. */
bool site_do(struct site *site, const char *command, const char *input);

/* What a command prints; the caller frees. "" when it fails. */
char *site_get(struct site *site, const char *command);

/* Wait until a command succeeds and prints this; the last answer is in `why` when it does not. */
bool site_awaits(struct site *site, const char *command, const char *text);

/* The kubeconfig of an account: "probate", "probate-remove", "probate-selftest". Caller frees. */
char *site_account(const struct site *site, const char *name);

/* Run a verb of Probate as an account: its exit code, and what it printed (the caller frees). */
int site_verb(struct site *site, const char *account, const char *const *arguments, char **ret);

/* Start `probate serve`, and wait until it is ready. */
bool site_start(struct site *site);

/* Bring the registration as a chart does: by server-side apply of another manager, and without
 * matchConditions where the API server does not keep them: one that does not know a field refuses
 * to apply it. */
struct site_chart {
    const char *failure_policy; /* of all webhooks; NULL: as it is live, as a chart looks it up */
    const char *rules;          /* as --rules takes them; NULL: all */
    int timeout_s;              /* of each; 0: as it is */
    bool force;                 /* take fields from other managers */
    bool nobody;                /* at an address where nobody is */
};
bool site_register(struct site *site, const struct site_chart *chart);

/*
 * The webhooks in one line each, "name Fail 5s 1 trusted", with their number of certificates in
 * caBundle, and " conditionally" where matchConditions are stored; the caller frees. "" when there
 * is no configuration.
 */
char *site_webhooks(struct site *site);

/* Wait until every webhook that is to fail closed does, with a caBundle. */
bool site_awaits_closed(struct site *site);

#endif
