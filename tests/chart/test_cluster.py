"""The chart on a real API server, with real Helm. usage: test_cluster.py PROBATE [PART-OF-A-NAME...]

There is no kubelet: the program that the Deployment names runs here, beside the cluster, with the arguments and the
service account of the Deployment; and so do hooks, whose pod is then marked as done. They run as the user of the
pods, who can read neither the administrator's kubeconfig nor a key of the cluster; only where the tests are not root's
as the same user. Everything is done twice: by server-side apply, as Helm 4 does it, and by three-way merge, as Helm 3 does.
"""

import contextlib
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import sys
import urllib.request

import yaml

from chart import CHART, HELM, NAMESPACE, ROOT, Failed, case, check, find, main, render, run, same, skip_unless, values_file
from patience import patience
from patience import wait_for as awaited

SCRATCH = pathlib.Path(os.environ["PROBATE_TEST_SCRATCH"])
SCRATCH.chmod(0o711)  # who knows the name of a file in it may have it, if it is its own
PROBATE = shutil.copy(sys.argv[1], SCRATCH / "probate")  # even its folder may be closed to others
OUTSIDER = yaml.safe_load((CHART / "values.yaml").read_text())["podSecurityContext"]["runAsUser"]
AS_OUTSIDER = {"user": OUTSIDER, "group": OUTSIDER, "extra_groups": []} if os.geteuid() == 0 else {}
CLUSTER = {"PROBATE_CLUSTER_DIR": os.environ["PROBATE_TEST_E2E_DIR"]}
KUBECTL = os.environ["PROBATE_KUBECTL"]
ADMIN = {}  # the environment of kubectl and helm, once there is a cluster
RELEASE = "probate"
PATIENCE = patience(120)  # seconds; twenty times what anything here takes
KUBECTL_TIMEOUT = f"--timeout={patience(60):.0f}s"


def kubectl(*arguments, stdin=None, ok=True):
    return run(KUBECTL, *arguments, stdin=stdin, ok=ok, env=ADMIN)


def get(*arguments):
    return json.loads(kubectl("get", *arguments, "-o", "json"))


def helm(*arguments, ok=True):
    return run(HELM, *arguments, "--namespace", NAMESPACE, ok=ok, env=ADMIN)


def apply(*documents):
    return kubectl("apply", "-f", "-", stdin=yaml.safe_dump_all(documents))


def wait_for(what, condition):
    """Until condition() is true; what it said last is in the text of the failure."""
    in_vain = awaited(what, condition, 120)
    check(in_vain is None, in_vain)


def free_port():
    """Below what the kernel hands out for connections and scripts/cluster takes: nobody has it a moment later, either."""
    while True:
        with socket.socket() as listener, contextlib.suppress(OSError):
            listener.bind(("127.0.0.1", random.randrange(10000, 20000)))
            return listener.getsockname()[1]


# -------------------------------------------------------------------------------------------- in place of a kubelet


def account_kubeconfig(account, namespace=NAMESPACE):
    """A kubeconfig with the token of a service account, and nothing of the administrator's but the server's address."""
    config = yaml.safe_load(pathlib.Path(ADMIN["KUBECONFIG"]).read_text())
    token = kubectl("-n", namespace, "create", "token", account).strip()
    config["users"] = [{"name": "admin", "user": {"token": token}}]
    config["contexts"][0]["context"]["namespace"] = namespace
    return write_for_outsider(f"{namespace}.{account}.kubeconfig", yaml.safe_dump(config))


def write_for_outsider(name, text):
    """A file that only the user whom the program runs as can read."""
    file = SCRATCH / name
    file.write_text(text)
    file.chmod(0o600)
    if AS_OUTSIDER:
        os.chown(file, OUTSIDER, OUTSIDER)
    return str(file)


def reads(path):
    """Can that user read this file? A process of that user tries."""
    return subprocess.run(["cat", path], capture_output=True, **AS_OUTSIDER).returncode == 0


def check_is_confined(process):
    """That a process is that user's, who can read what is its own and nothing of the administrator's."""
    if not AS_OUTSIDER:
        print("not root's: the program runs as the same user, and that it can read nothing else is not shown")
        return
    lines = pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines()
    users = [line.split()[1:] for line in lines if line.startswith("Uid:")]
    same([[str(OUTSIDER)] * 4], users, "whose process it is")
    check(reads(account_kubeconfig(RELEASE)), "its own kubeconfig cannot be read, either")
    folder = pathlib.Path(ADMIN["KUBECONFIG"]).parent
    keys = [*folder.glob("pki/*.key"), *folder.glob("*kubeconfig")]
    check(len(keys) > 4, f"what is to be closed is not in {folder}")
    for key in keys:
        check(not reads(key), f"{key} can be read by the program's user")


def container_command(pod, container, replaced):
    """What a container of a pod runs, with some flags as they must be here, and files of its volume hub from SCRATCH."""
    verb, *flags = container["args"]
    flags = [flag for flag in flags if flag.split("=")[0] not in [one.split("=")[0] for one in replaced]]
    flags = [flag.replace("/etc/probate/hub/", f"{SCRATCH}/") for flag in flags]
    if not any(flag.startswith("--kubeconfig=") for flag in flags):
        flags.append(f"--kubeconfig={account_kubeconfig(pod['serviceAccountName'])}")
    return [PROBATE, verb, *flags, *replaced]


def alone():
    """An environment in which nothing of the administrator's is found by chance."""
    return {"PATH": os.environ["PATH"], "HOME": str(SCRATCH)}


class Server:
    """The program of the Deployment, running."""

    def __init__(self, *replaced):
        pod = get("-n", NAMESPACE, "deployment", RELEASE)["spec"]["template"]["spec"]
        if not any(flag.startswith("--ops-listen=") for flag in replaced):
            replaced = [*replaced, "--ops-listen=127.0.0.1:0"]
        command = container_command(pod, pod["containers"][0], replaced)
        self.log = open(SCRATCH / "serve.log", "ab")
        self.process = subprocess.Popen(command, env=alone(), stderr=self.log, **AS_OUTSIDER)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(PATIENCE)
        self.log.close()


def run_as_rendered(pod):
    """All containers of a pod, one after the other."""
    said = ""
    for container in [*pod.get("initContainers", []), *pod["containers"]]:
        command = container_command(pod, container, [])
        try:
            # It has a limit of its own, and says what it waited for when that is over.
            done = subprocess.run(command, env=alone(), capture_output=True, text=True, timeout=2 * PATIENCE, **AS_OUTSIDER)
        except subprocess.TimeoutExpired as late:
            raise Failed(f"{container['args']} did not end:\n{late.stderr}{late.stdout}") from late
        check(done.returncode == 0, f"{container['args']}: exit {done.returncode}\n{done.stderr}{done.stdout}")
        said += done.stdout + done.stderr
    return said


def uid_of(kind, name):
    """That of an object in the namespace of the release; empty when there is none."""
    return kubectl("-n", NAMESPACE, "get", kind, name, "--ignore-not-found", "-o", "jsonpath={.metadata.uid}")


def with_hook(command, kind, name, finish, pod_of):
    """Runs helm while it waits for a hook: does what the hook would do, and says that it is done."""
    former = uid_of(kind, name)  # of a hook that failed; helm deletes it first
    process = subprocess.Popen([HELM, *command, "--namespace", NAMESPACE], env={**os.environ, **ADMIN},
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)  # fmt: skip
    try:
        there = lambda: process.poll() is not None or uid_of(kind, name) not in ("", former)
        wait_for(f"{kind} {name}", there)
        check(process.poll() is None, f"helm did not wait: {process.stdout.read() if process.poll() is not None else ''}")
        said = run_as_rendered(pod_of(get("-n", NAMESPACE, kind, name)))
        finish(name)
        text = process.communicate(timeout=PATIENCE)[0]
        check(process.returncode == 0, f"helm {command}: exit {process.returncode}\n{text}")
        return said
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def finish_pod(name):
    """As a kubelet would, when all containers have ended well."""
    kubectl("-n", NAMESPACE, "patch", "pod", name, "--subresource=status", "--type=merge", "-p", '{"status": {"phase": "Succeeded"}}')


def finish_job(name):
    """Its pod ends; the status of the Job is for the Job controller to write, by rules that grow with every release."""
    pods = lambda: kubectl("-n", NAMESPACE, "get", "pods", "-l", f"job-name={name}", "-o", "jsonpath={.items[*].metadata.name}").split()
    wait_for(f"the pod of Job {name}", lambda: len(pods()) == 1 or pods())
    finish_pod(pods()[0])


def run_selftest():
    return with_hook(["test", RELEASE], "pod", f"{RELEASE}-selftest", finish_pod, lambda one: one["spec"])


def uninstall():
    return with_hook(["uninstall", RELEASE], "job", f"{RELEASE}-remove", finish_job, lambda one: one["spec"]["template"]["spec"])


# ----------------------------------------------------------------------------------------------------- what is there


def registered():
    """name -> (failurePolicy, has a bundle) of the webhooks."""
    webhooks = get("validatingwebhookconfiguration", RELEASE)["webhooks"]
    return {one["name"]: (one["failurePolicy"], bool(one["clientConfig"].get("caBundle"))) for one in webhooks}


def wanted():
    """What becomes of it, by the program: one that has conditions fails closed once the API server has stored them."""
    table = yaml.safe_load((CHART / "files" / "parts.yaml").read_text())
    webhooks = [one for part in [table["always"], *table["rules"]] for one in part["webhooks"] if one["rules"]]
    closes = stores_conditions()
    return {one["name"]: ("Fail" if closes and "matchConditions" in one else one["failurePolicy"], True) for one in webhooks}


def settled(expected):
    return lambda: registered() == expected or registered()


def is_refused(text):
    addon = {
        "apiVersion": "addon.open-cluster-management.io/v1alpha1",
        "kind": "ManagedClusterAddOn",
        "metadata": {"name": "log", "namespace": "default"},
        "spec": {},
    }
    code, said = kubectl("create", "--dry-run=server", "-f", "-", stdin=json.dumps(addon), ok=False)
    if text is None:
        check(code == 0, said)
    else:
        check(code != 0 and text in said, said)


def can(account, *right):
    return run(KUBECTL, "auth", "can-i", "-q", *right, f"--as=system:serviceaccount:{NAMESPACE}:{account}",
               ok=False, env=ADMIN)[0] == 0  # fmt: skip


# -------------------------------------------------------------------------------------------------------------- cases


@case
def a_cluster_comes_up():
    run(ROOT / "scripts" / "cluster", "down", "hub", env=CLUSTER)  # of a run that was killed
    run(ROOT / "scripts" / "cluster", "up", "hub", env=CLUSTER)
    ADMIN["KUBECONFIG"] = run(ROOT / "scripts" / "cluster", "kubeconfig", "hub", env=CLUSTER).strip()
    kubectl("create", "namespace", NAMESPACE)
    kubectl("create", "namespace", "eu1")
    kubectl("create", "namespace", "local-cluster")


def server_version():
    """As Helm tells it to the templates."""
    version = json.loads(kubectl("version", "-o", "json"))["serverVersion"]
    return version["gitVersion"].lstrip("v").split("+")[0]


def stores_conditions():
    """Does the API server keep matchConditions of a webhook? One that does not know them drops them."""
    webhook = {
        "name": "a.probate.test", "admissionReviewVersions": ["v1"], "sideEffects": "None", "rules": [],
        "clientConfig": {"url": "https://127.0.0.1:1"}, "matchConditions": [{"name": "a", "expression": "true"}],
    }  # fmt: skip
    trial = {"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingWebhookConfiguration",
             "metadata": {"name": "trial"}, "webhooks": [webhook]}  # fmt: skip
    text = kubectl("create", "--dry-run=server", "--validate=false", "-o", "json", "-f", "-", stdin=json.dumps(trial))
    return "matchConditions" in json.loads(text)["webhooks"][0]


@case
def the_api_server_takes_what_is_rendered():
    foreign = ("cert-manager.io/", "monitoring.coreos.com/")
    for file in sorted((CHART / "ci").glob("*-values.yaml")):
        documents = render(yaml.safe_load(file.read_text()) or {}, kube=server_version())
        for document in documents:
            document["metadata"].setdefault("namespace", NAMESPACE)
            if document["kind"] == "Pod":
                document["spec"]["serviceAccountName"] = "default"  # its own is only rendered, too
        known = [one for one in documents if not one["apiVersion"].startswith(foreign)]
        text = kubectl("apply", "--dry-run=server", "--validate=true", "-f", "-", stdin=yaml.safe_dump_all(known))
        same(len(known), len(text.splitlines()), f"{file.name}: {text}")


@case
def a_budget_is_of_a_version_that_is_served():
    budget = find(render({"replicaCount": 2}, kube=server_version()), "PodDisruptionBudget")
    check(budget["apiVersion"] in kubectl("api-versions").split(), f"{budget['apiVersion']} is not served")


@contextlib.contextmanager
def released(*arguments):
    """While a release is installed; one that is still there in the end goes without its hooks."""
    helm("install", RELEASE, CHART, *arguments)
    try:
        yield
    finally:
        helm("uninstall", RELEASE, "--no-hooks", "--ignore-not-found")
        kubectl("-n", NAMESPACE, "delete", "job,pod", f"{RELEASE}-remove", f"{RELEASE}-selftest", "--ignore-not-found")
        kubectl("delete", "validatingwebhookconfiguration", RELEASE, "--ignore-not-found")


def protect():
    """Something to guard, with a criterion that does not hold."""
    labels = {"app": "dns"}
    container = {"name": "dns", "image": "dns"}
    pod = {"metadata": {"labels": labels}, "spec": {"containers": [container]}}
    provider = {"group": "apps", "resource": "deployments", "namespace": "eu1", "name": "dns"}
    zone = {"group": "", "resource": "configmaps", "namespace": "eu1", "name": "zone"}
    apply(
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "zone", "namespace": "eu1"}},
        {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "dns", "namespace": "eu1"},
         "spec": {"selector": {"matchLabels": labels}, "template": pod}},
        {"apiVersion": "probate.dev/v1alpha1", "kind": "CriticalService", "metadata": {"name": "dns"},
         "spec": {"provider": provider, "criteria": [{"type": "SpecificResource", "specificResource": zone}]}},
    )  # fmt: skip


def labelled():
    return "probate.dev/protected" in get("namespace", "eu1")["metadata"].get("labels", {})


def go_up_and_down(side, usual, fewer):
    """Upgrades and a rollback, while Probate runs: it loses neither trust nor the right to fail closed for long."""
    bundle = lambda: get("validatingwebhookconfiguration", RELEASE)["webhooks"][0]["clientConfig"]["caBundle"]
    before = bundle()
    helm("upgrade", RELEASE, CHART, *fewer, *side)
    left = {name: state for name, state in wanted().items() if name != "policy-prune.probate.dev"}
    same(left, registered(), "after an upgrade that switches a rule off")
    same(before, bundle(), "caBundle after an upgrade")
    is_refused("ManagedCluster")

    authorities = lambda: get("-n", NAMESPACE, "secret", f"{RELEASE}-ca")["data"]
    kept = authorities()
    helm("rollback", RELEASE, "1", *side)
    same(kept, authorities(), "the CAs after going back")
    same(set(wanted()), set(registered()), "webhooks after going back")
    wait_for("all fail closed again that should", settled(wanted()))
    helm("upgrade", RELEASE, CHART, *usual, *side)
    same(wanted(), registered(), "after an upgrade that changes nothing")


def nothing_is_left():
    code, said = kubectl("get", "validatingwebhookconfiguration", RELEASE, ok=False)
    check(code != 0 and "not found" in said.lower(), said)
    kinds = "clusterrole,clusterrolebinding,deployment,service,serviceaccount,role,rolebinding,job,pod,poddisruptionbudget,lease,secret"
    rest = kubectl("get", kinds, "-n", NAMESPACE, "-l", f"app.kubernetes.io/instance={RELEASE}", "-o", "name")
    same("", rest.strip(), "what is left of the release")
    check(not labelled(), "the label is left on what was protected")
    kubectl("get", "criticalservice", "dns")  # what is the user's stays
    crds = kubectl("get", "customresourcedefinitions", "-o", "name")
    check("criticalservices.probate.dev" in crds and "manifestworks" in crds, "CRDs stay")
    kubectl("-n", "eu1", "delete", "deployment", "dns", KUBECTL_TIMEOUT)
    kubectl("delete", "criticalservice", "dns", KUBECTL_TIMEOUT)


def live_through(server_side):
    """Install, test, upgrade, roll back, uninstall."""
    side, port = [f"--server-side={server_side}"], free_port()
    values = {"webhook": {"url": f"https://127.0.0.1:{port}"}, "standaloneCRDs": True,
              "criteriaResources": ["configmaps"], "leaderElection": {"leaseDuration": "4s"}}  # fmt: skip
    usual = ["--values", values_file(values)]
    fewer = ["--values", values_file({**values, "rules": {"policy-prune": "off"}, "commonLabels": {"a": "b"}})]

    with released(*usual, *side):
        same({name: ("Ignore", False) for name in wanted()}, registered(), "as it arrives")
        for kind in ("managedclusteraddons", "criticalservices"):
            wait_for(f"CRD of {kind}", lambda: kubectl("get", kind, "-A", ok=False)[0] == 0)
        is_refused(None)  # nobody answers yet, and nothing is held up

        with Server(f"--listen=127.0.0.1:{port}", "--shutdown-delay=0s") as server:
            wait_for("Probate takes the registration over", settled(wanted()))
            check_is_confined(server.process)
            is_refused("ManagedCluster")
            check("answer" in run_selftest(), "what selftest says")
            protect()
            wait_for("the label on what is protected", labelled)
            go_up_and_down(side, usual, fewer)
            uninstall()
            check(server.process.poll() is None, "what was left running has ended by itself")
        nothing_is_left()


@case
def a_release_lives_and_goes_by_server_side_apply():
    live_through("true")


# What it exercises of the program the one above has done already: once is enough where that is slow.
if os.environ.get("PROBATE_TEST_LANE", "normal") == "normal":

    @case
    def a_release_lives_and_goes_by_three_way_merge():
        live_through("false")


@case
def the_account_can_do_what_it_must_and_no_more():
    with released("--values", values_file({"criteriaResources": ["configmaps"]})):
        for right in (
            ["list", "managedclusters.cluster.open-cluster-management.io"], ["patch", "namespaces"],
            ["patch", f"validatingwebhookconfigurations/{RELEASE}"], ["get", f"secrets/{RELEASE}-ca", "-n", NAMESPACE],
            ["update", f"leases/{RELEASE}", "-n", NAMESPACE], ["list", "configmaps", "-A"],
        ):  # fmt: skip
            check(can(RELEASE, *right), f"cannot {right}")
        for right in (
            ["list", "secrets", "-A"], ["list", "secrets", "-n", NAMESPACE], ["get", "secrets/x", "-n", NAMESPACE],
            ["patch", "validatingwebhookconfigurations/other"], ["delete", f"validatingwebhookconfigurations/{RELEASE}"],
            ["delete", "namespaces"], ["delete", "deployments.apps", "-A"], ["patch", "deployments.apps", "-A"], ["create", "pods", "-A"], ["get", "pods", "-A"],
            ["update", "leases/other", "-n", NAMESPACE], ["create", "leases", "-n", "default"], ["patch", "configmaps", "-A"],
            ["patch", "managedclusters.cluster.open-cluster-management.io"], ["impersonate", "users"],
            ["create", "clusterrolebindings"], ["escalate", "clusterroles"],
        ):  # fmt: skip
            check(not can(RELEASE, *right), f"can {right}")


@case
def a_foreign_crd_is_left_as_it_is():
    name = "manifestworks.work.open-cluster-management.io"
    kubectl("annotate", "crd", name, "meta.helm.sh/release-name-", "x.example.org/theirs=yes")
    before = get("crd", name)["metadata"]["resourceVersion"]
    with released("--values", values_file({"standaloneCRDs": True})):
        same(before, get("crd", name)["metadata"]["resourceVersion"], "a CRD of somebody else")


def reviewed(port):
    """How many updates Probate was asked about."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=PATIENCE) as answer:
        lines = answer.read().decode().splitlines()
    return sum(float(line.split()[-1]) for line in lines
               if line.startswith("probate_admission_reviews_total{") and 'operation="UPDATE"' in line)  # fmt: skip


@case
def updates_of_works_that_change_no_option_are_not_sent():
    skip_unless(stores_conditions(), "this API server does not store matchConditions")
    port, ops = free_port(), free_port()
    values = {"webhook": {"url": f"https://127.0.0.1:{port}"}, "standaloneCRDs": True, "controllers": {"critical-service": False},
              "rules": {"policy-prune": "off", "critical-service": "off", "cluster-lifecycle": "off"}}  # fmt: skip
    name = "manifestwork-orphan.probate.dev"
    work = ["-n", "eu1", "manifestwork", "option"]
    option = lambda policy: kubectl("patch", *work, "--type=merge", "-p", json.dumps({"spec": {"deleteOption": {"propagationPolicy": policy}}}))

    with released("--values", values_file(values)):
        webhook = [one for one in get("validatingwebhookconfiguration", RELEASE)["webhooks"] if one["name"] == name][0]
        rendered = find(render(values, kube=server_version()), "ValidatingWebhookConfiguration")["webhooks"]
        same([one for one in rendered if one["name"] == name][0]["matchConditions"], webhook["matchConditions"], "as it is stored")
        wait_for("CRD of manifestworks", lambda: kubectl("get", "manifestworks", "-A", ok=False)[0] == 0)
        with Server(f"--listen=127.0.0.1:{port}", f"--ops-listen=127.0.0.1:{ops}", "--shutdown-delay=0s"):
            wait_for("Probate takes the registration over", lambda: all(one[1] for one in registered().values()) or registered())
            apply({"apiVersion": "work.open-cluster-management.io/v1", "kind": "ManifestWork",
                   "metadata": {"name": "option", "namespace": "eu1"}, "spec": {"workload": {"manifests": []}}})  # fmt: skip
            wait_for("Probate is asked about options", lambda: bool(option("Orphan") and option("Foreground") and reviewed(ops) > 0))
            before = reviewed(ops)
            for value in ("1", "2", "3"):
                kubectl("annotate", "--overwrite", *work, f"example.org/count={value}")
            option("Orphan")
            same(before + 1, reviewed(ops), "updates that were sent: one of the option, and none of annotations")
        kubectl("-n", "eu1", "delete", "manifestwork", "option", KUBECTL_TIMEOUT)


def exists(kind, name):
    return kubectl("-n", "eu1", "get", kind, name, ok=False)[0] == 0


@case
def an_agent_works_and_goes():
    # The cluster is its own hub, on which the agent has the rights that the program prints.
    kubectl("-n", "eu1", "create", "serviceaccount", "probate-agent")
    kubectl("apply", "-f", "-", stdin=run(PROBATE, "manifest", "hub-rbac", "--cluster-name=eu1"))
    hub = pathlib.Path(account_kubeconfig("probate-agent", "eu1")).read_text()
    write_for_outsider("kubeconfig", hub)
    kubectl("-n", NAMESPACE, "create", "secret", "generic", "hub", f"--from-file={SCRATCH}/kubeconfig")
    config = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "brought", "namespace": "eu1"}}
    work = {
        "apiVersion": "work.open-cluster-management.io/v1", "kind": "ManifestWork",
        "metadata": {"name": "one", "namespace": "eu1"}, "spec": {"workload": {"manifests": [config]}},
    }  # fmt: skip
    values = {
        "mode": "agent", "works": {"clusterName": "eu1", "applyRole": "cluster-admin"},
        "hub": {"kubeconfigSecret": "hub"}, "leaderElection": {"leaseDuration": "4s"}, "standaloneCRDs": True,
    }  # fmt: skip
    with released("--values", values_file(values)):
        wait_for("CRD of manifestworks", lambda: kubectl("get", "manifestworks", "-A", ok=False)[0] == 0)
        apply(work)
        with Server():
            wait_for("what the work brings", lambda: exists("configmap", "brought"))
            uninstall()
        check(exists("configmap", "brought"), "what a work has brought stays")
        kubectl("-n", "eu1", "delete", "manifestwork", "one", KUBECTL_TIMEOUT)
        for applied in get("appliedmanifestworks")["items"]:
            same(None, applied["metadata"].get("finalizers"), applied["metadata"]["name"])


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # the cluster is ended then, too
    try:
        CODE = main()
    finally:
        run(ROOT / "scripts" / "cluster", "down", "hub", env=CLUSTER)
    sys.exit(CODE)
