/*
 * Is the protection in force, and if not, why?
 *
 * Several things may be wrong at once: the reason is that of the first, in the order in which they
 * are mended, and the text has them all.
 */

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "critical_service_internal.h"

/* One more thing to say; the reason is that of the first. */
static struct prb_str *add_fault(struct prb_crit_draft *draft, const char *reason)
{
    if (draft->message.len == 0)
        prb_crit_set(draft, "False", reason);
    else
        prb_str_add(&draft->message, "; ");
    return &draft->message;
}

/* What the admission rule would refuse to have written. */
static void add_invalid(const struct prb_crit *crit, struct prb_crit_draft *draft)
{
    const struct prb_critical_service *service = &crit->service;

    if (!prb_means_deployments(service->provider.group, service->provider.resource))
        prb_str_add(add_fault(draft, "InvalidSpec"),
                "spec.provider: only deployments.apps can be protected");
    else if (!crit->valid_provider)
        prb_str_add(add_fault(draft, "InvalidSpec"),
                "spec.provider: no Deployment can have this namespace and name");
    for (size_t i = 0; i < service->criterion_count; i++) {
        if (service->criteria[i].type == PRB_CRITERION_UNKNOWN)
            prb_str_addf(
                    add_fault(draft, "InvalidSpec"), "spec.criteria[%zu] cannot be understood", i);
    }
    if (service->too_many)
        prb_str_addf(add_fault(draft, "InvalidSpec"),
                "spec.criteria: there are more than %d, and all but these are not looked at",
                PRB_CRITERIA_MAX);
}

static bool lacks_label(const struct prb_object *object)
{
    return object && !prb_object_is_deleting(object) &&
           !prb_object_label(object, PRB_LABEL_PROTECTED);
}

static void add_protection(const struct prb_crit *crit, struct prb_crit_draft *draft)
{
    if (crit->over && crit->provider)
        prb_str_addf(add_fault(draft, PRB_CRIT_PROVIDER_DEAD),
                "deployments.apps %s/%s %s, and nothing can bring it back: its deletion is let through "
                "although criteria are unmet",
                crit->provider_ref.namespace, crit->provider_ref.name, crit->over);
    if (crit->exempt)
        prb_str_addf(add_fault(draft, "NamespaceExempt"),
                "the namespace %s is exempt (chart value webhook.exemptNamespaces, or "
                "--exempt-namespaces): Probate is not asked about what is in it, and nothing there is "
                "protected",
                crit->provider_ref.namespace);
    if (crit->valid_provider && !crit->provider)
        prb_str_addf(add_fault(draft, "ProviderAbsent"), "deployments.apps %s/%s is not there",
                crit->provider_ref.namespace, crit->provider_ref.name);
    if (crit->gap)
        prb_str_addf(add_fault(draft, PRB_CRIT_PROTECTION_MISSING),
                "%s: while Probate does not answer, nothing is protected; apply what \"probate "
                "manifest webhook\" prints",
                crit->gap);
    if (crit->provider && !crit->exempt && lacks_label(crit->namespace))
        prb_str_addf(add_fault(draft, "LabelMissing"),
                "the namespace %s has no label " PRB_LABEL_PROTECTED
                " yet: while Probate does not answer, nothing in it is protected",
                crit->provider_ref.namespace);
}

static void add_criteria(const struct prb_crit *crit, struct prb_crit_draft *draft)
{
    for (size_t i = 0; i < crit->service.criterion_count; i++) {
        prb_autofree char *text = prb_crit_description(&crit->service.criteria[i]);

        if (crit->findings[i].forbidden)
            prb_str_addf(add_fault(draft, "CriteriaUnreadable"), "\"%s\": %s", text,
                    crit->findings[i].message);
    }
    for (size_t i = 0; i < crit->service.criterion_count; i++) {
        prb_autofree char *text = prb_crit_description(&crit->service.criteria[i]);

        if (crit->findings[i].never_served)
            prb_str_addf(add_fault(draft, "CriterionNeverResolved"),
                    "\"%s\": %s; if that is a typo, this criterion protects nothing until it is "
                    "corrected",
                    text, crit->findings[i].message);
    }
}

void prb_crit_be_protected(const struct prb_crit *crit, struct prb_crit_draft *draft)
{
    add_invalid(crit, draft);
    add_protection(crit, draft);
    add_criteria(crit, draft);
    if (draft->message.len > 0)
        return;

    /* An installer may have withheld that right: what can be seen is in order, and a condition that
     * is never true would be of no use to who waits for it. */
    prb_crit_set(draft, "True", crit->guard_open ? "LabelGuardOpen" : "Enforced");
    prb_str_add(&draft->message, "the provider goes only when all criteria are met");
    if (crit->guard_open)
        prb_str_add(&draft->message,
                "; while Probate does not answer, the label " PRB_LABEL_PROTECTED
                " can be taken off its namespace, and the provider be deleted then: the webhook " PRB_CRIT_LABEL_WEBHOOK
                " fails open until the API server has stored its "
                "matchConditions (Kubernetes 1.28) and Probate, which looks after the registration "
                "with --webhook-configuration, has set its failurePolicy to Fail");
    if (!crit->webhooks_known)
        prb_str_add(&draft->message,
                "; whether the webhook is registered is unknown: Probate cannot read "
                "validatingwebhookconfigurations.admissionregistration.k8s.io");
}
