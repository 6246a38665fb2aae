#ifndef PROBATE_BASE_LOG_H
#define PROBATE_BASE_LOG_H

/*
 * Log lines: a constant message and key/value pairs, one line each to a file descriptor (stderr by
 * default), as text or JSON. Values are escaped, so that nothing from outside can forge a line,
 * and cut at PRB_LOG_VALUE_MAX. Thread-safe; a line is one write(2).
 *
 *     prb_info("request denied", KV("rule", rule), KV("uid", uid), KV_INT("us", us));
 *
 * Only admission, control, kube and cli log. Never pass secrets or payloads.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum prb_log_level { PRB_LOG_DEBUG, PRB_LOG_INFO, PRB_LOG_WARN, PRB_LOG_ERROR };
enum prb_log_format { PRB_LOG_TEXT, PRB_LOG_JSON };

/* A denial text with five names fits; more than that belongs in the object's status. */
#define PRB_LOG_VALUE_MAX 2048

struct prb_log_pair {
    const char *key;  /* static */
    const char *text; /* borrowed; NULL prints as "" unless is_int */
    int64_t number;
    bool is_int;
};

#define KV(k, v) ((struct prb_log_pair){ .key = (k), .text = (v) })
#define KV_INT(k, v) ((struct prb_log_pair){ .key = (k), .number = (v), .is_int = true })

void prb_log_configure(enum prb_log_level least, enum prb_log_format format, int fd);
bool prb_log_level_parse(const char *text, enum prb_log_level *ret);
bool prb_log_format_parse(const char *text, enum prb_log_format *ret);

void prb_log(enum prb_log_level level, const char *message, const struct prb_log_pair *pairs,
        size_t count);

#define PRB_LOG_(level, message, ...)                                                            \
    prb_log(level, message, (const struct prb_log_pair[]){ { .key = NULL }, ##__VA_ARGS__ } + 1, \
            sizeof((const struct prb_log_pair[]){ { .key = NULL }, ##__VA_ARGS__ }) /            \
                            sizeof(struct prb_log_pair) -                                        \
                    1)

#define prb_debug(message, ...) PRB_LOG_(PRB_LOG_DEBUG, message, ##__VA_ARGS__)
#define prb_info(message, ...) PRB_LOG_(PRB_LOG_INFO, message, ##__VA_ARGS__)
#define prb_warn(message, ...) PRB_LOG_(PRB_LOG_WARN, message, ##__VA_ARGS__)
#define prb_log_error(message, ...) PRB_LOG_(PRB_LOG_ERROR, message, ##__VA_ARGS__)

#endif
