/* Which CAs are there, and which of them signs this replica's leaf? */

#include <stdio.h>

#include "probate/base/log.h"

#include "keeper_internal.h"

static struct prb_ca_scene scene_of(
        const struct prb_keeper *keeper, const struct prb_authorities *authorities)
{
    return (struct prb_ca_scene){ .authorities = authorities,
        .live = prb_keeper_live(keeper),
        .policy = keeper->options.policy,
        .now_ms = prb_keeper_now_ms(keeper) };
}

/*
 * May this replica write the Secret? An empty one anybody may fill, since who comes second is
 * refused and takes what is there then; all else is up to the one that leads. One that was not read
 * whole nobody.
 */
static bool may_change(struct prb_keeper *keeper, const struct prb_ca_secret *secret)
{
    return !secret->authorities.more && (secret->authorities.empty || prb_keeper_may_write(keeper));
}

static void log_new(const struct prb_ca_secret *secret, bool damaged)
{
    const struct prb_authority *one = &secret->authorities.items[secret->authorities.count - 1];
    char until[PRB_TIME_SIZE];

    prb_time_format(one->until_ms, until);
    if (damaged)
        prb_warn("the Secret of the CAs is damaged; a new CA is made, and what the API server "
                 "trusts now it goes on trusting until all leaves have moved on",
                KV("ca", one->name), KV("validUntil", until));
    else
        prb_info("a new CA is made", KV("ca", one->name), KV("validUntil", until));
}

/* What has to change about the CAs, in `secret`; true: something has. */
static bool change(struct prb_keeper *keeper, struct prb_ca_secret *secret, struct prb_error *err)
{
    struct prb_authorities *authorities = &secret->authorities;
    const struct prb_bundle *live = prb_keeper_live(keeper);
    int64_t now_ms = prb_keeper_now_ms(keeper);
    bool damaged = authorities->damaged, changed = damaged;

    if (prb_authorities_drop_expired(authorities, now_ms))
        changed = true;
    if (live && prb_authorities_mark(authorities, live, now_ms))
        changed = true;
    if (!prb_authorities_need_new(authorities, keeper->options.policy, now_ms))
        return changed;
    if (prb_authorities_add_new(authorities, keeper->options.policy, now_ms, err) < 0) {
        prb_keeper_trouble(keeper, PRB_TROUBLE_CAS, err->msg);
        return false;
    }
    log_new(secret, damaged);
    return true;
}

/* Somebody else was faster, or it worked: what is there now is read again. A Secret that was read
 * and is gone now is made in the next round. */
static void write_secret(struct prb_keeper *keeper, const struct prb_ca_secret *secret)
{
    struct prb_error err;
    int r = prb_ca_secret_write(
            keeper->options.api, &keeper->secret_ref, PRB_KEEPER_CALL_MS, secret, &err);

    keeper->soon = true;
    if (r == 0 || r == PRB_E_CONFLICT || r == PRB_E_EXISTS ||
            (r == PRB_E_NOTFOUND && secret->object))
        prb_keeper_trouble(keeper, PRB_TROUBLE_CAS, NULL);
    else
        prb_keeper_trouble(keeper, PRB_TROUBLE_CAS, err.msg);
}

static void tell_read(struct prb_keeper *keeper, const struct prb_ca_secret *secret)
{
    char text[PRB_TROUBLE_SIZE];

    (void)snprintf(text, sizeof(text),
            "the Secret %s/%s has more than %d CAs: it is not written, and no new CA is made, until "
            "those that nobody needs are taken out by hand",
            keeper->secret_ref.namespace, keeper->secret_ref.name, PRB_AUTHORITIES_MAX);
    prb_keeper_trouble(keeper, PRB_TROUBLE_SECRET, secret->authorities.more ? text : NULL);
}

static int read_secret(struct prb_keeper *keeper, struct prb_error *err)
{
    struct prb_ca_secret secret = { 0 };
    int r = prb_ca_secret_read(
            keeper->options.api, &keeper->secret_ref, PRB_KEEPER_CALL_MS, &secret, err);

    if (r < 0) {
        prb_ca_secret_done(&secret);
        return r;
    }
    tell_read(keeper, &secret);
    prb_ca_secret_done(&keeper->secret);
    keeper->secret = secret;
    keeper->secret_known = true;
    return 0;
}

/* What was written counts when it has been read: until then nobody may sign with it. */
static void tend_secret(struct prb_keeper *keeper)
{
    struct prb_ca_secret *secret = &keeper->secret;
    struct prb_error err;

    if (read_secret(keeper, &err) < 0) {
        prb_keeper_trouble(keeper, PRB_TROUBLE_SECRET, err.msg);
        return;
    }
    if (!may_change(keeper, secret) || !change(keeper, secret, &err))
        return;
    write_secret(keeper, secret);
    if (read_secret(keeper, &err) < 0)
        prb_keeper_trouble(keeper, PRB_TROUBLE_SECRET, err.msg);
}

static void serve(struct prb_keeper *keeper, struct prb_leaf *leaf_taken)
{
    struct prb_error err;

    if (keeper->tls && prb_tls_replace(keeper->tls, leaf_taken->cert, leaf_taken->key, &err) < 0) {
        prb_keeper_trouble(keeper, PRB_TROUBLE_LEAF, err.msg);
        prb_leaf_done(leaf_taken);
        return;
    }
    prb_keeper_trouble(keeper, PRB_TROUBLE_LEAF, NULL);
    prb_leaf_done(&keeper->leaf);
    keeper->leaf = *leaf_taken;
}

static void tend_leaf(struct prb_keeper *keeper)
{
    const struct prb_ca_scene scene = scene_of(keeper, &keeper->secret.authorities);
    const struct prb_authority *signer = prb_leaf_signer(&keeper->leaf, &scene);
    struct prb_leaf leaf = { 0 };
    struct prb_error err;

    if (!signer)
        return;
    if (prb_leaf_sign(signer, &scene, (const char *const *)keeper->options.names->items,
                keeper->options.names->count, &leaf, &err) < 0) {
        prb_keeper_trouble(keeper, PRB_TROUBLE_LEAF, err.msg);
        return;
    }
    prb_info("signed a leaf", KV("ca", signer->name));
    serve(keeper, &leaf);
    keeper->soon = true;
}

void prb_keeper_tend_certs(struct prb_keeper *keeper)
{
    tend_secret(keeper);
    if (keeper->secret_known)
        tend_leaf(keeper);
}
