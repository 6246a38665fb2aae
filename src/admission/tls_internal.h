#ifndef PROBATE_SRC_ADMISSION_TLS_INTERNAL_H
#define PROBATE_SRC_ADMISSION_TLS_INTERNAL_H

/* The parts of struct prb_tls, which several files work on. */

#include <pthread.h>

#include "probate/admission/tls.h"

#include "tls_generation.h"

struct prb_tls {
    struct prb_tls_files files; /* its texts are owned; those of PEM change under `changing` */
    char **names;               /* owned, as each of them; NULL: any name */
    size_t name_count;
    const struct prb_clock *clock;
    int64_t poll_ms;

    pthread_t watcher;
    bool watching;
    int stop; /* eventfd */

    /* Held from reading a pair to serving it: who looks at the files and who brings another pair
     * must not undo each other. Taken before `lock`. */
    pthread_mutex_t changing;

    pthread_mutex_t lock;               /* all below */
    struct prb_tls_generation *current; /* owned reference */
    struct prb_tls_state state;
    unsigned char doubted[PRB_TLS_PRINT_SIZE]; /* what could not be served when last seen */
    unsigned char refused[PRB_TLS_PRINT_SIZE]; /* what was refused last, to say it once */
    bool told_expired;
};

/* Look at the files once and take them if they are new and good. True: look again soon. */
bool prb_tls_look(struct prb_tls *tls);

/* Start and end the thread that looks when something may have changed. */
int prb_tls_watch(struct prb_tls *tls, struct prb_error *err);
void prb_tls_unwatch(struct prb_tls *tls);

#endif
