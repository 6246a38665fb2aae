#ifndef PROBATE_CLI_VERB_H
#define PROBATE_CLI_VERB_H

/* The verbs of the program, as a table: one file each, src/cli/<verb>.c, one symbol each. */

#include <stdbool.h>
#include <stddef.h>

#include "probate/cli/flags.h"

/* What the program says by its exit code. */
enum prb_exit {
    PRB_EXIT_DONE = 0,
    PRB_EXIT_DENIED = 1,      /* review: a request was refused */
    PRB_EXIT_USAGE = 2,       /* wrong usage or input */
    PRB_EXIT_UNREACHABLE = 3, /* the cluster could not be reached, or not read */
    PRB_EXIT_INTERNAL = 4,
};

struct prb_verb {
    const char *name;        /* static, as all here */
    const char *arguments;   /* after the name in the usage line: "[flags]" */
    const char *summary;     /* one line for `probate help` */
    const char *description; /* paragraphs for `probate help VERB`, one line each */
    const struct prb_flags *flags;
    size_t args_max; /* arguments that are no flags */

    /* What the help says after the flags; NULL: nothing. */
    void (*more_help)(struct prb_str *out);

    enum prb_exit (*run)(const struct prb_verb *verb, const struct prb_flag_input *input);
};

extern const struct prb_verb prb_verb_agent;
extern const struct prb_verb prb_verb_certs;
extern const struct prb_verb prb_verb_explain;
extern const struct prb_verb prb_verb_help;
extern const struct prb_verb prb_verb_manifest;
extern const struct prb_verb prb_verb_remove;
extern const struct prb_verb prb_verb_review;
extern const struct prb_verb prb_verb_selftest;
extern const struct prb_verb prb_verb_serve;
extern const struct prb_verb prb_verb_version;

const struct prb_verb *const *prb_verbs(size_t *ret_count);

/* The verb of this name; INVALID with the nearest one in the text. */
int prb_verb_find(const char *name, const struct prb_verb **ret, struct prb_error *err);

/* Run the program: argv and environment as main() has them. */
enum prb_exit prb_cli_run(const char *const *argv, const char *const *env);

/*
 * Parse for a verb and do what all verbs do alike: print its help when asked, complain when the
 * command line is wrong. False: it is over, return *ret_exit. The caller ends with prb_flags_done.
 */
bool prb_verb_parse(const struct prb_verb *verb, const struct prb_flag_input *input, void *options,
        struct prb_args *ret, enum prb_exit *ret_exit);

/* Help texts. */
void prb_help_overview(struct prb_str *out);
void prb_help_verb(const struct prb_verb *verb, struct prb_str *out);

/* One line of a list: a name, and its text from a column on that suits names of `width`. */
void prb_help_item(struct prb_str *out, const char *name, size_t width, const char *text);

/* Help is a few KB; this bounds what a table may grow to. */
#define PRB_HELP_MAX ((size_t)256 * 1024)

/* To stdout; INTERNAL when it does not take it (a full disk, a closed pipe). */
enum prb_exit prb_cli_print(const struct prb_str *text);

/* "probate serve: MESSAGE" to stderr, on one line; `hint` (may be NULL) on the next. */
void prb_cli_complain(const char *verb, const char *message, const char *hint);

/* The same with "see 'probate VERB --help'" as the hint. */
enum prb_exit prb_cli_misused(const char *verb, const char *message);

#endif
