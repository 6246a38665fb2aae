/* Which version is this? */

#include "probate/cli/verb.h"

static enum prb_exit run(const struct prb_verb *self, const struct prb_flag_input *input)
{
    prb_auto(prb_args_done) struct prb_args args = { 0 };
    prb_auto(prb_str_done) struct prb_str text;
    enum prb_exit over;

    prb_str_init(&text, PRB_HELP_MAX);
    if (!prb_verb_parse(self, input, NULL, &args, &over))
        return over;
    prb_str_add(&text, "probate " PRB_VERSION "\n");
    return prb_cli_print(&text);
}

static const struct prb_flags no_flags = { 0 };

const struct prb_verb prb_verb_version = {
    .name = "version",
    .arguments = "",
    .summary = "Print the version.",
    .description = "Prints the version of this program.",
    .flags = &no_flags,
    .run = run,
};
