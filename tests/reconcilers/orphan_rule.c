/* Would the webhook let a work be changed like this? */

#include "orphan_rule.h"

#include "probate/core/verdict.h"
#include "probate/rules/registry.h"

bool orphan_rule_allows(struct prb_object *old, struct prb_object *now)
{
    prb_auto(prb_verdict_done) struct prb_verdict verdict;
    char name[] = "w", namespace[] = "c1", kind[] = "ManifestWork";
    const struct prb_request request = { .operation = PRB_UPDATE,
        .name = name,
        .namespace = namespace,
        .kind = kind,
        .old = old,
        .object = now };

    prb_verdict_init(&verdict);
    prb_rule_manifestwork_orphan.judge(NULL, &request, NULL, NULL, &verdict);
    return prb_verdict_allows(&verdict);
}
