/* How much of what is sent is kept in memory? */

#include "body.h"

#include <stdlib.h>
#include <string.h>

#include "probate/admission/review.h"
#include "probate/base/mem.h"

/* What a body without a length starts with: most reviews fit. */
#define FIRST_ROOM ((size_t)64 * 1024)

/* An answer can be given only when the body is over. So far it is read past its limit; then the
 * connection ends without one. */
#define SKIP_MAX (2 * PRB_REVIEW_SIZE_MAX)

void prb_body_init(struct prb_body *body, struct prb_body_budget *budget)
{
    *body = (struct prb_body){ .budget = budget };
}

static bool reserve(struct prb_body *body, size_t more)
{
    size_t used = atomic_fetch_add(&body->budget->used, more) + more;

    if (used > body->budget->max) {
        atomic_fetch_sub(&body->budget->used, more);
        return false;
    }
    body->room += more;
    return true;
}

void prb_body_read(struct prb_body *body)
{
    free(prb_take(body->data));
    body->len = 0;
}

void prb_body_done(struct prb_body *body)
{
    free(prb_take(body->data));
    atomic_fetch_sub(&body->budget->used, body->room);
    body->len = body->room = 0;
}

static void drop(struct prb_body *body, enum prb_body_state state)
{
    prb_body_done(body);
    body->state = state;
}

void prb_body_skip(struct prb_body *body)
{
    drop(body, PRB_BODY_UNWANTED);
}

void prb_body_expect(struct prb_body *body, size_t len)
{
    if (len > 0 && !reserve(body, len))
        drop(body, PRB_BODY_NO_ROOM);
}

/* Room for `len` bytes in all: what was announced at first, then twice as much each time. */
static bool grow(struct prb_body *body, size_t len)
{
    size_t wanted = body->room ? body->room : FIRST_ROOM;

    while (wanted < len)
        wanted *= 2;
    if (wanted > PRB_REVIEW_SIZE_MAX)
        wanted = PRB_REVIEW_SIZE_MAX;
    if (wanted > body->room && !reserve(body, wanted - body->room))
        return false;
    body->data = prb_realloc(body->data, body->room, 1);
    return true;
}

bool prb_body_add(struct prb_body *body, const char *bytes, size_t len)
{
    body->seen += len;
    if (body->state == PRB_BODY_KEPT && body->seen > PRB_REVIEW_SIZE_MAX)
        drop(body, PRB_BODY_TOO_LONG);
    if (body->state != PRB_BODY_KEPT)
        return body->seen <= SKIP_MAX;
    if ((!body->data || body->seen > body->room) && !grow(body, body->seen)) {
        drop(body, PRB_BODY_NO_ROOM);
        return true;
    }
    memcpy(body->data + body->len, bytes, len);
    body->len += len;
    return true;
}
