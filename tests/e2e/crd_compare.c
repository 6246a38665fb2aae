/* Does a definition of ours mean the same as the original in all that it has? */

#include "probate/base/mem.h"

#include "crd.h"

/* Reports of definitions of 75 KB; what is longer is cut. */
#define REPORT_MAX ((size_t)64 * 1024)

void crd_report_init(struct crd_report *report)
{
    prb_str_init(&report->differences, REPORT_MAX);
    prb_str_init(&report->fields, REPORT_MAX);
    prb_str_init(&report->left_out, REPORT_MAX);
    report->compared = 0;
}

void crd_report_done(struct crd_report *report)
{
    prb_str_done(&report->differences);
    prb_str_done(&report->fields);
    prb_str_done(&report->left_out);
}

static void add_difference(
        struct crd_report *report, const char *path, const char *key, const char *what)
{
    prb_str_addf(&report->differences, "%s: %s %s\n", path[0] ? path : "(root)", key, what);
}

/* A place in a schema, in both. */
struct place {
    const char *path;
    const struct json_object *ours, *original;
};

static bool has_element(const struct json_object *array, const struct json_object *wanted)
{
    for (size_t i = 0; i < prb_json_len(array); i++) {
        if (prb_json_equal(prb_json_elem(array, i), wanted))
            return true;
    }
    return false;
}

static bool is_same_set(const struct json_object *a, const struct json_object *b)
{
    if (prb_json_len(a) != prb_json_len(b))
        return false;
    for (size_t i = 0; i < prb_json_len(a); i++) {
        if (!has_element(b, prb_json_elem(a, i)))
            return false;
    }
    return true;
}

/* Texts for people, what is looked into one by one, and checks that Kubernetes 1.20 has not. */
static bool is_no_keyword(const char *key)
{
    static const char *const others[] = { "description", "properties", "items",
        "additionalProperties", "x-kubernetes-validations" };

    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        if (prb_streq(key, others[i]))
            return true;
    }
    return false;
}

static void compare_keyword(const struct place *place, const char *key, struct crd_report *report)
{
    const struct json_object *a = prb_json_find(place->ours, key);
    const struct json_object *b = prb_json_find(place->original, key);
    bool set = prb_streq(key, "enum") || prb_streq(key, "required");

    if (set ? is_same_set(a, b) : prb_json_equal(a, b))
        return;
    add_difference(report, place->path, key, "differs");
}

static void compare_keywords(const struct place *place, struct crd_report *report)
{
    const struct json_object *both[] = { place->ours, place->original };

    for (size_t i = 0; i < 2; i++) {
        struct json_object_iterator at;
        bool started = false;
        const char *key;
        struct json_object *value;

        while (prb_json_next(both[i], &at, &started, &key, &value)) {
            /* What both have was seen in the first round. */
            if (!is_no_keyword(key) && (i == 0 || !prb_json_has(place->ours, key)))
                compare_keyword(place, key, report);
        }
    }
}

static void compare_place(const struct place *place, struct crd_report *report);

/* "spec" and "workload" make "spec.workload", "manifests" and "[]" make "manifests[]". */
static char *path_of(const char *parent, const char *key)
{
    return prb_asprintf("%s%s%s", parent, parent[0] && key[0] != '[' ? "." : "", key);
}

static void compare_below(const struct place *parent, const char *key,
        const struct json_object *ours, const struct json_object *original,
        struct crd_report *report)
{
    prb_autofree char *path = path_of(parent->path, key);

    if (!original) {
        add_difference(report, path, "field", "is not in the original");
        return;
    }
    report->compared++;
    prb_str_addf(&report->fields, "%s%s", report->fields.len ? " " : "", path);
    compare_place(&(struct place){ path, ours, original }, report);
}

static void compare_properties(const struct place *place, struct crd_report *report)
{
    const struct json_object *ours = prb_json_obj(place->ours, "properties");
    const struct json_object *original = prb_json_obj(place->original, "properties");
    struct json_object_iterator at;
    bool started = false;
    const char *key;
    struct json_object *value;

    while (prb_json_next(ours, &at, &started, &key, &value))
        compare_below(place, key, value, prb_json_obj(original, key), report);

    started = false;
    while (prb_json_next(original, &at, &started, &key, &value)) {
        prb_autofree char *path = path_of(place->path, key);

        if (!prb_json_has(ours, key))
            prb_str_addf(&report->left_out, "%s%s", report->left_out.len ? " " : "", path);
    }
}

/* NOLINTNEXTLINE(misc-no-recursion): schemas nest some ten deep */
static void compare_place(const struct place *place, struct crd_report *report)
{
    const struct json_object *items = prb_json_obj(place->ours, "items");
    const struct json_object *values = prb_json_obj(place->ours, "additionalProperties");

    compare_keywords(place, report);
    compare_properties(place, report);
    if (items)
        compare_below(place, "[]", items, prb_json_obj(place->original, "items"), report);
    if (values)
        compare_below(place, "[*]", values, prb_json_obj(place->original, "additionalProperties"),
                report);
}

static const struct json_object *find_version(
        const struct json_object *versions, const char *version)
{
    for (size_t i = 0; i < prb_json_len(versions); i++) {
        const struct json_object *one = prb_json_elem(versions, i);

        if (prb_streq(prb_json_str(one, "name"), version))
            return one;
    }
    return NULL;
}

static void compare_members(
        const struct place *place, const char *const *keys, size_t count, struct crd_report *report)
{
    for (size_t i = 0; i < count; i++) {
        if (!prb_json_equal(
                    prb_json_find(place->ours, keys[i]), prb_json_find(place->original, keys[i])))
            add_difference(report, place->path, keys[i], "differs");
    }
}

static void compare_version(const struct json_object *ours, const struct json_object *original,
        struct crd_report *report)
{
    static const char *const keys[] = { "served", "storage", "subresources",
        "additionalPrinterColumns" };
    const char *name = prb_json_str(ours, "name");

    if (!original) {
        add_difference(report, name, "version", "is not in the original");
        return;
    }
    compare_members(
            &(struct place){ name, ours, original }, keys, sizeof(keys) / sizeof(keys[0]), report);
    compare_place(&(struct place){ "", prb_json_at(ours, "schema", "openAPIV3Schema"),
                          prb_json_at(original, "schema", "openAPIV3Schema") },
            report);
}

void crd_compare(const struct json_object *ours, const struct json_object *original,
        struct crd_report *report)
{
    static const char *const keys[] = { "group", "names", "scope" };
    const struct json_object *a = prb_json_obj(ours, "spec"), *b = prb_json_obj(original, "spec");
    const struct json_object *versions = prb_json_arr(a, "versions");
    const struct json_object *others = prb_json_arr(b, "versions");

    compare_members(&(struct place){ "spec", a, b }, keys, sizeof(keys) / sizeof(keys[0]), report);
    for (size_t i = 0; i < prb_json_len(versions); i++) {
        const struct json_object *one = prb_json_elem(versions, i);

        compare_version(one, find_version(others, prb_json_str(one, "name")), report);
    }
    for (size_t i = 0; i < prb_json_len(others); i++) {
        const char *name = prb_json_str(prb_json_elem(others, i), "name");

        if (!find_version(versions, name))
            prb_str_addf(&report->left_out, "%sversion %s", report->left_out.len ? " " : "", name);
    }
}
