/* Which manifests are not written yet, since others undo them again and again? */

#include "patience.h"
#include "work_apply.h"

static struct prb_patience patience(const struct prb_pass *pass)
{
    return (struct prb_patience){ prb_view_now_ms(pass->pair->view), prb_apply_resync_ms(pass) };
}

void prb_apply_be_patient(const struct prb_pass *pass, struct prb_item *item)
{
    const struct json_object *entry = prb_apply_remembered(pass, item);
    int64_t left = prb_patience_left_ms(patience(pass), entry);

    if (item->state != PRB_ITEM_WRITES || item->wrote || left <= 0)
        return;
    prb_changes_done(&item->asks);
    prb_item_fail(item, false,
            "somebody else changes it again and again, another work perhaps: it is written again "
            "later");
    item->behind_ms = left;
}

void prb_apply_count_writes(
        const struct prb_pass *pass, const struct prb_item *item, struct json_object *entry)
{
    prb_patience_count(patience(pass), prb_apply_remembered(pass, item), item->wrote, entry);
}
