/* Was every write made once, in the right order, and none beside? */

#include "writes.h"

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "stage_objects.h"

/* What was written to one pair, successfully. */
struct tally {
    int patches;   /* on the original */
    int deletes;   /* of the twin */
    bool tried;    /* a delete of the twin was sent, and its answer lost with the server */
    bool released; /* the second patch came before any delete: too early */
};

struct audit {
    struct stage *stage;
    struct tally *pairs;
    struct tally keeper;
    int strange; /* writes that are none of these */
};

static bool is_success(const struct prb_fault_write *write)
{
    return write->reached && write->status >= 200 && write->status < 300;
}

/* Which pair is it about? NULL: none. */
static struct tally *find_tally(struct audit *audit, const char *name, bool *ret_twin)
{
    char candidate[PRB_NAME_SIZE];

    for (int i = 0; i < 2 * audit->stage->pairs; i++) {
        *ret_twin = i % 2 != 0;
        stage_name(audit->stage, i / 2, *ret_twin, candidate);
        if (prb_streq(name, candidate))
            return &audit->pairs[i / 2];
    }
    *ret_twin = false;
    stage_bystander(audit->stage, "keeper", candidate);
    return prb_streq(name, candidate) ? &audit->keeper : NULL;
}

static void count_write(void *ctx, const struct prb_fault_write *write)
{
    struct audit *audit = ctx;
    const struct prb_ref *ref = &write->call.ref;
    struct tally *tally;
    bool twin;

    tally = find_tally(audit, ref->name, &twin);
    if (tally && twin && write->status == 0)
        tally->tried = true;
    if (!is_success(write) || prb_streq(ref->gvr.resource, "leases"))
        return;
    if (!tally || !prb_streq(ref->gvr.resource, "configmaps") ||
            !prb_streq(ref->namespace, audit->stage->ns)) {
        audit->strange++;
        return;
    }
    if (twin && prb_streq(write->call.verb, "delete")) {
        tally->deletes++;
    } else if (!twin && prb_streq(write->call.verb, "patch")) {
        /* The second takes the finalizer off. */
        if (tally->patches++ == 1)
            tally->released = tally->deletes == 0 && !tally->tried;
    } else {
        audit->strange++;
    }
}

/* Exactly `want`; fewer only when an answer may be lost. */
static bool is_count(int got, int want, bool answers_lost)
{
    return got == want || (answers_lost && got < want);
}

int writes_check(struct stage *stage, struct prb_fault_proxy *proxy, bool answers_lost)
{
    prb_autofree struct tally *pairs =
            prb_calloc((size_t)stage->pairs, sizeof(*pairs)); /* NOLINT: pairs > 0 */
    struct audit audit = { .stage = stage, .pairs = pairs };

    if (prb_fault_proxy_lost_writes(proxy) > 0)
        return stage_fail(stage, "the log of writes is not whole");
    prb_fault_proxy_each_write(proxy, count_write, &audit);
    for (int i = 0; i < stage->pairs; i++) {
        if (!is_count(pairs[i].patches, 2, answers_lost) ||
                !is_count(pairs[i].deletes, 1, answers_lost))
            return stage_fail(stage, "pair %d: %d patches and %d deletes succeeded", i,
                    pairs[i].patches, pairs[i].deletes);
        if (pairs[i].released)
            return stage_fail(stage, "pair %d: the original was released before its twin went", i);
    }
    if (!is_count(audit.keeper.patches, 1, answers_lost) || audit.keeper.deletes > 0)
        return stage_fail(stage, "keeper: %d patches and %d deletes succeeded",
                audit.keeper.patches, audit.keeper.deletes);
    if (audit.strange > 0)
        return stage_fail(stage, "%d writes that nobody should make", audit.strange);
    return 0;
}

struct agent_count {
    const char *agent;
    int count;
};

static void count_agent(void *ctx, const struct prb_fault_write *write)
{
    struct agent_count *sum = ctx;

    sum->count += is_success(write) && prb_streq(write->call.ref.gvr.resource, "configmaps") &&
                  prb_streq(write->agent, sum->agent);
}

int writes_by(struct prb_fault_proxy *proxy, const char *agent)
{
    struct agent_count sum = { .agent = agent };

    prb_fault_proxy_each_write(proxy, count_agent, &sum);
    return sum.count;
}
