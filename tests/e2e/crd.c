/* What does a CustomResourceDefinition define? */

#include "crd.h"

#include "probate/base/file.h"
#include "probate/base/mem.h"
#include "probate/base/yaml.h"

/* The largest original has 75 KB. */
#define FILE_MAX ((size_t)1024 * 1024)

const char *const crd_files[CRD_COUNT] = { "appliedmanifestworks.yaml",
    "compositeresourcedefinitions.yaml", "configurationpolicies.yaml", "managedclusteraddons.yaml",
    "managedclusters.yaml", "manifestworks.yaml" };

struct json_object *crd_load(const char *dir, const char *file)
{
    prb_autofree char *path = prb_asprintf("%s/%s", dir, file), *text = NULL;
    struct json_object *tree = NULL;
    struct prb_error err;
    size_t len;

    if (prb_file_read(path, FILE_MAX, &text, &len, &err) < 0 ||
            prb_yaml_parse(text, len, &tree, &err) < 0)
        return NULL;
    return tree;
}

struct json_object *crd_schema(const struct json_object *crd, const char *version)
{
    struct json_object *versions = prb_json_arr(prb_json_obj(crd, "spec"), "versions");

    for (size_t i = 0; i < prb_json_len(versions); i++) {
        struct json_object *one = prb_json_elem(versions, i);

        if (prb_streq(prb_json_str(one, "name"), version))
            return prb_json_at(one, "schema", "openAPIV3Schema");
    }
    return NULL;
}

static bool keeps_all(const struct json_object *schema)
{
    bool keeps = false;

    return prb_json_bool(schema, "x-kubernetes-preserve-unknown-fields", &keeps) && keeps;
}

bool crd_keeps(const struct json_object *schema, const char *path)
{
    prb_autofree char *rest = prb_strdup(path);
    char *at = rest, *key;

    while ((key = strsep(&at, ".")) != NULL) {
        schema = prb_json_obj(prb_json_obj(schema, "properties"), key);
        if (!schema)
            return false;
        if (prb_json_has(schema, "items"))
            schema = prb_json_obj(schema, "items");
        /* The API server knows what metadata has. */
        if (keeps_all(schema) || prb_streq(key, "metadata"))
            return true;
    }
    return true;
}
