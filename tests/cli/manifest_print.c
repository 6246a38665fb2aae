/* What does `probate manifest` print? */

#include "manifest_print.h"

#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/base/yaml.h"

#include "program.h"
#include "support/process.h"

enum { ARGUMENTS_MAX = 16 };

struct json_object *manifests[MANIFESTS_MAX];
size_t manifest_count;

void manifests_drop(void)
{
    while (manifest_count > 0)
        prb_json_free(manifests[--manifest_count]);
}

static int take_document(void *ctx, struct json_object *taken, size_t line, struct prb_error *err)
{
    (void)ctx;
    (void)line;
    if (manifest_count == MANIFESTS_MAX) {
        prb_json_free(taken);
        return prb_fail(err, PRB_E_INVALID, "too many documents");
    }
    manifests[manifest_count++] = taken;
    return 0;
}

int manifest_print(const char *const *arguments)
{
    const char *argv[ARGUMENTS_MAX] = { program_path, "manifest" };
    struct prb_test_command command = { .argv = argv };
    prb_autofree char *output = prb_calloc(1, PROGRAM_OUTPUT_MAX);
    struct prb_error err;
    size_t args = 2;
    int code;

    for (; *arguments && args + 1 < ARGUMENTS_MAX; arguments++)
        argv[args++] = *arguments;
    manifests_drop();
    code = prb_test_run(&command, output, PROGRAM_OUTPUT_MAX);
    return prb_yaml_read(output, strlen(output), take_document, NULL, &err) < 0 ? -1 : code;
}

bool list_has(const struct json_object *object, const char *key, const char *text)
{
    const struct json_object *list = prb_json_arr(object, key);

    for (size_t i = 0; i < prb_json_len(list); i++) {
        if (prb_streq(prb_json_string(prb_json_elem(list, i)), text))
            return true;
    }
    return false;
}
