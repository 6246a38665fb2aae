/* Does the API server know by what to trust Probate, and may it refuse what Probate cannot judge?
 */

#include <stdio.h>

#include "probate/base/file.h"
#include "probate/base/log.h"
#include "probate/base/metrics.h"
#include "probate/base/str.h"

#include "keeper_internal.h"

static struct prb_metric selftest = { .name = "probate_selftest_answered",
    .help = "Whether the last self-test through the API server was answered; only of the replica "
            "that leads.",
    .type = PRB_GAUGE };

/*
 * All that may be trusted: the CAs of the Secret, the one that signed what this replica serves, and
 * what the API server trusts already, as long as a replica may serve a leaf of it.
 */
static void gather(struct prb_keeper *keeper, struct prb_bundle *wanted)
{
    const struct prb_authorities *authorities = &keeper->secret.authorities;
    prb_auto(prb_bundle_done) struct prb_bundle there = { 0 };
    int64_t now_ms = prb_keeper_now_ms(keeper);

    prb_authorities_publish(authorities, wanted);
    prb_bundle_add(wanted, keeper->leaf.ca_cert);
    prb_bundle_unite(&there, &keeper->registered.in_any);
    prb_bundle_drop_older(
            &there, prb_authorities_settled(authorities, keeper->options.policy, now_ms));
    prb_bundle_unite(wanted, &there);
    prb_bundle_drop_expired(wanted, now_ms);
}

/* It mends itself: in what is written then there are no more than fit in. */
static void tell_left_out(struct prb_keeper *keeper, const struct prb_bundle *wanted)
{
    char text[PRB_TROUBLE_SIZE];

    (void)snprintf(text, sizeof(text),
            "of more than %d certificates, or more than %zu bytes, the rest is taken out",
            PRB_BUNDLE_MAX, PRB_BUNDLE_SIZE_MAX);
    prb_keeper_trouble(keeper, PRB_TROUBLE_BUNDLE, wanted->more ? text : NULL);
}

/* False: caBundle is not ours to set, or what it should be is not known. */
static bool want_bundle(struct prb_keeper *keeper, struct prb_bundle *wanted)
{
    prb_autofree char *text = NULL;
    struct prb_error err;
    size_t len;

    if (keeper->options.secret) {
        gather(keeper, wanted);
        tell_left_out(keeper, wanted);
        return keeper->secret_known && wanted->count > 0;
    }
    if (!keeper->options.ca_bundle)
        return false;
    if (prb_file_read(keeper->options.ca_bundle, PRB_BUNDLE_SIZE_MAX, &text, &len, &err) < 0) {
        prb_keeper_trouble(keeper, PRB_TROUBLE_WRITE, err.msg);
        return false;
    }
    prb_bundle_add(wanted, text);
    if (wanted->more) {
        (void)prb_fail(&err, PRB_E_INVALID, "%s has more than %d certificates: caBundle is not set",
                keeper->options.ca_bundle, PRB_BUNDLE_MAX);
        prb_keeper_trouble(keeper, PRB_TROUBLE_WRITE, err.msg);
        return false;
    }
    return wanted->count > 0;
}

static void write_registration(
        struct prb_keeper *keeper, const struct json_object *body, const char *what)
{
    struct prb_error err;
    int r;

    keeper->soon = true;
    if (!prb_keeper_may_write(keeper))
        return;
    r = prb_registration_write(
            keeper->options.api, &keeper->registered, body, PRB_KEEPER_CALL_MS, &err);
    if (r < 0 && r != PRB_E_CONFLICT) {
        prb_keeper_trouble(keeper, PRB_TROUBLE_WRITE, err.msg);
        return;
    }
    prb_keeper_trouble(keeper, PRB_TROUBLE_WRITE, NULL);
    if (r == 0)
        prb_info(what, KV("configuration", keeper->options.configuration));
}

static void tell_unanswered(
        struct prb_keeper *keeper, enum prb_selftest result, const struct prb_error *why)
{
    char text[PRB_TROUBLE_SIZE];

    (void)snprintf(text, sizeof(text), "%s: %.900s",
            result == PRB_SELFTEST_UNKNOWN ? "the self-test could not be made"
                                           : "the self-test was not answered",
            why->msg);
    prb_keeper_trouble(keeper, PRB_TROUBLE_TEST, text);
}

/* One self-test, if it is time for one; true: it was made and answered. */
static bool is_answered(struct prb_keeper *keeper)
{
    int64_t now_ms = prb_keeper_mono_ms(keeper);
    struct prb_error why;
    enum prb_selftest result;

    if (now_ms < keeper->test_due_ms || !prb_keeper_may_write(keeper))
        return false;
    result = prb_selftest_call(
            keeper->options.api, keeper->options.namespace, PRB_KEEPER_CALL_MS, &why);
    prb_metric_set(&selftest, result == PRB_SELFTEST_ANSWERED);
    if (result == PRB_SELFTEST_ANSWERED) {
        prb_keeper_trouble(keeper, PRB_TROUBLE_TEST, NULL);
        keeper->test_due_ms = now_ms + PRB_KEEPER_TEST_MS;
        return true;
    }
    tell_unanswered(keeper, result, &why);
    keeper->test_due_ms = now_ms + PRB_KEEPER_RETEST_MS;
    return false;
}

/* What was not in order is tried often at first: nothing is protected until it is. */
static bool is_time_to_close(struct prb_keeper *keeper)
{
    if (prb_registered_open(&keeper->registered, &keeper->closed, NULL) == 0)
        return false;
    keeper->soon = true;
    if (keeper->test_due_ms > prb_keeper_mono_ms(keeper) + PRB_KEEPER_RETEST_MS)
        keeper->test_due_ms = 0; /* somebody opened it since the last one */
    return true;
}

static void give_back(struct prb_keeper *keeper)
{
    struct prb_error err;

    if (!prb_registration_owns(&keeper->registered) || !prb_keeper_may_write(keeper))
        return;
    if (prb_registration_release(
                keeper->options.api, &keeper->registered, PRB_KEEPER_CALL_MS, &err) < 0)
        keeper->soon = true;
}

void prb_keeper_tend_registration(struct prb_keeper *keeper)
{
    prb_auto(prb_bundle_done) struct prb_bundle wanted = { 0 };
    prb_auto(prb_json_free) struct json_object *body = NULL;
    struct prb_registration_wish wish = { .closed = &keeper->closed };

    if (!keeper->registered_known || !keeper->registered.config)
        return;
    wish.bundle = want_bundle(keeper, &wanted) ? &wanted : NULL;
    body = prb_registration_apply(&keeper->registered, &wish);
    if (body) {
        write_registration(keeper, body, "caBundle is set");
        return; /* to be tried out when the API server has it */
    }
    give_back(keeper);
    if (!is_time_to_close(keeper)) {
        (void)is_answered(keeper);
        return;
    }
    if (!is_answered(keeper))
        return;
    wish.confirmed = true;
    body = prb_registration_apply(&keeper->registered, &wish);
    if (body)
        write_registration(keeper, body, "the self-test was answered: failurePolicy is Fail now");
}
