/* How does a line of the log look, and how does it reach its reader? */

#include "probate/base/log.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "probate/base/clock.h"
#include "probate/base/json.h"
#include "probate/base/str.h"

#include "utf8.h"

/* Pairs are written out in a call's source; ten is many. */
#define PAIRS_MAX 64

/* Every byte of every value as \u00XX (6 bytes), plus as much again for keys and the message. */
#define LINE_MAX_BYTES ((size_t)2 * PAIRS_MAX * 6 * PRB_LOG_VALUE_MAX)

static _Atomic int log_least = PRB_LOG_INFO;
static _Atomic int log_format = PRB_LOG_TEXT;
static _Atomic int log_fd = STDERR_FILENO;

/* A pipe takes only 4096 bytes at once for certain; longer lines of two threads would mix. */
static pthread_mutex_t write_lock = PTHREAD_MUTEX_INITIALIZER;

static const char *const level_names[] = { "debug", "info", "warn", "error" };
static const char *const format_names[] = { "text", "json" };

void prb_log_configure(enum prb_log_level least, enum prb_log_format format, int fd)
{
    atomic_store(&log_least, (int)least);
    atomic_store(&log_format, (int)format);
    atomic_store(&log_fd, fd);
}

static bool parse_name(const char *text, const char *const *names, size_t count, size_t *ret)
{
    for (size_t i = 0; i < count; i++) {
        if (prb_streq(text, names[i])) {
            *ret = i;
            return true;
        }
    }
    return false;
}

bool prb_log_level_parse(const char *text, enum prb_log_level *ret)
{
    size_t at;

    if (!parse_name(text, level_names, sizeof(level_names) / sizeof(level_names[0]), &at))
        return false;
    *ret = (enum prb_log_level)at;
    return true;
}

bool prb_log_format_parse(const char *text, enum prb_log_format *ret)
{
    size_t at;

    if (!parse_name(text, format_names, sizeof(format_names) / sizeof(format_names[0]), &at))
        return false;
    *ret = (enum prb_log_format)at;
    return true;
}

/* "2026-01-02T03:04:05.678Z": the micro form without its last three digits. */
static void format_now(char text[PRB_TIME_SIZE])
{
    const struct prb_clock *clock = prb_clock_system();

    prb_time_format_micro(clock->wall_ms(clock), text);
    memcpy(text + strlen("2026-01-02T03:04:05.678"), "Z", sizeof("Z"));
}

/* Length of a value as it is printed: bounded, and never cut inside a character. */
static size_t bounded_len(const char *text)
{
    size_t len = strnlen(text, PRB_LOG_VALUE_MAX + 1);

    return len > PRB_LOG_VALUE_MAX ? prb_utf8_cut(text, PRB_LOG_VALUE_MAX) : len;
}

/* May the value stand without quotes? Only visible ASCII that cannot be taken for our marks. */
static bool is_bare(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (text[i] <= ' ' || text[i] >= 0x7F || strchr("\"\\=", text[i]))
            return false;
    }
    return len > 0;
}

static void add_text_value(struct prb_str *line, const char *text)
{
    size_t len = bounded_len(text);

    if (is_bare(text, len))
        prb_str_addn(line, text, len);
    else
        prb_json_print_string(text, len, line);
    if (text[len])
        prb_str_add(line, "...");
}

static void add_json_value(struct prb_str *line, const char *text)
{
    size_t len = bounded_len(text);

    prb_json_print_string(text, len, line);
    if (text[len] && line->len > 0 && !line->cut) {
        line->len--; /* the closing quote moves behind the mark */
        prb_str_add(line, "...\"");
    }
}

static void add_text_pair(struct prb_str *line, const struct prb_log_pair *pair)
{
    prb_str_addf(line, " %s=", pair->key);
    if (pair->is_int)
        prb_str_addf(line, "%lld", (long long)pair->number);
    else
        add_text_value(line, pair->text ? pair->text : "");
}

static void add_json_pair(struct prb_str *line, const struct prb_log_pair *pair)
{
    prb_str_addc(line, ',');
    prb_json_print_string(pair->key, strlen(pair->key), line);
    prb_str_addc(line, ':');
    if (pair->is_int)
        prb_str_addf(line, "%lld", (long long)pair->number);
    else
        add_json_value(line, pair->text ? pair->text : "");
}

static void write_line(const struct prb_str *line)
{
    int fd = atomic_load(&log_fd);
    size_t at = 0;

    (void)pthread_mutex_lock(&write_lock);
    while (at < line->len) {
        ssize_t put = write(fd, line->data + at, line->len - at);

        if (put > 0)
            at += (size_t)put;
        else if (put == 0 || errno != EINTR)
            break; /* a log that cannot be written is no reason to stop */
    }
    (void)pthread_mutex_unlock(&write_lock);
}

static void build_text(struct prb_str *line, enum prb_log_level level, const char *message,
        const struct prb_log_pair *pairs, size_t count)
{
    char now[PRB_TIME_SIZE];

    format_now(now);
    prb_str_addf(line, "%s %-5s %s", now, level_names[level], message);
    for (size_t i = 0; i < count; i++)
        add_text_pair(line, &pairs[i]);
}

static void build_json(struct prb_str *line, enum prb_log_level level, const char *message,
        const struct prb_log_pair *pairs, size_t count)
{
    char now[PRB_TIME_SIZE];

    format_now(now);
    prb_str_addf(line, "{\"ts\":\"%s\",\"level\":\"%s\",\"msg\":", now, level_names[level]);
    prb_json_print_string(message, strlen(message), line);
    for (size_t i = 0; i < count; i++)
        add_json_pair(line, &pairs[i]);
    prb_str_addc(line, '}');
}

void prb_log(enum prb_log_level level, const char *message, const struct prb_log_pair *pairs,
        size_t count)
{
    prb_auto(prb_str_done) struct prb_str line;
    int saved_errno = errno; /* callers log between a failed call and its strerror */

    prb_str_init(&line, LINE_MAX_BYTES);
    if ((int)level < atomic_load(&log_least))
        return;

    if (count > PAIRS_MAX)
        count = PAIRS_MAX;
    if (atomic_load(&log_format) == PRB_LOG_JSON)
        build_json(&line, level, message, pairs, count);
    else
        build_text(&line, level, message, pairs, count);
    prb_str_addc(&line, '\n');
    write_line(&line);
    errno = saved_errno;
}
