/* In which orders can five things be deleted, and which of these are right by themselves? */

#include "order.h"

#include <pthread.h>
#include <stdio.h>

/* Five names with commas. */
#define NAME_SIZE 64

const char *thing_name(enum thing thing)
{
    static const char *const names[THINGS] = { "CR", "CRD", "Deployment", "Namespace",
        "CriticalService" };

    return names[thing];
}

struct order order_at(size_t index)
{
    enum thing left[THINGS] = { CR, CRD, DEPLOYMENT, NAMESPACE, SERVICE };
    size_t share = ORDERS;
    struct order order;

    for (size_t i = 0; i < THINGS; i++) {
        size_t taken;

        share /= THINGS - i; /* orders that begin alike up to here */
        taken = index / share;
        index %= share;
        order.at[i] = left[taken];
        for (size_t k = taken; k + 1 < THINGS - i; k++)
            left[k] = left[k + 1];
    }
    return order;
}

static char names[ORDERS][NAME_SIZE];

static void write_names(void)
{
    for (size_t i = 0; i < ORDERS; i++) {
        const struct order order = order_at(i);

        (void)snprintf(names[i], NAME_SIZE, "%s, %s, %s, %s, %s", thing_name(order.at[0]),
                thing_name(order.at[1]), thing_name(order.at[2]), thing_name(order.at[3]),
                thing_name(order.at[4]));
    }
}

const char *order_name(size_t index)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    (void)pthread_once(&once, write_names);
    return names[index];
}

/* splitmix64, which is the same everywhere, as rand() is not. */
static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

void order_choose(uint64_t seed, size_t indices[], size_t count)
{
    size_t all[ORDERS];

    for (size_t i = 0; i < ORDERS; i++)
        all[i] = i;
    for (size_t i = 0; i < count && i < ORDERS; i++) {
        size_t from = i + (size_t)(next(&seed) % (ORDERS - i)), chosen = all[from];

        all[from] = all[i];
        all[i] = chosen;
        indices[i] = chosen;
    }
}

static size_t position(const struct order *order, enum thing thing)
{
    size_t at = 0;

    while (order->at[at] != thing)
        at++;
    return at;
}

static size_t first_of(const struct order *order, enum thing a, enum thing b)
{
    size_t at_a = position(order, a), at_b = position(order, b);

    return at_a < at_b ? at_a : at_b;
}

enum fate order_fate(const struct order *order)
{
    size_t provider = first_of(order, DEPLOYMENT, NAMESPACE);

    if (provider < first_of(order, CR, CRD))
        return STUCK;
    if (position(order, CRD) < provider && provider < position(order, SERVICE))
        return LUCKY;
    return OUT_OF_ORDER;
}
