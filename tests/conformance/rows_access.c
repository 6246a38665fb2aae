/* Who may do what? The one question on which the targets differ on purpose: the hub has no RBAC,
 * so there it has no answer, which is "unknown" and must never read as yes or no. */

#include "conf.h"

static int ask(struct conf *c, const char *user, const char *group, enum prb_access *ret)
{
    const char *const groups[] = { group, NULL };

    c->err = (struct prb_error){ .code = PRB_OK };
    return prb_api_may(c->api,
            &(struct prb_access_question){ .user = user,
                    .groups = group ? groups : NULL,
                    .verb = "delete",
                    .resource = "configmaps",
                    .namespace = c->ns,
                    .name = "a" },
            ret, &c->err);
}

static int masters_may_do_everything(struct conf *c)
{
    enum prb_access access = PRB_ACCESS_DENIED;

    if (!c->real) {
        CONF_FAILS(c, PRB_E_UNSUPPORTED, ask(c, "someone", "system:masters", &access));
        return 0;
    }
    CONF_OK(c, ask(c, "someone", "system:masters", &access));
    CONF_INT(c, PRB_ACCESS_ALLOWED, access);
    return 0;
}

static int strangers_may_do_nothing(struct conf *c)
{
    enum prb_access access = PRB_ACCESS_ALLOWED;

    if (!c->real) {
        CONF_FAILS(c, PRB_E_UNSUPPORTED, ask(c, "stranger", NULL, &access));
        return 0;
    }
    CONF_OK(c, ask(c, "stranger", NULL, &access));
    CONF_INT(c, PRB_ACCESS_DENIED, access);
    return 0;
}

static const struct conf_row rows[] = {
    { "system:masters may (hub: unknown)", masters_may_do_everything },
    { "a stranger may not (hub: unknown)", strangers_may_do_nothing },
};
CONF_ROWS(conf_access_rows, rows);
