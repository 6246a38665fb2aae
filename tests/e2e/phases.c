/* How does each phase begin? */

#include "phases.h"

#include "manifests.h"

#define PROBE "create --dry-run=server"
#define PROBED WORK_IN(NOWHERE, "'name':'probe'", MANIFESTS)

static bool begin(struct bench *bench)
{
    return bench_kubectl(
                   bench, "create", NAMESPACE_OF(NOWHERE) NAMESPACE_OF(KNOWN) CLUSTER_OF(KNOWN)) &&
           bench_start(bench, DENYING) && bench_register(bench, DENYING, NULL);
}

static bool warn(struct bench *bench)
{
    return bench_start(bench, ONLY_WARNING) && bench_register(bench, ONLY_WARNING, NULL);
}

static bool audit(struct bench *bench)
{
    return bench_start(bench, ONLY_AUDITING) && bench_register(bench, ONLY_AUDITING, NULL);
}

static bool narrow(struct bench *bench)
{
    return bench_register(bench, DENYING, "policy-prune");
}

/* From now on it gets no answer to a GET. */
static void silence(struct bench *bench)
{
    static const char *const kinds[] = { "managedclusters", "managedclusteraddons" };

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        (void)prb_fault_proxy_add(bench->proxy,
                &(struct prb_fault_rule){
                        .fault = PRB_FAULT_BLACKHOLE, .verb = "get", .resource = kinds[i] });
}

/* Probed here: once it is cut off, kubectl would repeat the probe ten times. */
static bool cut_off(struct bench *bench)
{
    const struct step probe = { .run = PROBE, .input = PROBED, .code = 403, .until = true };
    bool begun;

    begun = bench_start(bench, CUT_OFF) && bench_register(bench, CUT_OFF, NULL) &&
            step_run(&probe, &bench->kubectl, NOWHERE, NULL, bench->why);
    if (begun)
        silence(bench);
    return begun;
}

static bool take_right_away(struct bench *bench)
{
    return bench_start(bench, WITHOUT_RIGHT) && bench_register(bench, WITHOUT_RIGHT, NULL);
}

/* Not deleted: clusters that are held would hold their definition. */
static bool take_clusters_away(struct bench *bench)
{
    return bench_register(bench, DENYING, NULL) &&
           bench_kubectl(bench,
                   "patch crd managedclusters.cluster.open-cluster-management.io --type=json -p "
                   "[{'op':'replace','path':'/spec/versions/0/served','value':false}]",
                   NULL);
}

static bool go_down(struct bench *bench)
{
    return bench_register(bench, DENYING, NULL) && bench_stop(bench);
}

const struct plan phases[PHASE_COUNT] = {
    {
            .title = "definitions that let every value through",
            .phase = LOOSE,
            .sanitized = true,
            .prepare = begin,
            .probe = { .run = PROBE, .input = PROBED, .code = 403, .until = true },
    },
    {
            .title = "the definitions of the chart",
            .phase = SHIPPED,
            .sanitized = true,
            .prepare = bench_ship,
            .probe = { .run = PROBE,
                    .input = WORK_IN(NOWHERE, "'name':'probe'", "'deleteOption':{" POLICY("?") "}"),
                    .code = 422,
                    .says = { "Unsupported value" },
                    .fields = "spec.deleteOption.propagationPolicy",
                    .until = true },
            .also = run_denial_notes_tests,
    },
    {
            .title = "the original definitions",
            .phase = ORIGINAL,
            .prepare = bench_restore_originals,
            /* Only the original has this default. */
            .probe = { .run = PROBE " -o jsonpath={.spec.manifestConfigs[0].feedbackScrapeType}",
                    .input = WORK_IN(KNOWN, "'name':'probe'",
                            "'manifestConfigs':[{'resourceIdentifier':{'resource':'r',"
                            "'name':'n'}}]"),
                    .says = { "Poll" },
                    .until = true },
    },
    {
            .title = "every rule in mode warn",
            .phase = WARNING,
            .prepare = warn,
            .probe = { .run = PROBE, .input = PROBED, .warns = 1, .until = true },
    },
    {
            .title = "every rule in mode audit",
            .phase = AUDITING,
            .prepare = audit,
            .probe = { .run = PROBE, .input = PROBED, .until = true },
            .also = run_audit_notes_tests,
    },
    {
            .title = "registered for one rule only",
            .phase = NARROW,
            .prepare = narrow,
            .probe = { .run = PROBE, .input = PROBED, .until = true },
    },
    {
            .title = "Probate gets no answers from the API server",
            .phase = UNREACHED,
            .prepare = cut_off,
            .also = run_unreached_tests,
    },
    {
            .title = "Probate may not look clusters up",
            .phase = POWERLESS,
            .prepare = take_right_away,
            .probe = { .run = PROBE,
                    .input = PROBED,
                    .code = 403,
                    .says = { "lacks the right" },
                    .until = true },
    },
    {
            .title = "the hub has no ManagedClusters",
            .phase = CLUSTERLESS,
            .prepare = take_clusters_away,
            .probe = { .run = PROBE,
                    .input = PROBED,
                    .code = 403,
                    .says = { "does not serve" },
                    .until = true },
    },
    {
            .title = "Probate does not run",
            .phase = DOWN,
            .sanitized = true,
            .prepare = go_down,
            .probe = { .run = PROBE,
                    .input = PROBED,
                    .code = 500,
                    .says = { "connection refused" },
                    .until = true },
    },
};
