/* What do a Probate in this process and one of its own have in common? */

#include "provider_internal.h"

void probate_stop(struct probate *probate)
{
    if (probate)
        probate->stop(probate);
}

char *probate_waiting(struct probate *probate)
{
    return probate->waiting(probate);
}
