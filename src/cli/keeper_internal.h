#ifndef PROBATE_SRC_CLI_KEEPER_INTERNAL_H
#define PROBATE_SRC_CLI_KEEPER_INTERNAL_H

/* The parts of struct prb_keeper, which several files work on. All but what is under the lock
 * belongs to the thread that looks. */

#include <pthread.h>

#include "ca_clock.h"
#include "ca_secret.h"
#include "keeper.h"
#include "registration.h"
#include "selftest_call.h"

/* What may be wrong, each by itself; said when it changes. */
enum prb_trouble {
    PRB_TROUBLE_READ,   /* the configuration could not be read */
    PRB_TROUBLE_SECRET, /* the Secret could not be read */
    PRB_TROUBLE_CAS,    /* a CA could not be made, or not be written */
    PRB_TROUBLE_LEAF,   /* a leaf could not be signed, or not be served */
    PRB_TROUBLE_WRITE,  /* the configuration could not be written; only of who leads, as below */
    PRB_TROUBLE_BUNDLE, /* caBundle has more than fits in */
    PRB_TROUBLE_TEST,   /* the self-test was not answered */
    PRB_TROUBLES,
};
#define PRB_TROUBLE_SIZE 1024 /* what the API server says of a call that failed, and why */

struct prb_keeper {
    struct prb_keeper_options options;
    struct prb_server_clock clock;
    struct prb_ref secret_ref;
    struct prb_closed closed;
    struct prb_tls *tls; /* borrowed; NULL: nothing is served yet */

    struct prb_ca_secret secret; /* as last read */
    bool secret_known;           /* it was read at least once */
    struct prb_leaf leaf;        /* what is served; with a secret only */
    struct prb_registered registered;
    bool registered_known; /* by the last look */

    bool soon;             /* something is under way: look again before long */
    int64_t test_due_ms;   /* monotonic, as all below; 0: at once */
    int64_t clock_due_ms;  /* of the next comparison */
    int64_t clock_gap_ms;  /* wall time less monotonic time at the last one */
    int64_t mistrusted_ms; /* since when the leaf is positively not trusted; 0: it is not so */

    pthread_t thread;
    bool running;

    pthread_mutex_t lock; /* all below */
    pthread_cond_t wake;
    bool stopping;
    char trouble[PRB_TROUBLES][PRB_TROUBLE_SIZE]; /* "": none */
    char trust[PRB_TROUBLE_SIZE];                 /* for /readyz */
    bool mistrusted;
    char standing[PRB_TROUBLE_SIZE];
};

/* True: it may write now. */
bool prb_keeper_may_write(struct prb_keeper *keeper);

/* Say what is wrong, or (NULL) that nothing is any more. */
void prb_keeper_trouble(struct prb_keeper *keeper, enum prb_trouble which, const char *text);

int64_t prb_keeper_now_ms(const struct prb_keeper *keeper); /* wall, as certificates go by it */
int64_t prb_keeper_mono_ms(const struct prb_keeper *keeper);

/* What the API server trusts for every webhook; NULL: not known. */
const struct prb_bundle *prb_keeper_live(const struct prb_keeper *keeper);

/* --- keeper_certs.c: the CAs, and this replica's leaf. */
void prb_keeper_tend_certs(struct prb_keeper *keeper);

/* --- keeper_registration.c: caBundle, self-test, failurePolicy. Only by who leads. */
void prb_keeper_tend_registration(struct prb_keeper *keeper);

/* --- keeper_report.c: does the API server trust what is served, and how long will it? */
void prb_keeper_report(struct prb_keeper *keeper);

#endif
