#ifndef PROBATE_MODEL_DEFECT_H
#define PROBATE_MODEL_DEFECT_H

/*
 * The end of a process that is about to do what must never be done: a caller broke a contract in
 * a way that going on could delete the wrong thing or hang for ever. Not for bad input.
 */

#include <stdio.h>
#include <stdlib.h>

/* Say which contract was broken, on stderr, and abort. `text` is static. */
_Noreturn static inline void prb_defect(const char *text)
{
    (void)fprintf(stderr, "probate: defect: %s\n", text);
    abort();
}

#endif
