/* Which resource do people mean, and when is it positively absent? */

#include "probate/api/definition.h"
#include "probate/base/str.h"

#include "asker_question.h"

bool prb_question_is_unserved(const struct prb_error *err)
{
    return err->code == PRB_E_NOTFOUND && prb_streq(err->reason, PRB_REASON_NOT_SERVED);
}

static struct prb_sought sought(
        const struct prb_inquiry *inquiry, const char *group, const char *name)
{
    return (struct prb_sought){
        .group = group,
        .name = name,
        .clock = inquiry->clock,
        .deadline_ms = inquiry->deadline_ms,
    };
}

/* A provider may be let go because of what is not found. */
static int find(
        const struct prb_inquiry *inquiry, struct prb_question *question, struct prb_resource *ret)
{
    const struct prb_sought wanted = sought(inquiry, question->group, question->kind);

    return prb_api_find(inquiry->api, &wanted, ret, &question->error);
}

static void note(struct prb_question *question, const struct prb_resource *resource)
{
    (void)prb_copy(question->resource, sizeof(question->resource), resource->gvr.resource);
    (void)prb_copy(question->version, sizeof(question->version), resource->gvr.version);
    question->namespaced = resource->namespaced;
}

/* Discovery names it, and the server does not know it: one of the two is about to change. */
static int fail_in_between(struct prb_question *question, const struct prb_gvr *gvr)
{
    char text[PRB_GVR_TEXT_SIZE];

    prb_gvr_format(gvr, text);
    return prb_fail(&question->error, PRB_E_UNAVAILABLE,
            "discovery names %s, but the API server does not serve it now", text);
}

/* What was known of the group is out of date: the resource went, or this version of it. */
static int search_anew(
        const struct prb_inquiry *inquiry, struct prb_question *question, prb_search_fn use)
{
    struct prb_resource resource;
    int r;

    question->resource[0] = '\0';
    question->version[0] = '\0';
    prb_api_forget(inquiry->api, question->group);
    r = find(inquiry, question, &resource);
    if (r < 0)
        return r;
    note(question, &resource);
    r = use(inquiry, question, &resource);
    return r < 0 && prb_question_is_unserved(&question->error)
                   ? fail_in_between(question, &resource.gvr)
                   : r;
}

int prb_question_search(
        const struct prb_inquiry *inquiry, struct prb_question *question, prb_search_fn use)
{
    struct prb_resource resource;
    int r = find(inquiry, question, &resource);

    if (r < 0)
        return r;
    note(question, &resource);
    r = use(inquiry, question, &resource);
    if (r == 0 || !prb_question_is_unserved(&question->error))
        return r;
    return search_anew(inquiry, question, use);
}

int prb_question_confirm_unserved(
        const struct prb_inquiry *inquiry, struct prb_question *question, const struct prb_gvr *gvr)
{
    const struct prb_sought wanted = sought(inquiry, gvr->group, gvr->resource);
    struct prb_resource resource;
    int r;

    prb_api_forget(inquiry->api, gvr->group);
    r = prb_api_resolve(inquiry->api, gvr->group, gvr->resource, &resource, &question->error);
    if (r == PRB_E_NOTFOUND)
        return prb_api_confirm_unserved(inquiry->api, &wanted, &question->error);
    if (r < 0)
        return r;
    r = fail_in_between(question, gvr);
    (void)prb_copy(question->error.reason, sizeof(question->error.reason), PRB_REASON_DEFINED);
    return r;
}
