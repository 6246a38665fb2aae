/* Would the API server trust what is served, and what do people get to know of that? */

#include <stdio.h>

#include "probate/base/mem.h"
#include "probate/base/metrics.h"
#include "probate/base/str.h"

#include "keeper_internal.h"

static struct prb_metric expires_in = { .name = "probate_certificate_expires_in_seconds",
    .help = "How long the serving certificate (leaf) is valid, the CA that signed it (ca), and for "
            "how long the API server trusts what is served (bundle); negative: it is over.",
    .type = PRB_GAUGE,
    .labels = { "certificate" } };

static void count_down(struct prb_keeper *keeper, const char *which, int64_t until_ms)
{
    if (until_ms != 0)
        prb_metric_set(&expires_in, (double)(until_ms - prb_keeper_now_ms(keeper)) / 1000, which);
}

/* Is anything known of what the API server trusts? Without a caBundle it goes by its own system's
 * CAs, of which we know nothing; but those never signed a leaf of ours. */
static bool is_known(const struct prb_keeper *keeper)
{
    return prb_keeper_live(keeper) && (keeper->options.secret || !keeper->registered.blank);
}

static void set_trust(struct prb_keeper *keeper, bool mistrusted, const char *text)
{
    (void)pthread_mutex_lock(&keeper->lock);
    keeper->mistrusted = mistrusted;
    (void)snprintf(keeper->trust, sizeof(keeper->trust), "%s", text);
    (void)pthread_mutex_unlock(&keeper->lock);
}

static void set_mistrust(struct prb_keeper *keeper)
{
    int64_t now_ms = prb_keeper_mono_ms(keeper);

    if (keeper->mistrusted_ms == 0)
        keeper->mistrusted_ms = now_ms;
    keeper->soon = true;
    set_trust(keeper, now_ms - keeper->mistrusted_ms > PRB_KEEPER_MISTRUST_MS,
            "the caBundle of the webhook configuration does not vouch for the certificate that is "
            "served here: the API server cannot call this replica");
}

static void look_at_trust(struct prb_keeper *keeper)
{
    prb_autofree char *chain = prb_tls_chain(keeper->tls);
    char time[PRB_TIME_SIZE], text[PRB_TIME_SIZE + 64];
    struct prb_tls_state state;
    int64_t until_ms;

    prb_tls_state(keeper->tls, &state);
    count_down(keeper, "leaf", state.expires_ms);
    count_down(keeper, "ca", keeper->leaf.ca_until_ms);
    if (!is_known(keeper))
        return; /* the last answer stands */
    until_ms = prb_bundle_trusts_until(prb_keeper_live(keeper), chain);
    prb_metric_set(&expires_in,
            until_ms == 0 ? 0 : (double)(until_ms - prb_keeper_now_ms(keeper)) / 1000, "bundle");
    if (until_ms <= prb_keeper_now_ms(keeper)) {
        set_mistrust(keeper);
        return;
    }
    keeper->mistrusted_ms = 0;
    prb_time_format(until_ms, time);
    (void)snprintf(text, sizeof(text), "the API server trusts what is served until %s", time);
    set_trust(keeper, false, text);
}

/* Of the registration, for people: what is in order, or what is missing. */
static void describe(struct prb_keeper *keeper, struct prb_str *text)
{
    const char *first = NULL;
    size_t open;

    if (!keeper->options.configuration) {
        prb_str_add(text, "the registration is not looked after: no --webhook-configuration");
        return;
    }
    if (!keeper->registered_known) {
        prb_str_add(text, "not read yet");
        return;
    }
    if (!keeper->registered.config) {
        prb_str_addf(text, "there is no webhook configuration %s", keeper->options.configuration);
        return;
    }
    open = prb_registered_open(&keeper->registered, &keeper->closed, &first);
    if (open > 0)
        prb_str_addf(
                text, "%zu webhooks that are to fail closed do not yet, such as %s", open, first);
    else
        prb_str_add(text, "fails closed where it is meant to");
    first = prb_registered_unconditional(&keeper->registered, &keeper->closed);
    if (first)
        prb_str_addf(text,
                "; %s fails open: the API server has not stored its matchConditions, which takes "
                "Kubernetes 1.28",
                first);
}

void prb_keeper_report(struct prb_keeper *keeper)
{
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, PRB_TROUBLE_SIZE - 1);
    describe(keeper, &text);
    (void)pthread_mutex_lock(&keeper->lock);
    (void)snprintf(keeper->standing, sizeof(keeper->standing), "%s", prb_str_get(&text));
    (void)pthread_mutex_unlock(&keeper->lock);
    if (keeper->tls)
        look_at_trust(keeper);
}

static void add(prb_ops_check_fn each, void *sink, const char *name, bool failed, const char *text)
{
    struct prb_ops_check check = {
        .name = name, .state = failed ? PRB_OPS_FAILED : PRB_OPS_INFO, .detail = text
    };

    each(sink, &check);
}

void prb_keeper_each_check(struct prb_keeper *keeper, prb_ops_check_fn each, void *sink)
{
    char trust[PRB_TROUBLE_SIZE], clock[2 * PRB_TIME_SIZE + 32];
    prb_auto(prb_str_done) struct prb_str standing;
    bool mistrusted;

    prb_str_init(&standing, ((size_t)PRB_TROUBLES + 1) * PRB_TROUBLE_SIZE);
    (void)pthread_mutex_lock(&keeper->lock);
    prb_str_add(&standing, keeper->standing);
    for (size_t i = 0; i < PRB_TROUBLES; i++) {
        if (keeper->trouble[i][0])
            prb_str_addf(&standing, "; %s", keeper->trouble[i]);
    }
    (void)snprintf(trust, sizeof(trust), "%s", keeper->trust);
    mistrusted = keeper->mistrusted;
    (void)pthread_mutex_unlock(&keeper->lock);

    add(each, sink, "trust", mistrusted, trust);
    add(each, sink, "registration", false, prb_str_get(&standing));
    prb_server_clock_describe(&keeper->clock, clock);
    if (prb_server_clock_is_far(&keeper->clock))
        add(each, sink, "clock", false, clock);
}
