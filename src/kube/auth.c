/* What does Probate say when asked who it is? */

#include "auth.h"

#include <pthread.h>
#include <string.h>
#include <sys/stat.h>

#include <gnutls/gnutls.h>

#include "probate/base/file.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "secret.h"

/* What tells one state of a file from another without reading it. */
struct stamp {
    dev_t device;
    ino_t inode;
    off_t size;
    struct timespec changed;
};

struct prb_kube_auth {
    pthread_mutex_t lock; /* guards all below */
    char *header;         /* owned, secret; NULL: none */
    char *token_file;     /* owned; NULL: none */
    struct stamp stamp;   /* of the file when it was read */
    int64_t read_ms;      /* when it was read, or tried in vain */
    bool was_read;
    unsigned generation;
};

/* A token with a line break in it would be two headers. */
static bool is_header_text(const char *text)
{
    for (; *text; text++) {
        if ((unsigned char)*text <= ' ' || (unsigned char)*text >= 0x7F)
            return false;
    }
    return true;
}

static struct stamp stamp_of(const char *path)
{
    struct stat st;

    if (stat(path, &st) < 0)
        return (struct stamp){ .size = -1 };
    return (struct stamp){
        .device = st.st_dev,
        .inode = st.st_ino,
        .size = st.st_size,
        .changed = st.st_mtim,
    };
}

static bool stamp_equal(const struct stamp *a, const struct stamp *b)
{
    return a->device == b->device && a->inode == b->inode && a->size == b->size &&
           a->changed.tv_sec == b->changed.tv_sec && a->changed.tv_nsec == b->changed.tv_nsec;
}

/* The token without the white space that editors put around it; NULL: unreadable or no token. */
static char *read_token(const char *path)
{
    prb_auto(prb_secret_free) char *text = NULL;
    struct prb_error ignored; /* the last good one stays in use; a 401 will tell */
    const char *start;
    size_t len;

    if (prb_file_read(path, PRB_KUBE_TOKEN_MAX, &text, &len, &ignored) < 0)
        return NULL;
    start = text + strspn(text, " \t\r\n");
    text[(size_t)(start - text) + strcspn(start, " \t\r\n")] = '\0';
    return *start && is_header_text(start) ? prb_strdup(start) : NULL;
}

static void set_header(struct prb_kube_auth *auth, char *taken)
{
    if (prb_streq(auth->header, taken)) {
        prb_secret_free(taken);
        return;
    }
    prb_secret_free(auth->header);
    auth->header = taken;
    auth->generation++;
}

static void read_file(struct prb_kube_auth *auth, int64_t mono_ms)
{
    /* Taken before the content: a change in between is seen by the next look. */
    struct stamp stamp = stamp_of(auth->token_file);
    prb_auto(prb_secret_free) char *token = read_token(auth->token_file);

    auth->read_ms = mono_ms;
    auth->was_read = true;
    auth->stamp = stamp;
    if (token)
        set_header(auth, prb_asprintf("Authorization: Bearer %s", token));
}

static void look_at_file(struct prb_kube_auth *auth, int64_t mono_ms)
{
    struct stamp stamp;

    if (!auth->token_file)
        return;
    stamp = stamp_of(auth->token_file);
    if (!auth->was_read || !stamp_equal(&stamp, &auth->stamp) ||
            mono_ms - auth->read_ms >= PRB_KUBE_TOKEN_AGE_MS)
        read_file(auth, mono_ms);
}

/* "Authorization: Basic <base64 of user:password>" */
static char *basic_header(const char *username, const char *password)
{
    prb_auto(prb_secret_free) char *pair =
            prb_asprintf("%s:%s", username, password ? password : "");
    gnutls_datum_t plain = { .data = (unsigned char *)pair, .size = (unsigned)strlen(pair) };
    gnutls_datum_t encoded = { .data = NULL };
    char *header = NULL;

    if (gnutls_base64_encode2(&plain, &encoded) == 0) {
        header = prb_asprintf("Authorization: Basic %.*s", (int)encoded.size, encoded.data);
        gnutls_memset(encoded.data, 0, encoded.size);
    }
    gnutls_free(encoded.data);
    return header;
}

int prb_kube_auth_new(
        const struct prb_kube_config *config, struct prb_kube_auth **ret, struct prb_error *err)
{
    struct prb_kube_auth *auth;

    if (config->token && (!*config->token || !is_header_text(config->token) ||
                                 strlen(config->token) > PRB_KUBE_TOKEN_MAX))
        return prb_fail(err, PRB_E_INVALID,
                "%s: the token is empty, too long or has characters that no token has",
                config->source);

    auth = prb_calloc(1, sizeof(*auth));
    (void)pthread_mutex_init(&auth->lock, NULL);
    auth->token_file = prb_strdup(config->token_file);
    if (config->token)
        auth->header = prb_asprintf("Authorization: Bearer %s", config->token);
    else if (config->username)
        auth->header = basic_header(config->username, config->password);
    *ret = auth;
    return 0;
}

void prb_kube_auth_free(struct prb_kube_auth *auth)
{
    if (!auth)
        return;
    prb_secret_free(auth->header);
    free(auth->token_file);
    (void)pthread_mutex_destroy(&auth->lock);
    free(auth);
}

char *prb_kube_auth_header(struct prb_kube_auth *auth, int64_t mono_ms, unsigned *ret_generation)
{
    char *copy;

    (void)pthread_mutex_lock(&auth->lock);
    look_at_file(auth, mono_ms);
    copy = prb_strdup(auth->header);
    *ret_generation = auth->generation;
    (void)pthread_mutex_unlock(&auth->lock);
    return copy;
}

bool prb_kube_auth_refresh(struct prb_kube_auth *auth, int64_t mono_ms, unsigned generation)
{
    bool newer;

    (void)pthread_mutex_lock(&auth->lock);
    if (auth->token_file && auth->generation == generation)
        read_file(auth, mono_ms);
    newer = auth->generation != generation;
    (void)pthread_mutex_unlock(&auth->lock);
    return newer;
}
