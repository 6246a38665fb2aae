#ifndef TESTS_CONTROL_FAULT_PORT_H
#define TESTS_CONTROL_FAULT_PORT_H

/*
 * A port in front of another: notes every call, and spoils those that the test names. Thread-safe.
 */

#include <pthread.h>
#include <stdbool.h>

#include "probate/api/api.h"
#include "probate/base/str.h"

#include "support/wait.h"

enum { FAULTS_MAX = 8 };

struct fault {
    /* static: "get", "list", "watch", "create", "update", "patch", "delete", "resolve" (there the
     * resource is the name that is asked for) */
    const char *verb;
    const char *resource; /* static; NULL: any */
    enum prb_errc code;
    int times;           /* how often; -1: until cleared */
    bool after;          /* the call is made, and its answer lost */
    int status;          /* HTTP status that the error came with; 0: no answer */
    int retry_after_ms;  /* as the server would say */
    const char *message; /* static; NULL: a text from the code */
    const char *reason;  /* static; NULL: none */
    bool hold;           /* nothing else: the call waits until the faults are cleared */
};

/* A watch that is open. */
struct fault_watch {
    const struct prb_watch *watch;
    char resource[PRB_RESOURCE_SIZE];
};

struct fault_port {
    struct prb_api api; /* first */
    struct prb_api *inner;
    pthread_mutex_t lock;
    pthread_cond_t called;
    struct fault faults[FAULTS_MAX];
    size_t fault_count;
    int cleared;          /* how often the faults were */
    struct prb_str calls; /* one line for each: "create configmaps ns/a", "forget apps /" */
    int last_timeout_ms;
    char last_manager[64]; /* of the last patch, as is: */
    bool last_force;
    struct fault_watch *watches; /* owned */
    size_t watch_count;
};

void fault_port_init(struct fault_port *port, struct prb_api *inner);
void fault_port_done(struct fault_port *port);

void fault_port_spoil(struct fault_port *port, struct fault fault);
void fault_port_clear(struct fault_port *port);

/* Calls whose line starts with `prefix`. */
int fault_port_count(struct fault_port *port, const char *prefix);

/* Wait until there were so many; false: not in time. */
bool fault_port_wait(struct fault_port *port, const char *prefix, int count);

/* Are there so many by now? Waits a moment for other threads to move. */
bool fault_port_reached(struct fault_port *port, const char *prefix, int count);

/* Watches that are open on a resource. */
int fault_port_watches(struct fault_port *port, const char *resource);

/* The lines since the last call, the caller's to free. */
char *fault_port_take(struct fault_port *port);

#endif
