#ifndef PROBATE_ADMISSION_AUTHORITY_H
#define PROBATE_ADMISSION_AUTHORITY_H

/*
 * The certificate authorities (CAs) that a Secret holds for all replicas, and the serving
 * certificate (leaf) that each replica signs for itself and keeps in memory. Decisions are pure:
 * they take the time and what the API server trusts now. Not thread-safe.
 *
 * The Secret has three members for each CA: NAME.crt, NAME.key, and NAME.trusted-since, the mark:
 * since when it was seen in the caBundle that the API server uses. A new CA signs only when it has
 * been there for a while: every API server must know it before the first replica shows a leaf of
 * it. Until then the one before it goes on.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probate/admission/bundle.h"
#include "probate/base/error.h"
#include "probate/base/json.h"

/* In the bundle so long before it signs: each of several API servers watches its configurations,
 * and one that lost that watch lists anew within minutes. */
#define PRB_CA_RIPE_MS INT64_C(600000)

#define PRB_DAY_MS INT64_C(86400000)

/* Leaves cost nothing: renewed after two thirds of their life, ten days are left to notice that it
 * does not work. */
#define PRB_LEAF_LIFE_MS (30 * PRB_DAY_MS)
#define PRB_LEAF_RENEW_MS (PRB_LEAF_LIFE_MS / 3 * 2)

/* A year, as others have it, and a successor after two thirds of it: the last leaf of a CA ends
 * within PRB_CA_RENEW_MS + PRB_CA_RIPE_MS + PRB_LEAF_LIFE_MS, three months before the CA. */
#define PRB_CA_LIFE_MS (365 * PRB_DAY_MS)
#define PRB_CA_RENEW_MS (PRB_CA_LIFE_MS / 3 * 2)

/* One that signs, its successor, and a few that repairs left. Of a Secret with more the rest is not
 * read, and it must not be written: the rest would be lost. */
#define PRB_AUTHORITIES_MAX 8

/* How long things last, all in milliseconds; tests make it quick. */
struct prb_ca_policy {
    int64_t ca_life_ms, ca_renew_ms, ripe_ms, leaf_life_ms, leaf_renew_ms;
};
extern const struct prb_ca_policy prb_ca_policy; /* the constants above */

struct prb_authority {
    char *name; /* owned, as all here: "ca-1f0c9a7e", from its certificate */
    char *cert; /* PEM */
    char *key;
    unsigned char print[PRB_CERT_PRINT_SIZE];
    int64_t made_ms, until_ms; /* wall */
    int64_t trusted_ms;        /* wall: the mark; 0: there is none yet */
};

struct prb_authorities {
    struct prb_authority items[PRB_AUTHORITIES_MAX];
    size_t count;
    bool damaged; /* there was something that is no CA, or not whole */
    bool empty;   /* there was nothing at all */
    bool more;    /* there were others that did not fit in */
};

void prb_authorities_done(struct prb_authorities *authorities);
static inline void prb_authorities_donep(struct prb_authorities *authorities)
{
    prb_authorities_done(authorities);
}

/* What `data` of a Secret says (NULL is fine); `ret` is empty. What is damaged is left out. */
void prb_authorities_read(const struct json_object *data, struct prb_authorities *ret);

/* The `data` that says it; the caller's. */
struct json_object *prb_authorities_write(const struct prb_authorities *authorities);

/* Is it time for a new one: there is none that is valid now, or the youngest has had its time? */
bool prb_authorities_need_new(const struct prb_authorities *authorities,
        const struct prb_ca_policy *policy, int64_t now_ms);

/*
 * Of a CA that is not among them (its key was lost, or an old Secret was put back) a leaf may be
 * served still, unless one of them is younger and has signed for so long that all leaves have moved
 * on. The validity of lost ones that may matter begins at this time or later; 0: all of them may.
 */
int64_t prb_authorities_settled(const struct prb_authorities *authorities,
        const struct prb_ca_policy *policy, int64_t now_ms);

/* Make and add one; when there are too many, in place of the one that expires first. */
int prb_authorities_add_new(struct prb_authorities *authorities, const struct prb_ca_policy *policy,
        int64_t now_ms, struct prb_error *err);

/* Leave out those that have expired; true: there were some. */
bool prb_authorities_drop_expired(struct prb_authorities *authorities, int64_t now_ms);

/* Mark those that are in `live` and have no mark, or one from the future; a mark of what is not
 * (any more) in there is taken off. True: there were some. */
bool prb_authorities_mark(
        struct prb_authorities *authorities, const struct prb_bundle *live, int64_t now_ms);

/* Their certificates, added to a bundle. */
void prb_authorities_publish(const struct prb_authorities *authorities, struct prb_bundle *bundle);

/* What a replica serves. */
struct prb_leaf {
    char *cert; /* owned, as all here; PEM; NULL: there is none */
    char *key;
    char *ca_cert; /* who signed it */
    unsigned char issuer[PRB_CERT_PRINT_SIZE];
    int64_t made_ms, until_ms, ca_until_ms;
};
void prb_leaf_done(struct prb_leaf *leaf); /* empty afterwards */
static inline void prb_leaf_donep(struct prb_leaf *leaf)
{
    prb_leaf_done(leaf);
}

/* What is known at this moment. */
struct prb_ca_scene {
    const struct prb_authorities *authorities;
    const struct prb_bundle *live; /* in the caBundle of every webhook; NULL: not known */
    const struct prb_ca_policy *policy;
    int64_t now_ms;
};

/*
 * Who is to sign a new leaf for this replica now; NULL: the one it has stays. Borrowed. A leaf is
 * replaced when a younger CA is ripe, when it is old, or when the API server does not trust it and
 * would trust another; one that nobody is known to trust is better than none.
 */
const struct prb_authority *prb_leaf_signer(
        const struct prb_leaf *leaf, const struct prb_ca_scene *scene);

/* Sign one for these names. INVALID when a name is none. `ret` is empty. */
int prb_leaf_sign(const struct prb_authority *authority, const struct prb_ca_scene *scene,
        const char *const *names, size_t count, struct prb_leaf *ret, struct prb_error *err);

#endif
