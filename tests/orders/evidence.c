/* What do the logs say? */

#include "evidence.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probate/base/cleanup.h"
#include "probate/base/file.h"
#include "probate/base/mem.h"

#define LINES_MAX 24

/* Bytes of a line that are printed. */
#define LINE_MAX 500

/* The API server writes some MB in a minute at most. */
#define FILE_MAX ((size_t)64 * 1024 * 1024)

void evidence_print(const char *title, const char *log, const char *text)
{
    const char *lines[LINES_MAX];
    size_t count = 0;

    while (*log) {
        size_t len = strcspn(log, "\n");

        if (memmem(log, len, text, strlen(text)))
            lines[count++ % LINES_MAX] = log;
        log += len + (log[len] == '\n');
    }
    printf("-- %s: %zu lines with \"%s\"\n", title, count, text);
    for (size_t i = count > LINES_MAX ? count - LINES_MAX : 0; i < count; i++) {
        const char *line = lines[i % LINES_MAX];
        size_t len = strcspn(line, "\n");

        printf("   %.*s\n", (int)(len < LINE_MAX ? len : LINE_MAX), line);
    }
}

void evidence_print_file(const char *title, const char *path, const char *text)
{
    prb_autofree char *log = NULL;
    struct prb_error err;
    size_t len;

    if (prb_file_read(path, FILE_MAX, &log, &len, &err) == 0)
        evidence_print(title, log, text);
}
