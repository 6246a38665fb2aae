/* Is a namespace without its cluster left alone? */

#include "rows.h"

/* As a backup brings a namespace back: with whatever annotations it had. */
#define OLD_MARKS                                                       \
    "'annotations':{'" PRB_MARK_CLUSTER_UID                             \
    "':'7f0c6ad5-0b57-4a4f-9f0e-5d0f2d1c7b11','" PRB_MARK_NAMESPACE_UID \
    "':'0a2f9d0e-9f6c-4a55-8d5e-0c1b2a3d4e5f'}"

static int restore(struct estate *estate, const char *meta)
{
    DO(estate_make(estate, NAMESPACE, NULL, meta));
    DO(estate_make(estate, ADDON, "search", ""));
    DO(estate_make_addon_work(estate, "deploy", "search"));
    DO(estate_make_addon_work(estate, "orphaned", "long-gone"));
    DO(make_customised(estate, "mine"));
    return estate_make_rights(estate);
}

static int expect_all(struct estate *estate)
{
    DO(estate_expect_untouched(estate, ADDON, "search"));
    DO(estate_expect_untouched(estate, WORK, "deploy"));
    DO(estate_expect_untouched(estate, WORK, "orphaned"));
    DO(estate_expect_untouched(estate, WORK, "mine"));
    DO(estate_expect_untouched(estate, ROLEBINDING, "work"));
    DO(estate_expect_untouched(estate, ROLEBINDING, "registration"));
    DO(estate_expect_untouched(estate, ROLE, NULL));
    DO(estate_expect_untouched(estate, ROLE_BINDING, NULL));
    return estate_expect_untouched(estate, NAMESPACE, NULL);
}

/* The cluster comes at last, and lives. */
static int come_back(struct estate *estate)
{
    DO(expect_all(estate));
    DO(estate_make(estate, CLUSTER, NULL, ""));
    DO(estate_await_held(estate));
    DO(estate_await_unmarked(estate));
    DO(expect_all(estate));
    return estate_expect_untouched(estate, CLUSTER, NULL);
}

static int namespaces_come_before_clusters(struct estate *estate)
{
    DO(restore(estate, ""));
    DO(estate_await_waits(estate, "it has no mark, so nothing in it is touched"));
    return come_back(estate);
}

static int namespaces_bring_old_marks(struct estate *estate)
{
    DO(restore(estate, OLD_MARKS));
    DO(estate_await_waits(estate, "was made for another namespace of that name"));
    DO(estate_await_event(estate, "NamespaceNotOurs"));
    return come_back(estate);
}

static const struct row list[] = {
    { "a restored hub has namespaces before their clusters: nothing is deleted", AS_IT_COMES,
            namespaces_come_before_clusters },
    { "restored namespaces carry old marks: nothing is deleted", AS_IT_COMES,
            namespaces_bring_old_marks },
};

ROW_LIST(rows_remains);
