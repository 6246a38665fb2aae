#ifndef TESTS_HUB_WORLD_H
#define TESTS_HUB_WORLD_H

/*
 * A hub for one test, and short ways to write to it and to look at it. Resources are named
 * "configmaps" or "widgets.example.io", objects "namespace/name" or "name". Bodies are JSON in
 * which ' stands for ". Asserts stay in the tests: these helpers only answer.
 */

#include <stdbool.h>
#include <stdio.h>
#include <unity.h>

#include "probate/base/clock.h"
#include "probate/hub/hub.h"

struct world {
    struct prb_hub *hub;
    struct prb_api *api;
    struct prb_fake_clock clock;  /* stands at 2026-01-01T00:00:00Z */
    struct prb_error err;         /* of the last call that failed */
    struct prb_object *got;       /* what the last write that succeeded returned; owned */
    bool dry_run;                 /* of the writes that follow */
    enum prb_propagation cascade; /* of the deletes that follow */
};
extern struct world w;

#define WORLD_START_MS 1767225600000

/* `options` may be NULL; its clock is set here. The namespace "ns" is there. */
void world_init(const struct prb_hub_options *options);
void world_done(void);

struct prb_gvr gvr_of(const char *resource);
struct prb_ref ref_of(const char *resource, const char *key);

/* Each returns what the port returns. `sub` is "" or "status". */
__attribute__((format(printf, 2, 3))) int create(const char *resource, const char *fmt, ...);
__attribute__((format(printf, 3, 4))) int update(
        const char *resource, const char *sub, const char *fmt, ...);
__attribute__((format(printf, 4, 5))) int merge(
        const char *resource, const char *key, const char *sub, const char *fmt, ...);
__attribute__((format(printf, 4, 5))) int json_patch(
        const char *resource, const char *key, const char *sub, const char *fmt, ...);
__attribute__((format(printf, 4, 5))) int apply(
        const char *resource, const char *key, const char *sub, const char *fmt, ...);
int update_tree(const char *resource, const char *key, const char *sub, struct json_object *taken);

/* Deletes what is there now, by its uid. */
int erase(const char *resource, const char *key);

/* A reference the caller gives up, or NULL. */
struct prb_object *get(const char *resource, const char *key);
bool has(const char *resource, const char *key);

/* The JSON text at a pointer of an object: "\"a\"", "2"; "-" when there is none. Valid until the
 * eighth call after it. */
const char *at(const struct prb_object *object, const char *pointer);
const char *text_at(const char *resource, const char *key, const char *pointer);
const char *got_at(const char *pointer);

/* uid of what is there; "" when it is not. Valid as above. */
const char *uid_of(const char *resource, const char *key);

/* One owner reference as JSON with ' for ", for the bodies above. Valid as above. */
const char *owned_by(const char *resource, const char *kind, const char *key, bool block);

/* A CRD for widgets.example.io, namespaced, with status. */
int create_widgets(void);

/* Load YAML; 0 or the error. */
int load(const char *yaml);

#endif
