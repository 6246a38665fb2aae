/* How do a CA and its leaves come into being? */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gnutls/crypto.h>

#include "probate/admission/certs.h"
#include "probate/base/mem.h"

#include "authority_internal.h"

/* Of the fingerprint, in the name of a CA: two of a handful never share it. */
#define NAME_BYTES 4

static int check(gnutls_x509_crt_t crt, struct prb_error *err)
{
    unsigned critical, usage;

    if (gnutls_x509_crt_get_ca_status(crt, &critical) <= 0)
        return prb_fail(err, PRB_E_INVALID, "it is not the certificate of a CA");
    if (gnutls_x509_crt_get_key_usage(crt, &usage, &critical) >= 0 &&
            !(usage & GNUTLS_KEY_KEY_CERT_SIGN))
        return prb_fail(err, PRB_E_INVALID, "it may not sign certificates");
    return 0;
}

int prb_authority_from(
        const struct prb_signed *pair, struct prb_authority *ret, struct prb_error *err)
{
    struct prb_authority one = { 0 };
    size_t size = sizeof(one.print);
    int r = check(pair->crt, err);

    if (r < 0)
        return r;
    if (gnutls_x509_crt_get_fingerprint(pair->crt, GNUTLS_DIG_SHA256, one.print, &size) < 0)
        return prb_fail(err, PRB_E_INTERNAL, "no fingerprint");
    r = prb_signed_write(pair, &one.cert, &one.key, err);
    if (r < 0)
        return r;
    one.name = prb_asprintf(
            "ca-%02x%02x%02x%02x", one.print[0], one.print[1], one.print[2], one.print[3]);
    one.made_ms =
            ((int64_t)gnutls_x509_crt_get_activation_time(pair->crt) + PRB_CERTS_BEFORE_S) * 1000;
    one.until_ms = (int64_t)gnutls_x509_crt_get_expiration_time(pair->crt) * 1000;
    *ret = one;
    return 0;
}
_Static_assert(NAME_BYTES == 4, "the name has as many bytes as the text above");

/* Its certificate stays in the bundle as long as it may matter. */
static void drop_first_to_expire(struct prb_authorities *authorities)
{
    struct prb_authority *first = &authorities->items[0];
    struct prb_authority *last = &authorities->items[authorities->count - 1];

    for (struct prb_authority *one = first; one <= last; one++)
        first = one->until_ms < first->until_ms ? one : first;
    prb_authority_done(first);
    memmove(first, first + 1, (size_t)(last - first) * sizeof(*first));
    authorities->count--;
}

int prb_authorities_add_new(struct prb_authorities *authorities, const struct prb_ca_policy *policy,
        int64_t now_ms, struct prb_error *err)
{
    const struct prb_certificate what = { .from_s = now_ms / 1000 - PRB_CERTS_BEFORE_S,
        .until_s = (now_ms + policy->ca_life_ms) / 1000 };
    prb_auto(prb_signed_done) struct prb_signed pair = { 0 };
    int r;

    if (authorities->count == PRB_AUTHORITIES_MAX)
        drop_first_to_expire(authorities);
    r = prb_signed_make(&what, NULL, &pair, err);
    if (r == 0)
        r = prb_authority_from(&pair, &authorities->items[authorities->count], err);
    if (r == 0)
        authorities->count++;
    return r;
}

void prb_leaf_done(struct prb_leaf *leaf)
{
    free(leaf->cert);
    if (leaf->key)
        gnutls_memset(leaf->key, 0, strlen(leaf->key));
    free(leaf->key);
    free(leaf->ca_cert);
    *leaf = (struct prb_leaf){ 0 };
}

static int check_names(const char *const *names, size_t count, struct prb_error *err)
{
    if (count == 0)
        return prb_fail(err, PRB_E_INVALID, "a serving certificate needs a name");
    for (size_t i = 0; i < count; i++) {
        if (!prb_certificate_name_ok(names[i]))
            return prb_fail(
                    err, PRB_E_INVALID, "\"%s\" is neither a DNS name nor an IP address", names[i]);
    }
    return 0;
}

/* Valid from a little before now, for machines whose clock is behind, and no longer than its CA. */
static struct prb_certificate describe(const struct prb_authority *authority,
        const struct prb_ca_scene *scene, const char *const *names, size_t count)
{
    struct prb_certificate what = { .from_s = scene->now_ms / 1000 - PRB_CERTS_BEFORE_S,
        .until_s = (scene->now_ms + scene->policy->leaf_life_ms) / 1000,
        .names = names,
        .count = count };
    int64_t ca_from_s = authority->made_ms / 1000 - PRB_CERTS_BEFORE_S;

    if (what.from_s < ca_from_s)
        what.from_s = ca_from_s;
    if (what.until_s > authority->until_ms / 1000)
        what.until_s = authority->until_ms / 1000;
    return what;
}

int prb_leaf_sign(const struct prb_authority *authority, const struct prb_ca_scene *scene,
        const char *const *names, size_t count, struct prb_leaf *ret, struct prb_error *err)
{
    const struct prb_certificate what = describe(authority, scene, names, count);
    prb_auto(prb_signed_done) struct prb_signed ca = { 0 };
    prb_auto(prb_signed_done) struct prb_signed pair = { 0 };
    struct prb_leaf leaf = { .made_ms = scene->now_ms,
        .until_ms = what.until_s * 1000,
        .ca_until_ms = authority->until_ms };
    int r = check_names(names, count, err);

    if (r == 0)
        r = prb_signed_read(authority->cert, authority->key, &ca, err);
    if (r == 0)
        r = prb_signed_make(&what, &ca, &pair, err);
    if (r == 0)
        r = prb_signed_write(&pair, &leaf.cert, &leaf.key, err);
    if (r < 0)
        return r;
    leaf.ca_cert = prb_strdup(authority->cert);
    memcpy(leaf.issuer, authority->print, sizeof(leaf.issuer));
    *ret = leaf;
    return 0;
}
