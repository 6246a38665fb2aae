#ifndef TESTS_ADMISSION_QUESTION_PORT_H
#define TESTS_ADMISSION_QUESTION_PORT_H

/*
 * A port that answers questions by the name that is asked for:
 *   "live..." is there, "slow..." is not answered within the call's time limit, "hang..." not
 * before the port is released, whatever the limit; "unserved" is NOTFOUND with reason NotServed;
 * the name of an error code ("forbidden", "io", ...) is answered with that code; all others are
 * NOTFOUND. Kinds are "Live..." and so on: Live is served as "lives", "Alias" is a short name of
 * it. Collections go by the name of their resource and hold one object each; nothing is defined by
 * a CustomResourceDefinition. Thread-safe.
 */

#include <pthread.h>
#include <stdbool.h>

#include "probate/api/api.h"
#include "probate/base/clock.h"
#include "probate/core/question.h"

struct question_port {
    struct prb_api api; /* first */
    pthread_mutex_t lock;
    pthread_cond_t moved;
    bool released;
    int calls, running, running_most;
    bool whole;                   /* some object was asked for with its body */
    int timeout_ms;               /* of the last get */
    struct prb_fake_clock *clock; /* NULL: real time; else a slow call moves it by its limit */
};

void question_port_init(struct question_port *port);
void question_port_done(struct question_port *port);

/* Let all that hang go on, now and later. */
void question_port_release(struct question_port *port);

/* Wait until so many calls are running at once; false: they did not come. */
bool question_port_wait(struct question_port *port, int running);

/* Calls since the last time this was asked. */
int question_port_calls(struct question_port *port);

/* The time limit of the last call about an object. */
int question_port_timeout(struct question_port *port);

/*
 * A question about an object of that name, or a kind; with "named:", "finalizer:", "list:" or
 * "access:" in front, one of that type (by finalizer and for lists it is the name of the resource).
 */
void question_add(struct prb_questions *questions, const char *text);

#endif
