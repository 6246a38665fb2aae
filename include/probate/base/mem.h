#ifndef PROBATE_BASE_MEM_H
#define PROBATE_BASE_MEM_H

/*
 * Allocation that aborts with a message on exhaustion. Inputs are bounded everywhere, so running
 * out means the container limit is reached; hundreds of untestable branches are not worth it.
 */

#include <stddef.h>

/* What the functions below do when there is no memory; for allocators of other libraries. */
_Noreturn void prb_exhausted(void);

void *prb_malloc(size_t size);
void *prb_calloc(size_t count, size_t size);

/* Resize to count * size bytes; aborts on overflow of the product. */
void *prb_realloc(void *at, size_t count, size_t size);

/* Copies; NULL stays NULL. */
char *prb_strdup(const char *text);
char *prb_strndup(const char *text, size_t len);

__attribute__((format(printf, 1, 2))) char *prb_asprintf(const char *fmt, ...);

#endif
