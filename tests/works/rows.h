#ifndef TESTS_WORKS_ROWS_H
#define TESTS_WORKS_ROWS_H

/* The scenarios: the same steps with a hub and a managed cluster in every form. */

#include "scene.h"

struct row {
    const char *name; /* a sentence */
    int (*play)(struct scene *scene);
    const void *with; /* scene->with */
};

#define ROW(sentence, function)            \
    {                                      \
        .name = sentence, .play = function \
    }

struct row_list {
    const struct row *rows;
    size_t count;
    bool real_only; /* needs a proxy to misbehave */
    bool once;      /* on servers only where they are apart: it is long, and the same together */
    bool alone;     /* one at a time: it cuts everybody off */
};

extern const struct row_list rows_design; /* of design 000: test plan, hand-over */
extern const struct row_list rows_samples;
extern const struct row_list rows_delete_option; /* of OCM's deleteoption_test */
extern const struct row_list rows_work;          /* of OCM's work_test */
extern const struct row_list rows_strategy;      /* of OCM's updatestrategy_test, executor_test */
extern const struct row_list rows_manifests;     /* what manifests can be like */
extern const struct row_list rows_large;         /* many, and big */
extern const struct row_list rows_owners;        /* others who have a part in it */
extern const struct row_list rows_drift;         /* somebody changes what was applied */
extern const struct row_list rows_sudden;        /* the option changes, and the work goes */
extern const struct row_list rows_frozen;        /* what decides while a work is going */
extern const struct row_list rows_restart;       /* what happened while no agent was there */
extern const struct row_list rows_quiet;         /* nothing is written when nothing is to be done */
extern const struct row_list rows_faults;        /* every error there is */
extern const struct row_list rows_evict;         /* of OCM's unmanaged_appliedwork_test */
extern const struct row_list rows_away;          /* a hub or a cluster that cannot be reached */

#define ROW_LIST(name, ...)                                                \
    const struct row_list name = {                                         \
        .rows = list, .count = sizeof(list) / sizeof(list[0]), __VA_ARGS__ \
    }

/* Two ConfigMaps. */
#define TWO CM("cm1", "a") "," CM("cm2", "a")

/* Somebody holds it. */
#define HOLD "{'metadata':{'finalizers':['example.org/hold']}}"

/* A definition of the scene's own, and an instance. */
#define WIDGETS_CRD                                                                              \
    "{'apiVersion':'apiextensions.k8s.io/v1','kind':'CustomResourceDefinition','metadata':{"     \
    "'name':'widgets.@.example.org'},'spec':{'group':'@.example.org','scope':'Namespaced',"      \
    "'names':{'kind':'Widget','listKind':'WidgetList','plural':'widgets','singular':'widget'},"  \
    "'versions':[{'name':'v1','served':true,'storage':true,'schema':{'openAPIV3Schema':{'type':" \
    "'object','x-kubernetes-preserve-unknown-fields':true}}}]}}"
#define WIDGET(name, value)                                                      \
    "{'apiVersion':'@.example.org/v1','kind':'Widget','metadata':{'name':'" name \
    "','namespace':'@'},'data':{'key':'" value "'}}"
struct prb_ref widgets_crd(const struct scene *scene);
struct prb_ref widget(const struct scene *scene, const char *name);

/* Make the definition by hand, and wait until it is served and watched. */
int define_widgets(struct scene *scene);
int watch_widgets(struct scene *scene);

/* A patch that replaces all manifests of a work. */
#define MANIFESTS(manifests) "{'spec':{'workload':{'manifests':[" manifests "]}}}"

#endif
