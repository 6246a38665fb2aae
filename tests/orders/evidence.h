#ifndef TESTS_ORDERS_EVIDENCE_H
#define TESTS_ORDERS_EVIDENCE_H

/* What the logs of Probate and of the API server say to a world that did not end well. */

/* Print the lines of `log` with this text in them, up to some dozens: the last ones. */
void evidence_print(const char *title, const char *log, const char *text);

/* The same from a file, which need not be there. */
void evidence_print_file(const char *title, const char *path, const char *text);

#endif
