/* Does a work as large as they come go the same way as a small one? */

#include <stdio.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "rows.h"

/* What OCM's webhook lets through, 500 KiB, in five manifests; and as many as there are. */
#define BYTES ((size_t)500 * 1024)
#define PARTS 5
#define MANY 500

#define SPEC_MAX ((size_t)1024 * 1024)

static void add_manifest(struct prb_str *out, size_t number, size_t bytes)
{
    prb_str_addf(out,
            "%s{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'cm%zu','namespace':'@'},"
            "'data':{'key':'a','fill':'",
            number ? "," : "", number);
    for (size_t i = 0; i < bytes; i++)
        prb_str_addc(out, (char)('a' + i % 26));
    prb_str_add(out, "'}}");
}

static int make_large(struct scene *scene, size_t count, size_t bytes)
{
    prb_auto(prb_str_done) struct prb_str spec;

    prb_str_init(&spec, SPEC_MAX);
    prb_str_add(&spec, "'workload':{'manifests':[");
    for (size_t i = 0; i < count; i++)
        add_manifest(&spec, i, bytes);
    prb_str_add(&spec, "]}");
    return scene_make_work(scene, "w", prb_str_get(&spec));
}

static int each(struct scene *scene, size_t count,
        int (*expect)(struct scene *scene, const struct prb_ref *ref))
{
    for (size_t i = 0; i < count; i++) {
        prb_autofree char *name = prb_asprintf("cm%zu", i);
        struct prb_ref ref = scene_cm(scene, name);

        DO(expect(scene, &ref));
    }
    return 0;
}

static int play(struct scene *scene, size_t count, size_t bytes)
{
    struct prb_ref last = scene_cm(scene, "cm0");

    (void)snprintf(last.name, sizeof(last.name), "cm%zu", count - 1);
    DO(make_large(scene, count, bytes));
    DO(scene_await_applied(scene, "w"));
    DO(scene_await_recorded(scene, "w", &last, true));
    DO(each(scene, count, scene_expect_kept));
    DO(scene_delete_work(scene, "w"));
    DO(scene_await_ended(scene, "w"));
    return each(scene, count, scene_expect_gone);
}

static int big(struct scene *scene)
{
    return play(scene, PARTS, BYTES / PARTS);
}

static int many(struct scene *scene)
{
    return play(scene, MANY, 1);
}

static const struct row list[] = {
    ROW("a work of 500 KiB is applied and deleted", big),
    ROW("a work of 500 manifests is applied and deleted", many),
};

ROW_LIST(rows_large, .once = true);
