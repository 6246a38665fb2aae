#ifndef TESTS_POLICIES_ROWS_H
#define TESTS_POLICIES_ROWS_H

/* The scenarios: the same steps on a hub and on a real API server. */

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
    bool real_only; /* a hub does not behave like that, or a proxy is needed to misbehave */
    bool alone;     /* one at a time: it concerns everybody */
};

extern const struct row_list rows_status;     /* case20: what is recorded */
extern const struct row_list rows_delete;     /* case20: what goes with a policy */
extern const struct row_list rows_change;     /* case20: what goes when a template changes */
extern const struct row_list rows_recreate;   /* case40 */
extern const struct row_list rows_bugs;       /* what the reference has shipped, or still has */
extern const struct row_list rows_provenance; /* whose object is it? */
extern const struct row_list rows_scope;      /* namespaces, kinds of templates, intervals */
extern const struct row_list rows_finalizer;  /* on the policy */
extern const struct row_list rows_ending;     /* what is told while a policy goes */
extern const struct row_list rows_example;    /* the monitor of stuck deletions */
extern const struct row_list rows_faults;     /* every error there is */
extern const struct row_list rows_watches;    /* late, or broken */
extern const struct row_list rows_restart;    /* what happened while no Probate was there */
extern const struct row_list rows_namespace;  /* whose policies are carried out */
extern const struct row_list rows_uninstall;  /* Probate, or the kind of policies, is removed */
extern const struct row_list rows_placement;  /* from one cluster to another */
extern const struct row_list rows_guard;      /* what is pruned is protected */

#define ROW_LIST(name, ...)                                                \
    const struct row_list name = {                                         \
        .rows = list, .count = sizeof(list) / sizeof(list[0]), __VA_ARGS__ \
    }

/* A definition of the scene's own, served in two versions, and an instance. */
struct prb_ref widgets_crd(const struct scene *scene);
struct prb_ref widget(const struct scene *scene, const char *name);
#define WIDGET(version, name)                                                             \
    "{'apiVersion':'@.example.org/" version "','kind':'Widget','metadata':{'name':'" name \
    "','namespace':'@'},'data':{'key':'a'}}"

/* Make the definition, and wait until it is served and watched. */
int define_widgets(struct scene *scene);

/* The same without a watch of the history, which would end when it is not served for a while. */
int make_widgets(struct scene *scene);
int serve_widgets(struct scene *scene, bool served);

/* Probate stops, starts. */
void stop_probate(struct scene *scene);
int start_probate(struct scene *scene);

#endif
