/* How is the table of flags shown to a person? */

#include <string.h>

#include "probate/cli/flags.h"

#define INDENT 2 /* before each flag */
#define GAP 2    /* between a flag and its text */

/* A flag that is longer than this gets a line of its own, lest the texts become narrow columns. */
#define COLUMN_MAX 36

/* One flag's text: two sentences, its default and its variable. */
#define TEXT_MAX 2048

static void pad(struct prb_str *out, size_t count)
{
    for (size_t i = 0; i < count; i++)
        prb_str_addc(out, ' ');
}

void prb_help_wrap(struct prb_str *out, const char *text, size_t column, size_t indent)
{
    bool first = true; /* on its line */

    for (const char *word = text + strspn(text, " "); *word; word += strspn(word, " ")) {
        size_t len = strcspn(word, " ");

        if (!first && column + 1 + len > PRB_HELP_WIDTH) {
            prb_str_addc(out, '\n');
            pad(out, indent);
            column = indent;
            first = true;
        }
        if (!first)
            prb_str_addc(out, ' ');
        prb_str_addn(out, word, len);
        column += len + (first ? 0 : 1);
        first = false;
        word += len;
    }
    prb_str_addc(out, '\n');
}

/* "--ops-listen ADDR:PORT", "--dry-run[=true|false]" */
static void add_usage(const struct prb_flag *flag, struct prb_str *out)
{
    prb_str_addf(out, "--%s", flag->name);
    if (flag->type == PRB_FLAG_SWITCH)
        prb_str_add(out, "[=true|false]");
    else if (flag->type == PRB_FLAG_ENUM)
        for (size_t i = 0; flag->choices[i]; i++)
            prb_str_addf(out, "%c%s", i > 0 ? '|' : ' ', flag->choices[i]);
    else
        prb_str_addf(out, " %s", flag->value);
}

static size_t usage_width(const struct prb_flag *flag)
{
    prb_auto(prb_str_done) struct prb_str usage;

    prb_str_init(&usage, TEXT_MAX);
    add_usage(flag, &usage);
    return usage.len;
}

static size_t text_column(const struct prb_flags *flags)
{
    size_t widest = 0;

    for (size_t i = 0; i < flags->count; i++) {
        size_t width = INDENT + usage_width(&flags->items[i]) + GAP;

        if (width > widest && width <= COLUMN_MAX)
            widest = width;
    }
    return widest ? widest : COLUMN_MAX;
}

static void add_text(const struct prb_flag *flag, struct prb_str *out)
{
    const char *preset = flag->preset_text ? flag->preset_text : flag->preset;
    char env[PRB_FLAG_ENV_SIZE];

    prb_flag_env_name(flag, env);
    prb_str_addf(out, "%s", flag->help);
    if (preset)
        prb_str_addf(out, " Default: %s.", preset);
    prb_str_addf(out, " [%s]", env);
}

static void add_flag(const struct prb_flag *flag, size_t column, struct prb_str *out)
{
    size_t width = INDENT + usage_width(flag);
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, TEXT_MAX);
    add_text(flag, &text);

    pad(out, INDENT);
    add_usage(flag, out);
    if (width + GAP > column) {
        prb_str_addc(out, '\n');
        width = 0;
    }
    pad(out, column - width);
    prb_help_wrap(out, prb_str_get(&text), column, column);
}

void prb_flags_help(const struct prb_flags *flags, struct prb_str *out)
{
    size_t column = text_column(flags);

    for (size_t i = 0; i < flags->count; i++) {
        if (flags->items[i].section)
            prb_str_addf(out, "%s%s:\n", i > 0 ? "\n" : "", flags->items[i].section);
        add_flag(&flags->items[i], column, out);
    }
}
