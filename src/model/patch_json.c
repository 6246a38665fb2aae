/* What is a tree after a JSON patch (RFC 6902)? */

#include <stdarg.h>
#include <string.h>

#include "probate/base/mem.h"
#include "probate/model/patch.h"

#include "pointer.h"

/* A patch on its way: one private tree, changed operation by operation. */
struct patching {
    struct json_object *doc; /* owned */
    size_t copied;           /* bytes that `copy` brought so far */
    size_t index;            /* of the operation, as all below */
    const char *op, *path;   /* borrowed */
    const char *from;        /* borrowed; NULL: not given */
    const struct json_object *value;
};

/* A path in a message; longer ones are cut so that the reason still fits. */
#define PATH_SHOWN 512

__attribute__((format(printf, 4, 5))) static int refuse(
        const struct patching *p, struct prb_error *err, enum prb_errc code, const char *fmt, ...)
{
    prb_auto(prb_str_done) struct prb_str text;
    va_list args;

    prb_str_init(&text, PRB_ERROR_MSG_MAX);
    va_start(args, fmt);
    prb_str_vaddf(&text, fmt, args);
    va_end(args);
    return prb_fail(err, code, "operation %zu (%s %.*s): %s", p->index, p->op, PATH_SHOWN, p->path,
            prb_str_get(&text));
}

/* The node at `pointer`, which must be there. */
static int find(const struct patching *p, const char *pointer, struct json_object **ret,
        struct prb_error *err)
{
    if (!prb_json_pointer_get(p->doc, pointer, ret))
        return refuse(p, err, PRB_E_INVALID, "%.*s does not exist", PATH_SHOWN, pointer);
    return 0;
}

/* Put `value_taken` at the path, moving later elements of an array up. */
static int insert(struct patching *p, struct json_object *value_taken, struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *value = value_taken;

    if (prb_pointer_depth(p->path) + prb_tree_depth(value) > PRB_JSON_DEPTH_MAX)
        return refuse(p, err, PRB_E_INVALID, "deeper than %d", PRB_JSON_DEPTH_MAX);
    if (!prb_pointer_insert(&p->doc, p->path, value))
        return refuse(p, err, PRB_E_INVALID, "there is no such place");
    (void)prb_take(value);
    return 0;
}

static int do_add(struct patching *p, struct prb_error *err)
{
    return insert(p, prb_json_copy(p->value), err);
}

static int do_remove(struct patching *p, struct prb_error *err)
{
    struct json_object *removed = NULL;

    if (!prb_pointer_detach(p->doc, p->path, &removed))
        return refuse(p, err, PRB_E_INVALID, "there is nothing to remove");
    prb_json_free(removed);
    return 0;
}

static int do_replace(struct patching *p, struct prb_error *err)
{
    struct json_object *old = NULL;
    int r = find(p, p->path, &old, err);

    /* An element is taken out first, so that the new one gets its index; a member keeps its place
     * in the order when it is replaced where it is. */
    if (r == 0 && prb_pointer_is_element(p->doc, p->path))
        r = do_remove(p, err);
    return r < 0 ? r : do_add(p, err);
}

/* Is the place `inner` inside the value at `outer`? */
static bool is_inside(const char *inner, const char *outer)
{
    return prb_starts_with(inner, outer) && inner[strlen(outer)] == '/';
}

static int do_move(struct patching *p, struct prb_error *err)
{
    struct json_object *moved = NULL;
    int r = find(p, p->from, &moved, err);

    if (r < 0 || strcmp(p->from, p->path) == 0)
        return r;
    if (is_inside(p->path, p->from))
        return refuse(p, err, PRB_E_INVALID, "a value cannot move into itself");
    if (!prb_pointer_detach(p->doc, p->from, &moved))
        return refuse(p, err, PRB_E_INVALID, "%.*s cannot be moved", PATH_SHOWN, p->from);
    return insert(p, moved, err);
}

static int do_copy(struct patching *p, struct prb_error *err)
{
    prb_auto(prb_str_done) struct prb_str text;
    struct json_object *original;
    int r;

    prb_str_init(&text, PRB_JSON_PATCH_COPY_MAX - p->copied);
    r = find(p, p->from, &original, err);
    if (r < 0)
        return r;
    prb_json_print(original, &text);
    if (text.cut)
        return refuse(p, err, PRB_E_INVALID, "the copies of this patch are larger than %zu bytes",
                PRB_JSON_PATCH_COPY_MAX);
    p->copied += text.len;
    return insert(p, prb_json_copy(original), err);
}

static int do_test(struct patching *p, struct prb_error *err)
{
    struct json_object *held;

    if (!prb_json_pointer_get(p->doc, p->path, &held))
        return refuse(p, err, PRB_E_CONFLICT, "there is nothing");
    if (!prb_json_equal(held, p->value))
        return refuse(p, err, PRB_E_CONFLICT, "the value is another one");
    return 0;
}

static const struct op {
    const char *name;
    bool needs_value;
    bool needs_from;
    int (*run)(struct patching *p, struct prb_error *err);
} ops[] = {
    { "add", true, false, do_add },
    { "copy", false, true, do_copy },
    { "move", false, true, do_move },
    { "remove", false, false, do_remove },
    { "replace", true, false, do_replace },
    { "test", true, false, do_test },
};

static const struct op *find_op(const char *name)
{
    for (size_t i = 0; name && i < sizeof(ops) / sizeof(ops[0]); i++) {
        if (strcmp(ops[i].name, name) == 0)
            return &ops[i];
    }
    return NULL;
}

static int run(struct patching *p, const struct json_object *operation, struct prb_error *err)
{
    const struct op *op = find_op(prb_json_str(operation, "op"));

    p->path = prb_json_str(operation, "path");
    p->from = prb_json_str(operation, "from");
    p->value = prb_json_find(operation, "value");
    if (!op)
        return prb_fail(err, PRB_E_INVALID, "operation %zu: unknown op", p->index);
    p->op = op->name;
    if (!p->path)
        return prb_fail(err, PRB_E_INVALID, "operation %zu (%s): no path", p->index, op->name);
    if (op->needs_value && !prb_json_has(operation, "value"))
        return refuse(p, err, PRB_E_INVALID, "no value");
    if (op->needs_from && !p->from)
        return refuse(p, err, PRB_E_INVALID, "no from");
    return op->run(p, err);
}

int prb_json_patch(const struct json_object *target, const struct json_object *patch,
        struct json_object **ret, struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *doc = NULL;
    struct patching p = { .copied = 0 };
    size_t count = prb_json_len(patch);
    int r = 0;

    if (!json_object_is_type(patch, json_type_array))
        return prb_fail(err, PRB_E_INVALID, "a JSON patch is an array of operations");
    if (count > PRB_JSON_PATCH_OPS_MAX)
        return prb_fail(err, PRB_E_INVALID, "a JSON patch of %zu operations; %d are allowed", count,
                PRB_JSON_PATCH_OPS_MAX);

    p.doc = prb_json_copy(target);
    for (p.index = 0; r == 0 && p.index < count; p.index++)
        r = run(&p, prb_json_elem(patch, p.index), err);
    doc = p.doc;
    if (r == 0)
        *ret = prb_take(doc);
    return r;
}
