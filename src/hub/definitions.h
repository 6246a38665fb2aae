#ifndef PROBATE_HUB_DEFINITIONS_INTERNAL_H
#define PROBATE_HUB_DEFINITIONS_INTERNAL_H

/* CRDs and XRDs: the objects that define kinds. */

#include "state.h"

#define PRB_HUB_CRD_GROUP "apiextensions.k8s.io"
#define PRB_HUB_CRDS "customresourcedefinitions"
#define PRB_HUB_XRD_GROUP "apiextensions.crossplane.io"
#define PRB_HUB_XRDS "compositeresourcedefinitions"
#define PRB_HUB_CRD_FINALIZER "customresourcecleanup.apiextensions.k8s.io"

/* Serve what a CRD or XRD defines as of `after`; NULL: a CRD is gone, and its kind with it. */
void prb_hub_define(struct prb_hub *hub, const struct prb_hub_kind *kind,
        const struct prb_object *before, const struct prb_object *after);

/* INVALID when a CRD or XRD (any other kind passes) lacks what makes a kind. */
int prb_hub_definition_check(const struct prb_hub_kind *kind, const char *name,
        const struct json_object *tree, struct prb_error *err);

/* Give a CRD the status of one whose names were accepted, unless it has that already. */
bool prb_hub_definition_establish(struct prb_hub *hub, struct json_object *tree);

/* Mark a CRD as being deleted, as the first DELETE does. */
void prb_hub_definition_terminate(struct prb_hub *hub, struct json_object *tree);

/* The controller's turn: establish, or remove the instances of a CRD that is being deleted. */
struct prb_hub_item;
void prb_hub_definition_step(struct prb_hub *hub, const struct prb_hub_item *item);

#endif
