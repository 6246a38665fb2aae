/*
 * Does a criterion hold, as far as the view can tell, and what is in its way?
 *
 * What was not read, may not be read, or would have to be asked for under another address is
 * unknown: absence in a cache counts only where the whole collection is known.
 */

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/core/question.h"

#include "critical_service_internal.h"

/* A description has a group, a resource, and a finalizer or two names in it; what goes wrong says
 * so in 255 bytes. */
#define TEXT_MAX 1536

char *prb_crit_description(const struct prb_criterion *criterion)
{
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, TEXT_MAX);
    prb_criterion_text(criterion, &text);
    return prb_str_take(&text);
}

__attribute__((format(printf, 3, 4))) static void say(
        struct prb_crit_finding *finding, enum prb_crit_state state, const char *fmt, ...)
{
    prb_auto(prb_str_done) struct prb_str text;
    va_list args;

    prb_str_init(&text, TEXT_MAX);
    va_start(args, fmt);
    prb_str_vaddf(&text, fmt, args);
    va_end(args);
    free(finding->message);
    finding->message = prb_str_take(&text);
    finding->state = state;
}

/* "coolresources.my.crd.group", as the flag of `probate manifest rbac` takes it. */
static char *flag_value(const struct prb_gvr *gvr)
{
    return prb_asprintf("%s%s%s", gvr->resource, gvr->group[0] ? "." : "", gvr->group);
}

static void say_forbidden(struct prb_crit_finding *finding)
{
    prb_autofree char *resource = flag_value(&finding->known->gvr);

    finding->forbidden = true;
    say(finding, PRB_CRIT_UNKNOWN,
            "Probate has no right to get, list and watch %s; apply what \"probate manifest rbac "
            "--criteria-resource %s\" prints",
            resource, resource);
}

static void say_unread(struct prb_crit_finding *finding)
{
    const char *trouble = finding->known ? finding->known->trouble : "";

    finding->forbidden = finding->known && finding->known->forbidden;
    finding->pending = trouble[0] == '\0' || prb_streq(trouble, PRB_NOT_LOOKED_FOR);
    if (finding->pending)
        say(finding, PRB_CRIT_UNKNOWN, "it is being found out");
    else
        say(finding, PRB_CRIT_UNKNOWN, "it cannot be found out: %s", trouble);
}

static void say_absent(const struct prb_criterion *criterion, struct prb_crit_finding *finding)
{
    prb_auto(prb_str_done) struct prb_str resource;

    prb_str_init(&resource, TEXT_MAX);
    prb_criterion_resource_text(criterion, &resource);
    say(finding, PRB_CRIT_MET, "%s is not served%s", prb_str_get(&resource),
            finding->never_served ? ", and never was since this was created" : "");
}

/* Objects that have one finalizer. */
struct pass {
    const char *finalizer;
    struct prb_holders *holders;
};

static bool add_if_holding(void *ctx, const struct prb_object *object)
{
    struct pass *pass = ctx;

    if (prb_object_has_finalizer(object, pass->finalizer))
        prb_holders_add(pass->holders, object);
    return true;
}

static void look_for_finalizer(const struct prb_view *view, const struct prb_criterion *criterion,
        struct prb_crit_finding *finding)
{
    struct pass pass = { .finalizer = criterion->finalizer, .holders = &finding->blockers };
    bool held;

    prb_view_each(view, &finding->known->gvr, NULL, add_if_holding, &pass);
    held = finding->blockers.count > 0 || finding->blockers.more;
    say(finding, held ? PRB_CRIT_UNMET : PRB_CRIT_MET, "%s", "");
}

static void look_for_object(const struct prb_view *view, const struct prb_criterion *criterion,
        struct prb_crit_finding *finding)
{
    struct prb_ref ref;

    if (!prb_ref_init(&ref, &finding->known->gvr, criterion->namespace, criterion->name)) {
        say(finding, PRB_CRIT_UNKNOWN, "no object can have this name; correct the criterion");
        return;
    }
    finding->object = prb_view_find(view, &ref);
    if (finding->object)
        prb_holders_add(&finding->blockers, finding->object);
    say(finding, finding->object ? PRB_CRIT_UNMET : PRB_CRIT_MET, "%s", "");
}

/* A look at the wrong place would find nothing, and read as "gone". */
static bool has_right_scope(const struct prb_criterion *criterion, struct prb_crit_finding *finding)
{
    bool has_namespace = criterion->namespace[0] != '\0';

    if (criterion->type != PRB_CRITERION_RESOURCE || has_namespace == finding->known->namespaced)
        return true;
    if (has_namespace)
        say(finding, PRB_CRIT_UNKNOWN,
                "%s are in no namespace; take the namespace out of the criterion",
                finding->known->gvr.resource);
    else
        say(finding, PRB_CRIT_UNKNOWN, "%s are in namespaces; say in the criterion in which",
                finding->known->gvr.resource);
    return false;
}

static void look_into(const struct prb_view *view, const struct prb_criterion *criterion,
        struct prb_crit_finding *finding)
{
    if (!has_right_scope(criterion, finding))
        return;
    if (finding->known->forbidden)
        say_forbidden(finding);
    else if (finding->known->trouble[0] || !prb_view_knows(view, &finding->known->gvr))
        say_unread(finding); /* also when it was read, and is not kept up any more */
    else if (criterion->type == PRB_CRITERION_FINALIZER)
        look_for_finalizer(view, criterion, finding);
    else
        look_for_object(view, criterion, finding);
}

/* Who was stored before there was a webhook may name what nothing is called. It is served nowhere,
 * and the rule, which cannot ask for it, never takes that for an answer. */
static bool can_be_asked(const struct prb_criterion *criterion)
{
    prb_auto(prb_questions_done) struct prb_questions trial;

    prb_questions_init(&trial);
    if (criterion->type == PRB_CRITERION_FINALIZER)
        prb_ask_finalizer(&trial, criterion->group, criterion->resource, criterion->finalizer);
    else
        prb_ask_named(&trial, criterion->group, criterion->resource, criterion->namespace,
                criterion->name);
    return trial.count > 0;
}

void prb_crit_find_out(const struct prb_view *view, const struct prb_criterion *criterion,
        bool resolved, struct prb_crit_finding *ret)
{
    *ret = (struct prb_crit_finding){ .state = PRB_CRIT_UNKNOWN };
    if (criterion->type == PRB_CRITERION_UNKNOWN) {
        say(ret, PRB_CRIT_UNKNOWN, "it cannot be understood; correct the criterion");
        return;
    }
    if (!can_be_asked(criterion)) {
        say(ret, PRB_CRIT_UNKNOWN,
                "nothing that exists could be called that; correct the criterion");
        return;
    }
    ret->known = prb_view_resource(view, criterion->group, criterion->resource);
    if (!ret->known || ret->known->state == PRB_RESOURCE_UNKNOWN) {
        say_unread(ret);
    } else if (ret->known->state == PRB_RESOURCE_ABSENT) {
        ret->never_served = !resolved;
        say_absent(criterion, ret);
    } else {
        look_into(view, criterion, ret);
    }
}
