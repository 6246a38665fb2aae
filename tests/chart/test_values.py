"""What becomes of values that are strange, but allowed. usage: test_values.py PROBATE [PART-OF-A-NAME...]"""

import sys

import yaml

from chart import case, check, main, refusal, render, run, same, template_command

EVERYTHING = {
    "serviceMonitor": {"enabled": True},
    "prometheusRule": {"enabled": True},
    "networkPolicy": {"enabled": True},
    "controllers": {"claims": True, "policy": True, "work": True},
    "works": {"clusterName": "eu1"},
    "claimResources": ["databases.example.org"],
}
AGENT = {"mode": "agent", "works": {"clusterName": "eu1"}, "hub": {"kubeconfigSecret": "hub"}}
OUR_LABELS = ["app.kubernetes.io/name", "app.kubernetes.io/instance", "app.kubernetes.io/version",
              "app.kubernetes.io/managed-by", "helm.sh/chart"]  # fmt: skip


def pairs(node, key=""):
    """Every (key, value) of a document; of a list, under the key of the list."""
    if isinstance(node, dict):
        for name, value in node.items():
            yield from pairs(value, name)
    elif isinstance(node, list):
        for value in node:
            yield from pairs(value, key)
    else:
        yield key, node


def label_maps(document):
    """The labels of a document, of its pods, and those by which it selects."""
    if isinstance(document, dict):
        for key, value in document.items():
            if key in ("labels", "matchLabels") and isinstance(value, dict):
                yield value
            yield from label_maps(value)
    elif isinstance(document, list):
        for value in document:
            yield from label_maps(value)


TEXTS = {"name", "namespace", "serviceAccountName", "secretName", "priorityClassName", "runtimeClassName", "resourceNames",
         "args", "values", "commonName"}  # fmt: skip


@case
def names_that_look_like_numbers_or_booleans_stay_names():
    for odd in ("123", "on", "null"):
        hub = {"fullnameOverride": odd, "nameOverride": odd, "priorityClassName": odd, "runtimeClassName": odd,
               "serviceAccount": {"name": odd}, "certs": {"secretName": odd}, **EVERYTHING,
               "webhook": {"exemptNamespaces": [odd], "clientCA": {"configMap": odd}},
               "works": {"clusterName": odd, "applyRole": odd}}  # fmt: skip
        managed = {**hub, "certs": {"mode": "certManager", "secretName": odd, "certManager": {"issuerRef": {"name": odd}}}}
        agent = {**AGENT, "fullnameOverride": odd, "works": {"clusterName": odd}, "hub": {"kubeconfigSecret": odd}}
        for values in (hub, managed, agent):
            for document in render(values, name="n" + odd, namespace=odd):
                what = f"{document['kind']} {document['metadata']['name']} with {odd}"
                for key, value in pairs(document):
                    check(key not in TEXTS or isinstance(value, str), f"{what}: {key} is {value!r}")
                for labels in label_maps(document):
                    check(all(isinstance(one, str) for one in labels.values()), f"{what}: {labels}")


@case
def the_longest_names_fit_everywhere():
    for values in (EVERYTHING, AGENT, {"certs": {"mode": "certManager"}}):
        for longest in ({"nameOverride": "n" * 40}, {"nameOverride": "n" * 50, "fullnameOverride": "f" * 50}):
            for document in render({**values, **longest}, name="r" * 53, namespace="s" * 63):
                check(len(document["metadata"]["name"]) <= 63, f"{document['kind']}: {document['metadata']['name']}")
                for labels in label_maps(document):
                    for key, value in labels.items():
                        check(len(value) <= 63, f"{document['kind']}: label {key} has {len(value)} characters")
    check("nameOverride" in refusal({"nameOverride": "n" * 63}), "a name that leaves no room for the hooks' labels")


@case
def labels_of_the_user_never_replace_those_that_select_pods():
    mine = dict.fromkeys(OUR_LABELS, "x")
    for name, values in (
        ("commonLabels", {"commonLabels": mine}),
        ("podLabels", {"podLabels": mine}),
        ("serviceMonitor", {"serviceMonitor": {"enabled": True, "labels": mine}}),
        ("prometheusRule", {"prometheusRule": {"enabled": True, "labels": mine}}),
    ):
        text = refusal(values)
        for key in OUR_LABELS:
            check(name in text and key in text, f"{name} with {key}: {text}")


class Strict(yaml.SafeLoader):
    """Takes no key twice, of which YAML silently keeps the last, and the API server may refuse both."""

    def construct_mapping(self, node, deep=False):
        keys = [key.value for key, _ in node.value]
        check(len(keys) == len(set(keys)), f"twice in {keys}")
        return super().construct_mapping(node, deep)


@case
def no_key_is_there_twice():
    values = {"commonLabels": {"team": "a"}, "podLabels": {"team": "b"}, **EVERYTHING,
              "serviceMonitor": {"enabled": True, "labels": {"team": "c"}},
              "prometheusRule": {"enabled": True, "labels": {"team": "d"}}}  # fmt: skip
    documents = {one["kind"]: one for one in render(values)}
    got = [documents["Service"]["metadata"]["labels"]["team"]]
    got += [documents["Deployment"]["spec"]["template"]["metadata"]["labels"]["team"]]
    got += [documents[kind]["metadata"]["labels"]["team"] for kind in ("ServiceMonitor", "PrometheusRule")]
    same(["a", "b", "c", "d"], got, "labels, of which the nearest counts")
    for values in (values, {**AGENT, "commonLabels": {"team": "a"}, "podLabels": {"team": "b"}}):
        list(yaml.load_all(run(*template_command(values)), Strict))


@case
def a_secret_of_one_mode_is_not_in_the_way_of_another():
    ours = {one["metadata"]["name"] for one in render({}) if one["kind"] == "Secret"}
    theirs = {one["spec"]["secretName"] for one in render({"certs": {"mode": "certManager"}}) if one["kind"] == "Certificate"}
    check(ours and theirs, "no Secrets at all")
    same([], sorted(ours & theirs), "Secrets that cert-manager leaves behind, and Helm then may not take over")


@case
def a_budget_that_lets_no_node_be_drained_is_refused():
    for replicas, least in ((2, 2), (3, 5), (2, "100%")):
        text = refusal({"replicaCount": replicas, "podDisruptionBudget": {"minAvailable": least}})
        check("podDisruptionBudget.minAvailable" in text, text)
    render({"replicaCount": 3, "podDisruptionBudget": {"minAvailable": 2}})
    render({"replicaCount": 1, "podDisruptionBudget": {"minAvailable": 1}})


if __name__ == "__main__":
    sys.exit(main())
