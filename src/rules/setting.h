#ifndef PROBATE_RULES_SETTING_INTERNAL_H
#define PROBATE_RULES_SETTING_INTERNAL_H

/*
 * Settings of an object, and ratcheting: a request is refused only for what it changed itself.
 * Objects stored before Probate came must stay updatable.
 */

#include <stdbool.h>
#include <stddef.h>

#include "probate/base/json.h"
#include "probate/core/request.h"
#include "probate/core/verdict.h"

/* Refuse the setting if this request changed it, else warn. */
void prb_setting_refuse(
        struct prb_verdict *verdict, bool changed, const char *field, const char *text);

/* A member of spec that takes one of a few words. */
struct prb_choice {
    const char *field;         /* static: "spec.pruneObjectBehavior" */
    const char *const *values; /* static */
    size_t count;
};

/* Absent (or null), or one of the words? */
bool prb_choice_allows(const struct prb_choice *choice, const struct json_object *value);

/* Refuse, or warn of, a value that is none of them; says which there are. */
void prb_choice_check(const struct prb_choice *choice, const struct json_object *value,
        bool changed, struct prb_verdict *verdict);

/* Did this request give the member of spec another value? On CREATE: any value. */
bool prb_setting_changed(const struct prb_request *request, const char *key);

/* The member of spec as requested; NULL when absent. */
const struct json_object *prb_setting(const struct prb_request *request, const char *key);

#endif
