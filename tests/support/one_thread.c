/*
 * Loaded before the C library into the programs of suite "one-thread": a thread that one of them
 * starts ends it. The ThreadSanitizer lane leaves that suite out, so it must be true.
 */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes,
        void *(*start)(void *), void *restrict ctx)
{
    (void)thread, (void)attributes, (void)start, (void)ctx;
    (void)fputs(
            "a program of suite one-thread starts a thread: take it out of that suite\n", stderr);
    abort();
}
