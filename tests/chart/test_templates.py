"""What the chart renders, without a cluster. usage: test_templates.py PROBATE [PART-OF-A-NAME...]"""

import re
import sys

import yaml

import parts
from chart import CHART, HELM, KUBE_VERSIONS, NAMESPACE, NEWEST, case, check, find, main, refusal, render, run, same

PROBATE = sys.argv[1]
RULES, CONTROLLERS = parts.sections(PROBATE)
CI_FILES = sorted((CHART / "ci").glob("*-values.yaml"))


def manifest(kind, *flags):
    return list(yaml.safe_load_all(run(PROBATE, "manifest", kind, *flags)))


# ------------------------------------------------------------------------ the same as what `probate manifest` prints


def only(name):
    return {one: "deny" if one == name else "off" for one in RULES}


BY_NAME = [name for name, about in CONTROLLERS.items() if "only when named" in about]
OPEN = {"featureGates": {"ClusterLifeCycle": True}}
# What a controller has to be told.
NEEDS = {"work": {"works": {"clusterName": "eu1"}}, "policy": {"policies": {"namespace": "eu1"}}}

AGENT = {"mode": "agent", "works": {"clusterName": "eu1"}, "hub": {"kubeconfigSecret": "hub"}}

# Values, and the flags of `probate manifest webhook` and `probate manifest rbac` that mean the same.
SWITCHES = {
    "defaults": ({}, [], []),
    **{f"only_rule_{name}": ({"rules": only(name)}, [f"--rules={name}"], [f"--rules={name}"]) for name in RULES},
    **{
        f"without_rule_{name}": ({"rules": {name: "off"}}, [f"--rules=-{name}"], [f"--rules=-{name}"])
        for name in RULES
    },
    **{
        f"without_controller_{name}": ({"controllers": {name: False}, **OPEN}, [], [f"--controllers=-{name}", parts.GATES])
        for name in CONTROLLERS
        if name not in BY_NAME
    },
    **{
        f"with_controller_{name}": (
            {"controllers": {name: True}, **NEEDS.get(name, {})},
            [],
            [f"--controllers=*,{name}", *parts.NEEDS.get(name, [])],
        )
        for name in BY_NAME
    },
    **{
        f"with_{name}_and_a_role": (
            {"controllers": {name: True}, "works": {"clusterName": "eu1", "applyRole": "cluster-admin"}},
            [],
            [f"--controllers=*,{name}", "--apply-role=cluster-admin", *parts.NEEDS[name]],
        )
        for name in BY_NAME
        if name in NEEDS
    },
    "a_closed_gate": ({"controllers": {"cluster-deletion": True}}, [], ["--controllers=*"]),
    "an_open_gate": ({"featureGates": {"ClusterLifeCycle": True}}, [], [parts.GATES]),
    "monitored_resources": (
        {
            "featureGates": {"ClusterLifeCycle": True},
            "resourcesToMonitorForDeletion": ["clusterdeployments.v1.hive.openshift.io", "pods.v1"],
        },
        [],
        [parts.GATES, "--resources-to-monitor-for-deletion=clusterdeployments.v1.hive.openshift.io,pods.v1"],
    ),
    "monitored_resources_behind_a_closed_gate": ({"resourcesToMonitorForDeletion": ["pods.v1"]}, [], []),
    "kinds_of_claims": (
        {
            "controllers": {"claims": True},
            "claimResources": ["databases.example.org", "buckets.storage.example.org"],
            "compositeResources": ["xdatabases.example.org"],
            "composedResources": ["instances.sql.example.org", "secrets"],
        },
        ["--claim-resource=databases.example.org,buckets.storage.example.org"],
        [
            "--controllers=*,claims",
            "--claim-resource=databases.example.org,buckets.storage.example.org",
            "--composite-resource=xdatabases.example.org",
            "--composed-resource=instances.sql.example.org,secrets",
        ],
    ),
    "claims": (
        {"claimResources": ["databases.example.org", "buckets.v1beta1.storage.example.org"]},
        ["--claim-resource=databases.example.org,buckets.v1beta1.storage.example.org"],
        ["--claim-resource=databases.example.org,buckets.v1beta1.storage.example.org"],
    ),
    "criteria": (
        {"criteriaResources": ["certificates.cert-manager.io", "secrets"]},
        [],
        ["--criteria-resource=certificates.cert-manager.io,secrets"],
    ),
    "url": ({"webhook": {"url": "https://probate.example.com:9443"}}, ["--url=https://probate.example.com:9443"], []),
    "port": ({"service": {"port": 8443}}, [f"--service={NAMESPACE}/probate:8443"], []),
    "modes": ({"rules": {"policy-prune": "warn", "critical-service": "audit"}}, [], []),
}


def webhooks(configuration):
    """By name; without the condition that only spares calls, which `probate manifest` leaves out."""
    result = {}
    for webhook in configuration["webhooks"]:
        webhook = dict(webhook)
        if webhook["name"] == "manifestwork-orphan.probate.dev":
            webhook.pop("matchConditions", None)
        result[webhook.pop("name")] = webhook
    check(len(result) == len(configuration["webhooks"]), "two webhooks have one name")
    return result


def wanted_webhooks(flags, kube):
    # Below 1.21 namespaces have no label with their name.
    exempt = [] if kube == "1.20" else [f"--namespace={NAMESPACE}"]
    # Below 1.28 a server has no matchConditions.
    conditions = [] if kube in ("1.30", NEWEST) else ["--match-conditions=false"]
    wanted = webhooks(manifest("webhook", *exempt, *conditions, *flags)[0])
    for webhook in wanted.values():
        webhook["failurePolicy"] = "Ignore"  # until Probate knows that it is called
    return wanted


@case
def registrations_are_those_of_the_program():
    for name, (values, flags, _) in SWITCHES.items():
        for kube in KUBE_VERSIONS if name in ("defaults", "claims") else [NEWEST]:
            rendered = find(render(values, kube=kube), "ValidatingWebhookConfiguration")
            same(wanted_webhooks(flags, kube), webhooks(rendered), f"{name}, Kubernetes {kube}")


# What Probate looks after by default.
KEPT = ["--webhook-configuration=probate", f"--certs-secret={NAMESPACE}/probate-ca"]


def granted(documents, hook=None):
    """What each binding gives: (kind, namespace, name) -> (role, rights, selectors of an aggregated role)."""
    documents = [one for one in documents if hook_of(one) == hook]
    by_name = {(one["kind"], one["metadata"].get("namespace"), one["metadata"]["name"]): one for one in documents}
    result = {}
    for (kind, namespace, name), binding in by_name.items():
        if not kind.endswith("RoleBinding"):
            continue
        same([("ServiceAccount", NAMESPACE)], [(one["kind"], one["namespace"]) for one in binding["subjects"]], name)
        reference = binding["roleRef"]
        role = by_name.get((reference["kind"], namespace, reference["name"]), {"rules": []})
        rights = parts.triples({"rules": role.get("rules") or []})
        result[kind, namespace, name] = (reference["name"], sorted(rights), role.get("aggregationRule"))
    return result


def compare_rights(name, wanted, got):
    same(sorted(map(str, wanted)), sorted(map(str, got)), f"{name}: bindings")
    for key, (role, rights, aggregated) in wanted.items():
        same((role, aggregated), (got[key][0], got[key][2]), f"{name}, {key}: role")
        lacking, surplus = set(rights) - set(got[key][1]), set(got[key][1]) - set(rights)
        check(not lacking, f"{name}, {key}: the chart lacks {sorted(lacking)}")
        check(not surplus, f"{name}, {key}: the chart grants too much: {sorted(surplus)}")


def bound(documents):
    return granted(documents)["ClusterRoleBinding", None, "probate"][1]


@case
def rights_are_those_of_the_program():
    for name, (values, _, flags) in SWITCHES.items():
        wanted = granted(manifest("rbac", f"--namespace={NAMESPACE}", *KEPT, *flags))
        compare_rights(name, wanted, granted(render(values)))


@case
def rights_to_certificates_are_only_those_to_make_them():
    for values, more in (
        ({"certs": {"mode": "certManager"}}, []),
        ({"certs": {"secretName": "probate-authorities"}}, [f"--certs-secret={NAMESPACE}/probate-authorities"]),
    ):
        wanted = granted(manifest("rbac", f"--namespace={NAMESPACE}", KEPT[0], *more))
        compare_rights(str(values), wanted, granted(render(values)))


@case
def rights_of_an_agent_are_those_of_the_program():
    for role, policy in (("", False), ("cluster-admin", False), ("", True)):
        values = {**AGENT, "works": {"clusterName": "eu1", "applyRole": role}, "controllers": {"policy": policy}}
        flags = [f"--apply-role={role}"] if role else []
        flags.append("--controllers=work,policy" if policy else "--controllers=work")
        wanted = granted(manifest("agent-rbac", f"--namespace={NAMESPACE}", "--cluster-name=eu1", *flags))
        compare_rights(f"agent {role}", wanted, granted(render(values, name="probate-agent")))


@case
def the_table_of_parts_is_current():
    stored = (CHART / "files" / "parts.yaml").read_text()
    check(stored == parts.text(PROBATE), "charts/probate/files/parts.yaml is not current: its first lines say how to make it")


@case
def extra_rights_are_granted():
    extra = {
        "read": ["xdatabases.example.org"],
        "manage": ["releases.helm.example.org"],
        "finalizers": ["databases.example.org"],
        "rules": [{"apiGroups": ["x.example.org"], "resources": ["ys"], "verbs": ["patch"]}],
    }
    usual = set(bound(render({})))
    more = set(bound(render({"rbac": {"extra": extra, "releaseClusters": True}})))
    clusters = ("cluster.open-cluster-management.io", "managedclusters")
    wanted = {("example.org", "xdatabases", verb, ()) for verb in ("get", "list", "watch")}
    wanted |= {("helm.example.org", "releases", verb, ()) for verb in parts.VERBS}
    wanted |= {("example.org", "databases/finalizers", "update", ()), ("x.example.org", "ys", "patch", ())}
    wanted |= {(*clusters, "patch", ())}
    same(sorted(wanted), sorted(more - usual), "what rbac.extra and releaseClusters add")
    documents = render({"rbac": {"create": False}})
    same([], [one["metadata"]["name"] for one in documents if "Role" in one["kind"] and not hook_of(one)], "roles")


# ------------------------------------------------------------------------------------------ versions and combinations


def hook_of(document):
    return document["metadata"].get("annotations", {}).get("helm.sh/hook")


@case
def every_example_renders_on_every_version():
    check(CI_FILES, "there are no charts/probate/ci/*-values.yaml")
    for file in CI_FILES:
        values = yaml.safe_load(file.read_text()) or {}
        everywhere = file.name in ("default-values.yaml", "everything-values.yaml")
        for kube in KUBE_VERSIONS if everywhere else [KUBE_VERSIONS[0], NEWEST]:
            for document in render(values, kube=kube):
                what = f"{file.name}, {kube}, {document['kind']} {document['metadata']['name']}"
                if document["kind"] != "CustomResourceDefinition":
                    same("probate", document["metadata"]["labels"]["app.kubernetes.io/instance"], what)
                if document["kind"] == "PodDisruptionBudget":
                    same("policy/v1beta1" if kube == "1.20" else "policy/v1", document["apiVersion"], what)


@case
def every_example_passes_lint():
    for file in CI_FILES:
        for kube in KUBE_VERSIONS if file.name == "default-values.yaml" else [NEWEST]:
            command = [HELM, "lint", "--strict", CHART, "--kube-version", kube, "--namespace", NAMESPACE]
            code, text = run(*command, "--values", file, ok=False)
            check(code == 0 and "[WARNING]" not in text, f"{file}, {kube}:\n{text}")


@case
def conditions_come_only_where_they_are_honoured():
    guard = "critical-service-label.probate.dev"
    for kube in [*KUBE_VERSIONS, "1.27", "1.28"]:
        configuration = find(render({}, kube=kube), "ValidatingWebhookConfiguration")
        having = {one["name"] for one in configuration["webhooks"] if "matchConditions" in one}
        wanted = {"manifestwork-orphan.probate.dev", guard} if kube in ("1.30", NEWEST) else {guard} if kube == "1.28" else set()
        same(wanted, having, kube)
    without = find(render({"webhook": {"matchConditions": False}}), "ValidatingWebhookConfiguration")
    check("matchConditions" not in str(without), "they can be turned off")


@case
def exempt_namespaces_are_those_of_the_values():
    values = {"webhook": {"exemptNamespaces": ["kube-system", "istio-system"]}}
    for webhook in find(render(values), "ValidatingWebhookConfiguration")["webhooks"]:
        if "namespaceSelector" in webhook:
            expression = webhook["namespaceSelector"]["matchExpressions"][0]
            same(["kube-system", "istio-system", NAMESPACE], expression["values"], webhook["name"])
    for kube in KUBE_VERSIONS:
        given = [one for one in container(render(values, kube=kube))["args"] if "exempt" in one]
        same([f"--exempt-namespaces=kube-system,istio-system,{NAMESPACE}"] if kube == "1.20" else [], given, kube)


@case
def no_template_makes_a_certificate():
    for file in (CHART / "templates").glob("*"):
        check(not re.search(r"\bgen(CA|Signed|Self|Private)|\brand", file.read_text()), f"{file.name} makes something up")


@case
def the_registration_has_no_bundle_of_its_own():
    for values in ({}, {"certs": {"mode": "certManager"}}, {"certs": {"mode": "existingSecret", "existingSecret": {"name": "x"}}}):
        check("caBundle" not in str(find(render(values), "ValidatingWebhookConfiguration")), str(values))


# --------------------------------------------------------------------------------------------------------------- pods


def container(documents):
    return find(documents, "Deployment")["spec"]["template"]["spec"]["containers"][0]


@case
def every_flag_is_one_of_the_program():
    for file in CI_FILES:
        for document in render(yaml.safe_load(file.read_text()) or {}):
            spec = document.get("spec", {})
            spec = spec.get("template", {}).get("spec", spec) if document["kind"] in ("Deployment", "Job") else spec
            for one in [*spec.get("initContainers", []), *spec.get("containers", [])]:
                verb, *flags = one["args"]
                known = re.findall(r"^  --([a-z-]+)", run(PROBATE, "help", verb), re.MULTILINE)
                for flag in flags:
                    name = re.match(r"--([a-z-]+)(=.*)?$", flag)
                    check(name and name[1] in known, f"{file.name}: probate {verb} has no flag {flag}")


@case
def flags_follow_the_values():
    values = {
        "rules": {"policy-prune": "off", "critical-service": "warn"},
        "controllers": {"deletion-watch": False},
        "featureGates": {"ClusterLifeCycle": True},
        "clusterFinalizer": "probate.dev/cluster-cleanup",
        "extraArgs": ["--dry-run"],
    }
    flags = container(render(values))["args"]
    check("--rules=manifestwork-orphan,cluster-lifecycle,claim-delete-policy,critical-service" in flags, flags)
    for flag in (
        "--rule-mode=critical-service=warn", "--controllers=*,-deletion-watch", "--feature-gates=ClusterLifeCycle=true",
        "--cluster-finalizer=probate.dev/cluster-cleanup", "--dry-run",
    ):  # fmt: skip
        check(flag in flags, f"{flag} is not in {flags}")


@case
def flags_of_cluster_deletion_go_with_its_controller():
    values = {
        "resourcesToMonitorForDeletion": ["pods.v1"],
        "deleteWorks": "all",
        "clusterFinalizer": "probate.dev/cluster-cleanup",
    }
    wanted = {
        "--resources-to-monitor-for-deletion=pods.v1",
        "--delete-works=all",
        "--cluster-finalizer=probate.dev/cluster-cleanup",
    }
    left_out = {**OPEN, "controllers": {"cluster-deletion": False}}
    for more, expected in (({}, set()), (left_out, set()), (OPEN, wanted)):
        flags = container(render({**values, **more}))["args"]
        same(expected, wanted & set(flags), f"flags with {more}")


@case
def a_pod_may_do_nothing_that_it_need_not():
    for file in CI_FILES:
        for document in render(yaml.safe_load(file.read_text()) or {}):
            if document["kind"] not in ("Deployment", "Job", "Pod"):
                continue
            pod = document["spec"] if document["kind"] == "Pod" else document["spec"]["template"]["spec"]
            same(True, pod["securityContext"]["runAsNonRoot"], document["kind"])
            same("RuntimeDefault", pod["securityContext"]["seccompProfile"]["type"], document["kind"])
            for one in [*pod.get("initContainers", []), *pod["containers"]]:
                context = one["securityContext"]
                same([True, False, ["ALL"]], [context["readOnlyRootFilesystem"], context["allowPrivilegeEscalation"],
                     context["capabilities"]["drop"]], document["kind"])  # fmt: skip
                check("memory" in one["resources"]["limits"] and "cpu" in one["resources"]["requests"], "resources")


@case
def a_pod_has_time_to_end_well():
    longest = max(one["timeoutSeconds"] for one in find(render({}), "ValidatingWebhookConfiguration")["webhooks"])
    for delay in (0, 10, 120):
        spec = find(render({"shutdownDelaySeconds": delay}), "Deployment")["spec"]["template"]["spec"]
        check(spec["terminationGracePeriodSeconds"] > delay + longest + 10, spec["terminationGracePeriodSeconds"])
    check("too few" in refusal({"terminationGracePeriodSeconds": 20}), "a grace period that is too short")


@case
def an_update_never_leaves_fewer_that_answer():
    documents = render({})
    spec = find(documents, "Deployment")["spec"]
    same({"maxUnavailable": 0, "maxSurge": 1}, spec["strategy"]["rollingUpdate"], "strategy")
    same(2, spec["replicas"], "replicas")
    same(1, find(documents, "PodDisruptionBudget")["spec"]["minAvailable"], "budget")
    single = render({"replicaCount": 1})
    same([], [one for one in single if one["kind"] == "PodDisruptionBudget"], "a budget for one replica blocks every drain")


@case
def probes_ask_the_ops_port():
    one = container(render({"ports": {"ops": 9000}}))
    same([{"path": "/healthz", "port": "ops"}, {"path": "/readyz", "port": "ops"}],
         [one["livenessProbe"]["httpGet"], one["readinessProbe"]["httpGet"]], "probes")  # fmt: skip
    check({"name": "ops", "containerPort": 9000, "protocol": "TCP"} in one["ports"] and "--ops-listen=:9000" in one["args"], "port")


@case
def images_are_named_as_usual():
    digest = "sha256:" + "0" * 64
    for values, wanted in (
        ({}, r"^probate:\d+\.\d+\.\d+$"),
        ({"image": {"registry": "r.example.org", "repository": "x/probate", "tag": "1"}}, r"^r\.example\.org/x/probate:1$"),
        ({"image": {"tag": "1", "digest": digest}}, f"^probate@{digest}$"),
    ):
        image = container(render(values))["image"]
        check(re.match(wanted, image), image)


@case
def an_agent_has_no_webhook():
    documents = render(AGENT)
    kinds = {one["kind"] for one in documents}
    check(not kinds & {"ValidatingWebhookConfiguration", "CustomResourceDefinition", "Pod"}, sorted(kinds))
    one = container(documents)
    same("agent", one["args"][0], "verb")
    check("--hub-kubeconfig=/etc/probate/hub/kubeconfig" in one["args"] and "--cluster-name=eu1" in one["args"], one["args"])


# --------------------------------------------------------------------------------------------------------------- CRDs


@case
def every_crd_stays():
    crds = [one for one in render({"standaloneCRDs": True}) if one["kind"] == "CustomResourceDefinition"]
    stored = {file.name for file in (CHART / "crds-standalone").glob("*.yaml")} | {"criticalservices.yaml"}
    same(len(stored), len(crds), "number of CRDs")
    for crd in crds:
        same("keep", crd["metadata"]["annotations"]["helm.sh/resource-policy"], crd["metadata"]["name"])


@case
def foreign_crds_come_only_when_asked_for_and_absent():
    names = lambda documents: {one["metadata"]["name"] for one in documents if one["kind"] == "CustomResourceDefinition"}
    same({"criticalservices.probate.dev"}, names(render({})), "by default")
    same(set(), names(render({"crds": {"install": False}})), "none")
    there = ["--api-versions", "work.open-cluster-management.io/v1/ManifestWork"]
    left = names(render({"standaloneCRDs": True})) - names(render({"standaloneCRDs": True}, more=there))
    same({"manifestworks.work.open-cluster-management.io"}, left, "left out because it is there")


# -------------------------------------------------------------------------------------------------------------- hooks


@case
def hooks_run_the_right_verbs_as_their_own_account():
    hooks = [one for one in render({}) if hook_of(one)]
    for verb, kind, hook in (("remove", "Job", "pre-delete"), ("selftest", "Pod", "test")):
        document = find(hooks, kind)
        same(hook, hook_of(document), verb)
        pod = document["spec"]["template"]["spec"] if kind == "Job" else document["spec"]
        same(f"probate-{verb}", pod["serviceAccountName"], verb)
        same(verb, pod["containers"][0]["args"][0], verb)
        check("--webhook-configuration=probate" in pod["containers"][0]["args"], pod["containers"][0]["args"])
        # Rights are there before the pod, and gone after it.
        for one in hooks:
            if hook_of(one) == hook and one is not document:
                annotations = one["metadata"]["annotations"]
                check(int(annotations["helm.sh/hook-weight"]) < 0, "order")
                check("hook-succeeded" in annotations["helm.sh/hook-delete-policy"], "removal")
        labels = document["spec"]["template"]["metadata"]["labels"] if kind == "Job" else document["metadata"]["labels"]
        selector = find(render({}), "Service")["spec"]["selector"]
        check(selector.items() - labels.items(), f"the Service would take {verb} for a server")
    quiet = render({"hooks": {"remove": {"enabled": False}, "selftest": {"enabled": False}}})
    same([], [one["kind"] for one in quiet if hook_of(one)], "hooks that are off")


@case
def rights_of_hooks_are_those_of_the_program():
    wanted = granted(manifest("selftest-rbac", f"--namespace={NAMESPACE}"))
    compare_rights("selftest", wanted, granted(render({}), "test"))

    # Of `probate remove`, only what its steps need here: no works and policies where none are applied.
    everything = granted(manifest("remove-rbac", f"--namespace={NAMESPACE}"))
    needless = lambda right: right[0] in ("work.open-cluster-management.io", "policy.open-cluster-management.io")
    usual = {key: (role, [one for one in rights if not needless(one)], more) for key, (role, rights, more) in everything.items()}
    compare_rights("remove", usual, granted(render({}), "pre-delete"))
    values = {"controllers": {"work": True, "policy": True}, **NEEDS["work"]}
    compare_rights("remove, with works and policies", everything, granted(render(values), "pre-delete"))
    claims = {"controllers": {"claims": True}, "claimResources": ["networks.example.org", "pools.v1.other.example.org"]}
    named = granted(manifest("remove-rbac", f"--namespace={NAMESPACE}", "--claim-resource=networks.example.org,pools.v1.other.example.org"))
    usual = {key: (role, [one for one in rights if not needless(one)], more) for key, (role, rights, more) in named.items()}
    compare_rights("remove, with claims", usual, granted(render(claims), "pre-delete"))
    agent = granted(render(AGENT, name="probate-agent"), "pre-delete")["ClusterRoleBinding", None, "probate-agent-remove"][1]
    same({("work.open-cluster-management.io", "appliedmanifestworks")}, {one[:2] for one in agent}, "remove on a managed cluster")


def steps_of(container):
    """What `probate remove` does, as a container has it."""
    skipped = [flag.removeprefix("--skip=").split(",") for flag in container["args"] if flag.startswith("--skip=")]
    left = set(parts.steps(PROBATE))
    for step in sum(skipped, []):
        check(step in left, f"probate remove has no step {step}")
        left.remove(step)
    return left


@case
def remove_does_what_there_is_to_do():
    pod = lambda values: find(render(values), "Job")["spec"]["template"]["spec"]
    hub = {"configuration", "lease", "labels", "marks", "clusters"}
    same(hub, steps_of(pod({})["containers"][0]), "on a hub")
    everything = {"controllers": {"work": True, "policy": True, "claims": True}, **NEEDS["work"]}
    same(set(parts.steps(PROBATE)), steps_of(pod(everything)["containers"][0]), "where everything is on")
    check("--cluster-name=eu1" in pod(everything)["containers"][0]["args"], "works of other clusters are not ours")
    check("--claim-resource=nets.example.org" in pod({"claimResources": ["nets.example.org"], **everything})["containers"][0]["args"], "claims by name")
    # The agent has to stop before its finalizers go.
    same({"lease", "applied-works"}, steps_of(pod(AGENT)["initContainers"][0]), "on a managed cluster, first")
    same({"works"}, steps_of(pod(AGENT)["containers"][0]), "on its hub, then")
    check("--cluster-name=eu1" in pod(AGENT)["containers"][0]["args"], "works of other clusters are not ours")


# --------------------------------------------------------------------------------------------------- schema and README

NONSENSE = {
    "unknown values": ({"replicas": 3}, "additional properties 'replicas' not allowed"),
    "unknown rules": ({"rules": {"policy-prun": "deny"}}, "additional properties 'policy-prun' not allowed"),
    "unknown modes": ({"rules": {"policy-prune": "block"}}, "'deny', 'warn', 'audit', 'off'"),
    "unknown controllers": ({"controllers": {"worker": True}}, "additional properties 'worker' not allowed"),
    "unknown gates": ({"featureGates": {"ClusterLifecycle": True}}, "additional properties 'ClusterLifecycle' not allowed"),
    "plain http": ({"webhook": {"url": "http://x"}}, "/webhook/url"),
    "a path of one's own": ({"webhook": {"url": "https://x/validate"}}, "/webhook/url"),
    "claims without a group": ({"claimResources": ["databases"]}, "/claimResources/0"),
    "monitored without a version": ({"resourcesToMonitorForDeletion": ["pods"]}, "/resourcesToMonitorForDeletion/0"),
    "kinds instead of plurals": ({"criteriaResources": ["Secret"]}, "/criteriaResources/0"),
    "finalizers without a domain": ({"clusterFinalizer": "cleanup"}, "/clusterFinalizer"),
    "unknown certificates": ({"certs": {"mode": "selfSigned"}}, "'self', 'certManager', 'existingSecret'"),
    "negative replicas": ({"replicaCount": -1}, "/replicaCount"),
    "a number as text": ({"replicaCount": "2"}, "/replicaCount"),
    "a short digest": ({"image": {"digest": "sha256:12"}}, "/image/digest"),
    "flags with one dash": ({"extraArgs": ["-v"]}, "/extraArgs/0"),
    "no rule": ({"rules": {name: "off" for name in RULES}}, "rules: all are off"),
    "no controller": ({"controllers": {name: False for name in CONTROLLERS}}, "controllers: none would run"),
    "an unnamed Secret": ({"certs": {"mode": "existingSecret"}}, "certs.existingSecret.name"),
    "everybody's policies": ({"controllers": {"policy": True}}, "policies.namespace: controllers.policy is on, so say whose"),
    "an agent without a name": ({"mode": "agent"}, "works.clusterName"),
    "an agent without a hub": ({"mode": "agent", "works": {"clusterName": "x"}}, "hub.kubeconfigSecret"),
}


@case
def nonsense_is_refused_with_a_clear_text():
    for name, (values, text) in NONSENSE.items():
        got = refusal(values)
        check(text in got, f"{name}: {text!r} is not in {got}")
    check("namespace of its own" in refusal({}, namespace="kube-system"), "kube-system")


@case
def off_is_off_however_yaml_reads_it():
    file_says = yaml.safe_load("rules: {policy-prune: off}")
    same({"rules": {"policy-prune": False}}, file_says, "what YAML makes of off")
    for values in (file_says, {"rules": {"policy-prune": "off"}}):
        check("policy-prune" not in str(find(render(values), "ValidatingWebhookConfiguration")), str(values))


def keys(values, schema, prefix=""):
    """Every value with its path, down to where the schema lets the user's own things begin."""
    for name, value in values.items():
        within = schema["properties"].get(name)
        check(within is not None, f"values.schema.json does not know {prefix}{name}")
        if isinstance(value, dict) and "properties" in within:
            yield from keys(value, within, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}"


def known_values():
    schema = yaml.safe_load((CHART / "values.schema.json").read_text())
    return sorted(keys(yaml.safe_load((CHART / "values.yaml").read_text()), schema))


@case
def the_schema_knows_every_value_and_part():
    known_values()
    schema = yaml.safe_load((CHART / "values.schema.json").read_text())["properties"]
    values = yaml.safe_load((CHART / "values.yaml").read_text())
    for name, table in (("rules", RULES), ("controllers", CONTROLLERS)):
        same(sorted(table), sorted(schema[name]["properties"]), f"{name} in values.schema.json")
        same(sorted(table), sorted(values[name]), f"{name} in values.yaml")


@case
def the_readme_has_every_value():
    text = (CHART / "README.md").read_text().split("## Values\n")[1]
    rows = re.findall(r"^\| `([\w.-]+)` \|", text, re.MULTILINE)
    same([], sorted(set(known_values()) - set(rows)), "values that charts/probate/README.md lacks")
    same([], sorted(set(rows) - set(known_values())), "values in charts/probate/README.md that are none")
    same(len(rows), len(set(rows)), "values that are there twice")


if __name__ == "__main__":
    sys.exit(main())
