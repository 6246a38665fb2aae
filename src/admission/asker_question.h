#ifndef PROBATE_ADMISSION_ASKER_QUESTION_INTERNAL_H
#define PROBATE_ADMISSION_ASKER_QUESTION_INTERNAL_H

/* One question; shared by the files of the asker. */

#include "probate/admission/asker.h"

/* Whom to ask, and until when. */
struct prb_inquiry {
    struct prb_api *api;           /* borrowed, as the clock */
    const struct prb_clock *clock; /* of the deadline: */
    int64_t deadline_ms;           /* monotonic */
};

/* What one call may take: what is left, at least 1, and no more than the port allows for any. */
int prb_inquiry_timeout(const struct prb_inquiry *inquiry);

/*
 * Ask the server. `question` is private to the caller and gets the answer. Discovery has no time
 * limit of its own, so what needs it may take longer than the deadline.
 */
void prb_question_ask(const struct prb_inquiry *inquiry, struct prb_question *question);

/* Say why there is no answer; `text` is one sentence. */
void prb_question_give_up(struct prb_question *question, const char *text);

/*
 * Below: 0, or an error of the port that is in question->error as well. NOTFOUND with the reason
 * NotServed is said only when discovery, asked anew, does not know the resource, and no
 * CustomResourceDefinition has it.
 */

/* asker_search.c: resources as people write them. */
typedef int (*prb_search_fn)(const struct prb_inquiry *inquiry, struct prb_question *question,
        const struct prb_resource *resource);

/* Find the resource of the question and `use` it. */
int prb_question_search(
        const struct prb_inquiry *inquiry, struct prb_question *question, prb_search_fn use);

/* Is the resource, which was answered with "not served", positively absent? Always an error. */
int prb_question_confirm_unserved(const struct prb_inquiry *inquiry, struct prb_question *question,
        const struct prb_gvr *gvr);

bool prb_question_is_unserved(const struct prb_error *err);

/* asker_list.c */
int prb_question_ask_finalizer(const struct prb_inquiry *inquiry, struct prb_question *question);
int prb_question_ask_list(const struct prb_inquiry *inquiry, struct prb_question *question);

#endif
