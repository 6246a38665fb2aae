#ifndef TESTS_CONTROL_HUB_WORLD_H
#define TESTS_CONTROL_HUB_WORLD_H

/* A hub with a namespace "ns", a port that can spoil calls in front of it, and a fake clock. */

#include "probate/hub/hub.h"

#include "fault_port.h"

struct hub_world {
    struct prb_fake_clock clock;
    struct prb_hub *hub;
    struct fault_port port;
};
extern struct hub_world world;

void world_init(void);
void world_done(void);

/* A ref in the core group ("configmaps") or in coordination.k8s.io ("leases"). */
struct prb_ref ref_of(const char *resource, const char *namespace, const char *name);

/* Put an object into the hub, past the spoiling port; the answer is the caller's (aborts else). */
struct prb_object *put(const char *resource, const char *yaml);

/* What the hub has, or NULL. The caller's. */
struct prb_object *stored(const char *resource, const char *namespace, const char *name);

/* How many objects of a resource it has. */
size_t stored_count(const char *resource);

/* The value at a JSON pointer as text: "" when absent; a static buffer. */
const char *value_at(const struct prb_object *object, const char *pointer);

#endif
