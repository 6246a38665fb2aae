/* Which objects are not written yet, since others undo them again and again? */

#include "probate/base/str.h"

#include "patience.h"
#include "policy_internal.h"

static struct prb_patience patience(const struct prb_policy_run *run)
{
    return (struct prb_patience){ prb_view_now_ms(run->view), PRB_POLICY_RESYNC_MS };
}

bool prb_policy_may_write(const struct prb_policy_run *run, struct prb_policy_item *item)
{
    int64_t left = prb_patience_left_ms(patience(run), prb_policy_remembered(run, item));

    if (left <= 0)
        return true;
    prb_policy_item_fail(item, false,
            "somebody else changes it again and again, another policy perhaps: it is set again "
            "later");
    item->behind_ms = left;
    return false;
}

/* What is deleted only to be made again is one write with that. */
static bool was_written(const struct prb_policy_item *item)
{
    return item->did && !(item->template->type == PRB_MUST_HAVE && prb_streq(item->did, "deleted"));
}

void prb_policy_count_writes(const struct prb_policy_run *run, const struct prb_policy_item *item,
        struct json_object *entry)
{
    prb_patience_count(patience(run), prb_policy_remembered(run, item), was_written(item), entry);
}
