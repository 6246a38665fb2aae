/* How does a chart bring the registration, and what becomes of it? */

#include <stdio.h>
#include <string.h>

#include "probate/base/file.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/base/yaml.h"

#include "registration_internal.h"
#include "site.h"
#include "support/wait.h"

#define LINES_MAX 8192 /* a dozen lines */

#define NOBODY "https://127.0.0.1:1" /* a port that nobody listens on */

/* Where Probate answers, from its log; the caller frees. */
static char *find_url(const struct site *site)
{
    static const char before[] = "admission=127.0.0.1:";
    prb_autofree char *log = program_log(&site->program);
    const char *at = strstr(log, before);

    if (!at)
        return prb_strdup(NOBODY);
    at += strlen(before);
    return prb_asprintf("https://127.0.0.1:%.*s", (int)strspn(at, "0123456789"), at);
}

/* As `lookup` of a chart finds it; "Ignore" where there is none yet. The caller frees. */
static char *live_policy(struct site *site, const char *name)
{
    prb_auto(prb_registered_done) struct prb_registered live = { 0 };
    const struct json_object *webhooks;
    struct prb_error err;

    if (prb_registered_read(site->api, "probate", 0, &live, &err) < 0)
        return prb_strdup("Ignore");
    webhooks = prb_registered_webhooks(&live);
    for (size_t i = 0; i < prb_json_len(webhooks); i++) {
        const struct json_object *webhook = prb_json_elem(webhooks, i);

        if (prb_streq(prb_json_str(webhook, "name"), name))
            return prb_strdup(prb_json_str(webhook, "failurePolicy"));
    }
    return prb_strdup("Ignore");
}

static void edit(struct site *site, const struct site_chart *chart, struct json_object *webhook)
{
    prb_autofree char *live = NULL;

    if (!chart->failure_policy)
        live = live_policy(site, prb_json_str(webhook, "name"));
    prb_json_set_str(webhook, "failurePolicy", live ? live : chart->failure_policy);
    if (chart->timeout_s)
        prb_json_set_int(webhook, "timeoutSeconds", chart->timeout_s);
}

static bool write_manifest(struct site *site, const struct site_chart *chart, const char *path)
{
    prb_autofree char *url = chart->nobody ? prb_strdup(NOBODY) : find_url(site), *text = NULL;
    prb_autofree char *changed = NULL;
    prb_auto(prb_json_free) struct json_object *manifest = NULL;
    struct json_object *webhooks;
    struct prb_error err;

    if (program_run((const char *const[]){ "manifest", "webhook", "--url", url, "--claim-resource",
                            "buckets.example.org", "--rules", chart->rules ? chart->rules : "*",
                            site->conditions ? "--match-conditions" : "--match-conditions=false",
                            NULL },
                NULL, &text) != 0 ||
            prb_yaml_parse(text, strlen(text), &manifest, &err) < 0)
        return false;
    webhooks = prb_json_arr(manifest, "webhooks");
    for (size_t i = 0; i < prb_json_len(webhooks); i++)
        edit(site, chart, prb_json_elem(webhooks, i));
    changed = prb_json_text(manifest, false);
    return prb_file_write(path, changed, strlen(changed), 0600, &err) == 0;
}

bool site_register(struct site *site, const struct site_chart *chart)
{
    prb_autofree char *path = prb_asprintf("%s/webhook.json", site->dir);
    prb_autofree char *command =
            prb_asprintf("apply --server-side --field-manager=helm --validate=false%s -f %s",
                    chart->force ? " --force-conflicts" : "", path);

    return write_manifest(site, chart, path) && site_do(site, command, NULL);
}

char *site_webhooks(struct site *site)
{
    prb_auto(prb_registered_done) struct prb_registered live = { 0 };
    prb_auto(prb_str_done) struct prb_str text;
    const struct json_object *webhooks;
    struct prb_error err;

    prb_str_init(&text, LINES_MAX);
    if (prb_registered_read(site->api, "probate", 0, &live, &err) < 0)
        return prb_strdup(err.msg);
    webhooks = prb_registered_webhooks(&live);
    for (size_t i = 0; i < prb_json_len(webhooks); i++) {
        const struct json_object *webhook = prb_json_elem(webhooks, i);
        struct prb_bundle bundle = { 0 };
        int64_t timeout_s = 0;

        (void)prb_json_int(webhook, "timeoutSeconds", &timeout_s);
        prb_bundle_add_encoded(&bundle, prb_webhook_bundle(webhook));
        prb_str_addf(&text, "%s %s %ds %zu trusted%s\n", prb_json_str(webhook, "name"),
                prb_json_str(webhook, "failurePolicy"), (int)timeout_s, bundle.count,
                prb_json_has(webhook, "matchConditions") ? " conditionally" : "");
        prb_bundle_done(&bundle);
    }
    return prb_str_take(&text);
}

/* Those two are to fail open, whatever else there is, and the one for the label where the API
 * server does not keep its condition. */
static bool is_closed(void *ctx)
{
    struct site *site = ctx;
    prb_autofree char *lines = site_webhooks(site);
    const char *at = lines;
    int open = 0;

    (void)snprintf(site->why, sizeof(site->why), "%s", lines);
    (void)prb_test_saw("%s", lines);
    if (!lines[0] || strstr(lines, " 0 trusted"))
        return false;
    while ((at = strstr(at, " Ignore ")) != NULL) {
        open++;
        at++;
    }
    if (!site->conditions && strstr(lines, "critical-service-label.probate.dev Ignore"))
        open--;
    return open == 2 && strstr(lines, "critical-service-unlabelled.probate.dev Ignore") &&
           strstr(lines, "critical-service-unlabelled-namespace.probate.dev Ignore");
}

bool site_awaits_closed(struct site *site)
{
    if (prb_test_await("the webhooks fail closed", is_closed, site, PRB_TEST_SOON_MS))
        return true;
    (void)snprintf(site->why, sizeof(site->why), "%s", prb_test_awaited());
    return false;
}
