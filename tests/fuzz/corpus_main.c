/* usage: corpus TARGET-CORPUS-DIRECTORY: the target once on every file, without a fuzzer. */

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probate/base/cleanup.h"
#include "probate/base/file.h"
#include "probate/base/mem.h"

#include "fuzz_review.h"

/* Fewer than that, and the corpus was not found. */
#define FILES_MIN 20

#define FILE_MAX ((size_t)16 * 1024 * 1024)

static int is_seed(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static int run_file(const char *directory, const char *name)
{
    prb_autofree char *path = prb_asprintf("%s/%s", directory, name);
    prb_autofree char *text = NULL;
    prb_autofree char *exact = NULL;
    struct prb_error err;
    size_t len;

    if (prb_file_read(path, FILE_MAX, &text, &len, &err) < 0) {
        (void)fprintf(stderr, "%s\n", err.msg);
        return -1;
    }
    /* Not a byte more, so that a sanitizer sees who reads on. */
    exact = prb_malloc(len ? len : 1);
    memcpy(exact, text, len);
    (void)printf("%s\n", name);
    (void)fflush(stdout);
    return LLVMFuzzerTestOneInput((const uint8_t *)exact, len);
}

int main(int argc, char **argv)
{
    struct dirent **entries = NULL;
    int count = argc == 2 ? scandir(argv[1], &entries, is_seed, alphasort) : -1;
    int failed = 0;

    for (int i = 0; i < count; i++) {
        failed += run_file(argv[1], entries[i]->d_name) != 0;
        free(entries[i]);
    }
    free(entries);
    if (count < FILES_MIN || failed > 0) {
        (void)fprintf(stderr, "%d files, %d failed\n", count, failed);
        return 1;
    }
    (void)printf("%d Tests 0 Failures 0 Ignored\n", count);
    return 0;
}
