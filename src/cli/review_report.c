/* How is a verdict told to a person at a terminal? */

#include "probate/base/str.h"

#include "review.h"

static const char *or_else(const char *text, const char *other)
{
    return text && text[0] ? text : other;
}

/* The API server says of a Namespace that it is in itself. */
static const char *namespace_of(const struct prb_request *request)
{
    bool is_one =
            prb_streq(request->gvr.group, "") && prb_streq(request->gvr.resource, "namespaces");

    return is_one ? "" : request->namespace;
}

/* "CREATE ManifestWork c1/web" */
static void add_subject(struct prb_str *line, const struct prb_request *request)
{
    const char *namespace = namespace_of(request);

    prb_str_addf(line, "%s %s%s%s %s%s%s", prb_operation_name(request->operation),
            or_else(request->kind, request->gvr.resource), request->subresource[0] ? "/" : "",
            request->subresource, namespace, namespace[0] ? "/" : "",
            or_else(request->name, "(no name yet)"));
}

static void add_decision(struct prb_str *line, const struct prb_verdict *verdict)
{
    if (!prb_verdict_allows(verdict))
        prb_str_addf(line, "denied by %s (%d): %s", or_else(verdict->rule, "Probate"),
                prb_review_code(verdict), or_else(verdict->message, "no reason given"));
    else if (verdict->audited)
        prb_str_addf(line, "allowed, but would be refused: %s", verdict->audited);
    else
        prb_str_add(line, "allowed");
    for (size_t i = 0; i < verdict->warning_count; i++)
        prb_str_addf(line, "; warning: %s", verdict->warnings[i]);
}

/* Names of files and kinds are anybody's: nothing of them may steer the terminal. */
static void add_plain(struct prb_str *out, const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        bool two_bytes = c[0] == 0xc2 && c[1] >= 0x80 && c[1] <= 0x9f;

        prb_str_addc(out, c[0] < 0x20 || c[0] == 0x7f || two_bytes ? ' ' : (char)c[0]);
        c += two_bytes ? 1 : 0;
    }
}

void prb_review_report(const struct prb_review_document *document,
        const struct prb_request *request, const struct prb_verdict *verdict, struct prb_str *out)
{
    prb_auto(prb_str_done) struct prb_str line;

    prb_str_init(&line, PRB_REVIEW_ANSWER_MAX);
    prb_str_addf(&line, "%s (%zu): ", document->file, document->number);
    add_subject(&line, request);
    prb_str_add(&line, ": ");
    add_decision(&line, verdict);
    add_plain(out, prb_str_get(&line));
    prb_str_addc(out, '\n');
}
