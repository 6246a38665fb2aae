#!/usr/bin/env python3
"""Prints charts/probate/files/parts.yaml: what each rule and each controller needs of a cluster.

usage: parts.py PROBATE > charts/probate/files/parts.yaml

The chart's templates put webhooks and rights together from this table, by the values they are given. It is taken apart
from what `probate manifest` prints for every pair of a rule and a controller, so that the tables of the program stay the
one source. tests/chart/test_templates.py is red when the file is not what this prints.
"""

import re
import subprocess
import sys

import yaml

HEADING = """\
# What each rule and each controller needs of a cluster, by which the templates make webhooks and roles.
# Made from the program's own tables; do not edit. To make it anew: tests/chart/parts.py build/probate > THIS-FILE
"""

# A kind that nobody has: where it appears, a webhook is for claims.
CLAIM = ("claims", "claims.invalid")
GATES = "--feature-gates=ClusterLifeCycle=true"


def run(probate, *arguments):
    return subprocess.run([probate, *arguments], check=True, capture_output=True, text=True).stdout


def sections(probate):
    """The names under "Rules:" and "Controllers:" in the help, each with its text."""
    found, names = {}, None
    for line in run(probate, "help", "serve").splitlines():
        if re.match(r"^(Rules|Controllers):$", line):
            names = found.setdefault(line.rstrip(":"), {})
        elif names is not None and (entry := re.match(r"^  ([a-z-]+)  +(.*)", line)):
            last = entry[1]
            names[last] = entry[2]
        elif names is not None and line.startswith("   "):
            names[last] += " " + line.strip()
        else:
            names = None
    return found["Rules"], found["Controllers"]


def triples(role):
    """The rules of a role, each right by itself."""
    return {
        (group, resource, verb, tuple(sorted(rule.get("resourceNames", []))))
        for rule in role["rules"]
        for group in rule["apiGroups"]
        for resource in rule["resources"]
        for verb in rule["verbs"]
    }


# What a controller has to be told before it says what it needs.
NEEDS = {"work": ["--cluster-name=eu1"], "policy": ["--policy-namespace=eu1"]}


def role(documents, kind, name):
    return next(one for one in documents if (one["kind"], one["metadata"]["name"]) == (kind, name))


def cluster_rights(probate, rule, controller):
    flags = [GATES, f"--rules={rule}", f"--controllers={controller}", *NEEDS.get(controller, [])]
    return triples(role(yaml.safe_load_all(run(probate, "manifest", "rbac", *flags)), "ClusterRole", "probate"))


def hub_rights(probate, controller):
    """What a controller needs on the hub of the cluster that it runs on; work alone looks at two."""
    flags = [f"--controllers={controller}", *NEEDS.get(controller, [])]
    documents = yaml.safe_load_all(run(probate, "manifest", "hub-rbac", *flags))
    return policy_rules(triples(role(documents, "Role", "probate-agent-works")))


def scoped_rights(probate, controller):
    """What a controller needs in one namespace of the cluster only."""
    flags = [f"--controllers={controller}", *NEEDS.get(controller, [])]
    documents = yaml.safe_load_all(run(probate, "manifest", "agent-rbac", *flags))
    return policy_rules(triples(role(documents, "Role", "probate-agent-policies")))


VERBS = ["get", "list", "watch", "create", "update", "patch", "delete"]


def policy_rules(rights):
    """Rights as rules of a role: resources of one group with the same verbs together; with the name of what they are
    about where that is one object, which the chart names."""
    by_resource = {}
    for group, resource, verb, names in rights:
        by_resource.setdefault((group, resource, names), set()).add(verb)
    grouped = {}
    for (group, resource, names), verbs in sorted(by_resource.items()):
        grouped.setdefault((group, tuple(sorted(verbs, key=VERBS.index)), names), []).append(resource)
    return [
        {"apiGroups": [group], "resources": resources, "verbs": list(verbs), **({"resourceNames": list(names)} if names else {})}
        for (group, verbs, names), resources in sorted(grouped.items())
    ]


def webhooks(probate, rule):
    """The webhooks of a rule, without what only a cluster knows: where Probate is, and which namespaces are exempt."""
    claim = ".".join(CLAIM)
    text = run(probate, "manifest", "webhook", f"--rules={rule}", "--namespace=n", f"--claim-resource={claim}")
    result = []
    for webhook in yaml.safe_load(text)["webhooks"]:
        webhook["path"] = webhook.pop("clientConfig")["service"]["path"]
        expressions = webhook.pop("namespaceSelector", {}).get("matchExpressions", [])
        exempting = [one for one in expressions if one["key"] == "kubernetes.io/metadata.name"]
        webhook["namespaced"] = bool(exempting)
        labels = [one for one in expressions if one not in exempting]
        if labels:
            webhook["namespaceLabels"] = labels
        claims = [one for one in webhook["rules"] if one["apiGroups"] == [CLAIM[1]]]
        if claims:
            webhook["rules"] = [one for one in webhook["rules"] if one not in claims]
            webhook["claims"] = [{key: one[key] for key in ("apiVersions", "operations", "scope")} for one in claims]
        result.append(webhook)
    return result


# What stands in the table for a name that the chart chooses.
NAMED = ["--webhook-configuration=configuration", "--lease-name=lease", "--namespace=namespace"]


def account_rights(documents):
    """The rights of a service account: in the whole cluster, and in the namespace of the release."""
    found = {"ClusterRole": set(), "Role": set()}
    for document in documents:
        if document["kind"] in found:
            found[document["kind"]] |= triples(document)
    return {"cluster": policy_rules(found["ClusterRole"]), "namespace": policy_rules(found["Role"])}


def hook_rights(probate, verb):
    return account_rights(yaml.safe_load_all(run(probate, "manifest", f"{verb}-rbac", *NAMED)))


def claim_hook_rights(probate):
    """What kinds of claims add to the rights of `probate remove`: on each of them, and on others because of them."""
    rights = lambda *flags: set.union(
        *(triples(one) for one in yaml.safe_load_all(run(probate, "manifest", "remove-rbac", *NAMED, *flags)) if one["kind"] == "ClusterRole")
    )
    more = rights(f"--claim-resource={'.'.join(CLAIM)}") - rights()
    verbs = {verb for group, _, verb, _ in more if group == CLAIM[1]}
    others = {one for one in more if one[0] != CLAIM[1]}
    return {"verbs": sorted(verbs, key=VERBS.index), "cluster": policy_rules(others)}


def keeper_rights(probate):
    """What looking after registration and certificates takes, on top of all else."""
    documents = list(yaml.safe_load_all(run(probate, "manifest", "rbac", *NAMED, "--certs-secret=namespace/secret")))
    return {
        "registration": policy_rules(triples(role(documents, "ClusterRole", "probate-registration"))),
        "certs": policy_rules(triples(role(documents, "Role", "probate-certs"))),
    }


# Kinds that nobody has, to see which rights follow from kinds that values name: of claims, of their composites, and of
# what these are made of.
KINDS = {name: f"--{flag}-resource={name}.{name}.invalid" for name, flag in
         (("claims", "claim"), ("composites", "composite"), ("composed", "composed"))}  # fmt: skip


def kind_rights(probate):
    """Kind of kinds -> rights to its resource, and to subresources of it."""
    documents = yaml.safe_load_all(run(probate, "manifest", "rbac", "--controllers=claims", *KINDS.values()))
    found = {}
    for group, resource, verb, _ in sorted(triples(role(documents, "ClusterRole", "probate"))):
        if group.endswith(".invalid"):
            name, _, subresource = resource.partition("/")
            found.setdefault(name, {}).setdefault(subresource, []).append(verb)
    return {
        name: [{"subresource": one, "verbs": sorted(verbs, key=VERBS.index)} for one, verbs in found[name].items()]
        for name in KINDS
    }


def steps(probate):
    """What `probate remove` does, step by step."""
    text = " ".join(run(probate, "help", "remove").split())
    return re.search(r"Steps to leave out: ([a-z, -]+)\.", text)[1].split(", ")


def parts(probate):
    rules, controllers = sections(probate)
    rights = {(rule, controller): cluster_rights(probate, rule, controller) for rule in rules for controller in controllers}
    # What all controllers need is no rule's own: one of them always runs.
    common = set.intersection(*rights.values())
    registered = {rule: webhooks(probate, rule) for rule in rules}
    always = [one for one in registered[next(iter(rules))] if all(one in others for others in registered.values())]
    gates = {name: re.search(r"needs --feature-gates=(\w+)=true", text) for name, text in controllers.items()}
    return {
        "always": {"webhooks": always},
        "rules": [
            {
                "name": rule,
                "rights": policy_rules(set.intersection(*(rights[rule, one] for one in controllers)) - common),
                "webhooks": [one for one in registered[rule] if one not in always],
            }
            for rule in rules
        ],
        "controllers": [
            {
                "name": controller,
                **({"gate": gates[controller][1]} if gates[controller] else {}),
                **({"byName": True} if "only when named" in about else {}),
                "rights": policy_rules(set.intersection(*(rights[one, controller] for one in rules))),
                **({"hubRights": hub_rights(probate, controller)} if controller == "work" else {}),
                **({"scopedRights": scoped_rights(probate, controller)} if controller == "policy" else {}),
                **({"kindRights": kind_rights(probate)} if controller == "claims" else {}),
            }
            for controller, about in controllers.items()
        ],
        "keeper": keeper_rights(probate),
        "hooks": {
            "remove": {"steps": steps(probate), **hook_rights(probate, "remove"), "claims": claim_hook_rights(probate)},
            "selftest": hook_rights(probate, "selftest"),
        },
    }


def text(probate):
    return HEADING + yaml.safe_dump(parts(probate), sort_keys=False, width=120, default_flow_style=None)


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    sys.stdout.write(text(sys.argv[1]))
