#ifndef TESTS_ADVERSARY_TRUTH_H
#define TESTS_ADVERSARY_TRUTH_H

/*
 * What is true of the provider, found out by the administrator's reads and the ledger alone.
 *
 * Only the player makes a criterion unmet, and the player is one. So what was unmet before a move
 * and is after it was unmet at the verdict: whatever the server and Probate do meanwhile can only
 * meet it.
 */

#include "world.h"

enum met { MET, UNMET, UNKNOWN };

struct truth {
    bool known; /* all of it could be read */
    bool has_home, is_home_going, has_label;
    char home[64]; /* uid */
    bool has_provider, is_provider_going;
    char provider[64];
    bool guards; /* there is a CriticalService for the provider, and it is not being deleted */
    bool is_strict;
    char service[64];
    struct json_object *criteria; /* owned */
    enum met met;                 /* by these */
    bool held;                    /* as in the ledger, at that time */
};

/* As things are now; updates the ledger. */
void truth_look(struct world *world, struct truth *ret);
void truth_done(struct truth *truth);

/* Are these criteria met now? What stands in the way is written to `what`. */
enum met truth_met(
        struct world *world, const struct json_object *criteria, char *what, size_t size);

/* Hold a move to the laws. `after` is adjusted where the move has ended the protection rightly. */
void truth_compare(struct world *world, const struct truth *before, struct truth *after);

#endif
