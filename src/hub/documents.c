/* Which manifests does a text hold, and where? */

#include "documents.h"

#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/base/yaml.h"

void prb_hub_documents_done(struct prb_hub_documents *documents)
{
    for (size_t i = 0; i < documents->count; i++) {
        prb_json_free(documents->items[i].tree);
        free(documents->items[i].place);
    }
    free(documents->items);
    *documents = (struct prb_hub_documents){ .count = 0 };
}

static void add(
        struct prb_hub_documents *documents, struct json_object *tree_taken, const char *place)
{
    if (documents->count == documents->cap) {
        documents->cap = documents->cap ? documents->cap * 2 : 64;
        documents->items =
                prb_realloc(documents->items, documents->cap, sizeof(documents->items[0]));
    }
    documents->items[documents->count++] =
            (struct prb_hub_document){ .tree = tree_taken, .place = prb_strdup(place) };
}

/* A kind that ends in "List" and has items is a list. */
static bool is_list(const struct json_object *tree)
{
    const char *kind = prb_json_str(tree, "kind");
    size_t len = kind ? strlen(kind) : 0, suffix = strlen("List");

    return len >= suffix && strcmp(kind + len - suffix, "List") == 0 && prb_json_arr(tree, "items");
}

/* Items of a ConfigMapList need not say what they are. */
static void set_item_type(struct json_object *item, const struct json_object *list)
{
    const char *kind = prb_json_str(list, "kind");
    prb_autofree char *item_kind = prb_strndup(kind, strlen(kind) - strlen("List"));

    if (item_kind[0] == '\0' || prb_json_str(item, "kind"))
        return;
    prb_json_set_str(item, "kind", item_kind);
    prb_json_set_str(item, "apiVersion", prb_json_str(list, "apiVersion"));
}

static int add_list(struct prb_hub_documents *documents, const struct json_object *list,
        const char *place, struct prb_error *err)
{
    const struct json_object *items = prb_json_arr(list, "items");

    for (size_t i = 0; i < prb_json_len(items); i++) {
        struct json_object *item;

        if (!json_object_is_type(prb_json_elem(items, i), json_type_object))
            return prb_fail(err, PRB_E_INVALID, "%s: items[%zu] is no object", place, i);
        item = prb_json_copy(prb_json_elem(items, i));
        set_item_type(item, list);
        add(documents, item, place);
    }
    return 0;
}

static int add_document(struct prb_hub_documents *documents, struct json_object *tree_taken,
        const char *place, struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *tree = tree_taken;

    if (!json_object_is_type(tree, json_type_object))
        return prb_fail(err, PRB_E_INVALID, "%s: a manifest must be a map", place);
    if (is_list(tree))
        return add_list(documents, tree, place, err);
    add(documents, prb_take(tree), place);
    return 0;
}

struct reading {
    struct prb_hub_documents *documents;
    const char *file; /* NULL: none */
};

static char *place_of(const char *file, size_t line)
{
    return file ? prb_asprintf("%s:%zu", file, line) : prb_asprintf("line %zu", line);
}

static int each(void *ctx, struct json_object *taken, size_t line, struct prb_error *err)
{
    const struct reading *reading = ctx;
    prb_autofree char *place = place_of(reading->file, line);

    return add_document(reading->documents, taken, place, err);
}

/* Parsers say "line 3, column 5: what"; with a file that is "file:3: column 5: what". */
static int locate(const char *file, struct prb_error *err)
{
    prb_autofree char *said = prb_strdup(err->msg);
    char *rest = NULL;
    long line = 0;

    if (!file)
        return err->code;
    if (prb_starts_with(said, "line "))
        line = strtol(said + strlen("line "), &rest, 10);
    if (line > 0 && prb_starts_with(rest, ", "))
        return prb_fail(err, err->code, "%s:%ld: %s", file, line, rest + strlen(", "));
    return prb_starts_with(said, file) ? (int)err->code : prb_wrap(err, "%s", file);
}

int prb_hub_documents_read(struct prb_hub_documents *documents, const char *file, const char *text,
        size_t len, bool json, struct prb_error *err)
{
    struct reading reading = { .documents = documents, .file = file };
    struct json_object *tree = NULL;
    int r;

    if (!json) {
        r = prb_yaml_read(text, len, each, &reading, err);
        return r < 0 ? locate(file, err) : 0;
    }
    r = prb_json_parse(text, len, NULL, &tree, err);
    if (r < 0)
        return locate(file, err);
    return each(&reading, tree, 1, err);
}
