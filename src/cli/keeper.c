/* When does who look after certificates and registration? */

#include "keeper.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "probate/base/log.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "keeper_internal.h"

static const char *const troubles[] = {
    [PRB_TROUBLE_READ] = "the webhook configuration cannot be read",
    [PRB_TROUBLE_SECRET] = "the Secret of the CAs cannot be read whole",
    [PRB_TROUBLE_CAS] = "the CAs are left as they are",
    [PRB_TROUBLE_LEAF] = "the certificate is left as it is",
    [PRB_TROUBLE_WRITE] = "the webhook configuration is left as it is",
    [PRB_TROUBLE_BUNDLE] = "caBundle has more than is looked at",
    [PRB_TROUBLE_TEST] = "it is not known to work that the API server asks Probate",
};

void prb_keeper_trouble(struct prb_keeper *keeper, enum prb_trouble which, const char *text)
{
    bool tell, over;

    (void)pthread_mutex_lock(&keeper->lock);
    tell = text && !prb_streq(keeper->trouble[which], text);
    over = !text && keeper->trouble[which][0];
    (void)snprintf(keeper->trouble[which], PRB_TROUBLE_SIZE, "%s", text ? text : "");
    (void)pthread_mutex_unlock(&keeper->lock);
    if (text)
        keeper->soon = true;
    if (tell)
        prb_warn(troubles[which], KV("reason", text));
    if (over)
        prb_info("it works again", KV("was", troubles[which]));
}

int64_t prb_keeper_now_ms(const struct prb_keeper *keeper)
{
    return keeper->clock.clock.wall_ms(&keeper->clock.clock);
}

int64_t prb_keeper_mono_ms(const struct prb_keeper *keeper)
{
    return keeper->clock.clock.mono_ms(&keeper->clock.clock);
}

const struct prb_clock *prb_keeper_clock(const struct prb_keeper *keeper)
{
    return &keeper->clock.clock;
}

/* Who does not lead any more knows nothing of these. */
static void forget_troubles(struct prb_keeper *keeper)
{
    (void)pthread_mutex_lock(&keeper->lock);
    keeper->trouble[PRB_TROUBLE_WRITE][0] = '\0';
    keeper->trouble[PRB_TROUBLE_BUNDLE][0] = '\0';
    keeper->trouble[PRB_TROUBLE_TEST][0] = '\0';
    (void)pthread_mutex_unlock(&keeper->lock);
}

static bool is_stopping(struct prb_keeper *keeper)
{
    bool stopping;

    (void)pthread_mutex_lock(&keeper->lock);
    stopping = keeper->stopping;
    (void)pthread_mutex_unlock(&keeper->lock);
    return stopping;
}

bool prb_keeper_may_write(struct prb_keeper *keeper)
{
    return !is_stopping(keeper) && keeper->options.leads(keeper->options.ctx);
}

const struct prb_bundle *prb_keeper_live(const struct prb_keeper *keeper)
{
    const struct prb_registered *registered = &keeper->registered;

    return keeper->registered_known && registered->config ? &registered->in_all : NULL;
}

int prb_keeper_check(const struct prb_keeper_options *options, struct prb_error *err)
{
    struct prb_ref secret;

    if (options->secret && options->names->count == 0)
        return prb_fail(err, PRB_E_INVALID,
                "--certs-secret needs --service-name: the names that the API server calls Probate "
                "by, such as probate.probate-system.svc");
    if (options->secret && options->ca_bundle)
        return prb_fail(err, PRB_E_INVALID, "--certs-secret and --ca-bundle exclude each other");
    if (options->ca_bundle && !options->configuration)
        return prb_fail(err, PRB_E_INVALID, "--ca-bundle needs --webhook-configuration");
    return options->secret ? prb_ca_secret_parse(options->secret, &secret, err) : 0;
}

/* On the monotonic clock: how long to wait has nothing to do with what time it is. */
static void init_wake(pthread_cond_t *wake)
{
    pthread_condattr_t attributes;

    (void)pthread_condattr_init(&attributes);
    (void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    (void)pthread_cond_init(wake, &attributes);
    (void)pthread_condattr_destroy(&attributes);
}

int prb_keeper_new(
        const struct prb_keeper_options *options, struct prb_keeper **ret, struct prb_error *err)
{
    prb_auto(prb_keeper_free) struct prb_keeper *keeper = prb_calloc(1, sizeof(*keeper));
    int r = prb_keeper_check(options, err);

    keeper->options = *options;
    if (!options->policy)
        keeper->options.policy = &prb_ca_policy;
    if (options->look_ms == 0)
        keeper->options.look_ms = PRB_KEEPER_LOOK_MS;
    if (options->soon_ms == 0)
        keeper->options.soon_ms = PRB_KEEPER_SOON_MS;
    prb_server_clock_init(&keeper->clock, options->clock);
    (void)pthread_mutex_init(&keeper->lock, NULL);
    init_wake(&keeper->wake);
    (void)snprintf(keeper->trust, sizeof(keeper->trust), "not known yet");
    prb_closed_init(&keeper->closed, options->choice);
    if (r == 0 && options->secret)
        r = prb_ca_secret_parse(options->secret, &keeper->secret_ref, err);
    if (r == 0)
        *ret = prb_take(keeper);
    return r;
}

void prb_keeper_free(struct prb_keeper *keeper)
{
    if (!keeper)
        return;
    prb_keeper_stop(keeper);
    prb_ca_secret_done(&keeper->secret);
    prb_leaf_done(&keeper->leaf);
    prb_registered_done(&keeper->registered);
    prb_closed_done(&keeper->closed);
    (void)pthread_cond_destroy(&keeper->wake);
    (void)pthread_mutex_destroy(&keeper->lock);
    free(keeper);
}

static void read_registration(struct prb_keeper *keeper)
{
    struct prb_registered registered = { 0 };
    struct prb_error err;

    if (!keeper->options.configuration)
        return;
    if (prb_registered_read(keeper->options.api, keeper->options.configuration, PRB_KEEPER_CALL_MS,
                &registered, &err) < 0) {
        keeper->registered_known = false;
        prb_keeper_trouble(keeper, PRB_TROUBLE_READ, err.msg);
        prb_registered_done(&registered);
        return;
    }
    prb_keeper_trouble(keeper, PRB_TROUBLE_READ, NULL);
    prb_registered_done(&keeper->registered);
    keeper->registered = registered;
    keeper->registered_known = true;
}

/* Where this is not allowed, nothing is known of the server's clock, and ours is taken to be right.
 */
static void compare_clocks(struct prb_keeper *keeper)
{
    const struct prb_clock *base = keeper->clock.base;
    int64_t now_ms = base->mono_ms(base), before_ms = base->wall_ms(base), server_ms;
    int64_t gap_ms = before_ms - now_ms;
    struct prb_error err;
    int r;

    /* One that was just set is looked at before anything is done by it. */
    if (now_ms < keeper->clock_due_ms && llabs(gap_ms - keeper->clock_gap_ms) < PRB_CLOCK_FAR_MS)
        return;
    keeper->clock_due_ms = now_ms + PRB_KEEPER_TEST_MS;
    keeper->clock_gap_ms = gap_ms;
    r = prb_server_time(
            keeper->options.api, keeper->options.namespace, PRB_KEEPER_CALL_MS, &server_ms, &err);
    if (r == 0)
        prb_server_clock_compare(&keeper->clock, before_ms, server_ms, base->wall_ms(base));
    else if (prb_errc_is_transient(err.code))
        keeper->clock_due_ms = now_ms; /* by the next look it may be back */
}

int64_t prb_keeper_look(struct prb_keeper *keeper)
{
    keeper->soon = false;
    compare_clocks(keeper);
    read_registration(keeper);
    if (keeper->options.secret)
        prb_keeper_tend_certs(keeper);
    if (prb_keeper_may_write(keeper))
        prb_keeper_tend_registration(keeper);
    else
        forget_troubles(keeper);
    prb_keeper_report(keeper);
    return keeper->soon ? keeper->options.soon_ms : keeper->options.look_ms;
}

/* Nobody trusts it; but a server that cannot open its port says nothing of why. */
static int make_stopgap(struct prb_keeper *keeper, struct prb_error *err)
{
    struct prb_authorities authorities = { 0 };
    const struct prb_ca_scene scene = { .authorities = &authorities,
        .policy = keeper->options.policy,
        .now_ms = prb_keeper_now_ms(keeper) };
    int r = prb_authorities_add_new(&authorities, scene.policy, scene.now_ms, err);

    if (r == 0)
        r = prb_leaf_sign(&authorities.items[0], &scene,
                (const char *const *)keeper->options.names->items, keeper->options.names->count,
                &keeper->leaf, err);
    prb_authorities_done(&authorities);

    /* Whatever CA comes, it is a better one; and nobody is to trust this one. */
    keeper->leaf.until_ms = keeper->leaf.ca_until_ms = 0;
    free(prb_take(keeper->leaf.ca_cert));
    return r;
}

int prb_keeper_first(struct prb_keeper *keeper, const char **ret_cert, const char **ret_key,
        struct prb_error *err)
{
    int r = 0;

    compare_clocks(keeper);
    read_registration(keeper);
    prb_keeper_tend_certs(keeper);
    if (!keeper->leaf.cert) {
        r = make_stopgap(keeper, err);
        if (r == 0)
            prb_warn("there is no CA that could sign a certificate yet; the API server will not "
                     "trust what is served until there is");
    }
    *ret_cert = keeper->leaf.cert;
    *ret_key = keeper->leaf.key;
    return r;
}

static bool wait_ms(struct prb_keeper *keeper, int64_t ms)
{
    struct timespec until;
    bool stopping;

    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += (time_t)(ms / 1000);
    until.tv_nsec += (long)(ms % 1000) * 1000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000;
    }
    (void)pthread_mutex_lock(&keeper->lock);
    while (!keeper->stopping &&
            pthread_cond_timedwait(&keeper->wake, &keeper->lock, &until) != ETIMEDOUT)
        continue;
    stopping = keeper->stopping;
    (void)pthread_mutex_unlock(&keeper->lock);
    return !stopping;
}

static void *run(void *arg)
{
    struct prb_keeper *keeper = arg;

    while (wait_ms(keeper, prb_keeper_look(keeper)))
        continue;
    return NULL;
}

void prb_keeper_serve(struct prb_keeper *keeper, struct prb_tls *tls)
{
    keeper->tls = tls;
}

int prb_keeper_start(struct prb_keeper *keeper, struct prb_tls *tls, struct prb_error *err)
{
    prb_keeper_serve(keeper, tls);
    if (pthread_create(&keeper->thread, NULL, run, keeper) != 0)
        return prb_fail(err, PRB_E_INTERNAL, "could not start a thread");
    keeper->running = true;
    return 0;
}

void prb_keeper_stop(struct prb_keeper *keeper)
{
    if (!keeper)
        return;
    (void)pthread_mutex_lock(&keeper->lock);
    keeper->stopping = true;
    (void)pthread_cond_broadcast(&keeper->wake);
    (void)pthread_mutex_unlock(&keeper->lock);
    if (keeper->running)
        (void)pthread_join(keeper->thread, NULL);
    keeper->running = false;
}
