/* What became of what was tried in earlier rounds? */

#include "probate/model/outcome.h"

#include "probate/base/map.h"
#include "probate/base/mem.h"

struct prb_outcomes {
    struct prb_map *slots; /* owned: slot -> struct prb_outcome */
    unsigned count;        /* of those that came, in any slot */
};

static void outcome_free(void *value)
{
    struct prb_outcome *outcome = value;

    free(outcome->err);
    prb_object_unref(outcome->object);
    free(outcome->resource);
    free(outcome);
}

struct prb_outcomes *prb_outcomes_new(void)
{
    struct prb_outcomes *outcomes = prb_calloc(1, sizeof(*outcomes));

    outcomes->slots = prb_map_new(outcome_free);
    return outcomes;
}

void prb_outcomes_free(struct prb_outcomes *outcomes)
{
    if (!outcomes)
        return;
    prb_map_free(outcomes->slots);
    free(outcomes);
}

void prb_outcomes_set(struct prb_outcomes *outcomes, const char *slot, struct prb_outcome outcome)
{
    struct prb_outcome *kept = prb_calloc(1, sizeof(*kept));

    *kept = outcome;
    kept->number = ++outcomes->count;
    prb_map_set(outcomes->slots, slot, kept);
}

const struct prb_outcome *prb_outcomes_find(const struct prb_outcomes *outcomes, const char *slot)
{
    return prb_map_find(outcomes->slots, slot);
}
