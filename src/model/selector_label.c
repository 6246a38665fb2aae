/* What does a label selector say that is written as text? The grammar is Kubernetes' own. */

#include <string.h>

#include "probate/base/mem.h"

#include "selector_internal.h"

enum token {
    TOKEN_END,
    TOKEN_WORD, /* a key or a value; "in" and "notin" too, except where an operator is due */
    TOKEN_COMMA,
    TOKEN_OPEN,
    TOKEN_CLOSE,
    TOKEN_NOT,
    TOKEN_EQUAL, /* "=" and "==" */
    TOKEN_NOT_EQUAL,
    TOKEN_GREATER,
    TOKEN_LESS,
};

/* The token that comes next, and where it stands. */
struct scanner {
    enum token token;
    const char *text; /* borrowed */
    size_t len;
};

static const char special[] = "=!(),><";
static const char white[] = " \t\r\n";

static enum token special_token(const char *text, size_t *ret_len)
{
    *ret_len = 1;
    if (text[1] == '=' && (text[0] == '=' || text[0] == '!'))
        *ret_len = 2;
    switch (text[0]) {
    case '=':
        return TOKEN_EQUAL;
    case '!':
        return *ret_len == 2 ? TOKEN_NOT_EQUAL : TOKEN_NOT;
    case '(':
        return TOKEN_OPEN;
    case ')':
        return TOKEN_CLOSE;
    case ',':
        return TOKEN_COMMA;
    case '>':
        return TOKEN_GREATER;
    default:
        return TOKEN_LESS;
    }
}

/* Step over the token at hand. */
static void advance(struct scanner *s)
{
    s->text += s->len;
    s->text += strspn(s->text, white);
    if (s->text[0] == '\0') {
        s->token = TOKEN_END;
        s->len = 0;
    } else if (strchr(special, s->text[0])) {
        s->token = special_token(s->text, &s->len);
    } else {
        s->token = TOKEN_WORD;
        s->len = strcspn(s->text, "=!(),>< \t\r\n");
    }
}

static bool is_word(const struct scanner *s, const char *word)
{
    return s->token == TOKEN_WORD && s->len == strlen(word) && memcmp(s->text, word, s->len) == 0;
}

/* Enough of a message to find the place; the server's own limit on a label is 63 + 253. */
#define SHOWN 320

static int unexpected(const struct scanner *s, const char *expected, struct prb_error *err)
{
    int len = s->len < SHOWN ? (int)s->len : SHOWN;

    return prb_fail(err, PRB_E_INVALID, "found '%.*s', expected: %s", len, s->text, expected);
}

/* The operator after a key. `ret_single`: one bare value follows, not a list. */
static int read_operator(
        struct scanner *s, enum selector_op *ret, bool *ret_single, struct prb_error *err)
{
    *ret_single = true;
    if (s->token == TOKEN_EQUAL)
        *ret = OP_IN;
    else if (s->token == TOKEN_NOT_EQUAL)
        *ret = OP_NOT_IN;
    else if (s->token == TOKEN_GREATER)
        *ret = OP_GREATER;
    else if (s->token == TOKEN_LESS)
        *ret = OP_LESS;
    else if (is_word(s, "in") || is_word(s, "notin"))
        *ret_single = false;
    else
        return unexpected(s, "in, notin, =, ==, !=, >, <", err);
    if (!*ret_single)
        *ret = s->len == 2 ? OP_IN : OP_NOT_IN;
    advance(s);
    return 0;
}

/* A bare value; none at all is the empty one ("a=" and "a=,b"). */
static int read_value(struct scanner *s, struct requirement *requirement, struct prb_error *err)
{
    if (s->token == TOKEN_END || s->token == TOKEN_COMMA) {
        prb_requirement_add(requirement, "", 0);
        return 0;
    }
    if (s->token != TOKEN_WORD)
        return unexpected(s, "identifier", err);
    prb_requirement_add(requirement, s->text, s->len);
    advance(s);
    return 0;
}

/* A comma in a list: an empty value is meant by "(,a)", "(a,)" and "(a,,b)". */
static int read_comma(struct scanner *s, struct requirement *requirement, struct prb_error *err)
{
    advance(s);
    if (requirement->count == 0 || s->token == TOKEN_CLOSE || s->token == TOKEN_COMMA)
        prb_requirement_add(requirement, "", 0);
    if (s->token != TOKEN_COMMA)
        return 0;
    advance(s);

    /* The API server refuses "(a,,)" although it takes "(a,)". */
    return s->token == TOKEN_CLOSE ? unexpected(s, "',' or identifier", err) : 0;
}

static int read_element(struct scanner *s, struct requirement *requirement, struct prb_error *err)
{
    if (s->token != TOKEN_WORD)
        return unexpected(s, "',', ')' or identifier", err);
    prb_requirement_add(requirement, s->text, s->len);
    advance(s);
    if (s->token != TOKEN_COMMA && s->token != TOKEN_CLOSE)
        return unexpected(s, "',' or ')'", err);
    return 0;
}

/* "(a, b)"; to the API server "()" holds one value, the empty one. */
static int read_values(struct scanner *s, struct requirement *requirement, struct prb_error *err)
{
    if (s->token != TOKEN_OPEN)
        return unexpected(s, "'('", err);
    advance(s);
    if (s->token == TOKEN_CLOSE)
        prb_requirement_add(requirement, "", 0);
    while (s->token != TOKEN_CLOSE) {
        int r = s->token == TOKEN_COMMA ? read_comma(s, requirement, err)
                                        : read_element(s, requirement, err);

        if (r < 0)
            return r;
    }
    advance(s);
    return 0;
}

static int read_requirement(struct scanner *s, struct prb_selector *selector, struct prb_error *err)
{
    bool absent = s->token == TOKEN_NOT, single = false;
    struct requirement *requirement;
    int r = 0;

    if (absent)
        advance(s);
    if (s->token != TOKEN_WORD)
        return unexpected(s, "identifier", err);
    requirement = prb_selector_add(selector, SUBJECT_LABEL, absent ? OP_ABSENT : OP_EXISTS);
    requirement->key = prb_strndup(s->text, s->len);
    advance(s);

    if (!absent && s->token != TOKEN_END && s->token != TOKEN_COMMA) {
        r = read_operator(s, &requirement->op, &single, err);
        if (r == 0)
            r = single ? read_value(s, requirement, err) : read_values(s, requirement, err);
    }
    return r < 0 ? r : prb_requirement_check(requirement, err);
}

static int read_all(struct scanner *s, struct prb_selector *selector, struct prb_error *err)
{
    while (s->token != TOKEN_END) {
        int r = read_requirement(s, selector, err);

        if (r < 0)
            return r;
        if (s->token == TOKEN_END)
            break;
        if (s->token != TOKEN_COMMA)
            return unexpected(s, "',' or 'end of string'", err);
        advance(s);
        if (s->token != TOKEN_WORD && s->token != TOKEN_NOT)
            return unexpected(s, "identifier after ','", err);
    }
    return 0;
}

int prb_selector_parse(const char *text, struct prb_selector **ret, struct prb_error *err)
{
    prb_auto(prb_selector_free) struct prb_selector *selector = prb_selector_new();
    struct scanner s = { .text = text ? text : "" };
    int r;

    advance(&s);
    r = read_all(&s, selector, err);
    if (r < 0)
        return prb_wrap(err, "label selector");
    *ret = prb_take(selector);
    return 0;
}
