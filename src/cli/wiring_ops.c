/* How does the control loop look from outside: to the ops server, and in the log? */

#include <stdatomic.h>
#include <stdio.h>

#include "probate/base/log.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/model/side.h"

#include "wiring_internal.h"

/* Text of one check: a count of objects and why a collection is not watched. */
#define DETAIL_SIZE (sizeof(((struct prb_informer_state *)0)->error) + 128)
#define WANTED_DETAIL_SIZE (sizeof(((struct prb_known_resource *)0)->trouble) + 192)

/* A walk of the ops server over something of ours. */
struct check_walk {
    const struct prb_wiring *wiring;
    prb_ops_check_fn each;
    void *sink;
};

struct wait_walk {
    prb_ops_wait_fn each;
    void *sink;
};

static void add_check(const struct check_walk *walk, const char *name, enum prb_ops_state state,
        const char *detail)
{
    struct prb_ops_check check = { .name = name, .state = state, .detail = detail };

    walk->each(walk->sink, &check);
}

static bool is_out_of_reach(const struct prb_informer_state *state)
{
    return !state->synced && (state->not_served || state->code == PRB_E_FORBIDDEN);
}

/* A collection that was read stays good for decisions while the server is away. One that no rule
 * looks up says nothing of whether reviews are answered. A kind that is not installed, or may not
 * be read, holds up nobody: rules ask live, and an unready webhook would refuse everything. */
static enum prb_ops_state judge(const struct prb_informer_state *state, bool is_of_rule)
{
    if (state->synced)
        return PRB_OPS_OK;
    return !is_of_rule || is_out_of_reach(state) ? PRB_OPS_INFO : PRB_OPS_FAILED;
}

/* Where reviews are answered, only what rules look up; where none are, all of it. */
static bool decides_readiness(const struct prb_wiring *wiring, struct prb_informer *informer)
{
    for (size_t i = 0; i < wiring->rule_store_count; i++) {
        if (wiring->rule_stores[i] == prb_informer_store(informer))
            return true;
    }
    return !wiring->options.judge;
}

static void describe(const struct prb_informer_state *state, char detail[DETAIL_SIZE])
{
    if (state->not_served)
        (void)snprintf(detail, DETAIL_SIZE, "the server does not have this kind; looked for again");
    else if (is_out_of_reach(state))
        (void)snprintf(detail, DETAIL_SIZE, "may not be read; tried again: %s", state->error);
    else if (!state->synced)
        (void)snprintf(
                detail, DETAIL_SIZE, "not read yet%s%s", state->error[0] ? ": " : "", state->error);
    else if (!state->connected)
        (void)snprintf(detail, DETAIL_SIZE, "%zu objects, last state; not watched now: %s",
                state->objects, state->error[0] ? state->error : "reconnecting");
    else
        (void)snprintf(detail, DETAIL_SIZE, "%zu objects, watched", state->objects);
}

static void add_collection(void *ctx, struct prb_informer *informer)
{
    const struct check_walk *walk = ctx;
    struct prb_informer_state state;
    char name[PRB_SIDE_TEXT_SIZE], detail[DETAIL_SIZE];

    prb_informer_state(informer, &state);
    prb_side_describe(prb_informer_gvr(informer), name);
    describe(&state, detail);
    add_check(walk, name, judge(&state, decides_readiness(walk->wiring, informer)), detail);
}

/* A collection that is read by namespace is shown for information: readiness never waits for it. */
static void add_namespaced(void *ctx, const struct prb_namespaced_state *state)
{
    char name[PRB_SIDE_TEXT_SIZE], detail[WANTED_DETAIL_SIZE];

    prb_side_describe(&state->gvr, name);
    (void)snprintf(detail, sizeof(detail),
            "read where a cluster or namespace is deleted: %zu objects, %zu watches, %zu not read "
            "yet%s%s",
            state->objects, state->watches, state->unread, state->trouble[0] ? ": " : "",
            state->trouble);
    add_check(ctx, name, PRB_OPS_INFO, detail);
}

static void describe_wanted(const struct prb_known_resource *known, bool read, size_t objects,
        char detail[WANTED_DETAIL_SIZE])
{
    const char *separator = known->trouble[0] ? ": " : "";

    if (known->state == PRB_RESOURCE_ABSENT)
        (void)snprintf(
                detail, WANTED_DETAIL_SIZE, "the server does not have this kind; looked for again");
    else if (known->state == PRB_RESOURCE_UNKNOWN)
        (void)snprintf(detail, WANTED_DETAIL_SIZE, "not found yet%s%s", separator, known->trouble);
    else if (!read)
        (void)snprintf(detail, WANTED_DETAIL_SIZE, "not read yet%s%s", separator, known->trouble);
    else
        (void)snprintf(
                detail, WANTED_DETAIL_SIZE, "%zu objects%s%s", objects, separator, known->trouble);
}

/* Whoever writes a CriticalService chooses the name: it must not forge a line of its own. */
static void make_plain(char *text)
{
    for (; *text; text++) {
        if ((unsigned char)*text < ' ' || *text == '\x7f')
            *text = '?';
    }
}

/* A collection that objects name. What somebody writes into an object must not make us unready. */
static void add_wanted(void *ctx, const char *controller, const struct prb_known_resource *known,
        bool read, size_t objects)
{
    char detail[WANTED_DETAIL_SIZE];
    prb_autofree char *name = prb_asprintf(
            "%s wants %s%s%s", controller, known->name, known->group[0] ? "." : "", known->group);

    describe_wanted(known, read, objects, detail);
    make_plain(name);
    make_plain(detail);
    add_check(ctx, name, PRB_OPS_INFO, detail);
}

void prb_wiring_each_check(struct prb_wiring *wiring, prb_ops_check_fn each, void *sink)
{
    static const char *const roles[] = { [PRB_ROLE_ALONE] = "no election, this one acts",
        [PRB_ROLE_STANDBY] = "on standby, another one acts or will",
        [PRB_ROLE_LEADER] = "this one leads" };
    struct check_walk walk = { .wiring = wiring, .each = each, .sink = sink };

    if (atomic_load(&wiring->draining))
        add_check(&walk, "shutdown", PRB_OPS_FAILED, "stopping");
    if (atomic_load(&wiring->failed))
        add_check(&walk, "controllers", PRB_OPS_FAILED, "could not be started");
    if (!atomic_load(&wiring->joined)) {
        add_check(&walk, "state", PRB_OPS_FAILED, "connecting, or loading manifests");
        return;
    }
    prb_informers_each(wiring->informers, add_collection, &walk);
    if (wiring->side_informers)
        prb_informers_each(wiring->side_informers, add_collection, &walk);
    prb_informers_each_namespaced(wiring->informers, add_namespaced, &walk);
    for (size_t i = 0; i < wiring->runner_count; i++)
        prb_runner_each_wanted(wiring->runners[i], add_wanted, &walk);
    add_check(&walk, "leader", PRB_OPS_INFO, roles[atomic_load(&wiring->role)]);
}

static void add_wait(void *ctx, const char *controller, const struct prb_ref *key,
        const char *waits_for, int64_t since_ms)
{
    struct wait_walk *walk = ctx;
    struct prb_ref ref = *key; /* as people call it, who know which kinds are on the hub */
    struct prb_ops_wait wait = {
        .controller = controller, .ref = &ref, .waits_for = waits_for, .since_ms = since_ms
    };

    if (prb_side_is_hub(key->gvr.group))
        prb_side_strip(key->gvr.group, ref.gvr.group);
    walk->each(walk->sink, &wait);
}

void prb_wiring_each_wait(struct prb_wiring *wiring, prb_ops_wait_fn each, void *sink)
{
    struct wait_walk walk = { .each = each, .sink = sink };

    if (!atomic_load(&wiring->joined))
        return;
    for (size_t i = 0; i < wiring->runner_count; i++)
        prb_runner_each_wait(wiring->runners[i], add_wait, &walk);
}

/* Is there one that decides, and was not read? */
struct readiness {
    const struct prb_wiring *wiring;
    bool missing;
};

static void look_at_readiness(void *ctx, struct prb_informer *informer)
{
    struct readiness *readiness = ctx;
    struct prb_informer_state state;

    prb_informer_state(informer, &state);
    if (judge(&state, decides_readiness(readiness->wiring, informer)) == PRB_OPS_FAILED)
        readiness->missing = true;
}

bool prb_wiring_can_begin(struct prb_wiring *wiring)
{
    struct readiness readiness = { .wiring = wiring };

    prb_informers_each(wiring->informers, look_at_readiness, &readiness);
    if (wiring->side_informers)
        prb_informers_each(wiring->side_informers, look_at_readiness, &readiness);
    return !readiness.missing;
}

static void add_unread(void *ctx, struct prb_informer *informer)
{
    struct prb_informer_state state;
    struct prb_str *names = ctx;

    prb_informer_state(informer, &state);
    if (!state.synced && !is_out_of_reach(&state))
        prb_str_addf(
                names, "%s%s", names->len > 0 ? ", " : "", prb_informer_gvr(informer)->resource);
}

void prb_wiring_log_unread(struct prb_wiring *wiring)
{
    prb_auto(prb_str_done) struct prb_str names;

    prb_str_init(&names, PRB_LOG_VALUE_MAX);
    prb_informers_each(wiring->informers, add_unread, &names);
    if (wiring->side_informers)
        prb_informers_each(wiring->side_informers, add_unread, &names);
    prb_warn("these collections could not be read yet; /readyz?verbose says why",
            KV("collections", prb_str_get(&names)));
}
