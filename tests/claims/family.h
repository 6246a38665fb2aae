#ifndef TESTS_CLAIMS_FAMILY_H
#define TESTS_CLAIMS_FAMILY_H

/*
 * One claim with its composite and all below it, under a name of its own. Everything is made,
 * changed and looked at through the test's own client. All functions return 0, or -1 with the
 * reason in family->why.
 */

#include "stage.h"
#include "support/table.h"
#include "support/temp_dir.h"

#define NAMESPACE "default"
#define LEAVES 10

struct family {
    struct stage *stage; /* borrowed */
    char id[PRB_TEST_NAME_SIZE];
    char *why;       /* borrowed: PRB_TEST_WHY_SIZE */
    enum sort claim; /* CLAIM or SITE */
    enum sort root;  /* ROOT or SITE_ROOT */
    size_t leaves;   /* that were made */
    bool deep;       /* there is a composite between the root and the leaves */
};

/* What is made of it. */
#define STANDALONE 1U /* no claim */
#define DEEP 2U       /* three levels: the root composes a composite, which composes the leaves */
#define BLOCKING 4U   /* references say blockOwnerDeletion from the start, as Crossplane has it */
#define HELD_LEAF 8U  /* the first leaf is held */
#define HELD_ROOT 16U /* the root is held: Crossplane takes its time */

/* `why` must be empty. Makes nothing. */
void family_open(struct family *family, struct stage *stage, char *why);

/* Take away what is left of it, best effort. */
void family_close(struct family *family);

__attribute__((format(printf, 2, 3))) int family_fail(struct family *family, const char *fmt, ...);

/* Claim and root have the id as their name; the composite below is ID-sub, leaves ID-0, ID-1, ...
 */
struct prb_ref family_ref(const struct family *family, enum sort sort, const char *suffix);

/* `policy` NULL: the claim says nothing about it. */
int family_make(struct family *family, const char *policy, size_t leaves, unsigned flags);

/* Make one object; `meta` are members of its metadata, `spec` of its spec ("'a':'b'"), or "". */
int family_create(struct family *family, enum sort sort, const char *suffix, const char *meta,
        const char *spec);

int family_delete(struct family *family, enum sort sort, const char *suffix,
        enum prb_propagation propagation);
int family_patch(
        struct family *family, enum sort sort, const char *suffix, const char *merge_patch);

/* Nobody holds it any more. */
int family_let_go(struct family *family, enum sort sort, const char *suffix);

/* As it is now; NULL: not there, or not to be had. */
struct prb_object *family_get(struct family *family, enum sort sort, const char *suffix);

/* It is there, and nobody deletes it. */
int family_expect_untouched(struct family *family, enum sort sort, const char *suffix);

int family_await_gone(struct family *family, enum sort sort, const char *suffix);
int family_await_deleting(struct family *family, enum sort sort, const char *suffix);
int family_await_finalizer(
        struct family *family, enum sort sort, const char *suffix, const char *finalizer);
int family_await_blocking(struct family *family); /* every reference blocks */

/* The condition Ready of the claim is False with this reason, and has `text` in its message. */
int family_await_said(struct family *family, const char *reason, const char *text);
int family_await_event(struct family *family, const char *reason);

/* Claim, root, composite below and leaves are gone. */
int family_await_end(struct family *family);

/* All went, every one after all that were below it. */
int family_expect_bottom_up(struct family *family);

/* In a function that returns as these do. A bare if: not to be used before an else. */
#define DO(call)    \
    if ((call) < 0) \
    return -1

#endif
