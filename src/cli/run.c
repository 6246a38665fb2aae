/* Which verb does the command line name? */

#include "probate/cli/verb.h"

static enum prb_exit run_bare(void)
{
    prb_cli_complain(NULL, "no verb given", "see 'probate --help'");
    return PRB_EXIT_USAGE;
}

enum prb_exit prb_cli_run(const char *const *argv, const char *const *env)
{
    struct prb_flag_input input = { .argv = argv, .env = env };
    const struct prb_verb *verb;
    struct prb_error err;

    if (!argv[0] || !argv[1])
        return run_bare();
    input.argv = argv + 2;
    if (prb_streq(argv[1], "--help") || prb_streq(argv[1], "-h"))
        return prb_verb_help.run(&prb_verb_help, &input);
    if (prb_streq(argv[1], "--version"))
        return prb_verb_version.run(&prb_verb_version, &input);
    if (argv[1][0] == '-')
        return prb_cli_misused(NULL, "the verb comes first, then its flags");
    if (prb_verb_find(argv[1], &verb, &err) < 0)
        return prb_cli_misused(NULL, err.msg);
    return verb->run(verb, &input);
}
