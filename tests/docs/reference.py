#!/usr/bin/env python3
"""tests/docs/reference.py PROGRAM [--write]: is docs/reference.md complete, and is nothing on it that does not exist?

What lies between "<!-- made: X -->" and "<!-- end -->" is made from the program, its source and the CRD; --write makes it
anew. Names, conditions and Events are written by hand and compared with the literals in the source. Links between pages must lead
somewhere.
"""

import pathlib
import re
import subprocess
import sys

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "reference.md"
CRD = ROOT / "charts" / "probate" / "crds" / "criticalservices.yaml"
STRING = r'"(?:[^"\\]|\\.)*"'
TOKEN = re.compile(r"/\*.*?\*/|'(?:[^'\\]|\\.)+'|" + STRING, re.S)  # comments and characters are left out

# Domains of names that objects carry. What else has a slash in it is no such name.
NAME = re.compile(r"^(?:[a-z-]+\.)*(?:probate\.dev|open-cluster-management\.io|crossplane\.io)/[a-z-]+$")

# Literals in CamelCase that are neither conditions nor reasons nor Events: kinds and their plurals, settings, operators of selectors,
# what Kubernetes itself writes, and reasons in the answers of an API server.
NO_REASONS = set("""
    AdmissionReview AppliedManifestWork AppliedManifestWorks CompositeResourceDefinition CompositeResourceDefinitions ConfigurationPolicies
    CustomResourceDefinitions ClusterRole ClusterRoleBinding ManagedClusters ManifestWorks PartialObjectMetadata RoleBinding ServiceAccount
    ValidatingWebhookConfiguration
    ClusterLifeCycle ReadOnly SelectivelyOrphan SpecificResource BestEffort DeleteAll DeleteIfCreated NoneOnDryRun
    DoesNotExist NotIn
    HubAcceptedManagedCluster HubClusterAdminDenied ManagedClusterJoined
    NamespaceContentRemaining NamespaceDeletionContentFailure NamespaceDeletionDiscoveryFailure
    NamespaceDeletionGroupVersionParsingFailure NamespaceFinalizersRemaining
    AlreadyExists BadRequest InternalError MethodNotAllowed NotFound NotServed RequestEntityTooLarge ServiceUnavailable
    UnsupportedMediaType
""".split())


def sources(*layers):
    files = [path for layer in layers for path in sorted((ROOT / layer).rglob("*.[ch]"))]
    return "\n".join(TOKEN.sub(lambda token: token[0] if token[0][0] == '"' else " ", path.read_text()) for path in files)


def joined(literals):
    """Adjacent C literals as one text."""
    return "".join(part[1:-1].replace('\\"', '"') for part in re.findall(STRING, literals))


def literals(text):
    return {part[1:-1] for part in re.findall(STRING, text)}


# ------------------------------------------------------------------------------------------------- what is made


def ask(program, *arguments):
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=True).stdout.rstrip("\n")


def verbs(program):
    listed = ask(program, "help").split("Verbs:\n")[1].split("\n\n")[0]
    return [line.split()[0] for line in listed.splitlines()]


def make_help(program):
    parts = ["```\n%s\n```" % ask(program, "help")]
    parts += ["### probate %s\n\n```\n%s\n```" % (verb, ask(program, "help", verb)) for verb in verbs(program)]
    return "\n\n".join(parts)


METRIC = re.compile(r"^(?:probate|workqueue|rest_client|leader_election)_[a-z_]+$")


def metrics():
    """{name: (type, labels, help)} of every struct prb_metric, and of those that queues have, which a macro makes."""
    text = sources("src")
    found = {}
    for body in re.findall(r"struct prb_metric \w+ = \{(.*?)\};", text, re.S):
        name = re.search(r'\.name = "([^"]+)"', body)
        if not name:
            continue  # the macro
        labels = re.search(r"\.labels = \{([^}]*)\}", body)
        found[name.group(1)] = (re.search(r"\.type = PRB_(\w+)", body).group(1).lower(),
                                re.findall(r'"([^"]+)"', labels.group(1)) if labels else [],
                                joined(re.search(r"\.help\s*=\s*((?:%s\s*)+)" % STRING, body).group(1)))
    for name, kind, words in re.findall(r'QUEUE_METRIC\(\w+, "(\w+)", PRB_(\w+),\s*((?:%s\s*)+)\)' % STRING, text):
        found[name] = (kind.lower(), ["name"], joined(words))
    missed = {literal for literal in literals(text) if METRIC.match(literal)} - set(found)
    if missed:
        raise SystemExit("metrics that are declared in a way that this test does not understand: %s" % sorted(missed))
    return found


def row(*cells):
    return "| %s |" % " | ".join(cell.replace("|", "\\|") for cell in cells)


def make_metrics(_):
    rows = ["| name | type | labels | what |", "|---|---|---|---|"]
    for name, (kind, labels, text) in sorted(metrics().items()):
        rows.append(row("`%s`" % name, kind, ", ".join("`%s`" % label for label in labels), text))
    return "\n".join(rows)


def walk(schema, path, rows):
    for name, field in schema.get("properties", {}).items():
        here = path + name
        kind = field.get("type", "")
        inner = field.get("items", {})
        if kind == "array":
            kind = "list of %ss" % inner.get("type", "")
        notes = [" ".join(field.get("description", "").split())]
        allowed = field.get("enum") or inner.get("enum")
        if allowed:
            notes.append("One of %s." % ", ".join("`%s`" % value for value in allowed))
        if "default" in field:
            notes.append("Default: `%s`." % field["default"])
        needed = name in schema.get("required", [])
        rows.append(row("`%s`" % here, kind, "yes" if needed else "", " ".join(note for note in notes if note)))
        walk(field, here + ".", rows)
        walk(inner, here + "[].", rows)


def make_fields(_):
    versions = yaml.safe_load(CRD.read_text())["spec"]["versions"]
    rows = ["| field | type | required | what |", "|---|---|---|---|"]
    for part in ("spec", "status"):
        walk(versions[0]["schema"]["openAPIV3Schema"]["properties"][part], part + ".", rows)
    return "\n".join(rows)


MADE = {"help": make_help, "metrics": make_metrics, "fields": make_fields}


def rewritten(text, program):
    def make(match):
        return "%s\n\n%s\n\n<!-- end -->" % (match.group(1), MADE[match.group(2)](program))

    return re.sub(r"(<!-- made: (\w+) -->)\n.*?<!-- end -->", make, text, flags=re.S)


# ---------------------------------------------------------------------------------------------- what is compared


def section(text, title):
    return text.split("\n## %s\n" % title)[1].split("\n## ")[0]


def quoted(text):
    """What table rows have in backquotes."""
    return {word for line in text.splitlines() if line.startswith("| ") for word in re.findall(r"`([^`]+)`", line)}


def first_cells(text):
    return {word for line in text.splitlines() if line.startswith("| ")
            for word in re.findall(r"`([^`]+)`", line.split(" | ")[0])}


def check_made(text, program):
    if rewritten(text, program) != text:
        return ["what is made is not what it was made from; run tests/docs/reference.py PROGRAM --write"]
    return []


# A flag as such, and those of kubectl, helm and the scripts.
FOREIGN_FLAGS = {"--flag", "--cascade", "--reuse-values", "--no-hooks", "--kube-version", "--quick", "--asan", "--tsan", "--list"}


def check_flags(text, _):
    """Every flag that a page names is one of some verb, whose help is on the page."""
    known = set(re.findall(r"^  (--[a-z-]+)", text, re.M)) | {"--help", "--version"} | FOREIGN_FLAGS
    wrong = []
    for page in sorted((ROOT / "docs").glob("*.md")):
        used = set(re.findall(r"`(--[a-z][a-z-]+)(?:[= ][^`]*)?`", page.read_text()))
        wrong += ["%s names %s, which no verb has" % (page.name, flag) for flag in sorted(used - known)]
    return wrong


def check_metrics(_, __):
    """Every metric that a page or an alert of the chart names exists."""
    known = set(metrics())
    pages = [*(ROOT / "docs").glob("*.md"), *(ROOT / "charts" / "probate").rglob("*.yaml"), ROOT / "charts/probate/README.md"]
    pattern = re.compile(r"\b(?:probate|workqueue|rest_client|leader_election)_[a-z]+_[a-z_]+\b")
    wrong = []
    for page in sorted(pages):
        used = {name for name in pattern.findall(page.read_text()) if not name.startswith("probate_test")}
        used = {re.sub(r"_(bucket|sum|count)$", "", name) if name not in known else name for name in used}
        wrong += ["%s names the metric %s, which does not exist" % (page.name, name) for name in sorted(used - known)]
    return wrong


def check_names(text, _):
    shown = {word for word in first_cells(section(text, "Labels, annotations, finalizers")) if "/" in word}
    real = {literal for literal in literals(sources("src", "include")) if NAME.match(literal)}
    return ["%s is in the source and not on the page" % name for name in sorted(real - shown)] + \
        ["%s is on the page and not in the source" % name for name in sorted(shown - real)]


def check_reasons(text, _):
    shown = {word for word in quoted(section(text, "Conditions, reasons, Events")) if re.fullmatch(r"[A-Z][A-Za-z]+", word)}
    everything = literals(sources("src", "include"))
    here = literals(sources("src/reconcilers", "src/rules", "src/core", "src/control", "src/cli", "src/admission"))
    real = {literal for literal in here if re.fullmatch(r"[A-Z][a-z]+(?:[A-Z][A-Za-z]+)+", literal)} - NO_REASONS
    return ["%s is in the source and not on the page (is it a reason? if not, see NO_REASONS)" % name
            for name in sorted(real - shown)] + \
        ["%s is on the page and not in the source" % name for name in sorted(shown - everything)]


def check_alerts(_, __):
    """Every alert of the chart is explained, and no other."""
    real = set(re.findall(r"- alert: (\w+)", (ROOT / "charts/probate/templates/prometheusrule.yaml").read_text()))
    shown = {word for word in first_cells(section((ROOT / "docs/operate.md").read_text(), "Metrics and alerts"))
             if re.fullmatch(r"Probate\w+", word)}
    return ["docs/operate.md lacks the alert %s" % name for name in sorted(real - shown)] + \
        ["docs/operate.md has the alert %s, which is none" % name for name in sorted(shown - real)]


def anchors(path):
    found = set()
    for title in re.findall(r"^#+ (.*)$", path.read_text(), re.M):
        found.add(re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-"))
    return found


def check_links(_, __):
    pages = [*(ROOT / "docs").glob("*.md"), ROOT / "README.md", ROOT / "charts/probate/README.md", ROOT / "src/README.md"]
    wrong = []
    for page in sorted(pages):
        text = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.M | re.S)
        for target, anchor in re.findall(r"\]\(([^)#:\s]*)(#[^)\s]+)?\)", text):
            path = (page.parent / target).resolve() if target else page
            if not path.exists():
                wrong.append("%s: no %s" % (page.relative_to(ROOT), target))
            elif anchor and path.suffix == ".md" and anchor[1:] not in anchors(path):
                wrong.append("%s: no %s in %s" % (page.relative_to(ROOT), anchor, path.relative_to(ROOT)))
    return wrong


CHECKS = (check_made, check_flags, check_metrics, check_names, check_reasons, check_alerts, check_links)


def main():
    program = sys.argv[1]
    if "--write" in sys.argv[2:]:
        PAGE.write_text(rewritten(PAGE.read_text(), program))
    text = PAGE.read_text()
    failures = 0
    for check in CHECKS:
        wrong = check(text, program)
        failures += bool(wrong)
        print("%s:%s" % (check.__name__, "FAIL" if wrong else "PASS"))
        for line in wrong:
            print("  " + line)
    print("\n%d Tests %d Failures 0 Ignored\n%s" % (len(CHECKS), failures, "FAIL" if failures else "OK"))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
