/* Which question of which review is asked next, and when is a review handed back? */

#include "asker_rounds.h"

#include <stdlib.h>

#include "probate/base/mem.h"

#include "asker_question.h"

void prb_rounds_add(struct prb_rounds *rounds, const struct prb_asker_job *job)
{
    struct prb_round *round = prb_calloc(1, sizeof(*round));

    round->job = *job;
    round->open = job->questions->count;
    if (rounds->last)
        rounds->last->next = round;
    else
        rounds->first = round;
    rounds->last = round;
    rounds->count++;
}

static bool is_kind(const struct prb_question *question)
{
    return question->type == PRB_ASK_RESOURCE;
}

static bool may_start(const struct prb_rounds *rounds, const struct prb_round *round, bool kind)
{
    int free_threads = rounds->threads - rounds->busy;
    int kinds_max = rounds->threads > 4 ? rounds->threads / 4 : 1;

    if (kind)
        return rounds->kinds_busy < kinds_max;
    return round->objects_running == 0 || free_threads * 2 >= rounds->threads;
}

/* Objects come first: verdicts depend on them, on kinds only warnings do. */
static bool find_in(const struct prb_rounds *rounds, const struct prb_round *round, bool kind,
        size_t *ret_index)
{
    const struct prb_questions *questions = round->job.questions;

    if (!may_start(rounds, round, kind))
        return false;
    for (size_t i = 0; i < questions->count; i++) {
        if (!round->started[i] && is_kind(&questions->items[i]) == kind) {
            *ret_index = i;
            return true;
        }
    }
    return false;
}

static struct prb_round *find(const struct prb_rounds *rounds, size_t *ret_index)
{
    for (int kind = 0; kind <= 1; kind++) {
        for (struct prb_round *round = rounds->first; round; round = round->next) {
            if (find_in(rounds, round, kind != 0, ret_index))
                return round;
        }
    }
    return NULL;
}

bool prb_rounds_ready(const struct prb_rounds *rounds)
{
    size_t index;

    return find(rounds, &index) != NULL;
}

static void count_running(
        struct prb_rounds *rounds, struct prb_round *round, const struct prb_question *q, int by)
{
    rounds->busy += by;
    round->running += by;
    if (is_kind(q))
        rounds->kinds_busy += by;
    else
        round->objects_running += by;
}

bool prb_rounds_start(struct prb_rounds *rounds, struct prb_asking *ret)
{
    size_t index;
    struct prb_round *round = find(rounds, &index);

    if (!round)
        return false;
    round->started[index] = true;
    *ret = (struct prb_asking){
        .round = round, .index = index, .question = round->job.questions->items[index]
    };
    count_running(rounds, round, &ret->question, 1);
    return true;
}

struct prb_round *prb_rounds_answered(struct prb_rounds *rounds, struct prb_asking *asking)
{
    struct prb_round *round = asking->round;

    count_running(rounds, round, &asking->question, -1);
    if (!round->over) {
        round->job.questions->items[asking->index] = asking->question;
        round->answered[asking->index] = true;
        return --round->open == 0 ? round : NULL;
    }
    prb_object_unref(asking->question.object);
    if (round->running == 0)
        free(round);
    return NULL;
}

struct prb_round *prb_rounds_due(const struct prb_rounds *rounds, int64_t now_ms)
{
    for (struct prb_round *round = rounds->first; round; round = round->next) {
        if (round->job.deadline_ms <= now_ms || round->open == 0)
            return round;
    }
    return NULL;
}

int64_t prb_rounds_deadline(const struct prb_rounds *rounds)
{
    int64_t first_ms = INT64_MAX;

    for (const struct prb_round *round = rounds->first; round; round = round->next) {
        if (round->job.deadline_ms < first_ms)
            first_ms = round->job.deadline_ms;
    }
    return first_ms;
}

static void unlink_round(struct prb_rounds *rounds, struct prb_round *round)
{
    struct prb_round *before = NULL;

    for (struct prb_round *at = rounds->first; at != round; at = at->next)
        before = at;
    if (before)
        before->next = round->next;
    else
        rounds->first = round->next;
    if (rounds->last == round)
        rounds->last = before;
    rounds->count--;
}

static void give_up(const struct prb_round *round, const char *why)
{
    const struct prb_questions *questions = round->job.questions;

    for (size_t i = 0; i < questions->count; i++) {
        if (round->answered[i])
            continue;
        prb_question_give_up(&questions->items[i],
                round->started[i] ? "the API server did not answer in time" : why);
    }
}

struct prb_asker_job prb_rounds_hand_back(
        struct prb_rounds *rounds, struct prb_round *round, const char *why)
{
    struct prb_asker_job job = round->job;

    give_up(round, why);
    unlink_round(rounds, round);
    round->over = true;
    if (round->running == 0)
        free(round);
    return job;
}
