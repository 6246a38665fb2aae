/* What is it that somebody names, and does the server have it? */

#include "probate/api/definition.h"
#include "probate/base/str.h"

#include "text.h"
#include "wanted_internal.h"

/* What was not found is looked for again: soon at first, as CRDs are installed together with what
 * names them, and never later than a person would wait who has just mended it. */
#define AGAIN_MIN_MS 1000
#define AGAIN_MAX_MS 10000

/* What was found may come under another version, without the old one going: a little longer than
 * discovery is remembered for, so that looking again means asking again. */
#define FOUND_AGAIN_MS 65000

/* A name to be asked for. */
struct question {
    char group[PRB_GROUP_SIZE];
    char name[PRB_RESOURCE_SIZE];
    bool fresh;
};

/* False when nobody wants to know any more. */
static bool find_question(struct prb_wanted *wanted, const char *key, struct question *ret)
{
    struct prb_want *want;
    bool sought;

    (void)pthread_mutex_lock(&wanted->lock);
    want = prb_map_find(wanted->wants, key);
    sought = want && !want->beyond;
    if (sought) {
        (void)prb_copy(ret->group, sizeof(ret->group), want->found.group);
        (void)prb_copy(ret->name, sizeof(ret->name), want->found.name);
        ret->fresh = want->fresh;
        want->fresh = false;
    }
    (void)pthread_mutex_unlock(&wanted->lock);
    return sought;
}

static void note_present(struct prb_known_resource *found, const struct prb_resource *resource)
{
    found->state = PRB_RESOURCE_PRESENT;
    found->gvr = resource->gvr;
    (void)prb_copy(found->kind, sizeof(found->kind), resource->kind);
    found->namespaced = resource->namespaced;
}

static void note_lost(struct prb_known_resource *found)
{
    found->gvr = (struct prb_gvr){ .group = "" };
    found->kind[0] = '\0';
    found->namespaced = false;
}

/* What was found once stays found while discovery cannot be asked: that is only trouble. */
static void note(struct prb_known_resource *found, const struct prb_resource *resource,
        const struct prb_error *err)
{
    found->trouble[0] = '\0';
    found->forbidden = err->code == PRB_E_FORBIDDEN;
    if (err->code == PRB_OK) {
        note_present(found, resource);
    } else if (err->code == PRB_E_NOTFOUND) {
        found->state = PRB_RESOURCE_ABSENT;
        note_lost(found);
    } else {
        prb_text_copy(found->trouble, sizeof(found->trouble), err->msg);
        if (found->state != PRB_RESOURCE_PRESENT)
            found->state = PRB_RESOURCE_UNKNOWN;
    }
}

/* With the lock held. */
static void come_again(struct prb_wanted *wanted, const char *key, const struct prb_want *want,
        const struct prb_error *err)
{
    const struct prb_followed *followed = prb_wanted_find_followed(wanted, want);

    if (err->code == PRB_OK && followed && !followed->not_served) {
        prb_queue_forget(wanted->queue, key);
        prb_queue_add_after(wanted->queue, key, FOUND_AGAIN_MS);
        return;
    }
    prb_queue_retry_within(wanted->queue, key,
            err->retry_after_ms > AGAIN_MIN_MS ? err->retry_after_ms : AGAIN_MIN_MS, AGAIN_MAX_MS);
}

static void take_answer(struct prb_wanted *wanted, const char *key,
        const struct prb_resource *resource, const struct prb_error *err)
{
    struct prb_wanted_news news = { .gvrs = NULL };
    struct prb_want *want;

    (void)pthread_mutex_lock(&wanted->lock);
    want = prb_map_find(wanted->wants, key);
    if (want && !want->beyond) {
        note(&want->found, resource, err);
        prb_wanted_follow(wanted);
        prb_wanted_publish(wanted, &news);
        come_again(wanted, key, want, err);
    }
    (void)pthread_mutex_unlock(&wanted->lock);
    prb_wanted_news_tell(wanted, &news);
}

static int find(const struct prb_wanted *wanted, const struct question *question,
        struct prb_resource *ret, struct prb_error *err)
{
    const struct prb_sought sought = {
        .group = question->group,
        .name = question->name,
        .clock = wanted->clock,
        .deadline_ms = wanted->clock->mono_ms(wanted->clock) + PRB_API_TIMEOUT_MS,
    };

    if (wanted->owner.confirms_absence)
        return prb_api_find(wanted->api, &sought, ret, err);
    return prb_api_resolve(wanted->api, question->group, question->name, ret, err);
}

void prb_wanted_resolve(struct prb_wanted *wanted, const char *key)
{
    struct question question;
    struct prb_resource resource;
    struct prb_error err;

    if (!find_question(wanted, key, &question)) {
        prb_queue_forget(wanted->queue, key);
        return;
    }
    if (question.fresh)
        prb_api_forget(wanted->api, question.group);
    if (find(wanted, &question, &resource, &err) == 0)
        err = (struct prb_error){ .code = PRB_OK };
    if (err.code != PRB_E_CANCELLED) /* the end: nothing is known by it */
        take_answer(wanted, key, &resource, &err);
}
