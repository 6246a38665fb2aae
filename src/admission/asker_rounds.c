/* Which question of which review is asked next, and when is a review handed back? */

#include "asker_rounds.h"

#include <stdlib.h>

#include "probate/base/mem.h"

#include "asker_question.h"

static enum prb_pace pace_of(const struct prb_question *question)
{
    switch (question->type) {
    case PRB_ASK_OBJECT:
    case PRB_ASK_ACCESS:
        return PRB_PACE_QUICK;
    case PRB_ASK_NAMED:
    case PRB_ASK_FINALIZER:
    case PRB_ASK_LIST:
        return PRB_PACE_SLOW;
    case PRB_ASK_RESOURCE:
        return PRB_PACE_KIND;
    }
    return PRB_PACE_SLOW;
}

static int sum(const int counts[PRB_PACES])
{
    return counts[PRB_PACE_QUICK] + counts[PRB_PACE_SLOW] + counts[PRB_PACE_KIND];
}

void prb_rounds_add(struct prb_rounds *rounds, const struct prb_asker_job *job)
{
    struct prb_round *round = prb_calloc(1, sizeof(*round));

    round->job = *job;
    for (size_t i = 0; i < job->questions->count; i++) {
        const struct prb_question *question = &job->questions->items[i];

        round->started[i] = question->asked;
        if (!question->asked) {
            round->open++;
            round->waiting[pace_of(question)]++;
        }
    }
    if (rounds->last)
        rounds->last->next = round;
    else
        rounds->first = round;
    rounds->last = round;
    rounds->count++;
}

/* A part of the threads, and one at least. */
static int part(int threads, int of)
{
    return threads > of ? threads / of : 1;
}

static bool may_start(
        const struct prb_rounds *rounds, const struct prb_round *round, enum prb_pace pace)
{
    int slow_max = part(rounds->threads, 2), slow_busy = rounds->busy[PRB_PACE_SLOW];
    int free_threads = rounds->threads - sum(rounds->busy);

    switch (pace) {
    case PRB_PACE_QUICK:
        return round->running[pace] == 0 || free_threads * 2 >= rounds->threads;
    case PRB_PACE_SLOW:
        return slow_busy < slow_max && (round->running[pace] == 0 || slow_busy * 2 < slow_max);
    case PRB_PACE_KIND:
        return rounds->busy[pace] < part(rounds->threads, 4);
    case PRB_PACES:
        break;
    }
    return false;
}

static bool find_in(const struct prb_rounds *rounds, const struct prb_round *round,
        enum prb_pace pace, size_t *ret_index)
{
    const struct prb_questions *questions = round->job.questions;

    if (round->waiting[pace] == 0 || !may_start(rounds, round, pace))
        return false;
    for (size_t i = 0; i < questions->count; i++) {
        if (!round->started[i] && pace_of(&questions->items[i]) == pace) {
            *ret_index = i;
            return true;
        }
    }
    return false;
}

/* Quick ones first, they do not keep others waiting; kinds last, on them only warnings depend. */
static struct prb_round *find(const struct prb_rounds *rounds, size_t *ret_index)
{
    for (enum prb_pace pace = PRB_PACE_QUICK; pace < PRB_PACES; pace++) {
        for (struct prb_round *round = rounds->first; round; round = round->next) {
            if (find_in(rounds, round, pace, ret_index))
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
    rounds->busy[pace_of(q)] += by;
    round->running[pace_of(q)] += by;
}

bool prb_rounds_start(struct prb_rounds *rounds, struct prb_asking *ret)
{
    size_t index;
    struct prb_round *round = find(rounds, &index);

    if (!round)
        return false;
    ret->round = round;
    ret->index = index;
    ret->question = prb_question_copy(&round->job.questions->items[index]);
    round->started[index] = true;
    round->waiting[pace_of(&ret->question)]--;
    count_running(rounds, round, &ret->question, 1);
    return true;
}

struct prb_round *prb_rounds_answered(struct prb_rounds *rounds, struct prb_asking *asking)
{
    struct prb_round *round = asking->round;
    struct prb_question *original;

    count_running(rounds, round, &asking->question, -1);
    if (!round->over) {
        original = &round->job.questions->items[asking->index];
        prb_question_done(original);
        *original = asking->question;
        return --round->open == 0 ? round : NULL;
    }
    prb_question_done(&asking->question);
    if (sum(round->running) == 0)
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
        if (questions->items[i].asked)
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
    if (sum(round->running) == 0)
        free(round);
    return job;
}
