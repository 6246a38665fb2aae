/* What did the code under test say? */

#include "log_file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probate/base/log.h"

FILE *log_file_open(void)
{
    FILE *log = tmpfile();

    if (!log)
        abort();
    prb_log_configure(PRB_LOG_INFO, PRB_LOG_TEXT, fileno(log));
    return log;
}

void log_file_close(FILE *log)
{
    prb_log_configure(PRB_LOG_ERROR, PRB_LOG_TEXT, STDERR_FILENO);
    (void)fclose(log);
}

int log_file_count(FILE *log, const char *text)
{
    char line[4096];
    int count = 0;

    rewind(log);
    while (fgets(line, sizeof(line), log))
        count += strstr(line, text) ? 1 : 0;
    return count;
}
