#ifndef PROBATE_MODEL_DELETE_OPTION_H
#define PROBATE_MODEL_DELETE_OPTION_H

/*
 * The orphan settings of a ManifestWork, spec.deleteOption: what stays on the managed cluster when
 * the work, or a manifest of it, goes. Both spellings are read:
 *
 *   selectivelyOrphans: { orphaningRules: [{ group, resource, namespace, name }] }      the API's
 *   selectivelyOrphan: [{ group, resource, resourceNamespace, resourceName }]           the
 * design's
 *
 * and every mixture of them; rules under both keys add up. A null is an absent member. Values of a
 * wrong type are kept apart, so that who judges can name them and who deletes can refuse to.
 * Everything is borrowed from the object it was read from. Belongs to one thread.
 */

#include <stdbool.h>
#include <stddef.h>

#include "probate/model/object.h"

enum prb_orphaning {
    PRB_ORPHAN_NOTHING,  /* Foreground, and the default */
    PRB_ORPHAN_ALL,      /* Orphan */
    PRB_ORPHAN_SELECTED, /* SelectivelyOrphan: what a rule names */
    PRB_ORPHAN_UNKNOWN,  /* none of these: no reason to delete anything */
};

/* Fields of a rule, as bits. */
enum prb_orphan_field {
    PRB_RULE_GROUP = 1,
    PRB_RULE_RESOURCE = 2,
    PRB_RULE_NAMESPACE = 4,
    PRB_RULE_NAME = 8,
    PRB_RULE_ITSELF = 16, /* the rule is no map at all */
};

struct prb_orphan_rule {
    const char *group; /* borrowed, as all four; "" when absent or of a wrong type */
    const char *resource;
    const char *namespace;
    const char *name;
    unsigned mistyped; /* of enum prb_orphan_field: neither a string nor null */
    const char *list;  /* static: where it is, below spec.deleteOption */
    size_t index;      /* in that list */
    char *odd;         /* owned: the whole rule in canonical form when something is mistyped */
    bool shared;       /* set by prb_delete_option_compare: the other work has it too */
    bool repeated;     /* set as well: the same rule came before */
};

/* A container that is none. */
struct prb_misfit {
    const char *field;  /* static: "spec.deleteOption.selectivelyOrphans" */
    const char *wanted; /* static: "a map" */
    const struct json_object *value;
};

/* deleteOption itself, or each of the two keys, or the list below each. */
#define PRB_MISFITS_MAX 2

struct prb_delete_option {
    enum prb_orphaning orphaning;
    const struct json_object *policy; /* propagationPolicy as it is written; NULL when absent */
    struct prb_orphan_rule *rules;    /* owned; in the order of the text */
    size_t rule_count;
    struct prb_misfit misfits[PRB_MISFITS_MAX];
    size_t misfit_count;
    bool other_spelling; /* some rule is spelt in another way than the API's */
};

/* Never fails. NULL is a work that says nothing. */
void prb_delete_option_read(const struct prb_object *work, struct prb_delete_option *ret);
void prb_delete_option_done(struct prb_delete_option *option);
static inline void prb_delete_option_donep(struct prb_delete_option *option)
{
    prb_delete_option_done(option);
}

/* Mark in each which rules are in the other too, and which are there more than once. */
void prb_delete_option_compare(struct prb_delete_option *a, struct prb_delete_option *b);

/* The same effect, whatever the wording? An unknown policy is the same only as itself. */
bool prb_delete_option_same_policy(
        const struct prb_delete_option *a, const struct prb_delete_option *b);

/* The same set of rules? Order, duplicates and spelling do not count. Needs the marks. */
bool prb_delete_option_same_rules(
        const struct prb_delete_option *a, const struct prb_delete_option *b);

/* Does `option` have this very misfit as well? */
bool prb_delete_option_has_misfit(
        const struct prb_delete_option *option, const struct prb_misfit *misfit);

/* Is this the one resource that the rule names? Cluster-scoped ones have namespace "". */
bool prb_orphan_rule_names(const struct prb_orphan_rule *rule, const char *group,
        const char *resource, const char *namespace, const char *name);

#endif
