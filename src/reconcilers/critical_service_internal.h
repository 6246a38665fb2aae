#ifndef SRC_RECONCILERS_CRITICAL_SERVICE_INTERNAL_H
#define SRC_RECONCILERS_CRITICAL_SERVICE_INTERNAL_H

/*
 * What the critical_service*.c files share. A decision on one CriticalService goes forward through
 * them: look (everything that its status tells of, from the view), conditions and status (as JSON),
 * events (what is different from the status it has), and the writes.
 */

#include <stdbool.h>
#include <stddef.h>

#include "probate/base/cleanup.h"
#include "probate/core/changes.h"
#include "probate/model/critical_service.h"
#include "probate/model/holder.h"
#include "probate/model/view.h"
#include "probate/reconcilers/critical_service.h"

#include "condition.h"

/* The webhooks without which nothing is protected while Probate is away: for Deployments in
 * labelled Namespaces, for such Namespaces, and for the label. */
#define PRB_CRIT_WEBHOOK "critical-service-delete.probate.dev"
#define PRB_CRIT_NAMESPACE_WEBHOOK "critical-service-namespace.probate.dev"
#define PRB_CRIT_LABEL_WEBHOOK "critical-service-label.probate.dev"

/* Condition types, and those of their reasons that Events are about. */
#define PRB_CRIT_PROTECTED "Protected"
#define PRB_CRIT_DELETION_ALLOWED "DeletionAllowed"
#define PRB_CRIT_DEADLOCK "Deadlock"
#define PRB_CRIT_PROVIDER_ALIVE "ProviderAlive"
#define PRB_CRIT_PROTECTION_MISSING "ProtectionMissing"
#define PRB_CRIT_PROVIDER_DEAD "ProviderDead"

extern const struct prb_gvr prb_crit_webhooks; /* validatingwebhookconfigurations */

enum prb_crit_state {
    PRB_CRIT_UNKNOWN,
    PRB_CRIT_UNMET,
    PRB_CRIT_MET,
};

/* What was found out about one criterion. */
struct prb_crit_finding {
    enum prb_crit_state state;
    const struct prb_known_resource *known; /* borrowed; NULL: nobody looked for it yet */
    bool pending;                           /* unknown only because it is being found out now */
    bool forbidden;                         /* unknown for want of a right */
    bool never_served;                      /* met, as the resource has not been there at all yet */
    char *message;                          /* owned; why; "": the state says it all */
    struct prb_holders blockers;            /* UNMET */
    const struct prb_object *object; /* borrowed; UNMET: what a SpecificResource names; or NULL */
};

/* One CriticalService with all that its status tells of. Borrows from the view. */
struct prb_crit {
    const struct prb_view *view;
    const struct prb_ref *key;
    const struct prb_object *object;
    const struct json_object *seen; /* its status as the view has it; NULL: none yet */
    struct prb_critical_service service;
    struct prb_ref provider_ref; /* when `valid_provider` */
    bool valid_provider;
    const struct prb_object *provider;  /* NULL: absent */
    const struct prb_object *namespace; /* of the provider; NULL: absent */
    struct prb_crit_finding findings[PRB_CRITERIA_MAX];
    const char *over;    /* static; the provider is going or gone for good, although criteria are
                            unmet,    and how: "is being deleted"; NULL: it is not so */
    char *cycle;         /* owned; who waits for whom; NULL: nobody */
    bool cycle_unknown;  /* too many to look for one */
    bool webhooks_known; /* can be told whether the webhook is registered */
    bool exempt;         /* the namespace is: no webhook is called for what is in it */
    char *gap;           /* owned; why the webhooks protect nothing; NULL: they do, or not known */
    bool guard_open;     /* the label can be taken off while Probate does not answer */
};

/* Never NULL. `object` is the CriticalService in the view that `key` names. `settings` may be NULL.
 */
struct prb_crit *prb_crit_look(const struct prb_critical_settings *settings,
        const struct prb_view *view, const struct prb_ref *key, const struct prb_object *object);
void prb_crit_free(struct prb_crit *crit);
PRB_DEFINE_CLEANUP(struct prb_crit *, prb_crit_free)

/* Does one criterion hold? One pass over the objects of its resource. `resolved`: it was found at
 * some time. Fills in all of `ret` but what is borrowed by nobody. */
void prb_crit_find_out(const struct prb_view *view, const struct prb_criterion *criterion,
        bool resolved, struct prb_crit_finding *ret);

/* Can this criterion be part of a circle: does it name what a CriticalService may guard? */
bool prb_crit_has_edges(const struct prb_critical_service *service);

/* Before a whole CriticalService is read: is any criterion on this group? */
bool prb_crit_mentions_group(const struct prb_object *service, const char *group);

/* Is it named by a criterion? Then it may be in a circle without any of its own. */
bool prb_crit_is_waited_for(
        const struct prb_view *view, const struct prb_critical_service *service);

/* Why the webhooks that fail closed do not cover a provider, owned; NULL: they do. Then
 * *ret_guard_open: the one for the label is there, but fails open. `namespace` may be NULL. */
char *prb_crit_webhook_gap(const struct prb_view *view, const struct prb_object *provider,
        const struct prb_object *namespace, bool *ret_guard_open);

/* Is the Namespace exempt, by the settings (which may be NULL) or by what the webhooks select? */
bool prb_crit_is_exempt(const struct prb_critical_settings *settings, const struct prb_view *view,
        const struct prb_object *namespace);

/* Is there anything that the status still waits to be told? */
bool prb_crit_is_pending(const struct prb_crit *crit);

/* The whole status as it should be; what others wrote in it is kept. Owned. */
struct json_object *prb_crit_status(const struct prb_crit *crit);

/* One condition that is being made. */
struct prb_crit_draft {
    const char *type, *status, *reason; /* static */
    struct prb_str message;             /* owned; never empty in the end */
};

static inline void prb_crit_set(
        struct prb_crit_draft *draft, const char *status, const char *reason)
{
    draft->status = status;
    draft->reason = reason;
}

void prb_crit_be_protected(const struct prb_crit *crit, struct prb_crit_draft *draft);

/* The list of conditions, with those of others in `seen`. Owned. */
struct json_object *prb_crit_conditions(const struct prb_crit *crit);

/* What the status says about a criterion with this description; NULL: nothing. Borrowed. */
const struct json_object *prb_crit_entry(const struct json_object *status, const char *description);

/* "no coolresources.my.crd.group has the finalizer x"; owned. */
char *prb_crit_description(const struct prb_criterion *criterion);

/* The objects that stand in the way, by criteria: "finalizer a/b of coolresources.x team-a/y (not
 * being deleted); ...". All of them need the provider. */
void prb_crit_needy_text(const struct prb_crit *crit, struct prb_str *out);

/* Write the status where it differs, and tell of what has come about. */
void prb_crit_write_status(const struct prb_crit *crit, struct prb_changes *out);
void prb_crit_add_events(
        const struct prb_crit *crit, const struct json_object *status, struct prb_changes *out);

/* Call `each` for the CriticalServices whose provider has this namespace and name (""; any name);
 * it returns false to stop. Whether that is a provider that could exist is not asked. */
void prb_crit_each_guard(const struct prb_view *view, const char *namespace, const char *name,
        prb_view_each_fn each, void *ctx);

/* Put the label on a Namespace that is guarded, and take it off one that is not. */
void prb_crit_decide_label(const struct prb_critical_settings *settings,
        const struct prb_view *view, const struct prb_ref *key, const struct prb_object *object,
        struct prb_changes *out);

/* Can this change of an object alter what the status says about a criterion on its collection? */
bool prb_crit_concerns(const struct prb_critical_service *service, size_t criterion,
        const struct prb_object *object, bool gone);

/* Which keys lead from a changed object: `map` of each watch, and of what criteria name. */
typedef void prb_crit_enqueue_fn(void *ctx, const struct prb_ref *key);
void prb_crit_map_service(const struct prb_view *view, const struct prb_ref *ref,
        const struct prb_object *object, prb_crit_enqueue_fn *enqueue, void *ctx);
void prb_crit_map_deployment(const struct prb_view *view, const struct prb_ref *ref,
        const struct prb_object *object, prb_crit_enqueue_fn *enqueue, void *ctx);
void prb_crit_map_namespace(const struct prb_view *view, const struct prb_ref *ref,
        const struct prb_object *object, prb_crit_enqueue_fn *enqueue, void *ctx);
void prb_crit_map_webhook(const struct prb_view *view, const struct prb_ref *ref,
        const struct prb_object *object, prb_crit_enqueue_fn *enqueue, void *ctx);
void prb_crit_map_nothing(const struct prb_view *view, const struct prb_ref *ref,
        const struct prb_object *object, prb_crit_enqueue_fn *enqueue, void *ctx);
void prb_crit_map_wanted(const struct prb_view *view, const struct prb_ref *ref,
        const struct prb_object *object, prb_crit_enqueue_fn *enqueue, void *ctx);

#endif
