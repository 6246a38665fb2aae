#ifndef PROBATE_API_OPTIONS_H
#define PROBATE_API_OPTIONS_H

/* What a call of the port may ask for. All texts are borrowed; zero values are the defaults. */

#include <stdbool.h>
#include <stdint.h>

#include "probate/base/json.h"
#include "probate/model/propagation.h"

/* How long one call may take when the caller does not say: the API server itself gives up at 60 s,
 * its webhooks at most 30 s. */
#define PRB_API_TIMEOUT_MS 35000

/* Page size of lists, as client-go's pager uses it. */
#define PRB_LIST_LIMIT 500

/* The name under which Probate owns fields. */
#define PRB_FIELD_MANAGER "probate"

struct prb_get_options {
    bool metadata_only; /* and without managedFields */
    /* All that is needed of it; what else it has may be left out. NULL: everything. */
    const struct prb_json_filter *parts;
    int timeout_ms; /* 0: PRB_API_TIMEOUT_MS; so everywhere */
};

struct prb_list_options {
    const char *namespace; /* NULL or "": all, or cluster-scoped */
    const char *label_selector;
    const char *field_selector;
    bool metadata_only;       /* objects carry metadata only (PartialObjectMetadata) */
    bool keep_managed_fields; /* lists and watches drop metadata.managedFields unless asked */
    bool with_defects; /* objects with prb_object_defect are in the page; else they fail it */
    int limit;         /* objects per page; 0: PRB_LIST_LIMIT */
    const char *next;  /* from the page before */
    int timeout_ms;
};

struct prb_watch_options {
    const char *namespace;
    const char *label_selector;
    const char *field_selector;
    bool metadata_only;
    bool keep_managed_fields;
    const char *resource_version; /* start after this; NULL or "": from now, existing as ADDED */
};

enum prb_patch_type {
    PRB_PATCH_MERGE,
    PRB_PATCH_JSON,
    PRB_PATCH_APPLY, /* server-side apply; options.force as given */
};

struct prb_write_options {
    const char *subresource;      /* NULL or "status" */
    const char *resource_version; /* patch: fails with CONFLICT when it is not this one */
    const char *field_manager;    /* NULL: PRB_FIELD_MANAGER */
    bool force;                   /* apply: take fields from other managers */
    bool dry_run;
    int timeout_ms;
};

struct prb_delete_options {
    const char *uid;              /* required */
    const char *resource_version; /* NULL: any */
    enum prb_propagation propagation;
    bool dry_run;
    int timeout_ms;
};

/* May `user` (with `groups`) do `verb` on this? */
struct prb_access_question {
    const char *user;
    const char *uid;           /* NULL or "": not known */
    const char *const *groups; /* NULL-terminated; NULL: none */
    const char *extra;         /* JSON text of a map of lists; NULL: none */
    const char *verb;
    const char *group;
    const char *resource;
    const char *namespace;
    const char *name;
    int timeout_ms;
};

#endif
