/*
 * What do the server and its controllers put into an object that its manifest need not name?
 *
 * A PUT that leaves these out is refused, or takes away what others rely on: the address of a
 * Service, the volume of a claim, the replicas that an autoscaler has chosen, the class that an
 * Ingress got when it was created and never again. Where the manifest names them, it is the
 * manifest that counts.
 */

#include "probate/base/str.h"

#include "manifest_internal.h"

/* The longest path is that of a CRD. */
#define KEYS_MAX 5

/* One member. Of the maps above it only `spec` is made when the manifest has none. */
struct allocated {
    const char *group, *kind;       /* static, as the path */
    const char *path[KEYS_MAX + 1]; /* ends with NULL */
};

static const struct allocated table[] = {
    { "", "Namespace", { "spec", "finalizers" } },
    { "", "PersistentVolume", { "spec", "claimRef" } },
    { "", "PersistentVolumeClaim", { "spec", "volumeName" } },
    { "", "PersistentVolumeClaim", { "spec", "storageClassName" } },
    { "", "ReplicationController", { "spec", "replicas" } },
    { "apps", "Deployment", { "spec", "replicas" } },
    { "apps", "ReplicaSet", { "spec", "replicas" } },
    { "apps", "StatefulSet", { "spec", "replicas" } },
    { "batch", "Job", { "spec", "selector" } },
    { "networking.k8s.io", "Ingress", { "spec", "ingressClassName" } },
    { "apiextensions.k8s.io", "CustomResourceDefinition",
            { "spec", "conversion", "webhook", "clientConfig", "caBundle" } },
};

/* ---- single members ---- */

static void keep_member(struct json_object *merged, const struct json_object *live, const char *key)
{
    const struct json_object *value = prb_json_find(live, key);

    /* What is no map the server will refuse, in its own words. */
    if (json_object_is_type(merged, json_type_object) && value && !prb_json_find(merged, key))
        prb_json_set(merged, key, prb_json_copy(value));
}

static void keep_path(
        struct json_object *merged, const struct json_object *live, const char *const *path)
{
    for (; path[1]; path++) {
        live = prb_json_obj(live, path[0]);
        if (live && prb_streq(path[0], "spec"))
            (void)prb_json_ensure_obj(merged, path[0]);
        merged = prb_json_obj(merged, path[0]);
    }
    keep_member(merged, live, path[0]);
}

/* ---- lists whose elements have a name ---- */

static struct json_object *find_named(const struct json_object *list, const char *name)
{
    for (size_t i = 0; name && i < prb_json_len(list); i++) {
        if (prb_streq(prb_json_str(prb_json_elem(list, i), "name"), name))
            return prb_json_elem(list, i);
    }
    return NULL;
}

/* Others add to this list as well. */
static void keep_named(struct json_object *merged, const struct json_object *live, const char *key)
{
    const struct json_object *there = prb_json_arr(live, key);
    struct json_object *list = prb_json_arr(merged, key);

    keep_member(merged, live, key);
    for (size_t i = 0; list && i < prb_json_len(there); i++) {
        const struct json_object *item = prb_json_elem(there, i);

        if (!find_named(list, prb_json_str(item, "name")))
            prb_json_push(list, prb_json_copy(item));
    }
}

static void keep_account(struct json_object *merged, const struct json_object *live)
{
    keep_named(merged, live, "secrets");
    keep_named(merged, live, "imagePullSecrets");
}

static void keep_bundles(struct json_object *merged, const struct json_object *live)
{
    const struct json_object *hooks = prb_json_arr(merged, "webhooks");

    for (size_t i = 0; i < prb_json_len(hooks); i++) {
        const struct json_object *hook = prb_json_elem(hooks, i);
        const struct json_object *there =
                find_named(prb_json_arr(live, "webhooks"), prb_json_str(hook, "name"));

        keep_member(prb_json_obj(hook, "clientConfig"), prb_json_obj(there, "clientConfig"),
                "caBundle");
    }
}

static void keep_service_bundle(struct json_object *merged, const struct json_object *live)
{
    struct json_object *spec = prb_json_obj(merged, "spec");
    bool insecure = false;

    /* The server takes only one of both. */
    (void)prb_json_bool(spec, "insecureSkipTLSVerify", &insecure);
    if (!insecure)
        keep_member(spec, prb_json_obj(live, "spec"), "caBundle");
}

/* ---- Job ---- */

/* The labels by which a Job knows its Pods; immutable as all of its template. */
static const char *const job_labels[] = { "controller-uid", "job-name",
    "batch.kubernetes.io/controller-uid", "batch.kubernetes.io/job-name" };

static void keep_job(struct json_object *merged, const struct json_object *live)
{
    struct json_object *template = prb_json_at(merged, "spec", "template");
    const struct json_object *there = prb_json_at(live, "spec", "template", "metadata", "labels");
    struct json_object *metadata, *labels;

    if (!there || !json_object_is_type(template, json_type_object))
        return;
    metadata = prb_json_ensure_obj(template, "metadata");
    labels = prb_json_ensure_obj(metadata, "labels");
    for (size_t i = 0; i < sizeof(job_labels) / sizeof(job_labels[0]); i++)
        keep_member(labels, there, job_labels[i]);
}

/* ---- Service ---- */

/* Protocol and port are what a port of a Service is known by. */
static bool is_same_port(const struct json_object *a, const struct json_object *b)
{
    const char *left = prb_json_str(a, "protocol"), *right = prb_json_str(b, "protocol");

    return prb_json_equal(prb_json_find(a, "port"), prb_json_find(b, "port")) &&
           prb_streq(left ? left : "TCP", right ? right : "TCP");
}

static void keep_node_ports(struct json_object *spec, const struct json_object *there)
{
    const struct json_object *ports = prb_json_arr(spec, "ports");
    const struct json_object *live_ports = prb_json_arr(there, "ports");

    for (size_t i = 0; i < prb_json_len(ports); i++) {
        for (size_t j = 0; j < prb_json_len(live_ports); j++) {
            if (is_same_port(prb_json_elem(ports, i), prb_json_elem(live_ports, j)))
                keep_member(prb_json_elem(ports, i), prb_json_elem(live_ports, j), "nodePort");
        }
    }
}

/* What is allocated depends on the type: what another type had must not be kept. */
static void keep_service(struct json_object *merged, const struct json_object *live)
{
    struct json_object *spec = prb_json_obj(merged, "spec");
    const struct json_object *there = prb_json_obj(live, "spec");
    const char *type = prb_json_str(spec, "type");
    const char *traffic = prb_json_str(spec, "externalTrafficPolicy");

    if (prb_streq(type, "ExternalName") || prb_streq(prb_json_str(there, "type"), "ExternalName"))
        return;
    keep_member(spec, there, "clusterIP");
    if (prb_json_equal(prb_json_find(spec, "clusterIP"), prb_json_find(there, "clusterIP")))
        keep_member(spec, there, "clusterIPs");
    keep_member(spec, there, "ipFamilyPolicy");
    keep_member(spec, there, "ipFamilies");
    if (prb_streq(type, "NodePort") || prb_streq(type, "LoadBalancer"))
        keep_node_ports(spec, there);
    if (prb_streq(type, "LoadBalancer") && prb_streq(traffic, "Local"))
        keep_member(spec, there, "healthCheckNodePort");
}

/* What a path cannot say. */
static const struct special {
    const char *group, *kind; /* static */
    void (*keep)(struct json_object *merged, const struct json_object *live);
} specials[] = {
    { "", "ConfigMap", prb_manifest_keep_injected },
    { "", "Pod", prb_manifest_overlay_pod },
    { "", "Secret", prb_manifest_keep_token },
    { "", "Service", keep_service },
    { "", "ServiceAccount", keep_account },
    { "batch", "Job", keep_job },
    { "rbac.authorization.k8s.io", "ClusterRole", prb_manifest_keep_rules },
    { "admissionregistration.k8s.io", "MutatingWebhookConfiguration", keep_bundles },
    { "admissionregistration.k8s.io", "ValidatingWebhookConfiguration", keep_bundles },
    { "apiregistration.k8s.io", "APIService", keep_service_bundle },
};

void prb_manifest_keep_allocated(struct json_object *merged, const struct json_object *live)
{
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        if (prb_manifest_is(merged, table[i].group, table[i].kind))
            keep_path(merged, live, table[i].path);
    }
    for (size_t i = 0; i < sizeof(specials) / sizeof(specials[0]); i++) {
        if (prb_manifest_is(merged, specials[i].group, specials[i].kind))
            specials[i].keep(merged, live);
    }
}
