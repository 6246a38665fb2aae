/* What do both targets have in common? */

#include "target.h"

#include <stdio.h>

void target_group(unsigned slot, char group[TARGET_GROUP_SIZE])
{
    (void)snprintf(group, TARGET_GROUP_SIZE, "g%u.adversary.example.org", slot);
}

void target_init(struct target *target)
{
    pthread_rwlockattr_t attributes;

    *target = (struct target){ .ops = NULL };
    (void)pthread_rwlockattr_init(&attributes);
    /* Else those who play on keep the one who is to stop Probate waiting for ever. */
    (void)pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    (void)pthread_rwlock_init(&target->turn, &attributes);
    (void)pthread_rwlockattr_destroy(&attributes);
}
