/* Is a policy to be evaluated now, and when again? */

#include <string.h>

#include "probate/base/clock.h"
#include "probate/base/str.h"
#include "probate/model/policy_namespaces.h"

#include "policy_internal.h"

/* Bytes: 100,000 namespaces with the longest names there are. */
#define NAMES_MAX ((size_t)100000 * PRB_NAMESPACE_SIZE)

void prb_policy_hash_namespaces(const struct prb_policy_run *run, char ret[PRB_SHA256_HEX_SIZE])
{
    prb_auto(prb_namespaces_done) struct prb_namespaces selected = { .count = 0 };
    prb_auto(prb_str_done) struct prb_str all;
    struct prb_error err;

    prb_str_init(&all, NAMES_MAX);
    if (prb_policy_namespaces(run->policy.namespace_selector, run->view, &selected, &err) < 0)
        prb_str_add(&all, err.msg);
    for (size_t i = 0; i < selected.count; i++)
        prb_str_addf(&all, "%s/", selected.names[i]);
    prb_sha256_hex(prb_str_get(&all), all.len, ret);
}

/* Which namespaces are meant has changed, or nobody remembers. */
static bool is_elsewhere(const struct prb_policy_run *run)
{
    char namespaces[PRB_SHA256_HEX_SIZE];

    if (!run->policy.namespace_selector)
        return false;
    prb_policy_hash_namespaces(run, namespaces);
    return !prb_streq(prb_json_str(prb_view_memory(run->view), "namespaces"), namespaces);
}

/* Something was begun: an intent, or an object that is to go. */
static bool has_open_ends(const struct prb_policy_run *run)
{
    const char *key;
    void *entry;

    for (size_t at = 0; prb_map_next(run->related, &at, &key, &entry);) {
        struct prb_provenance was = prb_provenance_of(entry);

        if (was.phase != PRB_PHASE_SEEN ||
                prb_streq(prb_json_str(entry, "reason"), PRB_REASON_LEFT))
            return true;
    }
    return false;
}

static int64_t interval_in(const struct prb_policy_run *run, const char *state)
{
    return prb_streq(state, PRB_COMPLIANT) ? run->policy.compliant_ms : run->policy.noncompliant_ms;
}

static int64_t last_evaluated(const struct prb_policy_run *run)
{
    const char *text = prb_json_str(prb_object_status(run->now), "lastEvaluated");
    int64_t told = 0, remembered = 0;

    (void)(text && prb_time_parse(text, &told));
    (void)prb_json_int(prb_view_memory(run->view), "at", &remembered);
    return told > remembered ? told : remembered;
}

int64_t prb_policy_due_in(const struct prb_policy_run *run)
{
    const struct json_object *status = prb_object_status(run->now);
    const char *state = prb_json_str(status, "compliant");
    int64_t generation = 0, interval, left;

    if (!prb_json_int(status, "lastEvaluatedGeneration", &generation) ||
            generation != prb_object_generation(run->now) ||
            !(prb_streq(state, PRB_COMPLIANT) || prb_streq(state, PRB_NON_COMPLIANT)))
        return 0;
    interval = interval_in(run, state);
    if (interval == PRB_EVALUATE_ON_WATCH || has_open_ends(run) || is_elsewhere(run))
        return 0;
    if (interval == PRB_EVALUATE_NEVER)
        return PRB_EVALUATE_NEVER;
    left = last_evaluated(run) + interval - prb_view_now_ms(run->view);
    return left > 0 && left <= interval ? left : 0;
}

/* Not all at once: each at its own time, and always the same. */
static int64_t resync_ms(const struct prb_policy_run *run)
{
    uint32_t hash = 5381;

    for (const char *at = prb_object_uid(run->now); *at; at++)
        hash = hash * 33 + (unsigned char)*at;
    return PRB_POLICY_RESYNC_MS + hash % (PRB_POLICY_RESYNC_MS / 2 + 1);
}

void prb_policy_come_again(struct prb_policy_run *run, bool is_compliant)
{
    int64_t interval = interval_in(run, is_compliant ? PRB_COMPLIANT : PRB_NON_COMPLIANT);

    if (interval == PRB_EVALUATE_ON_WATCH)
        prb_changes_again(run->out, resync_ms(run));
    else if (interval != PRB_EVALUATE_NEVER)
        prb_changes_again(run->out, interval);
    for (size_t i = 0; i < run->count; i++) {
        if (run->items[i].behind_ms > 0)
            prb_changes_again(run->out, run->items[i].behind_ms);
    }
}
