/* What newer servers have, if this one has it: what a server lacks is skipped. */

#include "objects.h"
#include "support/json_text.h"
#include "support/served.h"

#define CONDITIONS "/webhooks/0/matchConditions"

/* Of objects in no namespace that there is: nothing is ever sent. */
static struct json_object *conditional_webhook(const struct conf *c, const char *name)
{
    return conf_body(c, &conf_webhooks, name,
            "{'webhooks':[{'name':'a.probate.test','admissionReviewVersions':['v1'],"
            "'sideEffects':'None','failurePolicy':'Ignore',"
            "'clientConfig':{'url':'https://127.0.0.1:1/'},"
            "'namespaceSelector':{'matchLabels':{'probate.test/none':'%s'}},"
            "'rules':[{'apiGroups':[''],'apiVersions':['v1'],'operations':['UPDATE'],"
            "'resources':['configmaps']}],"
            "'matchConditions':[{'name':'labelled','expression':'has(object.metadata.labels)'}]}]}",
            c->id);
}

static int the_conditions_of_a_webhook_are_stored(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *now = NULL;
    prb_auto(prb_json_free) struct json_object *trial = conditional_webhook(c, "trial");
    struct prb_ref ref = conf_ref(c, &conf_webhooks, "trial");
    struct json_object *expression = NULL;
    bool stored;

    CONF_OK(c, prb_test_stores(c->api, &ref, trial, CONDITIONS, &stored, &c->err));
    if (!stored)
        return conf_skip(c, "this API server does not store matchConditions");
    CONF_OK(c, conf_create(c, &conf_webhooks, conditional_webhook(c, "a"), NULL));
    CONF_OK(c, conf_get(c, &conf_webhooks, "a", &now));
    (void)prb_json_pointer_get(prb_object_tree(now), CONDITIONS "/0/expression", &expression);
    CONF_STR(c, "has(object.metadata.labels)", prb_json_string(expression));
    CONF_OK(c, conf_delete(c, &conf_webhooks, "a", PRB_PROPAGATE_DEFAULT));
    return 0;
}

static int a_budget_of_the_stable_version_is_stored(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *now = NULL;
    int64_t least = 0;
    bool served;

    CONF_OK(c, prb_test_serves(c->api, &conf_budget.gvr, &served, &c->err));
    if (!served)
        return conf_skip(c, "this API server does not serve policy/v1");
    CONF_OK(c, conf_create(c, &conf_budget,
                       conf_body(c, &conf_budget, "a",
                               "{'spec':{'minAvailable':1,'selector':{'matchLabels':"
                               "{'app':'a'}}}}"),
                       NULL));
    CONF_OK(c, conf_get(c, &conf_budget, "a", &now));
    CONF_TRUE(c, prb_json_int(prb_object_spec(now), "minAvailable", &least));
    CONF_INT(c, 1, least);
    return 0;
}

static const struct conf_row rows[] = {
    { "matchConditions of a webhook are stored", the_conditions_of_a_webhook_are_stored },
    { "a PodDisruptionBudget of policy/v1 is stored", a_budget_of_the_stable_version_is_stored },
};
CONF_ROWS(conf_served_rows, rows);
