/* Which certificate authorities does a Secret hold? */

#include "probate/admission/authority.h"

#include <stdlib.h>
#include <string.h>

#include <gnutls/crypto.h>

#include "probate/admission/certs.h"
#include "probate/base/clock.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "authority_internal.h"

#define CERT_SUFFIX ".crt"
#define KEY_SUFFIX ".key"
#define MARK_SUFFIX ".trusted-since"

static void free_key(char *pem)
{
    if (pem)
        gnutls_memset(pem, 0, strlen(pem));
    free(pem);
}
static void free_keyp(char **pem)
{
    free_key(*pem);
}

void prb_authority_done(struct prb_authority *authority)
{
    free(authority->name);
    free(authority->cert);
    free_key(authority->key);
    *authority = (struct prb_authority){ 0 };
}

void prb_authorities_done(struct prb_authorities *authorities)
{
    for (size_t i = 0; i < authorities->count; i++)
        prb_authority_done(&authorities->items[i]);
    *authorities = (struct prb_authorities){ 0 };
}

/* A member of the Secret, decoded; NULL: there is none, or it is no base64. The caller frees. */
static char *get(const struct json_object *data, const char *name, const char *suffix)
{
    prb_autofree char *key = prb_asprintf("%s%s", name, suffix);

    return prb_certs_decode(prb_json_str(data, key));
}

/* A mark that cannot be read is no mark: the CA waits a little longer than it had to. */
static int64_t get_mark(const struct json_object *data, const char *name)
{
    prb_autofree char *text = get(data, name, MARK_SUFFIX);
    int64_t ms;

    return text && prb_time_parse(text, &ms) && ms > 0 ? ms : 0;
}

static bool read_one(const struct json_object *data, const char *name, struct prb_authority *ret)
{
    prb_autofree char *cert = get(data, name, CERT_SUFFIX);
    char *key __attribute__((cleanup(free_keyp))) = get(data, name, KEY_SUFFIX);
    prb_auto(prb_signed_done) struct prb_signed pair = { 0 };
    struct prb_error err;

    if (!cert || !key || prb_signed_read(cert, key, &pair, &err) < 0 ||
            prb_authority_from(&pair, ret, &err) < 0)
        return false;
    ret->trusted_ms = get_mark(data, name);
    return true;
}

static bool has(const struct prb_authorities *authorities, const struct prb_authority *one)
{
    for (size_t i = 0; i < authorities->count; i++) {
        if (memcmp(authorities->items[i].print, one->print, sizeof(one->print)) == 0)
            return true;
    }
    return false;
}

/* "NAME.crt" */
static void read_member(
        struct prb_authorities *authorities, const struct json_object *data, const char *key)
{
    size_t len = strlen(key) - strlen(CERT_SUFFIX);
    prb_autofree char *name = prb_strndup(key, len);
    struct prb_authority one = { 0 };

    if (!read_one(data, name, &one)) {
        authorities->damaged = true;
        return;
    }
    if (has(authorities, &one)) {
        authorities->damaged = true;
        prb_authority_done(&one);
        return;
    }
    if (authorities->count == PRB_AUTHORITIES_MAX) {
        authorities->more = true;
        prb_authority_done(&one);
        return;
    }
    authorities->items[authorities->count++] = one;
}

static bool ends_with(const char *text, const char *suffix)
{
    size_t len = strlen(text), end = strlen(suffix);

    return len > end && strcmp(text + len - end, suffix) == 0;
}

void prb_authorities_read(const struct json_object *data, struct prb_authorities *ret)
{
    struct json_object_iterator at;
    struct json_object *value;
    const char *key;
    bool started = false;

    ret->empty = true;
    while (prb_json_next(data, &at, &started, &key, &value)) {
        ret->empty = false;
        if (ends_with(key, CERT_SUFFIX))
            read_member(ret, data, key);
    }
    if (!ret->empty && ret->count == 0)
        ret->damaged = true;
}

static void set(struct json_object *data, const char *name, const char *suffix, const char *text)
{
    prb_autofree char *key = prb_asprintf("%s%s", name, suffix);
    char *encoded __attribute__((cleanup(free_keyp))) = prb_certs_bundle(text);

    prb_json_set_str(data, key, encoded);
}

struct json_object *prb_authorities_write(const struct prb_authorities *authorities)
{
    struct json_object *data = json_object_new_object();

    for (size_t i = 0; i < authorities->count; i++) {
        const struct prb_authority *one = &authorities->items[i];
        char mark[PRB_TIME_SIZE];

        set(data, one->name, CERT_SUFFIX, one->cert);
        set(data, one->name, KEY_SUFFIX, one->key);
        if (one->trusted_ms == 0)
            continue;
        prb_time_format(one->trusted_ms, mark);
        set(data, one->name, MARK_SUFFIX, mark);
    }
    return data;
}

void prb_authorities_publish(const struct prb_authorities *authorities, struct prb_bundle *bundle)
{
    for (size_t i = 0; i < authorities->count; i++)
        prb_bundle_add(bundle, authorities->items[i].cert);
}
