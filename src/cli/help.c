/* What can the program do, and how is it told to? */

#include <string.h>

#include "probate/cli/verb.h"

#define INDENT 2     /* before the items of a list */
#define GAP 2        /* after their names */
#define VERB_WIDTH 8 /* the longest verb of the design */

void prb_help_item(struct prb_str *out, const char *name, size_t width, const char *text)
{
    size_t column = INDENT + width + GAP;

    prb_str_addf(out, "%*s%-*s", INDENT, "", (int)(width + GAP), name);
    prb_help_wrap(out, text, column, column);
}

void prb_help_overview(struct prb_str *out)
{
    size_t count;
    const struct prb_verb *const *verbs = prb_verbs(&count);

    prb_str_add(out, "usage: probate VERB [flags]\n\n");
    prb_help_wrap(out,
            "Probate watches over deletions on a Kubernetes hub: it decides which may begin, carries "
            "them out in order, and says at every moment what they wait for.",
            0, 0);
    prb_str_add(out, "\nVerbs:\n");
    for (size_t i = 0; i < count; i++)
        prb_help_item(out, verbs[i]->name, VERB_WIDTH, verbs[i]->summary);
    prb_str_add(out, "\n'probate help VERB' or 'probate VERB --help' says more.\n");
}

/* Paragraphs are separated by newlines in the table. */
static void add_description(struct prb_str *out, const char *text)
{
    while (*text) {
        size_t len = strcspn(text, "\n");
        prb_auto(prb_str_done) struct prb_str paragraph;

        prb_str_init(&paragraph, PRB_HELP_MAX);
        prb_str_addn(&paragraph, text, len);
        prb_str_addc(out, '\n');
        prb_help_wrap(out, prb_str_get(&paragraph), 0, 0);
        text += len + (text[len] ? 1 : 0);
    }
}

void prb_help_verb(const struct prb_verb *verb, struct prb_str *out)
{
    prb_str_addf(out, "usage: probate %s%s%s\n", verb->name, verb->arguments[0] ? " " : "",
            verb->arguments);
    add_description(out, verb->description);
    if (verb->flags->count > 0) {
        prb_str_addc(out, '\n');
        prb_flags_help(verb->flags, out);
        prb_str_addc(out, '\n');
        prb_help_wrap(out,
                "Each flag may also be set in the environment, by the name in brackets; the "
                "command line wins.",
                0, 0);
    }
    if (verb->more_help)
        verb->more_help(out);
}

static enum prb_exit run(const struct prb_verb *self, const struct prb_flag_input *input)
{
    prb_auto(prb_args_done) struct prb_args args = { 0 };
    prb_auto(prb_str_done) struct prb_str text;
    const struct prb_verb *verb;
    struct prb_error err;
    enum prb_exit over;

    prb_str_init(&text, PRB_HELP_MAX);
    if (!prb_verb_parse(self, input, NULL, &args, &over))
        return over;
    if (args.count == 0) {
        prb_help_overview(&text);
    } else {
        if (prb_verb_find(args.items[0], &verb, &err) < 0)
            return prb_cli_misused(NULL, err.msg);
        prb_help_verb(verb, &text);
    }
    return prb_cli_print(&text);
}

static const struct prb_flags no_flags = { 0 };

const struct prb_verb prb_verb_help = {
    .name = "help",
    .arguments = "[VERB]",
    .summary = "Say what a verb does and which flags it has.",
    .description = "Lists the verbs, or says what one of them does and which flags it has.",
    .flags = &no_flags,
    .args_max = 1,
    .run = run,
};
