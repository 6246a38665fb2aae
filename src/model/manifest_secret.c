/* How does a server store what a Secret says as plain text? */

#include "probate/base/str.h"

#include "manifest_internal.h"

/* A Secret has 1 MiB at most, and base64 makes four bytes of three. */
#define SECRET_MAX ((size_t)2 * 1024 * 1024)

static void encode(const char *text, size_t len, struct prb_str *out)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *bytes = (const unsigned char *)text;

    for (size_t i = 0; i < len; i += 3) {
        size_t left = len - i;
        unsigned a = bytes[i], b = left > 1 ? bytes[i + 1] : 0, c = left > 2 ? bytes[i + 2] : 0;

        prb_str_addc(out, digits[a >> 2]);
        prb_str_addc(out, digits[(a & 3) << 4 | b >> 4]);
        prb_str_addc(out, left > 1 ? digits[(b & 15) << 2 | c >> 6] : '=');
        prb_str_addc(out, left > 2 ? digits[c & 63] : '=');
    }
}

/* Are all members strings, or null? Otherwise the server has to say what is wrong. */
static bool is_plain(const struct json_object *map)
{
    struct json_object_iterator at;
    struct json_object *value;
    bool started = false;
    const char *key;

    while (prb_json_next(map, &at, &started, &key, &value)) {
        if (value && !json_object_is_type(value, json_type_string))
            return false;
    }
    return true;
}

void prb_manifest_fold_secret(struct json_object *secret)
{
    struct json_object *plain = prb_json_obj(secret, "stringData"), *value, *data;
    struct json_object_iterator at;
    bool started = false;
    const char *key;

    if (!plain || !prb_manifest_is(secret, "", "Secret") || !is_plain(plain))
        return;
    data = prb_json_ensure_obj(secret, "data");
    while (prb_json_next(plain, &at, &started, &key, &value)) {
        prb_auto(prb_str_done) struct prb_str text;

        prb_str_init(&text, SECRET_MAX);
        if (value)
            encode(json_object_get_string(value), (size_t)json_object_get_string_len(value), &text);
        prb_json_set_str(data, key, prb_str_get(&text));
    }
    prb_json_del(secret, "stringData");
}
