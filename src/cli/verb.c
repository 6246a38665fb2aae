/* Which verbs are there, and what do they all do alike? */

#include "probate/cli/verb.h"

/* In the order in which help lists them. */
static const struct prb_verb *const verbs[] = {
    &prb_verb_serve,
    &prb_verb_agent,
    &prb_verb_review,
    &prb_verb_explain,
    &prb_verb_certs,
    &prb_verb_manifest,
    &prb_verb_selftest,
    &prb_verb_remove,
    &prb_verb_version,
    &prb_verb_help,
};
#define VERB_COUNT (sizeof(verbs) / sizeof(verbs[0]))

const struct prb_verb *const *prb_verbs(size_t *ret_count)
{
    *ret_count = VERB_COUNT;
    return verbs;
}

int prb_verb_find(const char *name, const struct prb_verb **ret, struct prb_error *err)
{
    const char *names[VERB_COUNT];
    int nearest;

    for (size_t i = 0; i < VERB_COUNT; i++) {
        names[i] = verbs[i]->name;
        if (prb_streq(name, names[i])) {
            *ret = verbs[i];
            return 0;
        }
    }
    nearest = prb_nearest(name, names, VERB_COUNT);
    if (nearest < 0)
        return prb_fail(err, PRB_E_INVALID, "unknown verb \"%s\"", name);
    return prb_fail(
            err, PRB_E_INVALID, "unknown verb \"%s\"; did you mean %s?", name, names[nearest]);
}

static int check_arguments(
        const struct prb_verb *verb, const struct prb_args *args, struct prb_error *err)
{
    const char *extra;

    if (args->count <= verb->args_max)
        return 0;
    extra = args->items[verb->args_max];
    if (prb_streq(extra, "true") || prb_streq(extra, "false"))
        return prb_fail(err, PRB_E_INVALID,
                "unexpected argument \"%s\"; a switch takes its value as --flag=%s", extra, extra);
    return prb_fail(err, PRB_E_INVALID, "unexpected argument \"%s\"", extra);
}

static enum prb_exit print_help(const struct prb_verb *verb)
{
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, PRB_HELP_MAX);
    prb_help_verb(verb, &text);
    return prb_cli_print(&text);
}

bool prb_verb_parse(const struct prb_verb *verb, const struct prb_flag_input *input, void *options,
        struct prb_args *ret, enum prb_exit *ret_exit)
{
    prb_auto(prb_args_done) struct prb_args args = { 0 };
    struct prb_error err;

    if (prb_flags_parse(verb->flags, input, options, &args, &err) < 0 ||
            check_arguments(verb, &args, &err) < 0) {
        *ret_exit = prb_cli_misused(verb->name, err.msg);
        return false;
    }
    if (args.help) {
        *ret_exit = print_help(verb);
        return false;
    }
    *ret = args;
    args = (struct prb_args){ 0 };
    return true;
}
