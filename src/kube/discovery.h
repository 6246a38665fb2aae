#ifndef PROBATE_KUBE_DISCOVERY_H
#define PROBATE_KUBE_DISCOVERY_H

/*
 * What the server serves, by group, kept for a while. "Not served" is said only after the server
 * was asked; when it cannot be asked (an aggregated API that is down answers 503) that is an
 * error. Thread-safe.
 */

#include "probate/api/api.h"

#include "rest.h"

/* How long an answer is good for what it holds: kinds rarely go, and a call on one that went is
 * told by the server. */
#define PRB_KUBE_DISCOVERY_AGE_MS 60000

/* How long it is good for what it does not hold: a CRD may come at any moment, so only a burst of
 * questions is spared. */
#define PRB_KUBE_DISCOVERY_MISS_MS 1000

/* Groups kept; names come from users, so their number must not grow without end. A large hub has
 * a hundred. */
#define PRB_KUBE_DISCOVERY_GROUPS_MAX 512

struct prb_kube_discovery;

/* `rest` is borrowed. */
struct prb_kube_discovery *prb_kube_discovery_new(const struct prb_kube_rest *rest);
void prb_kube_discovery_free(struct prb_kube_discovery *discovery);
PRB_DEFINE_CLEANUP(struct prb_kube_discovery *, prb_kube_discovery_free)

/* As prb_api_resolve. */
int prb_kube_discovery_resolve(struct prb_kube_discovery *discovery, const char *group,
        const char *name, struct prb_resource *ret, struct prb_error *err);

/* As prb_api_forget. */
void prb_kube_discovery_forget(struct prb_kube_discovery *discovery, const char *group);

#endif
