/* Does every call get its answer? */

#include "callers.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "server_world.h"

/* What the calls are about: allowed at once, denied, allowed after a question. */
static const struct {
    const char *name;
    size_t padding;
    int code;
} calls[] = { { "fine", 3000, 200 }, { "deny", 500, 403 }, { "live", 100, 200 } };
#define CALL_COUNT (sizeof(calls) / sizeof(calls[0]))

/* Of these more are of no help. */
#define FAILURES_TOLD 5

static void failed(struct callers *callers, const char *what, const struct answer *answer)
{
    if (atomic_fetch_add(&callers->failures, 1) < FAILURES_TOLD)
        (void)fprintf(stderr, "a call failed: %s, status %d: %s\n", what, answer->status,
                answer->body ? answer->body : "");
}

static bool is_right(size_t which, const struct answer *answer)
{
    if (answer->status != 200)
        return false;
    return calls[which].code == 200 ? says_allowed(answer->body)
                                    : says_denied(answer->body, calls[which].code);
}

static bool open_connection(struct callers *callers, struct https *https)
{
    if (!https_open(https, callers->port, callers->credentials)) {
        failed(callers, "no connection", &(struct answer){ 0 });
        return false;
    }
    atomic_fetch_add(&callers->handshakes, 1);
    if (callers->connected)
        callers->connected(callers->ctx, https->stream.session);
    return true;
}

/* One call; false when the connection is used up. */
static bool call(struct callers *callers, struct https *https, size_t which, const char *review)
{
    prb_auto(answer_done) struct answer answer = { 0 };
    bool good;

    good = https_call(https, review, &answer) && is_right(which, &answer);
    if (!good)
        failed(callers, calls[which].name, &answer);
    atomic_fetch_add(&callers->calls, 1);
    return good && !answer.closes;
}

static void *run(void *arg)
{
    struct callers *callers = arg;
    char *reviews[CALL_COUNT];
    struct https https = { 0 };
    unsigned used = 0;

    for (size_t i = 0; i < CALL_COUNT; i++)
        reviews[i] = review_of(calls[i].name, "u", calls[i].padding);
    for (size_t i = 0; !atomic_load(&callers->over); i++) {
        if (!prb_tls_stream_is_open(&https.stream)) {
            if (!open_connection(callers, &https))
                continue;
            used = 0;
        }
        used++;
        if (!call(callers, &https, i % CALL_COUNT, reviews[i % CALL_COUNT]) ||
                used == callers->calls_per_connection)
            https_close(&https);
    }
    https_close(&https);
    for (size_t i = 0; i < CALL_COUNT; i++)
        free(reviews[i]);
    return NULL;
}

void callers_start(struct callers *callers)
{
    for (unsigned i = 0; i < callers->count; i++) {
        if (pthread_create(&callers->threads[i], NULL, run, callers) != 0)
            abort();
    }
}

void callers_stop(struct callers *callers)
{
    atomic_store(&callers->over, true);
    for (unsigned i = 0; i < callers->count; i++)
        (void)pthread_join(callers->threads[i], NULL);
}
