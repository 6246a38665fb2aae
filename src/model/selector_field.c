/* What does a field selector say? Only name and namespace can be asked for, as on any CRD. */

#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "selector_internal.h"

/* Enough of a term to recognise it in a message. */
#define SHOWN 320

static bool find_subject(const char *term, size_t len, enum selector_subject *ret)
{
    static const char name[] = "metadata.name", namespace[] = "metadata.namespace";

    if (len == strlen(name) && memcmp(term, name, len) == 0)
        *ret = SUBJECT_NAME;
    else if (len == strlen(namespace) && memcmp(term, namespace, len) == 0)
        *ret = SUBJECT_NAMESPACE;
    else
        return false;
    return true;
}

/* The end of a term: a comma that no backslash guards, or the end of the text. */
static const char *term_end(const char *at)
{
    for (; *at && *at != ','; at++) {
        if (at[0] == '\\' && at[1])
            at++;
    }
    return at;
}

/* The value without its backslashes. NULL: one guards nothing, or a '=' is not guarded. */
static char *unescape(const char *from, const char *end)
{
    prb_autofree char *plain = prb_strndup(from, (size_t)(end - from));
    char *to = plain;

    for (; from < end; from++) {
        if (*from == '=')
            return NULL;
        if (*from == '\\') {
            from++;
            if (from == end || !strchr("\\,=", *from))
                return NULL;
        }
        *to++ = *from;
    }
    *to = '\0';
    return prb_take(plain);
}

/* "metadata.name=web", with one of = == != */
static int read_term(
        const char *term, const char *end, struct prb_selector *selector, struct prb_error *err)
{
    size_t field = strcspn(term, "=!");
    int shown = end - term < SHOWN ? (int)(end - term) : SHOWN;
    const char *at = term + field;
    prb_autofree char *value = NULL;
    enum selector_subject subject;
    enum selector_op op = *at == '!' ? OP_NOT_IN : OP_IN;

    if (at >= end || (*at == '!' && at[1] != '='))
        return prb_fail(
                err, PRB_E_INVALID, "field selector: cannot understand '%.*s'", shown, term);
    if (!find_subject(term, field, &subject))
        return prb_fail(err, PRB_E_INVALID, "field selector: field label not supported: %.*s",
                (int)field < shown ? (int)field : shown, term);
    at += at[1] == '=' ? 2 : 1;
    value = unescape(at, end);
    if (!value)
        return prb_fail(err, PRB_E_INVALID, "field selector: bad value in '%.*s'", shown, term);
    prb_requirement_add(prb_selector_add(selector, subject, op), value, strlen(value));
    return 0;
}

int prb_field_selector_parse(const char *text, struct prb_selector **ret, struct prb_error *err)
{
    prb_auto(prb_selector_free) struct prb_selector *selector = prb_selector_new();
    const char *at = text ? text : "";

    while (*at) {
        const char *end = term_end(at);
        int r = at == end ? 0 : read_term(at, end, selector, err);

        if (r < 0)
            return r;
        at = *end ? end + 1 : end;
    }
    *ret = prb_take(selector);
    return 0;
}
