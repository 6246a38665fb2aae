/* Which requests are served at the admission port? */

#include "routes.h"

#include <string.h>
#include <strings.h>

#include "probate/admission/server.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/rules/registry.h"

static bool refuse(struct prb_refusal *ret, int status, const char *reason, const char *message)
{
    *ret = (struct prb_refusal){ .status = status, .reason = reason, .message = message };
    return false;
}

/* Two answers to "where does the body end?" are how requests are smuggled past a proxy. */
static bool framing_ok(const struct prb_head *head)
{
    if (head->lengths > 1 || head->encodings > 1)
        return false;
    if (!head->transfer_encoding)
        return true;
    return !head->content_length && strcasecmp(head->transfer_encoding, "chunked") == 0;
}

static bool is_json(const char *content_type)
{
    static const char json[] = "application/json";
    size_t len;

    if (!content_type)
        return false;
    len = strcspn(content_type, "; \t");
    return len == strlen(json) && strncasecmp(content_type, json, len) == 0;
}

/* A length that no number holds. Any other is fine: what no rule reads is stepped over, and nothing
 * is kept for what is only announced. */
static bool is_endless(const struct prb_head *head)
{
    int64_t length;

    return head->content_length && !prb_parse_int(head->content_length, 0, INT64_MAX, &length);
}

static const char *find_route(const struct prb_rule *rule, const char *text)
{
    for (size_t i = 0; i < rule->registration_count; i++) {
        if (prb_streq(rule->registrations[i].route, text))
            return rule->registrations[i].route;
    }
    return NULL;
}

/* The rule that the path names; NULL: none. *ret_route: of its registration, or NULL. */
static const struct prb_rule *find_rule(const struct prb_head *head, const char **ret_route)
{
    prb_autofree char *name = NULL;
    const struct prb_rule *rule;
    const char *text;
    size_t len;

    *ret_route = NULL;
    if (!prb_starts_with(head->path, PRB_ROUTE_VALIDATE "/"))
        return NULL;
    text = head->path + strlen(PRB_ROUTE_VALIDATE "/");
    len = strcspn(text, "/");
    name = prb_strndup(text, len);
    rule = prb_rule_find(name);
    if (!rule || text[len] == '\0')
        return rule;
    *ret_route = find_route(rule, text + len + 1);
    return *ret_route ? rule : NULL;
}

const char *prb_route_rule(const struct prb_head *head)
{
    const char *route;
    const struct prb_rule *rule = find_rule(head, &route);

    return rule ? rule->name : NULL;
}

const char *prb_route_registration(const struct prb_head *head)
{
    const char *route;

    (void)find_rule(head, &route);
    return route;
}

/* A rule that is switched off has its path all the same: it is registered a moment longer. */
static bool is_served(const struct prb_head *head)
{
    return prb_streq(head->path, PRB_ROUTE_VALIDATE) || prb_route_rule(head);
}

static bool check(const struct prb_head *head, struct prb_refusal *ret)
{
    if (!is_served(head))
        return refuse(ret, 404, "NotFound",
                "reviews are served at " PRB_ROUTE_VALIDATE " and " PRB_ROUTE_VALIDATE "/RULE");
    if (!prb_streq(head->method, "POST")) {
        (void)refuse(ret, 405, "MethodNotAllowed", "a review is sent with POST");
        ret->allow = "POST";
        return false;
    }
    if (!is_json(head->content_type))
        return refuse(
                ret, 415, "UnsupportedMediaType", "a review has Content-Type: application/json");
    if (head->content_encoding && strcasecmp(head->content_encoding, "identity") != 0)
        return refuse(ret, 415, "UnsupportedMediaType", "a review is sent without compression");
    return true;
}

bool prb_route_accepts(const struct prb_head *head, struct prb_refusal *ret)
{
    bool accepted;

    *ret = (struct prb_refusal){ 0 };
    if (!framing_ok(head)) {
        (void)refuse(ret, 400, "BadRequest", "the length of the body is ambiguous");
        ret->at_once = ret->closes = true;
        return false;
    }
    accepted = check(head, ret);
    if (is_endless(head)) {
        if (accepted)
            (void)refuse(ret, 413, "RequestEntityTooLarge", "no review is that long");
        ret->at_once = ret->closes = true;
        return false;
    }
    return accepted;
}

int64_t prb_head_time_ms(const struct prb_head *head)
{
    int64_t ms;

    if (!head->timeout || !prb_parse_duration(head->timeout, &ms) || ms <= 0)
        ms = PRB_SERVER_TIMEOUT_MS;
    if (ms > PRB_SERVER_TIMEOUT_MAX_MS)
        ms = PRB_SERVER_TIMEOUT_MAX_MS;
    return ms / 2 > PRB_SERVER_MARGIN_MS ? ms - PRB_SERVER_MARGIN_MS : ms / 2;
}
