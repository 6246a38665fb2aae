/* What becomes of the bytes of a body as they come in? */

#include "intake.h"

#include <stdlib.h>

#include "probate/base/mem.h"

/*
 * An answer can be given only when the body is over, so one that is no use is read to its end: up
 * to here, which is more than twice what the API server makes of an object at the usual limit of
 * etcd (1.5 MiB, up to seven bytes of JSON for each), old and new. Then the connection ends.
 */
#define SKIP_MAX ((size_t)48 * 1024 * 1024)

void prb_intake_init(struct prb_intake *intake, struct prb_budget *budget)
{
    *intake = (struct prb_intake){ .budget = budget, .state = PRB_INTAKE_UNWANTED };
}

void prb_intake_begin(struct prb_intake *intake, const struct prb_review_reader *reader)
{
    intake->json = prb_review_begin(reader);
    intake->state = PRB_INTAKE_READS;
}

void prb_intake_shrink(struct prb_intake *intake, size_t freed)
{
    size_t less = freed < intake->charged ? freed : intake->charged;

    atomic_fetch_sub(&intake->budget->used, less);
    intake->charged -= less;
}

static void give_back(struct prb_intake *intake)
{
    prb_intake_shrink(intake, intake->charged);
}

void prb_intake_done(struct prb_intake *intake)
{
    prb_json_reader_free(prb_take(intake->json));
    free(prb_take(intake->why));
    give_back(intake);
}

/* What is left of the body is of no use. */
static void give_up(struct prb_intake *intake, enum prb_intake_state state, const char *why)
{
    prb_json_reader_free(prb_take(intake->json));
    give_back(intake);
    intake->state = state;
    intake->why = prb_strdup(why);
}

static void refuse(struct prb_intake *intake, const struct prb_error *err)
{
    if (err->code == PRB_E_UNSUPPORTED)
        give_up(intake, PRB_INTAKE_TOO_MUCH, NULL);
    else
        give_up(intake, PRB_INTAKE_MALFORMED, err->msg);
}

/* One piece is some kilobytes: what is built of it before it is charged is within bounds. */
static bool charge(struct prb_intake *intake)
{
    size_t built = prb_json_reader_built(intake->json), more;

    if (built <= PRB_INTAKE_FREE + intake->charged)
        return true;
    more = built - PRB_INTAKE_FREE - intake->charged;
    intake->charged += more;
    return atomic_fetch_add(&intake->budget->used, more) + more <= intake->budget->max;
}

bool prb_intake_add(struct prb_intake *intake, const char *bytes, size_t len)
{
    struct prb_error err;

    if (!intake->json) {
        intake->skipped += len;
        return intake->skipped <= SKIP_MAX;
    }
    if (prb_json_reader_feed(intake->json, bytes, len, &err) < 0)
        refuse(intake, &err);
    else if (!charge(intake))
        give_up(intake, PRB_INTAKE_NO_ROOM, NULL);
    return true;
}

struct prb_request *prb_intake_end(struct prb_intake *intake)
{
    struct prb_request *request = NULL;
    struct prb_error err;
    size_t built;

    if (!intake->json)
        return NULL;
    built = prb_json_reader_built(intake->json);
    if (prb_review_end(intake->json, &request, &err) < 0)
        refuse(intake, &err);
    prb_json_reader_free(prb_take(intake->json)); /* what is needed is in the request */

    /* A text takes more while it is read than when it is there. */
    if (PRB_INTAKE_FREE + intake->charged > built)
        prb_intake_shrink(intake, PRB_INTAKE_FREE + intake->charged - built);
    return request;
}
