/* When is a new CA needed, and which one signs? */

#include <string.h>

#include "probate/admission/certs.h"

#include "authority_internal.h"

/* The validity of what is made begins so long before. */
#define EARLY_MS ((int64_t)PRB_CERTS_BEFORE_S * 1000)

const struct prb_ca_policy prb_ca_policy = {
    .ca_life_ms = PRB_CA_LIFE_MS,
    .ca_renew_ms = PRB_CA_RENEW_MS,
    .ripe_ms = PRB_CA_RIPE_MS,
    .leaf_life_ms = PRB_LEAF_LIFE_MS,
    .leaf_renew_ms = PRB_LEAF_RENEW_MS,
};

static bool is_expired(const struct prb_authority *one, int64_t now_ms)
{
    return one->until_ms <= now_ms;
}

static int64_t from_ms_of(const struct prb_authority *one)
{
    return one->made_ms - EARLY_MS;
}

/* One that a clock far ahead has made is good for nobody yet. */
static bool is_valid(const struct prb_authority *one, int64_t now_ms)
{
    return !is_expired(one, now_ms) && from_ms_of(one) <= now_ms;
}

bool prb_authorities_need_new(const struct prb_authorities *authorities,
        const struct prb_ca_policy *policy, int64_t now_ms)
{
    for (size_t i = 0; i < authorities->count; i++) {
        const struct prb_authority *one = &authorities->items[i];

        if (is_valid(one, now_ms) && now_ms < one->made_ms + policy->ca_renew_ms)
            return false;
    }
    return true;
}

int64_t prb_authorities_settled(const struct prb_authorities *authorities,
        const struct prb_ca_policy *policy, int64_t now_ms)
{
    int64_t from_ms = 0;

    for (size_t i = 0; i < authorities->count; i++) {
        const struct prb_authority *one = &authorities->items[i];

        if (one->trusted_ms != 0 &&
                now_ms - one->trusted_ms >= policy->ripe_ms + policy->leaf_life_ms &&
                from_ms_of(one) > from_ms)
            from_ms = from_ms_of(one);
    }
    return from_ms;
}

bool prb_authorities_drop_expired(struct prb_authorities *authorities, int64_t now_ms)
{
    size_t kept = 0;
    bool any = false;

    for (size_t i = 0; i < authorities->count; i++) {
        if (is_expired(&authorities->items[i], now_ms)) {
            prb_authority_done(&authorities->items[i]);
            any = true;
        } else {
            authorities->items[kept++] = authorities->items[i];
        }
    }
    authorities->count = kept;
    return any;
}

bool prb_authorities_mark(
        struct prb_authorities *authorities, const struct prb_bundle *live, int64_t now_ms)
{
    bool any = false;

    for (size_t i = 0; i < authorities->count; i++) {
        struct prb_authority *one = &authorities->items[i];
        bool marked = one->trusted_ms != 0 && one->trusted_ms <= now_ms;

        if (marked == prb_bundle_has(live, one->print))
            continue;
        one->trusted_ms = marked ? 0 : now_ms;
        any = true;
    }
    return any;
}

/* How far a CA is, from bad to good. */
enum standing {
    NEW,     /* not known to be trusted */
    MARKED,  /* it was trusted for long enough; whether it still is is not known now */
    TRUSTED, /* it is in the bundle, but not for long */
    RIPE,
};

static enum standing standing_of(const struct prb_authority *one, const struct prb_ca_scene *scene)
{
    bool long_ago =
            one->trusted_ms != 0 && scene->now_ms - one->trusted_ms >= scene->policy->ripe_ms;

    if (!scene->live)
        return long_ago ? MARKED : NEW;
    if (!prb_bundle_has(scene->live, one->print))
        return NEW;
    return long_ago ? RIPE : TRUSTED;
}

/* Of ripe ones the youngest, so that a rotation goes on; of others the oldest, which most API
 * servers have seen. */
static bool is_better(
        const struct prb_authority *one, const struct prb_authority *best, enum standing standing)
{
    return standing == RIPE ? one->made_ms > best->made_ms : one->made_ms < best->made_ms;
}

static const struct prb_authority *find_best(
        const struct prb_ca_scene *scene, enum standing *ret_standing)
{
    const struct prb_authority *best = NULL;
    enum standing best_standing = NEW;

    for (size_t i = 0; i < scene->authorities->count; i++) {
        const struct prb_authority *one = &scene->authorities->items[i];
        enum standing standing = standing_of(one, scene);

        if (!is_valid(one, scene->now_ms))
            continue;
        if (!best || standing > best_standing ||
                (standing == best_standing && is_better(one, best, standing))) {
            best = one;
            best_standing = standing;
        }
    }
    *ret_standing = best_standing;
    return best;
}

const struct prb_authority *prb_leaf_signer(
        const struct prb_leaf *leaf, const struct prb_ca_scene *scene)
{
    enum standing standing;
    const struct prb_authority *best = find_best(scene, &standing);
    bool due, trusted;

    if (!best || !leaf->cert || scene->now_ms >= leaf->until_ms ||
            scene->now_ms < leaf->made_ms - EARLY_MS)
        return best;
    due = scene->now_ms >= leaf->made_ms + scene->policy->leaf_renew_ms;
    if (memcmp(best->print, leaf->issuer, sizeof(leaf->issuer)) == 0)
        return due && best->until_ms > leaf->until_ms ? best : NULL;
    trusted = !scene->live || prb_bundle_has(scene->live, leaf->issuer);
    if (standing == RIPE || (due && standing >= MARKED) || (!trusted && standing >= TRUSTED))
        return best;
    return NULL;
}
