/* Which files below a folder are manifests? */

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

#include "probate/base/file.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "documents.h"
#include "fail.h"

struct paths {
    char **items; /* owned, as each in it */
    size_t count;
    size_t cap;
};

static void paths_donep(struct paths *paths)
{
    for (size_t i = 0; i < paths->count; i++)
        free(paths->items[i]);
    free(paths->items);
}

static void add(struct paths *paths, char *path_taken)
{
    if (paths->count == paths->cap) {
        paths->cap = paths->cap ? paths->cap * 2 : 64;
        paths->items = prb_realloc(paths->items, paths->cap, sizeof(char *));
    }
    paths->items[paths->count++] = path_taken;
}

static bool ends_with(const char *text, const char *suffix)
{
    size_t len = strlen(text), suffix_len = strlen(suffix);

    return len > suffix_len && strcmp(text + len - suffix_len, suffix) == 0;
}

static bool is_manifest(const char *name)
{
    return ends_with(name, ".yaml") || ends_with(name, ".yml") || ends_with(name, ".json");
}

static int walk(struct paths *paths, const char *dir, int depth, struct prb_error *err);

/* One name in a folder: a manifest, a folder to go into, or nothing to us. */
static int visit(
        struct paths *paths, const char *dir, const char *name, int depth, struct prb_error *err)
{
    prb_autofree char *path = prb_asprintf("%s/%s", dir, name);
    struct stat st;

    if (name[0] == '.')
        return 0;
    if (stat(path, &st) < 0)
        return prb_hub_fail_file(err, path);
    if (S_ISDIR(st.st_mode))
        return walk(paths, path, depth + 1, err);
    if (S_ISREG(st.st_mode) && is_manifest(name))
        add(paths, prb_take(path));
    return 0;
}

static int walk(struct paths *paths, const char *dir, int depth, struct prb_error *err)
{
    const struct dirent *entry;
    DIR *open;
    int r = 0;

    if (depth > PRB_HUB_FOLDERS_MAX)
        return prb_fail(
                err, PRB_E_INVALID, "%s: more than %d folders deep", dir, PRB_HUB_FOLDERS_MAX);
    open = opendir(dir);
    if (!open)
        return prb_hub_fail_file(err, dir);

    /* Each thread reads a stream of its own. NOLINTNEXTLINE(concurrency-mt-unsafe) */
    while (r == 0 && (entry = readdir(open)) != NULL)
        r = visit(paths, dir, entry->d_name, depth, err);
    (void)closedir(open);
    return r;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int read_file(struct prb_hub_documents *documents, const char *path, struct prb_error *err)
{
    prb_autofree char *text = NULL;
    size_t len;
    int r = prb_file_read(path, PRB_HUB_FILE_MAX, &text, &len, err);

    if (r < 0)
        return r;
    return prb_hub_documents_read(documents, path, text, len, ends_with(path, ".json"), err);
}

int prb_hub_documents_read_dir(
        struct prb_hub_documents *documents, const char *dir, struct prb_error *err)
{
    prb_auto(paths_done) struct paths paths = { .count = 0 };
    prb_autofree char *base = prb_strdup(dir);
    size_t len = strlen(base);
    int r;

    while (len > 1 && base[len - 1] == '/')
        base[--len] = '\0';
    r = walk(&paths, base, 0, err);
    if (r == 0 && paths.count > 0)
        qsort(paths.items, paths.count, sizeof(char *), by_text);
    for (size_t i = 0; r == 0 && i < paths.count; i++)
        r = read_file(documents, paths.items[i], err);
    return r;
}
