/*
 * Loaded before the C library into the programs of suite "one-thread": a thread that one of them
 * starts ends it. The ThreadSanitizer lane leaves that suite out, so it must be true.
 */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>

static _Noreturn void refuse(void)
{
    (void)fputs(
            "a program of suite one-thread starts a thread: take it out of that suite\n", stderr);
    abort();
}

int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes,
        void *(*start)(void *), void *restrict ctx)
{
    (void)thread, (void)attributes, (void)start, (void)ctx;
    refuse();
}

/* The C library does not come by pthread_create here. */
int thrd_create(thrd_t *thread, thrd_start_t start, void *ctx)
{
    (void)thread, (void)start, (void)ctx;
    refuse();
}
