/* Whose ManifestWorks are carried out, and for how long without them? */

#include "probate/cli/works.h"

#include <string.h>

#include "probate/base/log.h"
#include "probate/base/str.h"

#define LETTERS "abcdefghijklmnopqrstuvwxyz0123456789"

/* A DNS label, as every namespace is one. */
static bool is_label(const char *text)
{
    size_t len = strlen(text);

    return len > 0 && len < PRB_NAMESPACE_SIZE && strspn(text, LETTERS "-") == len &&
           text[0] != '-' && text[len - 1] != '-';
}

static int choose_cluster(
        const char *name, struct prb_work_settings *settings, struct prb_error *err)
{
    if (!name)
        return 0;
    if (!is_label(name))
        return prb_fail(err, PRB_E_INVALID,
                "--cluster-name: \"%s\" is no name of a cluster: that is 1 to 63 lower-case "
                "letters, digits and '-', with a letter or digit at both ends",
                name);
    (void)prb_copy(settings->cluster_name, sizeof(settings->cluster_name), name);
    return 0;
}

/* It is a value in a field, not a name: whatever can be read again as it was written. */
static int choose_id(const char *id, struct prb_work_settings *settings, struct prb_error *err)
{
    if (!id)
        return 0;
    for (const char *at = id; *at; at++) {
        if (*at <= ' ' || *at >= '\x7f')
            return prb_fail(
                    err, PRB_E_INVALID, "--agent-id: only printable ASCII without blanks will do");
    }
    if (!prb_copy(settings->agent_id, sizeof(settings->agent_id), id))
        return prb_fail(err, PRB_E_INVALID, "--agent-id: longer than %d bytes", PRB_NAME_SIZE - 1);
    return 0;
}

int prb_works_choose(
        const struct prb_work_flags *flags, struct prb_work_settings *ret, struct prb_error *err)
{
    struct prb_work_settings settings = { .eviction_grace_ms = flags->eviction_grace_ms };
    int r = choose_cluster(flags->cluster_name, &settings, err);

    if (r == 0)
        r = choose_id(flags->agent_id, &settings, err);
    if (r < 0)
        return r;
    if (settings.eviction_grace_ms >= PRB_EVICTION_NEVER_MS)
        settings.eviction_grace_ms = 0;
    *ret = settings;
    return 0;
}

void prb_works_settle(struct prb_work_settings *settings, const char *server)
{
    prb_sha256_hex(server, strlen(server), settings->hub_hash);
    if (settings->agent_id[0] == '\0')
        (void)prb_copy(settings->agent_id, sizeof(settings->agent_id), settings->hub_hash);
}

void prb_works_log(const struct prb_work_settings *settings)
{
    prb_info("works", KV("cluster", settings->cluster_name), KV("hub_hash", settings->hub_hash),
            KV("agent_id", settings->agent_id),
            KV_INT("eviction_grace_seconds", settings->eviction_grace_ms / 1000));
}
