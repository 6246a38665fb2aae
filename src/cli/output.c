/* How does the program speak to the person at the terminal? */

#include <ctype.h>
#include <stdio.h>

#include "probate/cli/verb.h"

/* A message is an error's, with a name before it. */
#define LINE_MAX_BYTES (PRB_ERROR_MSG_MAX + 256)

enum prb_exit prb_cli_print(const struct prb_str *text)
{
    if (fputs(prb_str_get(text), stdout) == EOF || fflush(stdout) == EOF) {
        prb_cli_complain(NULL, "could not write to the standard output", NULL);
        return PRB_EXIT_INTERNAL;
    }
    return PRB_EXIT_DONE;
}

/* Messages repeat what was typed or read from files: nothing of it may move the cursor. */
static void add_plain(struct prb_str *line, const char *message)
{
    for (const char *c = message; *c; c++)
        prb_str_addc(line, iscntrl((unsigned char)*c) ? ' ' : *c);
}

void prb_cli_complain(const char *verb, const char *message, const char *hint)
{
    prb_auto(prb_str_done) struct prb_str line;

    prb_str_init(&line, LINE_MAX_BYTES);
    prb_str_addf(&line, "probate%s%s: ", verb ? " " : "", verb ? verb : "");
    add_plain(&line, message);
    (void)fprintf(stderr, "%s\n", prb_str_get(&line));
    if (hint)
        (void)fprintf(stderr, "%s\n", hint);
}

enum prb_exit prb_cli_misused(const char *verb, const char *message)
{
    prb_auto(prb_str_done) struct prb_str hint;

    prb_str_init(&hint, LINE_MAX_BYTES);
    prb_str_addf(&hint, "see 'probate %s%s--help'", verb ? verb : "", verb ? " " : "");
    prb_cli_complain(verb, message, prb_str_get(&hint));
    return PRB_EXIT_USAGE;
}
