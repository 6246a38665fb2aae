#ifndef TESTS_ADMISSION_SCRIPT_PORT_H
#define TESTS_ADMISSION_SCRIPT_PORT_H

/*
 * A port that answers as a script says, call by call: what discovery knows, and the pages of lists.
 * Calls take their time on a clock that is held. Not thread-safe.
 */

#include "probate/api/api.h"
#include "probate/base/clock.h"

/* One answer. A script that is at its end repeats its last line. */
struct line {
    const char *reason;  /* of NOTFOUND; NULL: NotServed */
    const char *version; /* resolve: NULL: v1 */
    const char *objects; /* list: "ns/name" with blanks in between; "!" in front: it has the
                            finalizer g.io/f; "?": something of it cannot be read */
    int r;               /* 0, or the error; NOTFOUND with `reason` */
    int takes_ms;        /* a call that takes longer than it may fails with IO */
    bool cluster_scoped; /* resolve */
    bool more;           /* list: there is a next page */
};

/* A CustomResourceDefinition, in a collection of its own. */
struct definition {
    const char *name;
    const char *names; /* its spec.names, in single quotes */
};

struct script_port {
    struct prb_api api; /* first */
    struct prb_fake_clock *clock;
    const struct line *resolves, *lists, *gets;
    size_t resolve_count, list_count, get_count; /* lines */
    size_t resolved, listed, got, forgot;        /* calls */
    const struct definition *definitions;
    const char *definitions_accepted;           /* status.acceptedNames of each; NULL: none */
    size_t definition_count, definitions_page;  /* how many; on a page, 0: all */
    size_t definitions_listed, definitions_got; /* calls */
    int definitions_list_r, definitions_get_r;  /* 0, or the error of these calls */
    int definitions_take_ms;                    /* each of them */
    char asked[PRB_GVR_TEXT_SIZE];              /* the collection of the last list or get */
    char next[32];                              /* the token of the last list */
    bool whole;                                 /* some list was asked for with bodies */
    struct prb_access_question access;          /* the last one; texts borrowed */
    int may;                                    /* its answer: an error, or enum prb_access */
};

#define SCRIPT(port, what, ...)                                                  \
    do {                                                                         \
        static const struct line what##_lines_[] = { __VA_ARGS__ };              \
        (port)->what##s = what##_lines_;                                         \
        (port)->what##_count = sizeof(what##_lines_) / sizeof(what##_lines_[0]); \
    } while (0)

#define DEFINITIONS(port, ...)                                         \
    do {                                                               \
        static const struct definition lines_[] = { __VA_ARGS__ };     \
        (port)->definitions = lines_;                                  \
        (port)->definition_count = sizeof(lines_) / sizeof(lines_[0]); \
    } while (0)

void script_port_init(struct script_port *port, struct prb_fake_clock *clock);

#endif
