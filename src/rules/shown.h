#ifndef PROBATE_RULES_SHOWN_INTERNAL_H
#define PROBATE_RULES_SHOWN_INTERNAL_H

/*
 * Names and values as a person may be shown them: quoted, and cut when somebody wrote a novel. A
 * verdict takes control characters out of its texts itself.
 */

#include <stddef.h>

#include "probate/base/json.h"
#include "probate/base/str.h"
#include "probate/core/request.h"
#include "probate/model/names.h"

/* A name of 253 bytes in quotes and NUL. */
#define PRB_SHOWN_SIZE 256

/* The buffer, for use as an argument: "\"Orphn\"", "7", "a list", "a map", "null". */
const char *prb_shown(const struct json_object *value, char buffer[PRB_SHOWN_SIZE]);

/* The same for a text, without quotes. */
const char *prb_shown_name(const char *text, char buffer[PRB_SHOWN_SIZE]);

/* Kind, namespace and name, and what joins them. */
#define PRB_SUBJECT_SIZE (3 * PRB_SHOWN_SIZE + 8)

/* "ManifestWork c1/web"; a name that the API server has yet to make up: "ManifestWork c1/web-*". */
const char *prb_shown_subject(const struct prb_request *request, char buffer[PRB_SUBJECT_SIZE]);

#endif
