/* Does the monitor of stuck deletions that we ship find those that are stuck, and only these? */

#include <stdio.h>

#include "probate/base/file.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/base/yaml.h"
#include "probate/model/policy.h"

#include "rows.h"

#define FILE_MAX ((size_t)64 * 1024)

struct reading {
    struct scene *scene;
    unsigned made;
};

/* The policy as it is shipped, but for where it is. */
static int make(void *ctx, struct json_object *taken, size_t line, struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *body = taken;
    struct reading *reading = ctx;
    struct json_object *metadata = prb_json_ensure_obj(body, "metadata");
    struct prb_ref ref = scene_policy(reading->scene, "monitor");

    (void)line;
    if (!prb_streq(prb_json_str(body, "kind"), PRB_POLICY_KIND))
        return 0;
    prb_json_set_str(metadata, "name", ref.name);
    prb_json_set_str(metadata, "namespace", ref.namespace);
    reading->made++;
    return prb_api_create(reading->scene->place->direct, &ref, body, NULL, NULL, err);
}

static int make_monitor(struct scene *scene)
{
    prb_autofree char *path = prb_asprintf("%s/stuck-policies.yaml", scene->stage->examples);
    struct reading reading = { .scene = scene };
    prb_autofree char *text = NULL;
    struct prb_error err;
    size_t len;

    if (prb_file_read(path, FILE_MAX, &text, &len, &err) < 0 ||
            prb_yaml_read(text, len, make, &reading, &err) < 0)
        return scene_fail(scene, "%s", err.msg);
    return reading.made == 1 ? 0 : scene_fail(scene, "%u policies in %s", reading.made, path);
}

static int play(struct scene *scene)
{
    struct prb_ref foo = scene_cm(scene, "foo");

    DO(make_monitor(scene));
    DO(scene_await_compliant(scene, "monitor"));
    DO(scene_make_policy(scene, "fine", ENFORCE("DeleteIfCreated", HAVE(CM("bar", "a")))));
    DO(scene_make_policy(scene, "stuck", ENFORCE("DeleteIfCreated", HAVE(CM("foo", "a")))));
    DO(scene_await_compliant(scene, "fine"));
    DO(scene_await_compliant(scene, "stuck"));
    DO(scene_patch(scene, &foo, HOLD));
    DO(scene_delete_policy(scene, "stuck"));
    DO(scene_await_state(scene, "monitor", "NonCompliant", "@/stuck"));
    DO(scene_release(scene, &foo));
    DO(scene_await_ended(scene, "stuck"));
    return scene_await_compliant(scene, "monitor");
}

static const struct row list[] = {
    ROW("examples/stuck-policies.yaml tells which policy is stuck, and that it is no longer", play),
};

ROW_LIST(rows_example, .alone = true);
