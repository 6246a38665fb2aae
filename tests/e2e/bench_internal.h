#ifndef TESTS_E2E_BENCH_INTERNAL_H
#define TESTS_E2E_BENCH_INTERNAL_H

/* What the files of the bench share. */

#include "bench.h"

/* Note why; false. */
bool bench_fail(struct bench *bench, const char *what, const char *reason);

/* Run Probate to its end, with exit code 0. The caller frees the output. */
bool bench_probate(struct bench *bench, const char *const *arguments, char **ret_output);

/* Write a file into the folder of the bench and give it to "kubectl apply". */
bool bench_apply_text(struct bench *bench, const char *name, const char *text);

/* The service accounts that Probate runs under, with their rights and kubeconfigs. */
bool bench_make_accounts(struct bench *bench);

/* The kubeconfig of a service account; the caller frees. */
char *bench_account(const struct bench *bench, const char *name);

#endif
