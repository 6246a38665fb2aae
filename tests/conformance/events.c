/* What is told of a row's own objects? */

#include "events.h"

#include "objects.h"
#include "support/wait.h"

int conf_events_start(struct conf *c, const struct conf_kind *kind,
        const struct prb_watch_options *options, struct prb_watch_log **ret)
{
    struct prb_watch_options filled =
            options ? *options : (struct prb_watch_options){ .namespace = NULL };

    if (!filled.namespace && kind->namespaced)
        filled.namespace = c->ns;
    if (!filled.label_selector)
        filled.label_selector = c->selector;
    c->err = (struct prb_error){ .code = PRB_OK };
    return prb_watch_log_start(c->api, &kind->gvr, &filled, ret, &c->err);
}

static int tell(struct conf *c)
{
    return prb_fail(&c->err, PRB_E_UNAVAILABLE, "%s", prb_test_awaited());
}

int conf_events_wait(struct conf *c, struct prb_watch_log *events, size_t count)
{
    return prb_watch_log_wait(events, count, PRB_TEST_SOON_MS) ? 0 : tell(c);
}

/* Bookmarks come once a minute from a real server. */
int conf_events_wait_bookmark(struct conf *c, struct prb_watch_log *events)
{
    return prb_watch_log_wait_bookmark(events, PRB_TEST_LONG_MS) ? 0 : tell(c);
}

int conf_events_wait_deleted(struct conf *c, struct prb_watch_log *events, const char *name)
{
    struct prb_ref ref = conf_ref(c, &conf_configmap, name);

    return prb_watch_log_wait_for(events, PRB_WATCH_DELETED, ref.name, PRB_TEST_SOON_MS) ? 0
                                                                                         : tell(c);
}

int conf_events_wait_closed(struct conf *c, struct prb_watch_log *events)
{
    return prb_watch_log_wait_closed(events, PRB_TEST_SOON_MS, &c->err) ? 0 : tell(c);
}

int conf_events_find(const struct conf *c, struct prb_watch_log *events,
        enum prb_watch_event_type type, const char *name)
{
    struct prb_ref ref = conf_ref(c, &conf_configmap, name);

    return prb_watch_log_find(events, type, ref.name);
}
