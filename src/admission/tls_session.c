/* With which certificate does a connection begin, and who may speak on it? */

#include "tls_session.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <gnutls/x509.h>

#include "probate/base/str.h"

#include "tls_internal.h"

/* Names longer than this are nobody's that --client-names lists. */
#define NAME_SIZE 256

PRB_DEFINE_CLEANUP(gnutls_x509_crt_t, gnutls_x509_crt_deinit)

struct prb_tls_generation *prb_tls_current(struct prb_tls *tls)
{
    struct prb_tls_generation *current;

    (void)pthread_mutex_lock(&tls->lock);
    current = prb_tls_generation_ref(tls->current);
    (void)pthread_mutex_unlock(&tls->lock);
    return current;
}

int prb_tls_session_begin(struct prb_tls_generation *generation, gnutls_session_t session)
{
    if (generation->checks_clients)
        gnutls_certificate_server_set_request(session, GNUTLS_CERT_REQUEST);
    return gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, generation->credentials);
}

/* Signed by the CA of this generation, for clients, and valid now? */
static int check_chain(gnutls_session_t session, struct prb_error *err)
{
    unsigned char purpose[] = GNUTLS_KP_TLS_WWW_CLIENT;
    gnutls_typed_vdata_st wanted = { .type = GNUTLS_DT_KEY_PURPOSE_OID, .data = purpose };
    gnutls_datum_t text = { 0 };
    unsigned status;
    int result = gnutls_certificate_verify_peers(session, &wanted, 1, &status);

    if (result == GNUTLS_E_NO_CERTIFICATE_FOUND)
        return prb_fail(err, PRB_E_FORBIDDEN,
                "a client certificate is required here, and none was presented");
    if (result < 0)
        return prb_fail(err, PRB_E_FORBIDDEN, "the client certificate could not be verified: %s",
                gnutls_strerror(result));
    if (status == 0)
        return 0;
    (void)gnutls_certificate_verification_status_print(status, GNUTLS_CRT_X509, &text, 0);
    result = prb_fail(err, PRB_E_FORBIDDEN, "the client certificate is not accepted: %.*s",
            (int)text.size, text.data ? (const char *)text.data : "");
    gnutls_free(text.data);
    return result;
}

static bool is_accepted(const struct prb_tls *tls, const char *name)
{
    for (size_t i = 0; i < tls->name_count; i++) {
        if (strcasecmp(tls->names[i], name) == 0)
            return true;
    }
    return false;
}

/* A name with a NUL in it is no name: what a C string shows of it is not what was signed. */
static bool is_whole(const char *name, size_t size)
{
    return size < NAME_SIZE && strnlen(name, size) == size;
}

static bool has_accepted_name(
        const struct prb_tls *tls, gnutls_x509_crt_t crt, char common[NAME_SIZE])
{
    size_t size = NAME_SIZE;

    if (gnutls_x509_crt_get_dn_by_oid(crt, GNUTLS_OID_X520_COMMON_NAME, 0, 0, common, &size) < 0 ||
            !is_whole(common, size))
        common[0] = '\0';
    if (common[0] && is_accepted(tls, common))
        return true;
    for (unsigned i = 0;; i++) {
        char name[NAME_SIZE];
        int type;

        size = sizeof(name);
        type = gnutls_x509_crt_get_subject_alt_name(crt, i, name, &size, NULL);
        if (type == GNUTLS_E_SHORT_MEMORY_BUFFER)
            continue;
        if (type < 0)
            return false;
        if (type == GNUTLS_SAN_DNSNAME && is_whole(name, size)) {
            name[size] = '\0';
            if (is_accepted(tls, name))
                return true;
        }
    }
}

static int check_name(const struct prb_tls *tls, gnutls_session_t session, struct prb_error *err)
{
    prb_auto(gnutls_x509_crt_deinit) gnutls_x509_crt_t crt = NULL;
    char common[NAME_SIZE] = "";
    unsigned count;
    const gnutls_datum_t *chain = gnutls_certificate_get_peers(session, &count);

    if (!chain || count == 0 || gnutls_x509_crt_init(&crt) < 0 ||
            gnutls_x509_crt_import(crt, &chain[0], GNUTLS_X509_FMT_DER) < 0)
        return prb_fail(err, PRB_E_FORBIDDEN, "the client certificate cannot be read");
    if (has_accepted_name(tls, crt, common))
        return 0;
    return prb_fail(err, PRB_E_FORBIDDEN,
            "the client certificate names \"%s\", which is not among --client-names", common);
}

int prb_tls_session_check(const struct prb_tls *tls, const struct prb_tls_generation *generation,
        gnutls_session_t session, struct prb_error *err)
{
    int r;

    if (!generation->checks_clients)
        return 0;
    r = check_chain(session, err);
    return r < 0 || tls->name_count == 0 ? r : check_name(tls, session, err);
}
