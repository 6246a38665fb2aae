#ifndef PROBATE_TESTS_BALANCER_H
#define PROBATE_TESTS_BALANCER_H

/*
 * A small balancer in front of a few servers on 127.0.0.1: as kube-proxy does, it picks a ready
 * one for each connection, and leaves connections alone that are there. Thread-safe.
 */

#include <stdbool.h>
#include <stdint.h>

#define BALANCER_BACKENDS_MAX 4

struct balancer;

/* Ends the process when it cannot start: nothing can be tested then. */
struct balancer *balancer_start(void);

/* Ends every connection. */
void balancer_stop(struct balancer *balancer);

uint16_t balancer_port(const struct balancer *balancer);

/* Backend `index` is at this port and may be given connections; 0: it may not. */
void balancer_set(struct balancer *balancer, unsigned index, uint16_t port);

/* Connections that found no backend. */
unsigned balancer_refused(struct balancer *balancer);

#endif
