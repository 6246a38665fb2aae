#ifndef TESTS_WORKS_SCENE_H
#define TESTS_WORKS_SCENE_H

/*
 * One scenario: works on the hub and what becomes of them on the managed cluster, under names of
 * its own beside all others. Everything is made, changed and looked at through the test's own
 * clients. Texts are JSON in which ' stands for " and @ for the id of the scene, which is also its
 * namespace on the managed cluster. All functions return 0, or -1 with the reason in scene->why.
 */

#include "loop.h"
#include "support/table.h"
#include "support/temp_dir.h"

struct scene {
    struct ends *ends; /* borrowed, as all here */
    struct loop *loop; /* the agent: that of all, or: */
    struct loop own;   /* one of its own */
    char id[PRB_TEST_NAME_SIZE];
    char *why;        /* PRB_TEST_WHY_SIZE */
    const void *with; /* what distinguishes a row from others that are played the same way */
};

#define DO(call)    \
    if ((call) < 0) \
    return -1

/* Parts of works. */
#define CM(name, value)                                                                            \
    "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'" name "','namespace':'@'},'data':" \
    "{'key':'" value "'}}"
#define WORKLOAD(manifests) "'workload':{'manifests':[" manifests "]}"
#define ORPHAN ",'deleteOption':{'propagationPolicy':'Orphan'}"
/* `rule` names one; an empty group or namespace is left out. */
#define SPARE(rule)                                                                   \
    ",'deleteOption':{'propagationPolicy':'SelectivelyOrphan','selectivelyOrphans':{" \
    "'orphaningRules':[" rule "]}}"
#define CM_RULE(name) "{'resource':'configmaps','namespace':'@','name':'" name "'}"
#define SPARE_CM(name) SPARE(CM_RULE(name))
#define STRATEGY(resource, name, type, rest)                                             \
    ",'manifestConfigs':[{'resourceIdentifier':{'resource':'" resource "','name':'" name \
    "','namespace':'@'},'updateStrategy':{'type':'" type "'" rest "}}]"

/* `why` must be empty. Makes its namespace on the managed cluster. */
int scene_open(struct scene *scene, struct ends *ends, struct loop *loop, char *why);

/* Take away what is left of it, best effort. */
void scene_close(struct scene *scene);

/* From now on another agent, which nobody else has: with a namespace on the hub, an id and a hub of
 * its own. It does not run before it is told to. */
int scene_hire(struct scene *scene);
int scene_start(struct scene *scene);
void scene_stop(struct scene *scene);

/* The agent is sent to another hub, or gets another id; it must be stopped. */
void scene_move(struct scene *scene, const char *url, const char *agent_id);

/* Only the first counts. */
__attribute__((format(printf, 2, 3))) int scene_fail(struct scene *scene, const char *fmt, ...);

struct json_object *scene_json(const struct scene *scene, const char *text);

/* --- names --- */
struct prb_ref scene_work(const struct scene *scene, const char *work);
struct prb_ref scene_applied(const struct scene *scene, const char *work); /* of the work */
struct prb_ref scene_cm(const struct scene *scene, const char *name);
struct prb_ref scene_in(const struct scene *scene, const char *gvr, const char *name);
struct prb_ref scene_global(const struct scene *scene, const char *gvr, const char *name);

/* --- works --- */
int scene_make_work(struct scene *scene, const char *work, const char *spec);

/* `labels` and such: members of metadata beside the name. */
int scene_make_work_with(
        struct scene *scene, const char *work, const char *metadata, const char *spec);
int scene_patch_work(struct scene *scene, const char *work, const char *text);
int scene_delete_work(struct scene *scene, const char *work);
struct prb_object *scene_get_work(struct scene *scene, const char *work); /* NULL: not there */

/* --- objects on the managed cluster --- */
int scene_make(struct scene *scene, const struct prb_ref *ref, const char *object);
int scene_patch(struct scene *scene, const struct prb_ref *ref, const char *text);
int scene_patch_status(struct scene *scene, const struct prb_ref *ref, const char *text);
int scene_delete(struct scene *scene, const struct prb_ref *ref);
int scene_release(struct scene *scene, const struct prb_ref *ref);            /* all finalizers */
struct prb_object *scene_get(struct scene *scene, const struct prb_ref *ref); /* NULL: not there */

/* --- waiting --- */

/* Until `holds` does; else fails with `what` and what `describe` wrote. */
struct hope {
    struct scene *scene;
    const struct prb_ref *ref;
    const char *work;
    const char *type, *status, *reason, *text;
    int64_t number;
    bool wanted;
    char seen[600];
};
int scene_await(struct scene *scene, struct hope *hope, bool (*holds)(void *ctx), const char *what);

/* All of its manifests, in this version of it. */
int scene_await_applied(struct scene *scene, const char *work);

/* A condition of the work; `text` is a part of its message. */
int scene_await_said(struct scene *scene, const char *work, const char *type, const char *status,
        const char *reason, const char *text);

/* The same of one manifest, where `reason` may be NULL. */
int scene_await_manifest(struct scene *scene, const char *work, int64_t ordinal, const char *type,
        const char *status, const char *text);

int scene_await_there(struct scene *scene, const struct prb_ref *ref);
int scene_await_gone(struct scene *scene, const struct prb_ref *ref);
int scene_await_deleting(struct scene *scene, const struct prb_ref *ref);

int scene_await_no_work(struct scene *scene, const char *work);

/* The work, and what stood for it on the managed cluster before it. */
int scene_await_ended(struct scene *scene, const char *work);

/* So many references to AppliedManifestWorks. */
int scene_await_owners(struct scene *scene, const struct prb_ref *ref, int64_t count);
int scene_await_owned(struct scene *scene, const struct prb_ref *ref, const char *work, bool owned);

/* In status.appliedResources, with the uid of what is there. */
int scene_await_recorded(
        struct scene *scene, const char *work, const struct prb_ref *ref, bool recorded);
int scene_await_value(struct scene *scene, const struct prb_ref *ref, const char *value);

/* --- what the history says, when it has caught up --- */

/* It was made once, is there, and nobody ever began to delete it. */
int scene_expect_kept(struct scene *scene, const struct prb_ref *ref);

/* It is gone, and there was only the one. */
int scene_expect_gone(struct scene *scene, const struct prb_ref *ref);

/* The same, and it had an owner when it went. */
int scene_expect_gone_owned(struct scene *scene, const struct prb_ref *ref);

/* It went, and was made again, once. */
int scene_expect_again(struct scene *scene, const struct prb_ref *ref);

/* Nothing was ever there. */
int scene_expect_never(struct scene *scene, const struct prb_ref *ref);

/* Events about it so far, when the history has caught up with what is there; -1: failed. */
int64_t scene_changes(struct scene *scene, const struct prb_ref *ref);

int scene_expect_value(struct scene *scene, const struct prb_ref *ref, const char *value);

#endif
