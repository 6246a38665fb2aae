#ifndef PROBATE_ADMISSION_REVIEW_MEMBER_INTERNAL_H
#define PROBATE_ADMISSION_REVIEW_MEMBER_INTERNAL_H

/* Texts of a review; shared by the files of the codec. `path` is for the error. */

#include "probate/base/error.h"
#include "probate/base/json.h"

/* A text that may be absent (or null), then it is "". Borrowed from the tree. */
int prb_review_read_text(const struct json_object *from, const char *key, const char *path,
        const char **ret, struct prb_error *err);

/* The same; the caller's. */
int prb_review_copy_text(const struct json_object *from, const char *key, const char *path,
        char **ret, struct prb_error *err);

#endif
