#ifndef SRC_RECONCILERS_POLICY_PROVENANCE_H
#define SRC_RECONCILERS_POLICY_PROVENANCE_H

/* Did this policy create that object? policy_provenance.c says how that is known. */

#include <stdbool.h>
#include <stdint.h>

#include "probate/base/json.h"
#include "probate/model/object.h"

enum prb_phase {
    PRB_PHASE_SEEN,       /* `uid` is that of an object */
    PRB_PHASE_CREATING,   /* a CREATE was about to be sent; `uid` is the token it carries */
    PRB_PHASE_RECREATING, /* it is deleted only to be made again; `uid` is what it was */
    PRB_PHASE_DELETING,   /* DeleteAll is about to delete `uid`, and no other of its name */
};

struct prb_provenance {
    bool is_known; /* the status says anything at all */
    bool created;
    enum prb_phase phase;
    const char *uid; /* borrowed, never NULL */
    bool is_odd;     /* the status has a uid that is no text; `uid` is "" */
};

/* Of an entry of status.relatedObjects; NULL: there is none. */
struct prb_provenance prb_provenance_of(const struct json_object *entry);

/* The time a token was made, in ms; 0: it is none of ours. */
int64_t prb_provenance_token_ms(const char *token);

/* Did the CREATE of that intent make this object? */
bool prb_provenance_proves(
        const struct prb_provenance *intent, const char *policy_uid, const struct prb_object *live);

/* May DeleteIfCreated delete this object? */
bool prb_provenance_owns(
        const struct prb_provenance *was, const char *policy_uid, const struct prb_object *live);

/* status.relatedObjects[].properties: of an object that is there, of a CREATE, of a deletion in
 * between. Owned; NULL: none. */
struct json_object *prb_provenance_seen(
        const struct prb_provenance *was, const char *policy_uid, const struct prb_object *live);
struct json_object *prb_provenance_json(bool created, const char *prefix, const char *uid);
#define PRB_CREATING "creating-"
#define PRB_RECREATING "recreating-"
#define PRB_DELETING "deleting-"

#endif
