/* How does the content of a hub become a folder of manifests? */

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "probate/base/file.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/base/yaml.h"

#include "fail.h"
#include "filter.h"
#include "state.h"

/* What an object of the size etcd takes (1.5 MiB) can become as YAML. */
#define YAML_MAX ((size_t)64 * 1024 * 1024)

/* A file name is at most 255 bytes, a name of an object 253: what is longer than this is cut, and
 * the uid keeps it apart. */
#define FILE_NAME_MAX 245
#define FILE_NAME_CUT 200

static int make_folder(const char *path, struct prb_error *err)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return 0;
    return prb_hub_fail_file(err, path);
}

/* "<resource>.<group>/<namespace>/<name>.yaml" below `dir`; the folders are made. */
static int path_of(const char *dir, const struct prb_gvr *gvr, const struct prb_object *object,
        char **ret, struct prb_error *err)
{
    const char *namespace = prb_object_namespace(object), *name = prb_object_name(object);
    const char *dot = name[0] == '.' ? "_" : ""; /* a hidden file would not be loaded */
    prb_autofree char *folder = NULL, *sub = NULL;
    char resource[PRB_HUB_KIND_KEY_SIZE];
    int r;

    prb_hub_kind_key(gvr->group, gvr->resource, resource);
    folder = prb_asprintf("%s/%s", dir, resource);
    r = make_folder(folder, err);
    if (r == 0 && namespace[0] != '\0') {
        sub = prb_asprintf("%s/%s", folder, namespace);
        r = make_folder(sub, err);
    }
    if (r < 0)
        return r;
    if (strlen(name) > FILE_NAME_MAX)
        *ret = prb_asprintf("%s/%s%.*s-%s.yaml", sub ? sub : folder, dot, FILE_NAME_CUT, name,
                prb_object_uid(object));
    else
        *ret = prb_asprintf("%s/%s%s.yaml", sub ? sub : folder, dot, name);
    return 0;
}

/* The manifest is without resourceVersion: loading gives a new one. */
static int dump_object(const char *dir, const struct prb_gvr *gvr, const struct prb_object *object,
        struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *tree = prb_object_copy(object);
    prb_auto(prb_str_done) struct prb_str text;
    prb_autofree char *path = NULL;
    int r = path_of(dir, gvr, object, &path, err);

    prb_str_init(&text, YAML_MAX);
    if (r < 0)
        return r;
    prb_json_del(prb_json_obj(tree, "metadata"), "resourceVersion");
    prb_yaml_print(tree, &text);
    if (text.cut)
        return prb_fail(err, PRB_E_INVALID, "%s: the object is too large", path);
    return prb_file_write(path, prb_str_get(&text), text.len, 0666, err);
}

/* What is in the folder already would be taken for content of the hub when it is loaded. */
static int check_empty(const char *dir, struct prb_error *err)
{
    const struct dirent *entry;
    DIR *open = opendir(dir);
    bool empty = true;

    if (!open)
        return prb_hub_fail_file(err, dir);
    /* Each thread reads a stream of its own. NOLINTNEXTLINE(concurrency-mt-unsafe) */
    while (empty && (entry = readdir(open)) != NULL)
        empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
    (void)closedir(open);
    return empty ? 0 : prb_fail(err, PRB_E_EXISTS, "%s: the folder is not empty", dir);
}

/* All objects of one kind, as they were at one moment. */
struct collection {
    struct prb_gvr gvr;
    struct prb_object **objects; /* owned, as each reference in it */
    size_t count;
};

static int dump_collection(
        const char *dir, struct collection *collection, int r, struct prb_error *err)
{
    for (size_t i = 0; i < collection->count; i++) {
        if (r == 0)
            r = dump_object(dir, &collection->gvr, collection->objects[i], err);
        prb_object_unref(collection->objects[i]);
    }
    free(collection->objects);
    return r;
}

/* Everything in the hub at one moment; the array is the caller's. */
static struct collection *snapshot(struct prb_hub *hub, size_t *ret_count)
{
    static char everywhere[] = "";
    const struct prb_hub_filter all = { .namespace = everywhere };
    prb_autofree struct prb_hub_kind **kinds = NULL;
    struct collection *collections;

    (void)pthread_mutex_lock(&hub->lock);
    kinds = prb_hub_kinds_sorted(hub->kinds, ret_count);
    collections = prb_calloc(*ret_count + 1, sizeof(*collections));
    for (size_t i = 0; i < *ret_count; i++) {
        collections[i].gvr = kinds[i]->resource.gvr;
        collections[i].objects = prb_hub_filter_select(&all, kinds[i], &collections[i].count);
    }
    (void)pthread_mutex_unlock(&hub->lock);
    return collections;
}

int prb_hub_dump(struct prb_hub *hub, const char *dir, struct prb_error *err)
{
    prb_autofree struct collection *collections = NULL;
    size_t count;
    int r = make_folder(dir, err);

    if (r == 0)
        r = check_empty(dir, err);
    if (r < 0)
        return r;
    collections = snapshot(hub, &count);
    for (size_t i = 0; i < count; i++)
        r = dump_collection(dir, &collections[i], r, err);
    return r;
}
