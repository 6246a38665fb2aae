#ifndef PROBATE_CLI_FLAGS_H
#define PROBATE_CLI_FLAGS_H

/*
 * Flags of a verb, as a table: one source for parsing, for `--help` and for the reference page.
 *
 * `--flag value`, `--flag=value`, switches `--flag` and `--flag=true|false`; `--` ends the flags.
 * Each flag may also come from the environment, `--ops-listen` as PROBATE_OPS_LISTEN; an empty
 * variable counts as absent and the command line wins. No flag takes a secret (those are in files
 * that flags name), and the value of a flag that is not known is not repeated in the error: it
 * might be one.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probate/base/error.h"
#include "probate/base/str.h"
#include "probate/cli/address.h"
#include "probate/cli/list.h"

/* The type of a flag, and of what its `at` points to: */
enum prb_flag_type {
    PRB_FLAG_TEXT,     /* const char *, borrowed from the command line or the environment */
    PRB_FLAG_INT,      /* int64_t within [min, max] */
    PRB_FLAG_DURATION, /* int64_t, milliseconds within [min, max] */
    PRB_FLAG_SWITCH,   /* int: 0 or 1 */
    PRB_FLAG_ENUM,     /* int: index into `choices` */
    PRB_FLAG_ADDRESS,  /* struct prb_address */
    PRB_FLAG_LIST,     /* struct prb_list; may be given again and takes commas */
};

struct prb_flag {
    const char *name;    /* without dashes; static, as all texts here */
    const char *section; /* heading above this flag in the help; NULL: the one before goes on */
    enum prb_flag_type type;
    size_t at;                  /* offset of the target in the options of the verb */
    const char *value;          /* what the help calls the value: "FILE"; NULL for a switch */
    const char *preset;         /* default, as one would type it; NULL: the caller's value stays */
    const char *preset_text;    /* the default in words, where it depends on something */
    const char *const *choices; /* ENUM: NULL-terminated */
    int64_t min, max;
    const char *help; /* one or two sentences */
};

struct prb_flags {
    const struct prb_flag *items;
    size_t count;
};

/* What is left of a command line. */
struct prb_args {
    bool help;          /* --help or -h was among the flags */
    uint64_t said;      /* a bit for each flag: see prb_args_say */
    const char **items; /* arguments that are no flags; owned array of borrowed texts */
    size_t count;
};
void prb_args_done(struct prb_args *args);
static inline void prb_args_donep(struct prb_args *args)
{
    prb_args_done(args);
}

/* Both NULL-terminated; `argv` without program and verb. */
struct prb_flag_input {
    const char *const *argv;
    const char *const *env;
};

/*
 * Fill `options` from defaults, environment and command line. INVALID with a text that names the
 * flag (or the variable), the value and what would be right. After success or failure the caller
 * ends with prb_flags_done. With --help nothing else is checked.
 */
int prb_flags_parse(const struct prb_flags *flags, const struct prb_flag_input *input,
        void *options, struct prb_args *ret, struct prb_error *err);

/* Does the command line or the environment say this flag, be it with its default? */
bool prb_args_say(const struct prb_args *args, const struct prb_flags *flags, const char *name);

/* Free what lists in `options` hold. */
void prb_flags_done(const struct prb_flags *flags, void *options);

/* Convert one text into the target; INVALID without the flag's name in it. Lists are added to. */
int prb_flag_set(
        const struct prb_flag *flag, const char *text, void *options, struct prb_error *err);

/* "PROBATE_OPS_LISTEN" */
#define PRB_FLAG_ENV_SIZE 64 /* the longest flag of the design has 33 characters */
void prb_flag_env_name(const struct prb_flag *flag, char name[PRB_FLAG_ENV_SIZE]);

/* The table as text: aligned, wrapped at PRB_HELP_WIDTH, with defaults and variables. */
#define PRB_HELP_WIDTH 100
void prb_flags_help(const struct prb_flags *flags, struct prb_str *out);

/* Add `text` word by word from `column` on, continued lines indented by `indent`. */
void prb_help_wrap(struct prb_str *out, const char *text, size_t column, size_t indent);

#endif
