/* What do the files of a certificate hold at this moment? */

#include <stdlib.h>
#include <string.h>

#include <gnutls/crypto.h>

#include "probate/base/file.h"
#include "probate/base/mem.h"

#include "tls_generation.h"

/* A chain of four RSA certificates is some 8 KB; a CA bundle of a whole system some 250 KB. */
#define FILE_MAX ((size_t)1024 * 1024)

/* A swap takes microseconds; who writes for longer is looked at again a little later. */
#define ROUNDS_MAX 5

static void free_secret(char *text)
{
    if (text)
        gnutls_memset(text, 0, strlen(text));
    free(text);
}

void prb_tls_material_done(struct prb_tls_material *material)
{
    free(material->cert);
    free_secret(material->key);
    free(material->client_ca);
    *material = (struct prb_tls_material){ 0 };
}

static int read_text(const char *path, char **ret, struct prb_error *err)
{
    size_t len;

    return prb_file_read(path, FILE_MAX, ret, &len, err);
}

static int add_print(gnutls_hash_hd_t hash, const char *text)
{
    /* With its NUL, so that moving bytes from one file to the next makes a difference. */
    return text ? gnutls_hash(hash, text, strlen(text) + 1) : 0;
}

static int print_of(struct prb_tls_material *material, struct prb_error *err)
{
    gnutls_hash_hd_t hash;
    int result = gnutls_hash_init(&hash, GNUTLS_DIG_SHA256);

    if (result >= 0) {
        result = add_print(hash, material->cert);
        if (result >= 0)
            result = add_print(hash, material->key);
        if (result >= 0)
            result = add_print(hash, material->client_ca);
        gnutls_hash_deinit(hash, material->print);
    }
    return result < 0 ? prb_fail(err, PRB_E_INTERNAL, "SHA-256: %s", gnutls_strerror(result)) : 0;
}

static int read_once(
        const struct prb_tls_files *files, struct prb_tls_material *ret, struct prb_error *err)
{
    struct prb_tls_material material = { 0 };
    int r = 0;

    if (files->cert) {
        r = read_text(files->cert, &material.cert, err);
        if (r == 0)
            r = read_text(files->key, &material.key, err);
    } else {
        material.cert = prb_strdup(files->cert_pem);
        material.key = prb_strdup(files->key_pem);
    }
    if (r == 0 && files->client_ca)
        r = read_text(files->client_ca, &material.client_ca, err);
    if (r == 0)
        r = print_of(&material, err);
    if (r < 0) {
        prb_tls_material_done(&material);
        return r;
    }
    *ret = material;
    return 0;
}

int prb_tls_material_read(
        const struct prb_tls_files *files, struct prb_tls_material *ret, struct prb_error *err)
{
    struct prb_tls_material last;
    int r = read_once(files, &last, err);

    if (r < 0)
        return r;
    for (int round = 1; round < ROUNDS_MAX; round++) {
        struct prb_tls_material again;
        bool same;

        r = read_once(files, &again, err);
        if (r < 0) {
            prb_tls_material_done(&last);
            return r;
        }
        same = memcmp(last.print, again.print, sizeof(last.print)) == 0;
        prb_tls_material_done(&last);
        last = again;
        if (same)
            break;
    }
    *ret = last;
    return 0;
}
