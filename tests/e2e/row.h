#ifndef TESTS_E2E_ROW_H
#define TESTS_E2E_ROW_H

/*
 * One end-to-end case: kubectl commands, and what comes of each. A row has a name of its own, which
 * is that of its cluster and of its namespace, and stands for "@" in all texts; ' stands for ".
 */

#include <stdbool.h>
#include <stddef.h>

#include "kubectl.h"
#include "support/table.h"

/* Which definitions are installed, and which Probate is registered. */
enum phase {
    LOOSE = 1 << 0,       /* definitions that let every value through, as old ones did */
    SHIPPED = 1 << 1,     /* those of the chart */
    ORIGINAL = 1 << 2,    /* those of the foreign projects */
    WARNING = 1 << 3,     /* all rules in mode warn */
    AUDITING = 1 << 4,    /* all rules in mode audit */
    NARROW = 1 << 5,      /* registered for one rule only */
    UNREACHED = 1 << 6,   /* Probate gets no answers from the API server */
    POWERLESS = 1 << 7,   /* Probate may not look clusters up */
    CLUSTERLESS = 1 << 8, /* the hub has no ManagedClusters */
    DOWN = 1 << 9,        /* Probate does not run */
    SANITIZED = 1 << 10, /* beside others: the row is run with a sanitizer too, where all is slow */
};

#define STEP_SAYS_MAX 4
#define ROW_STEPS_MAX 16

struct step {
    const char *run;   /* what comes after "kubectl" */
    const char *input; /* manifests that -f names; NULL: none */
    const char *with;  /* a command; what it says is "$" in the texts of this step; NULL: none */
    int code;          /* of the refusal; 0: it is done */
    const char *says[STEP_SAYS_MAX];
    const char *lacks;  /* what is not said */
    int warns;          /* lines that begin with "Warning:" */
    const char *fields; /* of the causes, in order, a blank between; NULL: no cause */
    bool by_schema;     /* the definition refuses it, of whose fields old servers leave out "[0]" */
    bool until;         /* again and again until all this is so */
};

struct row {
    const char *name;  /* a sentence */
    unsigned in;       /* of enum phase: it is run in each of them */
    const char *given; /* manifests that are there when the row begins; in LOOSE, before Probate */
    struct step steps[ROW_STEPS_MAX];
};

/* Do all steps; `why` stays empty when all came as it says. What kubectl said of what was refused
 * or warned of is added to `said` (NULL: nobody wants to hear it), with "@" for the name. */
void row_run(const struct row *row, const struct kubectl *kubectl, const char *name,
        struct prb_str *said, char why[PRB_TEST_WHY_SIZE]);

/* One step; false, and why, when it came otherwise. */
bool step_run(const struct step *step, const struct kubectl *kubectl, const char *name,
        struct prb_str *said, char why[PRB_TEST_WHY_SIZE]);

struct rows {
    const struct row *items;
    size_t count;
};

/* ---- words to write rows with ---- */

/* The phases, the manifests that are there, then the steps. */
#define ROW(name_, in_, given_, ...)                                        \
    {                                                                       \
        .name = name_, .in = in_, .given = given_, .steps = { __VA_ARGS__ } \
    }

/* It is done, and nobody warns. */
#define DO(run_)    \
    {               \
        .run = run_ \
    }
#define SEND(run_, input_)           \
    {                                \
        .run = run_, .input = input_ \
    }

/* It is done and says these texts. */
#define SHOWS(run_, ...)                     \
    {                                        \
        .run = run_, .says = { __VA_ARGS__ } \
    }

/* It is done, with one warning. */
#define WARNED(run_, input_, ...)                                         \
    {                                                                     \
        .run = run_, .input = input_, .says = { __VA_ARGS__ }, .warns = 1 \
    }

/* It is refused with this code, with these texts. */
#define REFUSED(code_, run_, input_, ...)                                    \
    {                                                                        \
        .run = run_, .input = input_, .code = code_, .says = { __VA_ARGS__ } \
    }

/* It is refused for these fields. */
#define INVALID(fields_, run_, input_, ...)                                                   \
    {                                                                                         \
        .run = run_, .input = input_, .code = 422, .fields = fields_, .says = { __VA_ARGS__ } \
    }

/* The same, by the schema of its definition. */
#define UNFIT(fields_, run_, input_, ...)                                                      \
    {                                                                                          \
        .run = run_, .input = input_, .code = 422, .fields = fields_, .says = { __VA_ARGS__ }, \
        .by_schema = true                                                                      \
    }

/* What is asked for is not there. */
#define GONE(run_)               \
    {                            \
        .run = run_, .code = 404 \
    }

#endif
