/* What was asked of the API server, and what became of it? */

#include "support/fault_log.h"

#include <pthread.h>
#include <stdlib.h>

#include "probate/base/map.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"

/* Calls of one sort. */
struct counter {
    struct prb_api_call call;
    unsigned long count;
};

struct prb_fault_log {
    pthread_mutex_t lock;           /* over all below */
    struct prb_map *counters;       /* owned: verb, resource and name -> struct counter */
    struct prb_fault_write *writes; /* owned, as the texts in it */
    size_t count, cap;
    unsigned long lost;
};

struct prb_fault_log *prb_fault_log_new(void)
{
    struct prb_fault_log *log = prb_calloc(1, sizeof(*log));

    (void)pthread_mutex_init(&log->lock, NULL);
    log->counters = prb_map_new(free);
    return log;
}

void prb_fault_log_free(struct prb_fault_log *log)
{
    if (!log)
        return;
    for (size_t i = 0; i < log->count; i++) {
        free(log->writes[i].agent);
        free(log->writes[i].body);
        free(log->writes[i].resource_version);
    }
    free(log->writes);
    prb_map_free(log->counters);
    (void)pthread_mutex_destroy(&log->lock);
    free(log);
}

void prb_fault_log_count(struct prb_fault_log *log, const struct prb_api_call *call)
{
    char ref[PRB_REF_TEXT_SIZE];
    prb_autofree char *key = NULL;
    struct counter *counter;

    prb_ref_format(&call->ref, ref);
    key = prb_asprintf("%s %s %s", call->verb, call->subresource, ref);
    (void)pthread_mutex_lock(&log->lock);
    counter = prb_map_find(log->counters, key);
    if (!counter) {
        counter = prb_calloc(1, sizeof(*counter));
        counter->call = *call;
        prb_map_set(log->counters, key, counter);
    }
    counter->count++;
    (void)pthread_mutex_unlock(&log->lock);
}

unsigned long prb_fault_log_calls(
        struct prb_fault_log *log, const char *verb, const char *resource, const char *name)
{
    unsigned long sum = 0;
    const char *key;
    size_t at = 0;
    void *value;

    (void)pthread_mutex_lock(&log->lock);
    while (prb_map_next(log->counters, &at, &key, &value)) {
        const struct counter *counter = value;

        if (prb_api_call_has_verb(&counter->call, verb) &&
                prb_api_call_is_on(&counter->call, resource) &&
                (!name || prb_streq(name, "*") || prb_streq(name, counter->call.ref.name)))
            sum += counter->count;
    }
    (void)pthread_mutex_unlock(&log->lock);
    return sum;
}

void prb_fault_log_write(struct prb_fault_log *log, const struct prb_fault_write *write)
{
    (void)pthread_mutex_lock(&log->lock);
    if (log->count == PRB_FAULT_WRITES_MAX) {
        log->lost++;
    } else {
        struct prb_fault_write *entry;

        if (log->count == log->cap) {
            log->cap = log->cap ? 2 * log->cap : 64;
            log->writes = prb_realloc(log->writes, log->cap, sizeof(*log->writes));
        }
        entry = &log->writes[log->count++];
        *entry = *write;
        entry->agent = prb_strdup(write->agent ? write->agent : "");
        entry->body = prb_strndup(write->body ? write->body : "", PRB_FAULT_BODY_MAX);
        entry->resource_version =
                prb_strdup(write->resource_version ? write->resource_version : "");
    }
    (void)pthread_mutex_unlock(&log->lock);
}

void prb_fault_log_each_write(struct prb_fault_log *log, prb_fault_write_fn each, void *ctx)
{
    (void)pthread_mutex_lock(&log->lock);
    for (size_t i = 0; i < log->count; i++)
        each(ctx, &log->writes[i]);
    (void)pthread_mutex_unlock(&log->lock);
}

unsigned long prb_fault_log_lost(struct prb_fault_log *log)
{
    unsigned long lost;

    (void)pthread_mutex_lock(&log->lock);
    lost = log->lost;
    (void)pthread_mutex_unlock(&log->lock);
    return lost;
}
