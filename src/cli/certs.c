/* What does `probate certs` write, and what does it leave alone? */

#include "probate/admission/certs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "probate/base/clock.h"
#include "probate/base/file.h"
#include "probate/base/mem.h"
#include "probate/cli/verb.h"

#define DAYS_MAX 36500

/* PEM files of one certificate or key: some hundred bytes; bundles of a few KB. */
#define PEM_MAX ((size_t)256 * 1024)

/* Keys are for their owner, certificates for everyone. */
#define KEY_MODE 0600
#define CERT_MODE 0644

struct options {
    const char *out;
    struct prb_list names;
    int64_t days;
    int64_t ca_days;
    int force;
};

/* One run of the verb. */
struct run {
    struct options options;
    char *ca_cert; /* owned: PEM of the CA that is there already; NULL: none */
    char *ca_key;
    struct prb_certs certs;
};

static char *path_of(const struct run *run, const char *name)
{
    return prb_asprintf("%s/%s", run->options.out, name);
}

static bool exists(const struct run *run, const char *name)
{
    prb_autofree char *path = path_of(run, name);

    return access(path, F_OK) == 0;
}

static int read_pem(const struct run *run, const char *name, char **ret, struct prb_error *err)
{
    prb_autofree char *path = path_of(run, name);
    size_t len;

    return prb_file_read(path, PEM_MAX, ret, &len, err);
}

static int make_folder(const char *path, struct prb_error *err)
{
    char text[128];

    if (mkdir(path, 0755) == 0 || errno == EEXIST)
        return 0;
    return prb_fail(err, PRB_E_INVALID, "%s: %s", path, strerror_r(errno, text, sizeof(text)));
}

/* Whose key is lost cannot be replaced by guessing: only --force overwrites what is not ours. */
static int find_ca(struct run *run, struct prb_error *err)
{
    const char *out = run->options.out;
    bool cert = exists(run, "ca.crt"), key = exists(run, "ca.key");
    int r;

    if (run->options.force)
        return 0;
    if (cert != key)
        return prb_fail(err, PRB_E_INVALID,
                "%s has ca.%s but no ca.%s; --force makes a new CA in its place", out,
                cert ? "crt" : "key", cert ? "key" : "crt");
    if (!cert && (exists(run, "tls.crt") || exists(run, "tls.key")))
        return prb_fail(err, PRB_E_INVALID,
                "%s has a serving certificate whose CA is not here; --force replaces it", out);
    if (!cert)
        return 0;
    r = read_pem(run, "ca.crt", &run->ca_cert, err);
    return r < 0 ? r : read_pem(run, "ca.key", &run->ca_key, err);
}

static int make(struct run *run, struct prb_error *err)
{
    const struct prb_clock *clock = prb_clock_system();
    const struct prb_list *names = &run->options.names;
    const struct prb_certs_options options = { .names = (const char *const *)names->items,
        .count = names->count,
        .now_ms = clock->wall_ms(clock),
        .ca_days = (int)run->options.ca_days,
        .leaf_days = (int)run->options.days,
        .ca_cert = run->ca_cert,
        .ca_key = run->ca_key };
    int r = prb_certs_make(&options, &run->certs, err);
    prb_autofree char *reason = NULL;

    if (r >= 0 || !run->ca_cert)
        return r;
    reason = prb_strdup(err->msg);
    return prb_fail(err, (enum prb_errc)r, "%s: %s", run->options.out, reason);
}

static int write_one(const struct run *run, const char *name, const char *pem, unsigned mode,
        struct prb_error *err)
{
    prb_autofree char *path = path_of(run, name);

    return prb_file_write(path, pem, strlen(pem), mode, err);
}

/* Each file is replaced whole; the CA before what it signed. */
static int write_all(const struct run *run, struct prb_error *err)
{
    const struct prb_certs *certs = &run->certs;
    int r = 0;

    if (!run->ca_cert) {
        r = write_one(run, "ca.key", certs->ca_key, KEY_MODE, err);
        if (r == 0)
            r = write_one(run, "ca.crt", certs->ca_cert, CERT_MODE, err);
    }
    if (r == 0)
        r = write_one(run, "tls.key", certs->key, KEY_MODE, err);
    if (r == 0)
        r = write_one(run, "tls.crt", certs->cert, CERT_MODE, err);
    return r;
}

static enum prb_exit report(const struct run *run)
{
    prb_auto(prb_str_done) struct prb_str text;
    prb_autofree char *bundle = prb_certs_bundle(run->certs.ca_cert);
    const struct prb_list *names = &run->options.names;
    const char *out = run->options.out;
    char until[PRB_TIME_SIZE];

    prb_str_init(&text, PEM_MAX);
    prb_time_format(run->certs.ca_expires_ms, until);
    prb_str_addf(&text, "%s %s/ca.crt and %s/ca.key: a CA, valid until %s\n",
            run->ca_cert ? "kept " : "wrote", out, out, until);
    prb_time_format(run->certs.expires_ms, until);
    prb_str_addf(&text, "wrote %s/tls.crt and %s/tls.key: for", out, out);
    for (size_t i = 0; i < names->count; i++)
        prb_str_addf(&text, "%s %s", i > 0 ? "," : "", names->items[i]);
    prb_str_addf(&text, "; valid until %s\ncaBundle: %s\n", until, bundle);
    return prb_cli_print(&text);
}

static enum prb_exit work(struct run *run)
{
    struct prb_error err;
    int r;

    if (!run->options.out)
        return prb_cli_misused("certs", "--out DIR says where to write, and is missing");
    if (run->options.names.count == 0)
        return prb_cli_misused("certs", "--name NAME says for whom, and is missing");
    r = make_folder(run->options.out, &err);
    if (r == 0)
        r = find_ca(run, &err);
    if (r == 0)
        r = make(run, &err);
    if (r == 0)
        r = write_all(run, &err);
    if (r == 0)
        return report(run);
    prb_cli_complain("certs", err.msg, NULL);
    return err.code == PRB_E_INTERNAL ? PRB_EXIT_INTERNAL : PRB_EXIT_USAGE;
}

static enum prb_exit run_verb(const struct prb_verb *self, const struct prb_flag_input *input)
{
    prb_auto(prb_args_done) struct prb_args args = { 0 };
    struct run run = { 0 };
    enum prb_exit result;

    if (prb_verb_parse(self, input, &run.options, &args, &result))
        result = work(&run);
    free(run.ca_cert);
    if (run.ca_key)
        explicit_bzero(run.ca_key, strlen(run.ca_key));
    free(run.ca_key);
    prb_certs_done(&run.certs);
    prb_flags_done(self->flags, &run.options);
    return result;
}

#define AT(member) offsetof(struct options, member)

static const struct prb_flag table[] = {
    { .section = "What to make",
            .name = "out",
            .type = PRB_FLAG_TEXT,
            .at = AT(out),
            .value = "DIR",
            .help = "The folder for ca.crt, ca.key, tls.crt and tls.key. Made when it is not "
                    "there." },
    { .name = "name",
            .type = PRB_FLAG_LIST,
            .at = AT(names),
            .value = "NAME,...",
            .help = "A DNS name or IP address by which the server is called; may be given again. "
                    "In a cluster: SERVICE.NAMESPACE.svc." },
    { .name = "days",
            .type = PRB_FLAG_INT,
            .at = AT(days),
            .value = "N",
            .preset = "365",
            .min = 1,
            .max = DAYS_MAX,
            .help = "How long the serving certificate is valid; never longer than its CA." },
    { .name = "ca-days",
            .type = PRB_FLAG_INT,
            .at = AT(ca_days),
            .value = "N",
            .preset = "3650",
            .min = 1,
            .max = DAYS_MAX,
            .help = "How long a new CA is valid." },
    { .name = "force",
            .type = PRB_FLAG_SWITCH,
            .at = AT(force),
            .preset = "false",
            .help = "Make a new CA although there is one; every caBundle with the old one has to "
                    "be changed." },
};

static const struct prb_flags flags = { .items = table, .count = sizeof(table) / sizeof(table[0]) };

const struct prb_verb prb_verb_certs = {
    .name = "certs",
    .arguments = "--out DIR --name NAME [flags]",
    .summary = "Make a CA and a serving certificate for the webhook.",
    .description =
            "Makes a certificate authority (CA) and a serving certificate, both ECDSA P-256, and "
            "prints the CA as a caBundle for the webhook registration.\n"
            "Run again on the same folder, it keeps the CA and renews the serving certificate; a "
            "server that reads these files takes the new one without a restart.\n"
            "Exit codes: 0 done, 2 wrong usage or input, 4 internal.",
    .flags = &flags,
    .run = run_verb,
};
