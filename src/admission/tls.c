/* Which certificate is served, and which was refused? */

#include "probate/admission/tls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <gnutls/crypto.h>

#include "probate/base/log.h"
#include "probate/base/mem.h"
#include "probate/base/metrics.h"

#include "tls_internal.h"

static struct prb_metric expiry = { .name = "probate_tls_certificate_expiry_timestamp_seconds",
    .help = "When the serving certificate expires, in seconds since 1970.",
    .type = PRB_GAUGE };
static struct prb_metric reloads = { .name = "probate_tls_reloads_total",
    .help = "Certificates that changed on disk, by whether they were taken or refused.",
    .type = PRB_COUNTER,
    .labels = { "result" } };

/* What is served from now on; connections that are open keep theirs. */
static void take(struct prb_tls *tls, struct prb_tls_generation *generation)
{
    struct prb_tls_generation *old;
    char until[PRB_TIME_SIZE];
    bool first;

    (void)pthread_mutex_lock(&tls->lock);
    old = tls->current;
    first = old == NULL;
    tls->current = generation;
    tls->state.generation++;
    tls->state.expires_ms = generation->expires_ms;
    tls->state.error[0] = '\0';
    memset(tls->refused, 0, sizeof(tls->refused));
    memset(tls->doubted, 0, sizeof(tls->doubted));
    tls->told_expired = false;
    (void)pthread_mutex_unlock(&tls->lock);

    prb_metric_set(&expiry, (double)generation->expires_ms / 1000);
    if (!first) {
        prb_metric_add(&reloads, 1, "taken");
        prb_time_format(generation->expires_ms, until);
        prb_info("serving a new certificate", KV("validUntil", until));
    }
    prb_tls_generation_unref(old);
}

/*
 * Files may be seen when one of them is written and the other is not yet: what was not seen the
 * same way twice is looked at again first. Then it is said once for each content. True: look again
 * soon.
 */
static bool refuse(struct prb_tls *tls, const unsigned char *print, const char *why)
{
    bool seen, told;

    (void)pthread_mutex_lock(&tls->lock);
    seen = memcmp(tls->doubted, print, sizeof(tls->doubted)) == 0;
    told = memcmp(tls->refused, print, sizeof(tls->refused)) == 0;
    memcpy(tls->doubted, print, sizeof(tls->doubted));
    if (seen && !told) {
        memcpy(tls->refused, print, sizeof(tls->refused));
        tls->state.refused++;
        (void)snprintf(tls->state.error, sizeof(tls->state.error), "%s", why);
    }
    (void)pthread_mutex_unlock(&tls->lock);
    if (seen && !told) {
        prb_metric_add(&reloads, 1, "refused");
        prb_warn("the certificate on disk is refused, the old one is kept", KV("error", why));
    }
    return !seen;
}

/* The files are again, or still, the ones being served. */
static bool is_served(struct prb_tls *tls, const struct prb_tls_material *material)
{
    bool same;

    (void)pthread_mutex_lock(&tls->lock);
    same = memcmp(tls->current->print, material->print, sizeof(material->print)) == 0;
    if (same) {
        tls->state.error[0] = '\0';
        memset(tls->refused, 0, sizeof(tls->refused));
        memset(tls->doubted, 0, sizeof(tls->doubted));
    }
    (void)pthread_mutex_unlock(&tls->lock);
    return same;
}

static void warn_if_expired(struct prb_tls *tls, int64_t now_ms)
{
    bool tell;

    (void)pthread_mutex_lock(&tls->lock);
    tell = !tls->told_expired && now_ms >= tls->state.expires_ms;
    if (tell)
        tls->told_expired = true;
    (void)pthread_mutex_unlock(&tls->lock);
    if (tell)
        prb_warn("the certificate being served has expired");
}

/* Under `changing`. */
static bool look(struct prb_tls *tls)
{
    prb_auto(prb_tls_material_done) struct prb_tls_material material = { 0 };
    unsigned char print[PRB_TLS_PRINT_SIZE] = { 0 };
    struct prb_tls_generation *generation;
    int64_t now_ms = tls->clock->wall_ms(tls->clock);
    struct prb_error err;

    warn_if_expired(tls, now_ms);
    if (prb_tls_material_read(&tls->files, &material, &err) < 0) {
        /* There is no content to tell apart, but its absence may have changed its reason. */
        (void)gnutls_hash_fast(GNUTLS_DIG_SHA256, err.msg, strlen(err.msg), print);
        return refuse(tls, print, err.msg);
    }
    if (is_served(tls, &material))
        return false;
    if (prb_tls_generation_new(&material, now_ms, &generation, &err) < 0)
        return refuse(tls, material.print, err.msg);
    take(tls, generation);
    return false;
}

bool prb_tls_look(struct prb_tls *tls)
{
    bool again;

    (void)pthread_mutex_lock(&tls->changing);
    again = look(tls);
    (void)pthread_mutex_unlock(&tls->changing);
    return again;
}

static void free_secret(char *text)
{
    if (text)
        gnutls_memset(text, 0, strlen(text));
    free(text);
}

/* Under `changing`: the pair of `files`, which become the ones of `tls` if they can be served. */
static int change(struct prb_tls *tls, const struct prb_tls_files *files, struct prb_error *err)
{
    prb_auto(prb_tls_material_done) struct prb_tls_material material = { 0 };
    struct prb_tls_generation *generation;
    int r = prb_tls_material_read(files, &material, err);

    if (r == 0)
        r = prb_tls_generation_new(&material, tls->clock->wall_ms(tls->clock), &generation, err);
    if (r != 0)
        return r;
    free(tls->files.cert_pem);
    free_secret(tls->files.key_pem);
    tls->files.cert_pem = prb_strdup(files->cert_pem);
    tls->files.key_pem = prb_strdup(files->key_pem);
    take(tls, generation);
    return 0;
}

int prb_tls_replace(
        struct prb_tls *tls, const char *cert_pem, const char *key_pem, struct prb_error *err)
{
    prb_autofree char *cert = prb_strdup(cert_pem);
    char *key = prb_strdup(key_pem);
    struct prb_tls_files files;
    int r;

    (void)pthread_mutex_lock(&tls->changing);
    files = (struct prb_tls_files){
        .client_ca = tls->files.client_ca, .cert_pem = cert, .key_pem = key
    };
    r = tls->files.cert ? prb_fail(err, PRB_E_INVALID, "the certificate comes from a file")
                        : change(tls, &files, err);
    (void)pthread_mutex_unlock(&tls->changing);
    free_secret(key);
    return r;
}

char *prb_tls_chain(struct prb_tls *tls)
{
    struct prb_tls_generation *current;
    char *chain;

    (void)pthread_mutex_lock(&tls->lock);
    current = prb_tls_generation_ref(tls->current);
    (void)pthread_mutex_unlock(&tls->lock);
    chain = prb_strdup(current->chain);
    prb_tls_generation_unref(current);
    return chain;
}

static int load_first(struct prb_tls *tls, struct prb_error *err)
{
    prb_auto(prb_tls_material_done) struct prb_tls_material material = { 0 };
    struct prb_tls_generation *generation;
    const char *what = tls->files.cert ? tls->files.cert : "the certificate in memory";

    if (prb_tls_material_read(&tls->files, &material, err) < 0) {
        err->code = PRB_E_INVALID; /* whatever is wrong with a file that was named */
        return err->code;
    }
    if (prb_tls_generation_new(&material, tls->clock->wall_ms(tls->clock), &generation, err) < 0)
        return prb_wrap(err, "%s", what);
    take(tls, generation);
    return 0;
}

static void copy_options(struct prb_tls *tls, const struct prb_tls_options *options)
{
    tls->files = (struct prb_tls_files){ .cert = prb_strdup(options->cert_file),
        .key = prb_strdup(options->key_file),
        .client_ca = prb_strdup(options->client_ca_file),
        .cert_pem = prb_strdup(options->cert_pem),
        .key_pem = prb_strdup(options->key_pem) };
    tls->names = prb_calloc(options->client_name_count, sizeof(*tls->names));
    for (size_t i = 0; i < options->client_name_count; i++)
        tls->names[i] = prb_strdup(options->client_names[i]);
    tls->name_count = options->client_name_count;
    tls->clock = options->clock ? options->clock : prb_clock_system();
    tls->poll_ms = options->poll_ms ? options->poll_ms : PRB_TLS_POLL_MS;
}

int prb_tls_open(const struct prb_tls_options *options, struct prb_tls **ret, struct prb_error *err)
{
    prb_auto(prb_tls_free) struct prb_tls *tls = prb_calloc(1, sizeof(*tls));
    int r;

    (void)pthread_mutex_init(&tls->lock, NULL);
    (void)pthread_mutex_init(&tls->changing, NULL);
    copy_options(tls, options);
    tls->stop = eventfd(0, EFD_CLOEXEC);
    if (tls->stop < 0)
        return prb_fail(err, PRB_E_INTERNAL, "could not make an eventfd");
    r = load_first(tls, err);
    if (r == 0 && (tls->files.cert || tls->files.client_ca))
        r = prb_tls_watch(tls, err);
    if (r == 0)
        *ret = prb_take(tls);
    return r;
}

static void free_files(struct prb_tls_files *files)
{
    free(files->cert);
    free(files->key);
    free(files->client_ca);
    free(files->cert_pem);
    free_secret(files->key_pem);
}

void prb_tls_free(struct prb_tls *tls)
{
    if (!tls)
        return;
    prb_tls_unwatch(tls);
    if (tls->stop >= 0)
        (void)close(tls->stop);
    prb_tls_generation_unref(tls->current);
    for (size_t i = 0; i < tls->name_count; i++)
        free(tls->names[i]);
    free(tls->names);
    free_files(&tls->files);
    (void)pthread_mutex_destroy(&tls->changing);
    (void)pthread_mutex_destroy(&tls->lock);
    free(tls);
}

void prb_tls_state(struct prb_tls *tls, struct prb_tls_state *ret)
{
    int64_t now_ms = tls->clock->wall_ms(tls->clock);

    (void)pthread_mutex_lock(&tls->lock);
    *ret = tls->state;
    (void)pthread_mutex_unlock(&tls->lock);
    ret->valid = now_ms < ret->expires_ms;
}
