#ifndef TESTS_CLI_MANIFEST_PRINT_H
#define TESTS_CLI_MANIFEST_PRINT_H

/* What `probate manifest` prints, as trees. */

#include <stdbool.h>
#include <stddef.h>

#include "probate/base/json.h"

enum { MANIFESTS_MAX = 8 };

extern struct json_object *manifests[MANIFESTS_MAX]; /* that the last run printed */
extern size_t manifest_count;

/* Run with these arguments, NULL-terminated, and read what stdout has; the exit code, or -1 when
 * that is no YAML. */
int manifest_print(const char *const *arguments);
#define PRINT(...) manifest_print((const char *const[]){ __VA_ARGS__, NULL })

/* For tearDown. */
void manifests_drop(void);

/* Is `text` in the list that is the member `key`? */
bool list_has(const struct json_object *object, const char *key, const char *text);

#endif
