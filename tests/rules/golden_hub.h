#ifndef TESTS_RULES_GOLDEN_HUB_H
#define TESTS_RULES_GOLDEN_HUB_H

/*
 * The hub of a golden case: what really is there (`world`), what the cache holds of it (`cache`),
 * and which questions fail (`failures`).
 */

#include "probate/base/cleanup.h"
#include "probate/base/json.h"
#include "probate/core/question.h"
#include "probate/model/view.h"

struct prb_golden_hub;

struct prb_golden_hub *prb_golden_hub_new(const struct json_object *source);
void prb_golden_hub_free(struct prb_golden_hub *hub);
PRB_DEFINE_CLEANUP(struct prb_golden_hub *, prb_golden_hub_free)

/* The cache, as rules see it. */
struct prb_view *prb_golden_hub_view(struct prb_golden_hub *hub);

/* What the asker finds out to the questions that are open; no view may be open. */
void prb_golden_hub_answer(struct prb_golden_hub *hub, struct prb_questions *questions);

/* A question as a case writes it: see tests/data/README.md. The caller's. */
char *prb_golden_question(const struct prb_question *question);

#endif
