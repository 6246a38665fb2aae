/* What does a reconciler want to know of the server before it, or what follows, goes on? */

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/model/defect.h"

#include "changes_internal.h"

void prb_changes_expect_absent(
        struct prb_changes *changes, const struct prb_ref *ref, const char *why)
{
    (void)prb_changes_append(changes, PRB_CHANGE_EXPECT_ABSENT, ref, why);
}

void prb_changes_expect_none(struct prb_changes *changes, const struct prb_gvr *gvr,
        const char *namespace, const char *why)
{
    struct prb_ref ref = { .gvr = *gvr };

    /* Cut off it would be "everywhere". */
    if (namespace[0] == '\0' || !prb_copy(ref.namespace, sizeof(ref.namespace), namespace))
        prb_defect("no namespace can have that name");
    (void)prb_changes_append(changes, PRB_CHANGE_EXPECT_NONE, &ref, why);
}

void prb_changes_read(
        struct prb_changes *changes, const struct prb_ref *ref, const char *slot, const char *why)
{
    prb_changes_append(changes, PRB_CHANGE_READ, ref, why)->slot = prb_strdup(slot);
}

void prb_changes_resolve(
        struct prb_changes *changes, const char *group, const char *name, const char *slot)
{
    struct prb_change *change = prb_changes_append(
            changes, PRB_CHANGE_RESOLVE, &(struct prb_ref){ .name = "" }, "find its resource");

    /* As they are, of any length: cut off they would be others. */
    change->api_version = prb_strdup(group);
    change->kind = prb_strdup(name);
    change->slot = prb_strdup(slot);
}

void prb_changes_resolve_surely(
        struct prb_changes *changes, const char *group, const char *name, const char *slot)
{
    prb_changes_resolve(changes, group, name, slot);
    changes->items[changes->count - 1].is_sure = true;
}
