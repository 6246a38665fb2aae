#ifndef PROBATE_SRC_CLI_REGISTRATION_INTERNAL_H
#define PROBATE_SRC_CLI_REGISTRATION_INTERNAL_H

/* What the files about registrations share. */

#include "registration.h"

extern const struct prb_gvr prb_webhook_configurations;

/* Borrowed; NULL: there is no configuration, or nothing in it. */
const struct json_object *prb_registered_webhooks(const struct prb_registered *registered);

/* By its name. */
bool prb_webhook_is_ours(const struct json_object *webhook);

/* Its caBundle as it stands there; NULL: none. */
const char *prb_webhook_bundle(const struct json_object *webhook);

bool prb_closed_has(const struct prb_closed *closed, const char *name);

/* One that is to fail closed: does it match more than it may refuse while nobody answers? */
bool prb_closed_lacks_condition(const struct prb_closed *closed, const struct json_object *webhook);
bool prb_closed_is_mild(const struct prb_closed *closed, const char *name);

#endif
