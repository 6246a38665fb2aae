#ifndef TESTS_E2E_KUBECTL_H
#define TESTS_E2E_KUBECTL_H

/*
 * kubectl as people use it: a command line, and what it prints. May be used by several threads at
 * once.
 *
 * In command lines and manifests "@" stands for a name that the caller chooses, "@@" for "@", '
 * for ", and KUBECTL_SOON for the time in half an hour.
 */

#include <limits.h>

#include "probate/base/json.h"

#define KUBECTL_SOON "<soon>"

struct kubectl {
    const char *program; /* borrowed: $PROBATE_KUBECTL, else the one in $PATH */
    char kubeconfig[PATH_MAX];
    char *dir; /* owned: its cache, and manifests on their way */
};

void kubectl_init(struct kubectl *kubectl);
void kubectl_done(struct kubectl *kubectl);

struct kubectl_answer {
    int exit;
    int code;   /* of the last call that the API server did not grant; 0: it granted all */
    char *text; /* owned: what a person reads, without kubectl's own log */

    /* Owned: the Status that an error came from. NULL where kubectl makes its text of the causes
     * alone, which then has each of them as "field: message". */
    struct json_object *status;
};

/*
 * Run "kubectl -n NAME COMMAND"; the command is split at blanks. With `input` (may be NULL) it is
 * "kubectl COMMAND -f FILE" with those manifests; what comes from files names its namespace itself.
 * The caller ends the answer with kubectl_answer_done.
 */
void kubectl_run(const struct kubectl *kubectl, const char *name, const char *command,
        const char *input, struct kubectl_answer *ret);

void kubectl_answer_done(struct kubectl_answer *answer);
static inline void kubectl_answer_donep(struct kubectl_answer *answer)
{
    kubectl_answer_done(answer);
}

/* The text with "@", "@@", ' and KUBECTL_SOON replaced; the caller frees. */
char *kubectl_expand(const char *text, const char *name);

#endif
