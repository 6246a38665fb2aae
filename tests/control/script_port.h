#ifndef TESTS_CONTROL_SCRIPT_PORT_H
#define TESTS_CONTROL_SCRIPT_PORT_H

/*
 * A port that does what the test says: what the next list answers, how the next watch opens, what
 * the open watch brings and how it ends. Serves one collection, lists and watches only. Callbacks
 * run on the test's own thread.
 */

#include <pthread.h>
#include <stdbool.h>

#include "probate/api/api.h"

#include "support/wait.h"

enum { SCRIPT_OBJECTS_MAX = 16, SCRIPT_ERRORS_MAX = 32 };

/* How prb_api_watch goes. */
enum script_open {
    SCRIPT_OPENS,
    SCRIPT_FAILS,               /* by the return value */
    SCRIPT_CLOSES_BEFORE_RETURN /* `closed` comes before the call returns */
};

struct script_port {
    struct prb_api api; /* first */
    pthread_mutex_t lock;
    pthread_cond_t moved;

    struct prb_object *objects[SCRIPT_OBJECTS_MAX]; /* owned; what a list brings */
    size_t count;
    size_t times; /* that a list brings them, page after page; 0: once, in one page */
    char resource_version[32];

    enum prb_errc list_errors[SCRIPT_ERRORS_MAX]; /* of the next lists, then they succeed */
    size_t list_error_count;
    enum prb_errc list_error; /* of all lists after these; PRB_OK: none */

    enum script_open opens[SCRIPT_ERRORS_MAX]; /* of the next watches, then they open */
    size_t open_count;
    enum prb_errc open_error; /* how those that do not open end */

    struct prb_watch *watch; /* borrowed from who opened it; NULL: none is open */
    int lists, watches, stops;
    char watched_from[32];  /* resourceVersion of the last watch */
    bool metadata_only;     /* as the last list asked for */
    char last_selector[64]; /* of the last list */
};

void script_port_init(struct script_port *port);
void script_port_done(struct script_port *port);

/* An object of the collection, in namespace "ns"; the caller's. */
struct prb_object *script_object(const char *name, const char *resource_version);

/* What lists bring from now on; takes the references. NULL ends the list. */
void script_port_hold(struct script_port *port, const char *resource_version, ...);

/* Send by the open watch. `object` is taken; NULL for a bookmark. */
void script_port_send(struct script_port *port, enum prb_watch_event_type type,
        struct prb_object *object, const char *resource_version);

/* End the open watch; with the HTTP status that the error came with. */
void script_port_close(struct script_port *port, enum prb_errc code);
void script_port_close_as(struct script_port *port, enum prb_errc code, int status);

/* Wait until so many lists were asked for and watches opened; false: not in time. */
bool script_port_wait(struct script_port *port, int lists, int watches);

/* Has it come so far by now? Waits a moment for other threads to move. */
bool script_port_reached(struct script_port *port, int lists, int watches);

#endif
