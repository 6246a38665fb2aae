/* Which fault, if any, hits this call? */

#include "support/fault_rules.h"

#include <pthread.h>
#include <stdlib.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

struct entry {
    struct prb_fault_rule rule; /* its texts are those below */
    char *verb;                 /* owned, as all texts */
    char *resource;
    char *name;
    int id;
    unsigned hits;
    struct entry *next; /* owned */
};

struct prb_fault_rules {
    pthread_mutex_t lock; /* over all below */
    struct entry *first;  /* owned, in the order in which they were added */
    int last_id;
};

struct prb_fault_rules *prb_fault_rules_new(void)
{
    struct prb_fault_rules *rules = prb_calloc(1, sizeof(*rules));

    (void)pthread_mutex_init(&rules->lock, NULL);
    return rules;
}

static void free_entry(struct entry *entry)
{
    free(entry->verb);
    free(entry->resource);
    free(entry->name);
    free(entry);
}

void prb_fault_rules_free(struct prb_fault_rules *rules)
{
    if (!rules)
        return;
    prb_fault_rules_clear(rules, 0);
    (void)pthread_mutex_destroy(&rules->lock);
    free(rules);
}

int prb_fault_rules_add(struct prb_fault_rules *rules, const struct prb_fault_rule *rule)
{
    struct entry *entry = prb_calloc(1, sizeof(*entry));
    struct entry **at = &rules->first;
    int id;

    entry->rule = *rule;
    entry->rule.verb = entry->verb = prb_strdup(rule->verb);
    entry->rule.resource = entry->resource = prb_strdup(rule->resource);
    entry->rule.name = entry->name = prb_strdup(rule->name);
    (void)pthread_mutex_lock(&rules->lock);
    id = entry->id = ++rules->last_id;
    while (*at)
        at = &(*at)->next;
    *at = entry;
    (void)pthread_mutex_unlock(&rules->lock);
    return id;
}

void prb_fault_rules_clear(struct prb_fault_rules *rules, int id)
{
    (void)pthread_mutex_lock(&rules->lock);
    for (struct entry **at = &rules->first; *at;) {
        struct entry *entry = *at;

        if (id != 0 && entry->id != id) {
            at = &entry->next;
            continue;
        }
        *at = entry->next;
        free_entry(entry);
    }
    (void)pthread_mutex_unlock(&rules->lock);
}

/* Lock held. */
static const struct entry *find(const struct prb_fault_rules *rules, int id)
{
    const struct entry *entry = rules->first;

    while (entry && entry->id != id)
        entry = entry->next;
    return entry;
}

unsigned prb_fault_rules_hits(struct prb_fault_rules *rules, int id)
{
    const struct entry *entry;
    unsigned hits;

    (void)pthread_mutex_lock(&rules->lock);
    entry = find(rules, id);
    hits = entry ? entry->hits : 0;
    (void)pthread_mutex_unlock(&rules->lock);
    return hits;
}

bool prb_fault_rules_has(struct prb_fault_rules *rules, int id)
{
    bool found;

    (void)pthread_mutex_lock(&rules->lock);
    found = find(rules, id) != NULL;
    (void)pthread_mutex_unlock(&rules->lock);
    return found;
}

/* Can this fault happen to a request, or only to events of a watch? */
static bool fits_stage(enum prb_fault fault, bool is_watch, enum prb_fault_stage stage)
{
    bool event = stage == PRB_FAULT_AT_EVENT;

    if (stage == PRB_FAULT_AT_BOOKMARK)
        return fault == PRB_FAULT_BLACKHOLE;
    switch (fault) {
    case PRB_FAULT_BLACKHOLE:
        return true;
    case PRB_FAULT_TRUNCATE:
        return event == is_watch;
    case PRB_FAULT_SLOW_EVENTS:
    case PRB_FAULT_REPEAT_EVENTS:
        return event;
    case PRB_FAULT_EXPIRE:
        return is_watch && !event;
    case PRB_FAULT_NONE:
    case PRB_FAULT_DROP_BEFORE:
    case PRB_FAULT_DROP_AFTER:
    case PRB_FAULT_DELAY:
    case PRB_FAULT_ANSWER:
    default:
        return !event;
    }
}

static bool matches(
        const struct entry *entry, const struct prb_api_call *call, enum prb_fault_stage stage)
{
    const struct prb_fault_rule *rule = &entry->rule;

    return (rule->times == 0 || entry->hits < (unsigned)rule->times) &&
           prb_api_call_has_verb(call, rule->verb) && prb_api_call_is_on(call, rule->resource) &&
           (!rule->name || prb_streq(rule->name, call->ref.name)) &&
           fits_stage(rule->fault, prb_streq(call->verb, "watch"), stage);
}

struct prb_fault_hit prb_fault_rules_take(
        struct prb_fault_rules *rules, const struct prb_api_call *call, enum prb_fault_stage stage)
{
    struct prb_fault_hit hit = { .fault = PRB_FAULT_NONE };
    struct entry *entry;

    (void)pthread_mutex_lock(&rules->lock);
    for (entry = rules->first; entry && !matches(entry, call, stage); entry = entry->next)
        continue;
    if (entry) {
        entry->hits++;
        hit = (struct prb_fault_hit){ .fault = entry->rule.fault,
            .id = entry->id,
            .delay_ms = entry->rule.delay_ms,
            .status = entry->rule.status,
            .retry_after_s = entry->rule.retry_after_s };
    }
    (void)pthread_mutex_unlock(&rules->lock);
    return hit;
}
