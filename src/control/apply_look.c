/* What does the server say when a reconciler wants to know, and what does that mean? */

#include "probate/api/definition.h"
#include "probate/base/clock.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "apply_internal.h"

/* After so many reads of a collection without an answer, one after the other, the next will have
 * none either: a server that drops what it gets would hold a worker for the time-out of each of
 * hundreds. Reads only: a write may hang in a webhook that is not asked about the next one. */
#define MISSES_MAX 3

/* Only a server that has the kind can say that an object of it is gone. */
static int expect_absent(const struct prb_apply_job *job, struct prb_error *err)
{
    struct prb_get_options options = { .metadata_only = true,
        .timeout_ms = job->options->timeout_ms };
    prb_auto(prb_object_unref) struct prb_object *live = NULL;
    int r = prb_api_get(job->api, &job->change->ref, &options, &live, err);

    if (r == 0)
        return prb_fail(err, PRB_E_CONFLICT, "it is there");
    if (r == PRB_E_NOTFOUND && prb_streq(err->reason, PRB_APPLY_NOT_SERVED))
        return prb_fail(err, PRB_E_UNAVAILABLE, "its kind is not served, so nobody knows");
    return r == PRB_E_NOTFOUND ? 0 : r;
}

static int expect_none(const struct prb_apply_job *job, struct prb_error *err)
{
    const struct prb_ref *ref = &job->change->ref;
    struct prb_list_options options = { .namespace = ref->namespace,
        .metadata_only = true,
        .limit = 1,
        .timeout_ms = job->options->timeout_ms };
    prb_auto(prb_page_done) struct prb_page page;
    int r;

    prb_page_init(&page);
    r = prb_api_list(job->api, &ref->gvr, &options, &page, err);
    if (r == PRB_E_NOTFOUND)
        return prb_fail(err, PRB_E_UNAVAILABLE, "its kind is not served, so nobody knows");
    if (r == 0 && (page.count > 0 || page.next))
        return prb_fail(err, PRB_E_CONFLICT, "there is one");
    return r;
}

int prb_apply_is_served(
        const struct prb_apply_job *job, struct prb_resource *ret, struct prb_error *err)
{
    const struct prb_gvr *gvr = &job->change->ref.gvr;

    prb_api_forget(job->api, gvr->group);
    return prb_api_resolve(job->api, gvr->group, gvr->resource, ret, err);
}

/*
 * A GET says that there is no such collection. A server that has just started says so of all that
 * CRDs bring, until it has read them: discovery, which asks whether the server is ready, has to say
 * the same. Served in another version only is not served.
 */
static int confirm_not_served(const struct prb_apply_job *job, struct prb_error *err)
{
    struct prb_resource served;
    struct prb_error why;
    int r = prb_apply_is_served(job, &served, &why);

    if (r == PRB_E_NOTFOUND)
        return err->code;
    if (r != 0) {
        *err = why;
        return r;
    }
    if (prb_gvr_equal(&served.gvr, &job->change->ref.gvr))
        return prb_fail(err, PRB_E_UNAVAILABLE, "its kind was not served a moment ago");
    return err->code;
}

/* An object that cannot be read fails alone: the server has answered. */
static void count_miss(struct prb_apply_misses *misses, const struct prb_gvr *gvr, int r,
        const struct prb_error *err)
{
    if (r != PRB_E_IO || err->status != 0)
        misses->count = 0;
    else if (prb_gvr_equal(&misses->gvr, gvr))
        misses->count++;
    else
        *misses = (struct prb_apply_misses){ .gvr = *gvr, .count = 1 };
}

static int read_it(struct prb_apply_job *job, struct prb_error *err)
{
    const struct prb_gvr *gvr = &job->change->ref.gvr;
    struct prb_get_options options = { .timeout_ms = job->options->timeout_ms };
    int r;

    if (job->misses->count >= MISSES_MAX && prb_gvr_equal(&job->misses->gvr, gvr))
        return prb_fail(err, PRB_E_IO, "not tried: the reads before it were not answered");
    r = prb_api_get(job->api, &job->change->ref, &options, &job->outcome.object, err);
    count_miss(job->misses, gvr, r, err);
    if (r == PRB_E_NOTFOUND && prb_streq(err->reason, PRB_APPLY_NOT_SERVED))
        return confirm_not_served(job, err);
    return r;
}

static struct prb_known_resource *known(
        const struct prb_change *change, const struct prb_resource *found, int r)
{
    struct prb_known_resource *known = prb_calloc(1, sizeof(*known));

    /* What does not fit is no name of anything that is served. */
    (void)prb_copy(known->group, sizeof(known->group), change->api_version);
    (void)prb_copy(known->name, sizeof(known->name), change->kind);
    if (r == PRB_E_NOTFOUND)
        known->state = PRB_RESOURCE_ABSENT;
    if (r != 0)
        return known;
    known->state = PRB_RESOURCE_PRESENT;
    known->gvr = found->gvr;
    memcpy(known->kind, found->kind, sizeof(known->kind));
    known->namespaced = found->namespaced;
    return known;
}

/* The objects of a definition that is not served are still stored. */
static int confirm_undefined(const struct prb_apply_job *job, struct prb_error *err)
{
    const struct prb_clock *clock = job->options->clock ? job->options->clock : prb_clock_system();
    int timeout_ms = job->options->timeout_ms > 0 ? job->options->timeout_ms : PRB_API_TIMEOUT_MS;
    const struct prb_sought sought = { .group = job->change->api_version,
        .name = job->change->kind,
        .exact = true,
        .clock = clock,
        .deadline_ms = clock->mono_ms(clock) + timeout_ms };

    return prb_api_confirm_absent(job->api, &sought, err);
}

/* A resource that is found by a short name, or in another case, may be another kind. */
static bool is_meant(const struct prb_change *change, const struct prb_resource *found)
{
    return prb_streq(found->gvr.resource, change->kind) || prb_streq(found->kind, change->kind);
}

/* What discovery remembers is good enough to go on by; to say "there is none" it is not. */
static int resolve(struct prb_apply_job *job, struct prb_error *err)
{
    const struct prb_change *change = job->change;
    struct prb_resource found;
    int r = prb_api_resolve(job->api, change->api_version, change->kind, &found, err);

    if (r == PRB_E_NOTFOUND) {
        prb_api_forget(job->api, change->api_version);
        r = prb_api_resolve(job->api, change->api_version, change->kind, &found, err);
    }
    if (change->is_sure && r == PRB_E_NOTFOUND)
        r = confirm_undefined(job, err);
    else if (change->is_sure && r == 0 && !is_meant(change, &found) &&
             confirm_undefined(job, err) != PRB_E_NOTFOUND)
        r = err->code;
    job->outcome.resource = known(change, &found, r);
    return r;
}

int prb_apply_look(struct prb_apply_job *job, struct prb_error *err)
{
    switch (job->change->type) {
    case PRB_CHANGE_EXPECT_ABSENT:
        return expect_absent(job, err);
    case PRB_CHANGE_EXPECT_NONE:
        return expect_none(job, err);
    case PRB_CHANGE_READ:
        return read_it(job, err);
    case PRB_CHANGE_RESOLVE:
        return resolve(job, err);
    case PRB_CHANGE_CREATE:
    case PRB_CHANGE_UPDATE:
    case PRB_CHANGE_MERGE_PATCH:
    case PRB_CHANGE_JSON_PATCH:
    case PRB_CHANGE_APPLY:
    case PRB_CHANGE_DELETE:
    case PRB_CHANGE_EVENT:
        break;
    }
    return prb_fail(err, PRB_E_INTERNAL, "no look");
}
