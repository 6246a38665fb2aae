#ifndef TESTS_E2E_CRD_H
#define TESTS_E2E_CRD_H

/*
 * CustomResourceDefinitions as trees: those that the chart brings for a hub without the foreign
 * projects, and the originals where they are at hand.
 */

#include <stdbool.h>

#include "probate/base/json.h"
#include "probate/base/str.h"

/* The six foreign kinds: names of the files, in both folders. */
#define CRD_COUNT 6
extern const char *const crd_files[CRD_COUNT];

/* The definition in the file; NULL when it is not there or no YAML. The caller frees. */
struct json_object *crd_load(const char *dir, const char *file);

/* The schema of a version ("spec.versions[].schema.openAPIV3Schema"); NULL: no such version. */
struct json_object *crd_schema(const struct json_object *crd, const char *version);

/*
 * Does the schema keep the value at `path` ("spec.workload.manifests.kind", lists are stepped
 * into)? True also below what is kept whatever is in it.
 */
bool crd_keeps(const struct json_object *schema, const char *path);

struct crd_report {
    struct prb_str differences; /* a line for each; empty: all that `ours` has means the same */
    struct prb_str fields;      /* what was compared: paths, with blanks between */
    struct prb_str left_out;    /* what only the original has */
    size_t compared;
};

void crd_report_init(struct crd_report *report);
void crd_report_done(struct crd_report *report);
static inline void crd_report_donep(struct crd_report *report)
{
    crd_report_done(report);
}

/* Compare all that `ours` defines with `original`: names, scope, versions and every field. */
void crd_compare(const struct json_object *ours, const struct json_object *original,
        struct crd_report *report);

#endif
