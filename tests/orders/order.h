#ifndef TESTS_ORDERS_ORDER_H
#define TESTS_ORDERS_ORDER_H

/*
 * The five things that are deleted at once in the example of design 002, and the 120 orders in
 * which that can be done. Plain values.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum thing {
    CR,         /* the instance, with the finalizer that only the Deployment takes off */
    CRD,        /* its definition */
    DEPLOYMENT, /* the provider */
    NAMESPACE,  /* the provider's */
    SERVICE,    /* the CriticalService */
    THINGS,
};

/* "CR", "CRD", "Deployment", ...; static. */
const char *thing_name(enum thing thing);

#define ORDERS 120 /* 5! */

struct order {
    enum thing at[THINGS]; /* at[0] is deleted first */
};

/* Number `index` of all orders, as sorted by enum thing. */
struct order order_at(size_t index);

/* "Deployment, CR, CRD, Namespace, CriticalService", as long as the process lives. */
const char *order_name(size_t index);

/*
 * `count` different orders, chosen and shuffled by `seed` alone: the same seed chooses the same on
 * every machine.
 */
void order_choose(uint64_t seed, size_t indices[], size_t count);

/*
 * What becomes of an order when nobody guards it and the finalizer controller has caught up with
 * each deletion before the next one is sent. The deletion of the CRD deletes the CR too, and that
 * of the Namespace the Deployment.
 */
enum fate {
    STUCK,        /* the Deployment went before anything had deleted the CR */
    OUT_OF_ORDER, /* all five went, but not in the design's order */
    LUCKY,        /* whoever sent the deletes had the right order */
};
enum fate order_fate(const struct order *order);

#endif
