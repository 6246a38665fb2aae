/*
 * Did this policy create that object?
 *
 * DeleteIfCreated deletes what the policy has created, and nothing else, whatever happens between
 * the CREATE and the status that tells of it. So the status tells of it before, with an intent:
 *
 *   properties: {createdByPolicy: true, uid: creating-1767225600000-4f1d...}
 *
 * and the CREATE carries the annotation probate.dev/created-by-policy with the policy's uid and the
 * same token. The token is made for this one intent, from the policy's uid, its resourceVersion,
 * the object's name and the time, and lives in the status until the uid of the object takes its
 * place. Who is killed in between finds intent and object again, and the annotation on the object
 * says whether that very CREATE has made it:
 *
 *   - the object has the token of the intent: it was made by that CREATE, and its uid is recorded;
 *   - it has another or none: it was there before, or somebody else was faster. A copy, or what is
 *     restored from a backup, has an old token at best, and those are in no status any more;
 *   - there is none: the CREATE was never sent, or is still on its way. It is sent again with the
 *     same token, so that it does not matter which of the two arrives.
 *
 * The annotation says nothing without an intent, and an intent nothing of an object without it:
 * neither can be brought about by copying. Once the uid is recorded, the uid alone counts.
 *
 * An object that is deleted to be made again keeps what it was: "recreating-<uid>" remembers it in
 * between, and the intent that follows takes over createdByPolicy. What DeleteAll deletes by its
 * name is "deleting-<uid>" from before the DELETE on (policy_remove_record.c).
 */

#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "policy_internal.h"

struct prb_provenance prb_provenance_of(const struct json_object *entry)
{
    const struct json_object *properties = prb_json_obj(entry, "properties");
    const char *uid = prb_json_str(properties, "uid");
    struct prb_provenance was = { .uid = uid ? uid : "",
        .is_odd = !uid && prb_json_find(properties, "uid") };

    was.is_known = prb_json_bool(properties, "createdByPolicy", &was.created);
    if (prb_starts_with(was.uid, PRB_CREATING)) {
        was.phase = PRB_PHASE_CREATING;
        was.uid += strlen(PRB_CREATING);
    } else if (prb_starts_with(was.uid, PRB_RECREATING)) {
        was.phase = PRB_PHASE_RECREATING;
        was.uid += strlen(PRB_RECREATING);
    } else if (prb_starts_with(was.uid, PRB_DELETING)) {
        was.phase = PRB_PHASE_DELETING;
        was.uid += strlen(PRB_DELETING);
    }
    return was;
}

int64_t prb_provenance_token_ms(const char *token)
{
    size_t len = strcspn(token, "-");
    prb_autofree char *digits = prb_strndup(token, len);
    int64_t ms = 0;

    return token[len] == '-' && prb_parse_int(digits, 0, INT64_MAX, &ms) ? ms : 0;
}

bool prb_provenance_proves(
        const struct prb_provenance *intent, const char *policy_uid, const struct prb_object *live)
{
    prb_autofree char *mark = prb_asprintf("%s/%s", policy_uid, intent->uid);

    return intent->phase == PRB_PHASE_CREATING && intent->uid[0] != '\0' && policy_uid[0] != '\0' &&
           prb_streq(prb_object_annotation(live, PRB_ANNOTATION_CREATED_BY), mark);
}

bool prb_provenance_owns(
        const struct prb_provenance *was, const char *policy_uid, const struct prb_object *live)
{
    if (!was->is_known || !was->created || was->uid[0] == '\0')
        return false;
    if (was->phase == PRB_PHASE_CREATING)
        return prb_provenance_proves(was, policy_uid, live);
    return prb_streq(was->uid, prb_object_uid(live));
}

struct json_object *prb_provenance_json(bool created, const char *prefix, const char *uid)
{
    struct json_object *properties = json_object_new_object();
    prb_autofree char *text = prb_asprintf("%s%s", prefix, uid);

    prb_json_set_bool(properties, "createdByPolicy", created);
    prb_json_set_str(properties, "uid", text);
    return properties;
}

/* What was known stays, the uid with it: who has deleted it and made it again has taken it over. An
 * intent is no knowledge yet. */
struct json_object *prb_provenance_seen(
        const struct prb_provenance *was, const char *policy_uid, const struct prb_object *live)
{
    if (was->is_known && was->phase != PRB_PHASE_CREATING && was->uid[0] != '\0')
        return prb_provenance_json(was->created, "", was->uid);
    if (was->is_known && prb_provenance_proves(was, policy_uid, live))
        return prb_provenance_json(was->created, "", prb_object_uid(live));
    return prb_provenance_json(false, "", prb_object_uid(live));
}
