/* Do we lead, and what follows from winning, keeping and losing the lease? */

#include <stdatomic.h>
#include <stdio.h>

#include "probate/base/log.h"
#include "probate/base/metrics.h"
#include "probate/base/random.h"

#include "lease_internal.h"
#include "text.h"

/* Candidates try in an interval of 1 to 2.2 times the retry period, as client-go has it. */
#define CANDIDATE_JITTER 120

static struct prb_metric master_status = {
    .name = "leader_election_master_status",
    .help = "1 while this process leads by the lease of that name, else 0.",
    .type = PRB_GAUGE,
    .labels = { "name" },
};

static int64_t mono(const struct prb_lease *lease)
{
    return prb_waker_now(&lease->waker);
}

static int64_t deadline(const struct prb_lease *lease)
{
    return lease->renewed_ms + lease->renew_deadline_ms;
}

/* One line when trouble begins or changes. A CONFLICT only means that another was faster. */
static void say(struct prb_lease *lease, const struct prb_error *why)
{
    char missing[PRB_NAMESPACE_SIZE + 64] = "";
    char text[sizeof(lease->said)];

    prb_text_copy(text, sizeof(text), why->msg);
    if (why->code == PRB_E_CONFLICT || why->code == PRB_E_EXISTS || why->code == PRB_E_CANCELLED ||
            prb_text_says_same(lease->said, text))
        return;
    prb_text_copy(lease->said, sizeof(lease->said), text);
    if (why->code == PRB_E_FORBIDDEN)
        (void)snprintf(missing, sizeof(missing), "%s leases.coordination.k8s.io in namespace %s",
                lease->verb, lease->ref.namespace);
    prb_warn(lease->leads ? "lease not renewed" : "lease not obtained",
            KV("namespace", lease->ref.namespace), KV("lease", lease->ref.name),
            KV("verb", lease->verb), KV("missing_right", missing), KV("error", why->msg));
}

static void win(struct prb_lease *lease)
{
    prb_info("leading", KV("namespace", lease->ref.namespace), KV("lease", lease->ref.name),
            KV("identity", lease->identity));
    atomic_store(&lease->leads, true);
    prb_metric_set(&master_status, 1, lease->ref.name);
    if (lease->options.won)
        lease->options.won(lease->options.ctx);
}

static void lose(struct prb_lease *lease, enum prb_log_level level, const char *why)
{
    int64_t late;

    PRB_LOG_(level, "no longer leading", KV("namespace", lease->ref.namespace),
            KV("lease", lease->ref.name), KV("identity", lease->identity), KV("why", why));
    atomic_store(&lease->leads, false);
    prb_metric_set(&master_status, 0, lease->ref.name);
    if (lease->options.lost)
        lease->options.lost(lease->options.ctx);

    late = mono(lease) - (lease->renewed_ms + lease->duration_ms);
    if (late > 0)
        prb_warn("work ended after the lease could be taken by another",
                KV("lease", lease->ref.name), KV_INT("late_ms", late));
}

static int64_t keep(struct prb_lease *lease)
{
    struct prb_error err;
    int64_t next;

    /* After a long sleep of the whole process, say: another may lead by now. */
    if (mono(lease) >= deadline(lease)) {
        lose(lease, PRB_LOG_WARN,
                lease->said[0] != '\0' ? lease->said : "the renew deadline has passed");
        return mono(lease);
    }

    switch (prb_lease_claim(lease, &err)) {
    case PRB_LEASE_OURS:
        lease->said[0] = '\0';
        return mono(lease) + lease->retry_ms;
    case PRB_LEASE_THEIRS:
        lose(lease, PRB_LOG_WARN, "another holds the lease");
        return mono(lease) + lease->retry_ms;
    case PRB_LEASE_UNKNOWN:
        break;
    }
    say(lease, &err);
    next = mono(lease) + lease->retry_ms;
    return next < deadline(lease) ? next : deadline(lease);
}

static int64_t compete(struct prb_lease *lease)
{
    struct prb_error err;

    switch (prb_lease_claim(lease, &err)) {
    case PRB_LEASE_OURS:
        lease->said[0] = '\0';
        win(lease);
        return mono(lease) + lease->retry_ms;
    case PRB_LEASE_THEIRS:
        lease->said[0] = '\0';
        break;
    case PRB_LEASE_UNKNOWN:
        say(lease, &err);
        break;
    }
    return mono(lease) + prb_jitter_ms(lease->retry_ms, CANDIDATE_JITTER);
}

int64_t prb_lease_step(struct prb_lease *lease)
{
    if (!lease->seen && !lease->leads)
        prb_metric_set(&master_status, 0, lease->ref.name);
    return lease->leads ? keep(lease) : compete(lease);
}

void prb_lease_resign(struct prb_lease *lease)
{
    struct prb_error err;

    if (!lease->leads)
        return;
    lose(lease, PRB_LOG_INFO, "stopping");
    if (prb_lease_release(lease, &err) != 0)
        prb_info("lease not released, another leads when it expires", KV("lease", lease->ref.name),
                KV("error", err.msg));
}
