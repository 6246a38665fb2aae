/* Where may this test write, and under which name? */

#include "support/temp_dir.h"

#include <ftw.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "probate/base/mem.h"
#include "probate/base/random.h"

/* Folders nftw keeps open at once; tests nest a few deep. */
#define OPEN_DIRS_MAX 16

char *prb_test_temp_dir(void)
{
    const char *root = getenv("TMPDIR"); /* NOLINT(concurrency-mt-unsafe): nobody sets it here */
    char *path = prb_asprintf("%s/probate-test-XXXXXX", root && *root ? root : "/tmp");

    if (!mkdtemp(path)) {
        perror(path);
        abort();
    }
    return path;
}

static int remove_one(const char *path, const struct stat *stat, int type, struct FTW *at)
{
    (void)stat;
    (void)type;
    (void)at;
    return remove(path);
}

void prb_test_temp_dir_remove(char *path)
{
    if (!path)
        return;
    /* NOLINTNEXTLINE(concurrency-mt-unsafe): only where it changes folders, which it does not */
    if (nftw(path, remove_one, OPEN_DIRS_MAX, FTW_DEPTH | FTW_PHYS) != 0)
        perror(path);
    free(path);
}

void prb_test_unique_name(const char *prefix, char name[PRB_TEST_NAME_SIZE])
{
    (void)snprintf(
            name, PRB_TEST_NAME_SIZE, "%.50s-%08" PRIx32, prefix, (uint32_t)prb_random_u64());
}
