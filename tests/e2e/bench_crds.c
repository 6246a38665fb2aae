/* Which definitions does the hub have? */

#include <stdio.h>
#include <unistd.h>

#include "probate/base/mem.h"

#include "bench_internal.h"
#include "crd.h"
#include "support/json_text.h"

/* Fields that the definitions of today are strict about, and those of yesterday were not. */
static const struct {
    const char *file;
    const char *parent; /* of the field; a JSON pointer below the schema */
    const char *field;
    const char *schema;
} loosened[] = {
    { "manifestworks.yaml", "/properties/spec/properties", "deleteOption",
            "{'type':'object','x-kubernetes-preserve-unknown-fields':true}" },
    { "configurationpolicies.yaml", "/properties/spec/properties", "pruneObjectBehavior",
            "{'x-kubernetes-preserve-unknown-fields':true}" },
};

static void loosen(const char *file, struct json_object *crd)
{
    for (size_t i = 0; i < sizeof(loosened) / sizeof(loosened[0]); i++) {
        struct json_object *parent;

        if (prb_streq(file, loosened[i].file) &&
                prb_json_pointer_get(crd_schema(crd, "v1"), loosened[i].parent, &parent))
            prb_json_set(parent, loosened[i].field, prb_test_json("%s", loosened[i].schema));
    }
}

bool bench_loosen(struct bench *bench)
{
    for (size_t i = 0; i < CRD_COUNT; i++) {
        prb_auto(prb_json_free) struct json_object *crd = crd_load(bench->crds, crd_files[i]);
        prb_autofree char *text = NULL;

        if (!crd)
            return bench_fail(bench, crd_files[i], "cannot be read");
        loosen(crd_files[i], crd);
        text = prb_json_text(crd, false);
        if (!bench_apply_text(bench, crd_files[i], text))
            return false;
    }
    return true;
}

bool bench_ship(struct bench *bench)
{
    prb_autofree char *command = prb_asprintf("apply --validate=false -f %s", bench->crds);

    return bench_kubectl(bench, command, NULL);
}

bool bench_restore_originals(struct bench *bench)
{
    size_t taken = 0;

    for (size_t i = 0; i < CRD_COUNT; i++) {
        prb_autofree char *command =
                prb_asprintf("replace --validate=false -f %s/%s", bench->originals, crd_files[i]);

        if (bench_kubectl(bench, command, NULL)) {
            printf("    the original of %s is in the place of ours\n", crd_files[i]);
            taken++;
        } else {
            printf("    the original of %s is refused: %s\n", crd_files[i], bench->why);
        }
    }
    /* Kubernetes 1.20 refuses two of them for what it does not know yet. */
    return taken >= 4 || bench_fail(bench, "the originals", "the API server takes too few of them");
}
