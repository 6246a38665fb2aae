/* Which rights does the controller of claims need on kinds that flags name? */

#include "claim_rights.h"

#include <stdlib.h>

#include "probate/base/mem.h"

void prb_claim_rights_done(struct prb_claim_rights *rights)
{
    for (size_t i = 0; i < rights->count; i++)
        free(rights->texts[i]);
    free(rights->texts);
    free(rights->items);
    *rights = (struct prb_claim_rights){ .count = 0 };
}

static void add(struct prb_claim_rights *rights, const struct prb_gvr *gvr, const char *subresource,
        const char *verbs)
{
    char *text = prb_asprintf("%s%s", gvr->resource, subresource);

    rights->texts = prb_realloc(rights->texts, rights->count + 1, sizeof(char *));
    rights->items = prb_realloc(rights->items, rights->count + 1, sizeof(*rights->items));
    rights->texts[rights->count] = text;
    rights->items[rights->count++] = (struct prb_right){ gvr->group, text, verbs };
}

/* Changing a reference to an owner takes the right to delete the object, and to let it block takes
 * that on the owner's finalizers, where OwnerReferencesPermissionEnforcement is on. */
void prb_claim_rights_fill(struct prb_claim_rights *rights, const struct prb_gvr *claims,
        size_t claim_count, const struct prb_claim_kinds *kinds)
{
    for (size_t i = 0; i < claim_count; i++) {
        add(rights, &claims[i], "", "get,list,watch,patch");
        add(rights, &claims[i], "/status", "patch");
    }
    for (size_t i = 0; kinds && i < kinds->composite_count; i++) {
        add(rights, &kinds->composites[i], "", "get,list,watch,patch,delete");
        add(rights, &kinds->composites[i], "/finalizers", "update");
    }
    for (size_t i = 0; kinds && i < kinds->composed_count; i++)
        add(rights, &kinds->composed[i], "", "list,watch,patch,delete");
}
