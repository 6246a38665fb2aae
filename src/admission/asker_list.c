/* Which objects does a collection have, and which of them have a finalizer? */

#include <stdlib.h>

#include "probate/base/mem.h"

#include "asker_question.h"

/*
 * Pages of one collection, at PRB_LIST_LIMIT objects each: a million, more than any etcd holds. Who
 * never ends would otherwise be asked until the deadline.
 */
#define PAGES_MAX 2000

/*
 * Names of some that have the finalizer are worth more than none of all: the search ends so long
 * before its deadline, at which the review is handed back without them. A tenth of a second is
 * enough for whoever has to run then; of very little time it is at most a quarter.
 */
#define SPARE_MS 100

/* Who looks at the pages of a collection. */
struct reading {
    const struct prb_inquiry *inquiry; /* borrowed */
    const struct prb_gvr *gvr;         /* borrowed */
    struct prb_question *question;     /* borrowed: the answer goes there */
    bool metadata_only;
    bool with_defects; /* what cannot be read of one object fails no other */

    /* Take what is needed. 1: that is enough; negative: the error. */
    int (*take)(struct prb_question *question, struct prb_page *page);

    /* Forget what was taken, to begin anew; false: it is worth keeping. */
    bool (*drop)(struct prb_question *question);
};

static bool is_over(const struct prb_inquiry *inquiry)
{
    return inquiry->clock->mono_ms(inquiry->clock) >= inquiry->deadline_ms;
}

/* Read the page at *next and leave there where to go on. */
static int read_page(const struct reading *reading, char **next)
{
    const struct prb_list_options options = {
        .metadata_only = reading->metadata_only,
        .with_defects = reading->with_defects,
        .next = *next,
        .timeout_ms = prb_inquiry_timeout(reading->inquiry),
    };
    struct prb_error *err = &reading->question->error;
    prb_auto(prb_page_done) struct prb_page page;
    int r;

    prb_page_init(&page);
    r = prb_api_list(reading->inquiry->api, reading->gvr, &options, &page, err);

    /* No single object is asked for that could be missing. */
    if (r == PRB_E_NOTFOUND && !prb_question_is_unserved(err))
        return prb_fail(err, PRB_E_UNAVAILABLE, "%s could not be listed: %s",
                reading->gvr->resource, err->msg);
    if (r < 0)
        return r;
    free(*next);
    *next = prb_take(page.next);
    return reading->take(reading->question, &page);
}

/* All pages, or as many as it takes. A continue token that expired is no answer: once more. */
static int read_pages(const struct reading *reading)
{
    struct prb_error *err = &reading->question->error;
    prb_autofree char *next = NULL;
    bool again = false;

    for (int pages = 0; pages < PAGES_MAX; pages++) {
        int r = read_page(reading, &next);

        if (r > 0 || (r == 0 && !next))
            return 0;
        if (r < 0 && (r != PRB_E_GONE || again || !reading->drop(reading->question)))
            return r;
        if (r < 0) {
            again = true;
            free(prb_take(next));
        }
        if (is_over(reading->inquiry))
            return prb_fail(err, PRB_E_UNAVAILABLE, "there was no time to read all of %s",
                    reading->gvr->resource);
    }
    return prb_fail(
            err, PRB_E_UNAVAILABLE, "%s has more than %d pages", reading->gvr->resource, PAGES_MAX);
}

/* ---- by finalizer ---- */

static bool is_held(const struct prb_question *question)
{
    return question->holders.count > 0 || question->holders.more;
}

static int take_holders(struct prb_question *question, struct prb_page *page)
{
    for (size_t i = 0; i < page->count; i++) {
        if (prb_object_has_finalizer(page->objects[i], question->finalizer))
            prb_holders_add(&question->holders, page->objects[i]);
    }
    return question->holders.more ? 1 : 0;
}

static bool drop_nobody(struct prb_question *question)
{
    return !is_held(question);
}

/* "Nobody" only when all were looked at; who has it is sure whatever went wrong afterwards. */
static int find_holders(const struct prb_inquiry *inquiry, struct prb_question *question,
        const struct prb_resource *resource)
{
    const struct reading reading = {
        .inquiry = inquiry,
        .gvr = &resource->gvr,
        .question = question,
        .metadata_only = true,
        .take = take_holders,
        .drop = drop_nobody,
    };
    int r = read_pages(&reading);

    if (r == 0 || !is_held(question))
        return r;
    question->holders.more = true;
    question->error = (struct prb_error){ .code = PRB_OK };
    return 0;
}

int prb_question_ask_finalizer(const struct prb_inquiry *inquiry, struct prb_question *question)
{
    int quarter_ms = prb_inquiry_timeout(inquiry) / 4;
    struct prb_inquiry shorter = *inquiry;

    shorter.deadline_ms -= quarter_ms < SPARE_MS ? quarter_ms : SPARE_MS;
    return prb_question_search(&shorter, question, find_holders);
}

/* ---- whole ---- */

static int take_objects(struct prb_question *question, struct prb_page *page)
{
    if (page->count > PRB_ASK_LIST_MAX - question->object_count)
        return prb_fail(&question->error, PRB_E_INVALID, "there are more than %d %s",
                PRB_ASK_LIST_MAX, question->ref.gvr.resource);
    if (page->count == 0)
        return 0;
    question->objects = prb_realloc(
            question->objects, question->object_count + page->count, sizeof(struct prb_object *));
    for (size_t i = 0; i < page->count; i++)
        question->objects[question->object_count++] = page->objects[i];
    page->count = 0;
    return 0;
}

static bool drop_objects(struct prb_question *question)
{
    for (size_t i = 0; i < question->object_count; i++)
        prb_object_unref(question->objects[i]);
    question->object_count = 0;
    return true;
}

int prb_question_ask_list(const struct prb_inquiry *inquiry, struct prb_question *question)
{
    const struct reading reading = {
        .inquiry = inquiry,
        .gvr = &question->ref.gvr,
        .question = question,
        .with_defects = true,
        .take = take_objects,
        .drop = drop_objects,
    };
    int r = read_pages(&reading);

    if (r < 0)
        (void)drop_objects(question);
    if (r < 0 && prb_question_is_unserved(&question->error))
        r = prb_question_confirm_unserved(inquiry, question, &question->ref.gvr);
    return r;
}
