/* What do the kubeconfig files say, taken together? */

#include "kubeconfig.h"

#include <stdio.h>
#include <string.h>

#include "probate/base/file.h"
#include "probate/base/mem.h"
#include "probate/base/yaml.h"

#include "secret.h"

/* Names shown when one is not known; more do not help. */
#define NAMES_SHOWN 10

void prb_kubeconfig_done(struct prb_kubeconfig *kubeconfig)
{
    for (size_t i = 0; i < kubeconfig->count; i++) {
        free(kubeconfig->files[i].path);
        prb_json_free(kubeconfig->files[i].tree);
    }
    kubeconfig->count = 0;
}

/* For prb_yaml_read: keep the one document. */
static int take_document(void *ctx, struct json_object *taken, size_t line, struct prb_error *err)
{
    struct json_object **tree = ctx;

    if (*tree) {
        prb_json_free(taken);
        return prb_fail(err, PRB_E_INVALID, "line %zu: a second document begins", line);
    }
    *tree = taken;
    return 0;
}

static int check_document(const struct json_object *tree, struct prb_error *err)
{
    const char *kind = prb_json_str(tree, "kind");

    if (!json_object_is_type(tree, json_type_object))
        return prb_fail(err, PRB_E_INVALID, "this is no kubeconfig: a mapping is expected");
    if (kind && !prb_streq(kind, "Config"))
        return prb_fail(err, PRB_E_INVALID, "this is no kubeconfig but a %s", kind);
    return 0;
}

static int parse_file(const char *text, size_t len, struct json_object **ret, struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *tree = NULL;
    int r = prb_yaml_read(text, len, take_document, &tree, err);

    if (r < 0)
        return r;
    if (!tree)
        tree = json_object_new_object(); /* an empty file is an empty kubeconfig, as for kubectl */
    r = check_document(tree, err);
    if (r < 0)
        return r;
    *ret = prb_take(tree);
    return 0;
}

static int read_file(struct prb_kubeconfig *kubeconfig, const char *path, struct prb_error *err)
{
    struct prb_kubeconfig_file *file = &kubeconfig->files[kubeconfig->count];
    prb_auto(prb_secret_free) char *text = NULL;
    size_t len;
    int r;

    if (kubeconfig->count == PRB_KUBECONFIG_FILES_MAX)
        return prb_fail(
                err, PRB_E_INVALID, "more than %d kubeconfig files", PRB_KUBECONFIG_FILES_MAX);
    r = prb_file_read(path, PRB_KUBECONFIG_MAX, &text, &len, err);
    if (r == PRB_E_NOTFOUND)
        return r;
    if (r < 0)
        return prb_fail(err, PRB_E_INVALID, "kubeconfig %s", err->msg);
    if (parse_file(text, len, &file->tree, err) < 0)
        return prb_fail(err, PRB_E_INVALID, "kubeconfig %s: %s", path, err->msg);
    file->path = prb_strdup(path);
    kubeconfig->count++;
    return 0;
}

int prb_kubeconfig_read(const char *paths, struct prb_kubeconfig *ret, struct prb_error *err)
{
    const char *at = paths;

    for (;;) {
        size_t len = strcspn(at, ":");
        prb_autofree char *path = prb_strndup(at, len);

        /* One that is absent counts only when no other is there. */
        if (len > 0 && read_file(ret, path, err) < 0 && err->code != PRB_E_NOTFOUND)
            return err->code;
        if (!at[len])
            break;
        at += len + 1;
    }
    if (ret->count == 0)
        return prb_fail(err, PRB_E_INVALID, "kubeconfig %s: %s", paths,
                strchr(paths, ':') ? "none of these files exists" : "no such file");
    return 0;
}

/* "contexts" for "context" */
static const struct json_object *list_of(const struct prb_kubeconfig_file *file, const char *what)
{
    char key[16]; /* "contexts" is the longest */

    (void)snprintf(key, sizeof(key), "%ss", what);
    return prb_json_arr(file->tree, key);
}

bool prb_kubeconfig_find(const struct prb_kubeconfig *kubeconfig, const char *what,
        const char *name, struct prb_kubeconfig_entry *ret)
{
    for (size_t i = 0; i < kubeconfig->count; i++) {
        const struct json_object *list = list_of(&kubeconfig->files[i], what);

        for (size_t j = 0; j < prb_json_len(list); j++) {
            const struct json_object *entry = prb_json_elem(list, j);

            if (!prb_streq(prb_json_str(entry, "name"), name))
                continue;
            *ret = (struct prb_kubeconfig_entry){
                .what = what,
                .name = prb_json_str(entry, "name"),
                .path = kubeconfig->files[i].path,
                .body = prb_json_obj(entry, what),
            };
            return true;
        }
    }
    return false;
}

const char *prb_kubeconfig_current(const struct prb_kubeconfig *kubeconfig)
{
    for (size_t i = 0; i < kubeconfig->count; i++) {
        const char *current = prb_json_str(kubeconfig->files[i].tree, "current-context");

        if (current && *current)
            return current;
    }
    return NULL;
}

/* The names of a list over all files; at most `max`. Returns how many there are. */
static size_t names_of(
        const struct prb_kubeconfig *kubeconfig, const char *what, const char **names, size_t max)
{
    size_t count = 0;

    for (size_t i = 0; i < kubeconfig->count; i++) {
        const struct json_object *list = list_of(&kubeconfig->files[i], what);

        for (size_t j = 0; j < prb_json_len(list); j++) {
            const char *name = prb_json_str(prb_json_elem(list, j), "name");

            if (!name)
                continue;
            if (count < max)
                names[count] = name;
            count++;
        }
    }
    return count;
}

static void add_names(struct prb_str *text, const char *const *names, size_t count)
{
    prb_str_add(text, "; known are: ");
    for (size_t i = 0; i < count && i < NAMES_SHOWN; i++)
        prb_str_addf(text, "%s%s", i ? ", " : "", names[i]);
    if (count > NAMES_SHOWN)
        prb_str_addf(text, " and %zu more", count - NAMES_SHOWN);
}

int prb_kubeconfig_fail_unknown(const struct prb_kubeconfig *kubeconfig, const char *what,
        const char *name, struct prb_error *err)
{
    prb_auto(prb_str_done) struct prb_str text;
    const char *names[256]; /* to look for the nearest in; more than anyone has */
    size_t max = sizeof(names) / sizeof(names[0]);
    size_t count = names_of(kubeconfig, what, names, max);
    int nearest = name ? prb_nearest(name, names, count < max ? count : max) : -1;

    prb_str_init(&text, PRB_ERROR_MSG_MAX);
    if (name)
        prb_str_addf(&text, "there is no %s \"%s\" in", what, name);
    else
        prb_str_addf(&text, "no %s is chosen, and there is no current-%s in", what, what);
    for (size_t i = 0; i < kubeconfig->count; i++)
        prb_str_addf(&text, " %s", kubeconfig->files[i].path);
    if (nearest >= 0)
        prb_str_addf(&text, "; did you mean \"%s\"?", names[nearest]);
    if (count > 0)
        add_names(&text, names, count);
    return prb_fail(err, PRB_E_INVALID, "%s", prb_str_get(&text));
}
