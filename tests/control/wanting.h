#ifndef TESTS_CONTROL_WANTING_H
#define TESTS_CONTROL_WANTING_H

/*
 * A reconciler whose ConfigMaps name collections: each has an annotation "wants" with GROUP/NAME,
 * several with commas between them, and the reconciler notes for each ConfigMap, by its name, what
 * its view shows. Thread-safe.
 *
 *   none                                        nobody looked for it
 *   unknown (TROUBLE)
 *   absent
 *   present widgets.v1.example.com: w1 w2       read, with these objects in order
 *   present widgets.v1.example.com unread forbidden (TROUBLE)
 *
 * What the annotation "wants-whole" names is read with its bodies, of which spec.names stays:
 * further GROUP/NAMEs, which are wanted without bodies. An object that has a body is noted as
 * "w1=TEXT".
 */

#include "probate/core/reconciler.h"

extern const struct prb_reconciler wanting;

/* Looks that the reconciler took, all keys together. */
extern _Atomic int looks;

/* What was noted last for a ConfigMap; the caller's. */
char *noted(const char *map);
void forget_notes(void);

#endif
