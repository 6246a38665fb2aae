#ifndef TESTS_CONTROL_LOG_FILE_H
#define TESTS_CONTROL_LOG_FILE_H

/* The log of a test, in a temporary file, to count what was said. */

#include <stdio.h>

/* Everything from `info` up goes there until log_file_close. */
FILE *log_file_open(void);
void log_file_close(FILE *log);

/* Lines that hold `text`. */
int log_file_count(FILE *log, const char *text);

#endif
