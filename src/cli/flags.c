/* Which flags does a command line give, and which does the environment? */

#include "probate/cli/flags.h"

#include <stdlib.h>
#include <string.h>

#include "probate/base/mem.h"

/* Flags a verb may have; the design names 30 in all. As many as prb_args has bits. */
#define FLAGS_MAX 64

/* One run over one command line. */
struct parse {
    const struct prb_flags *flags;
    void *options;
    struct prb_args *args;
    bool given[FLAGS_MAX]; /* on the command line, by index of the flag */
};

void prb_args_done(struct prb_args *args)
{
    free(args->items);
    args->items = NULL;
    args->count = 0;
}

/* The letter as variables have it: flags are made of lower case, digits and dashes. */
static char upper(char c)
{
    if (c == '-')
        return '_';
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

void prb_flag_env_name(const struct prb_flag *flag, char name[PRB_FLAG_ENV_SIZE])
{
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, PRB_FLAG_ENV_SIZE - 1);
    prb_str_add(&text, "PROBATE_");
    for (const char *c = flag->name; *c; c++)
        prb_str_addc(&text, upper(*c));
    (void)prb_copy(name, PRB_FLAG_ENV_SIZE, prb_str_get(&text));
}

static const char *find_env(const char *const *env, const char *name)
{
    size_t len = strlen(name);

    for (; *env; env++) {
        if (strncmp(*env, name, len) == 0 && (*env)[len] == '=')
            return *env + len + 1;
    }
    return NULL;
}

static const struct prb_flag *find_flag(const struct prb_flags *flags, const char *name, size_t len)
{
    for (size_t i = 0; i < flags->count; i++) {
        const char *known = flags->items[i].name;

        if (strlen(known) == len && memcmp(known, name, len) == 0)
            return &flags->items[i];
    }
    return NULL;
}

/* `text` is the argument with its dashes; only the part before '=' is shown. */
static int unknown_flag(const struct prb_flags *flags, const char *text, struct prb_error *err)
{
    prb_autofree char *shown = prb_strndup(text, strcspn(text, "="));
    const char *names[FLAGS_MAX + 1];
    int nearest;

    for (size_t i = 0; i < flags->count; i++)
        names[i] = flags->items[i].name;
    names[flags->count] = "help";
    nearest = prb_nearest(shown + strspn(shown, "-"), names, flags->count + 1);
    if (nearest < 0)
        return prb_fail(err, PRB_E_INVALID, "unknown flag %s", shown);
    return prb_fail(
            err, PRB_E_INVALID, "unknown flag %s; did you mean --%s?", shown, names[nearest]);
}

static void add_argument(struct prb_args *args, const char *text)
{
    args->items = prb_realloc(args->items, args->count + 1, sizeof(*args->items));
    args->items[args->count++] = text;
}

bool prb_args_say(const struct prb_args *args, const struct prb_flags *flags, const char *name)
{
    const struct prb_flag *flag = find_flag(flags, name, strlen(name));

    return flag && args->said >> (flag - flags->items) & 1;
}

/* "--file needs a value: FILE", "--color needs a value: red|green" */
static int needs_value(const struct prb_flag *flag, struct prb_error *err)
{
    prb_auto(prb_str_done) struct prb_str value;

    prb_str_init(&value, PRB_ERROR_MSG_MAX);
    prb_str_add(&value, flag->value ? flag->value : "");
    for (size_t i = 0; flag->choices && flag->choices[i]; i++)
        prb_str_addf(&value, "%s%s", i > 0 ? "|" : "", flag->choices[i]);
    return prb_fail(err, PRB_E_INVALID, "--%s needs a value: %s", flag->name, prb_str_get(&value));
}

/* The value of `flag` at argv[0], after '=' or in argv[1]; moves *argv past what it took. */
static int take_value(const struct prb_flag *flag, const char *const **argv, const char **ret,
        struct prb_error *err)
{
    const char *equals = strchr(**argv, '=');
    const char *next;

    (*argv)++;
    if (equals || flag->type == PRB_FLAG_SWITCH) {
        *ret = equals ? equals + 1 : "true";
        return 0;
    }
    next = **argv;
    if (!next)
        return needs_value(flag, err);
    if (prb_starts_with(next, "--"))
        return prb_fail(err, PRB_E_INVALID,
                "--%s needs a value before %s (a value that begins with dashes: --%s=...)",
                flag->name, next, flag->name);
    (*argv)++;
    *ret = next;
    return 0;
}

static int take_flag(struct parse *parse, const char *const **argv, struct prb_error *err)
{
    const char *name = **argv + 2, *value = "";
    const struct prb_flag *flag = find_flag(parse->flags, name, strcspn(name, "="));
    size_t index;
    int r;

    if (!flag)
        return unknown_flag(parse->flags, **argv, err);
    index = (size_t)(flag - parse->flags->items);
    if (parse->given[index] && flag->type != PRB_FLAG_LIST)
        return prb_fail(err, PRB_E_INVALID, "--%s is given twice", flag->name);
    parse->given[index] = true;
    parse->args->said |= UINT64_C(1) << index;

    r = take_value(flag, argv, &value, err);
    if (r < 0)
        return r;
    if (prb_flag_set(flag, value, parse->options, err) < 0)
        return prb_wrap(err, "--%s", flag->name);
    return 0;
}

static bool asks_for_help(const char *const *argv)
{
    for (; *argv && !prb_streq(*argv, "--"); argv++) {
        if (prb_streq(*argv, "--help") || prb_streq(*argv, "-h"))
            return true;
    }
    return false;
}

static int take_command_line(struct parse *parse, const char *const *argv, struct prb_error *err)
{
    bool flags_over = false;

    while (*argv) {
        int r = 0;

        if (flags_over || (*argv)[0] != '-' || (*argv)[1] == '\0') {
            add_argument(parse->args, *argv++);
        } else if (prb_streq(*argv, "--")) {
            flags_over = true;
            argv++;
        } else if (prb_starts_with(*argv, "--")) {
            r = take_flag(parse, &argv, err);
        } else {
            r = unknown_flag(parse->flags, *argv, err);
        }
        if (r < 0)
            return r;
    }
    return 0;
}

/* What the command line left open: from the environment, else the default of the table. */
static int take_rest(struct parse *parse, const char *const *env, struct prb_error *err)
{
    for (size_t i = 0; i < parse->flags->count; i++) {
        const struct prb_flag *flag = &parse->flags->items[i];
        char name[PRB_FLAG_ENV_SIZE];
        const char *value;

        if (parse->given[i])
            continue;
        prb_flag_env_name(flag, name);
        value = find_env(env, name);
        if (value && value[0])
            parse->args->said |= UINT64_C(1) << i;
        if (value && value[0] && prb_flag_set(flag, value, parse->options, err) < 0)
            return prb_wrap(err, "%s in the environment", name);
        if ((!value || !value[0]) && flag->preset &&
                prb_flag_set(flag, flag->preset, parse->options, err) < 0)
            return prb_wrap(err, "default of --%s", flag->name);
    }
    return 0;
}

int prb_flags_parse(const struct prb_flags *flags, const struct prb_flag_input *input,
        void *options, struct prb_args *ret, struct prb_error *err)
{
    struct prb_args args = { 0 };
    struct parse parse = { .flags = flags, .options = options, .args = &args };
    int r;

    if (flags->count > FLAGS_MAX)
        return prb_fail(err, PRB_E_INTERNAL, "%zu flags; FLAGS_MAX is too small", flags->count);
    if (asks_for_help(input->argv)) {
        *ret = (struct prb_args){ .help = true };
        return 0;
    }

    r = take_command_line(&parse, input->argv, err);
    if (r == 0)
        r = take_rest(&parse, input->env, err);
    if (r < 0) {
        prb_args_done(&args);
        return r;
    }
    *ret = args;
    return 0;
}

void prb_flags_done(const struct prb_flags *flags, void *options)
{
    for (size_t i = 0; i < flags->count; i++) {
        if (flags->items[i].type == PRB_FLAG_LIST)
            prb_list_done((struct prb_list *)(void *)((char *)options + flags->items[i].at));
    }
}
