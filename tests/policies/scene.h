#ifndef TESTS_POLICIES_SCENE_H
#define TESTS_POLICIES_SCENE_H

/*
 * One scenario: policies and what becomes of the objects they name, under names of its own beside
 * all others. Everything is made, changed and looked at through the test's own client. Texts are
 * JSON in which ' stands for " and @ for the id of the scene. It has two namespaces, @ and @-b; its
 * policies are in @, unless the stage says otherwise. All functions return 0, or -1 with the reason
 * in scene->why.
 */

#include "probate/reconcilers/registry.h"

#include "place.h"
#include "support/control_loop.h"
#include "support/table.h"
#include "support/temp_dir.h"

/* What the rows of one run share. */
struct stage {
    struct place *place;
    struct prb_test_loop *loop; /* of that place */
    struct place *other;        /* another cluster, of its own; NULL: none */
    const char *crds;           /* folder of the definitions */
    const char *examples;
    const char *program; /* NULL: none, as on a hub */

    /* The namespace of all policies, where the program carries out those of one only; they have the
     * id of their scene before their name. NULL: each scene has its own in @. */
    const char *policies;
};

struct scene {
    struct stage *stage; /* borrowed, as all here */
    struct place *place; /* where it plays now: that of the stage, unless it moves */
    char id[PRB_TEST_NAME_SIZE];
    char *why;        /* PRB_TEST_WHY_SIZE */
    const void *with; /* what distinguishes a row from others that are played the same way */
};

/* Where the policies are that the real program carries out. */
#define PROCESS_POLICIES "here"

/* In a function that returns as these do. A bare if: not to be used before an else. */
#define DO(call)    \
    if ((call) < 0) \
    return -1

/* Parts of policies. */
#define CM_IN(namespace, name, value)                                 \
    "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'" name \
    "','namespace':'" namespace "'},'data':{'key':'" value "'}}"
#define CM(name, value) CM_IN("@", name, value)
#define HAVE(definition) "{'complianceType':'musthave','objectDefinition':" definition "}"
#define HAVE_NOT(definition) "{'complianceType':'mustnothave','objectDefinition':" definition "}"
#define TEMPLATES(list) "'object-templates':[" list "]"
#define SPEC(action, prune, list) \
    "'remediationAction':'" action "','pruneObjectBehavior':'" prune "'," TEMPLATES(list)
#define ENFORCE(prune, list) SPEC("enforce", prune, list)

/* Patches of policies. */
#define SET(members) "{'spec':{" members "}}"

/* Somebody holds it. */
#define HOLD "{'metadata':{'finalizers':['example.org/hold']}}"

/* `why` must be empty. Makes its namespaces. */
int scene_open(struct scene *scene, struct stage *stage, char *why);

/* Take away what is left of it, best effort. */
void scene_close(struct scene *scene);

/* Only the first counts. */
__attribute__((format(printf, 2, 3))) int scene_fail(struct scene *scene, const char *fmt, ...);

struct json_object *scene_json(const struct scene *scene, const char *text);

/* --- names --- */
struct prb_ref scene_policy(const struct scene *scene, const char *policy);
const char *scene_policies(const struct scene *scene); /* the namespace of its policies */
struct prb_ref scene_cm(const struct scene *scene, const char *name);
struct prb_ref scene_cm_b(const struct scene *scene, const char *name); /* in @-b */
struct prb_ref scene_in(const struct scene *scene, const char *gvr, const char *name);
struct prb_ref scene_global(const struct scene *scene, const char *gvr, const char *name);

/* --- policies --- */
int scene_make_policy(struct scene *scene, const char *policy, const char *spec);

/* `metadata`: members beside name and namespace. */
int scene_make_policy_with(
        struct scene *scene, const char *policy, const char *metadata, const char *spec);
int scene_patch_policy(struct scene *scene, const char *policy, const char *text);
int scene_delete_policy(struct scene *scene, const char *policy);
struct prb_object *scene_get_policy(struct scene *scene, const char *policy); /* NULL: none */

/* --- objects --- */
int scene_make(struct scene *scene, const struct prb_ref *ref, const char *text);
int scene_patch(struct scene *scene, const struct prb_ref *ref, const char *text);
int scene_delete(struct scene *scene, const struct prb_ref *ref);
int scene_release(struct scene *scene, const struct prb_ref *ref);            /* all finalizers */
struct prb_object *scene_get(struct scene *scene, const struct prb_ref *ref); /* NULL: none */

/* --- waiting --- */

/* Until `holds` does; else fails with `what` and what it has noted in `seen`. */
struct hope {
    struct scene *scene;
    struct prb_ref ref;
    const char *policy;
    const char *state, *text;
    bool wanted;
    char seen[700];
};
int scene_await(struct scene *scene, struct hope *hope, bool (*holds)(void *ctx), const char *what);

/* status.compliant, told of this version of the policy (unless it is being deleted), with `text`
 * somewhere in its messages. */
int scene_await_state(struct scene *scene, const char *policy, const char *state, const char *text);
int scene_await_compliant(struct scene *scene, const char *policy);

/* It is gone, in spite of all finalizers. */
int scene_await_ended(struct scene *scene, const char *policy);

/* Is it listed as related, and if so: as created by the policy or not, with the live uid? */
int scene_await_recorded(
        struct scene *scene, const char *policy, const struct prb_ref *ref, bool created);

/* Is it listed at all? */
int scene_await_listed(
        struct scene *scene, const char *policy, const struct prb_ref *ref, bool listed);

/* What is recorded of its uid; "": nothing. Owned. */
char *scene_recorded_uid(struct scene *scene, const char *policy, const struct prb_ref *ref);

/* Has the policy our finalizer? */
int scene_await_finalizer(struct scene *scene, const char *policy, bool wanted);

/* An Event about this object has `text` in its message. */
int scene_await_event(struct scene *scene, const char *kind, const char *name, const char *text);

int scene_await_there(struct scene *scene, const struct prb_ref *ref);
int scene_await_gone(struct scene *scene, const struct prb_ref *ref);
int scene_await_deleting(struct scene *scene, const struct prb_ref *ref);
int scene_await_value(struct scene *scene, const struct prb_ref *ref, const char *value);

/* --- what the history says, when it has caught up --- */

/* It was made once, is there, and nobody ever began to delete it. */
int scene_expect_kept(struct scene *scene, const struct prb_ref *ref);

/* It is gone, and there was only the one. */
int scene_expect_gone(struct scene *scene, const struct prb_ref *ref);

/* It is there, and was made so many times. */
int scene_expect_made(struct scene *scene, const struct prb_ref *ref, unsigned times);

/* All there were are gone: so many. */
int scene_expect_ended(struct scene *scene, const struct prb_ref *ref, unsigned times);

/* Nothing was ever there. */
int scene_expect_never(struct scene *scene, const struct prb_ref *ref);

/* Events about it so far, when the history has caught up; -1: failed. */
int64_t scene_changes(struct scene *scene, const struct prb_ref *ref);

#endif
