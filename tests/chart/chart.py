"""What the tests of the chart share: helm, the program, and cases that are counted one by one."""

import copy
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import traceback

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "support"))
from patience import patience  # noqa: E402

COMMAND_S = 120  # for one command
CHART = ROOT / "charts" / "probate"
HELM = os.environ["PROBATE_HELM"]
NAMESPACE = "probate-system"
NEWEST = "1.33"
KUBE_VERSIONS = ["1.20", "1.21", "1.25", "1.30", NEWEST]


class Failed(Exception):
    """What a case says when it does not hold."""


class Skipped(Exception):
    """What a case says when the server lacks what it is about."""


def skip_unless(has, reason):
    """Leaves the case, which is then counted as skipped; for what a server has answered itself, never for its version."""
    if not has:
        raise Skipped(reason)


def check(holds, text):
    if not holds:
        raise Failed(text)


def same(wanted, got, what):
    check(wanted == got, f"{what}\n  wanted {pretty(wanted)}\n  got    {pretty(got)}")


def pretty(value):
    return json.dumps(value, sort_keys=True, default=lambda one: sorted(one))


def run(*command, stdin=None, ok=True, env=None):
    """Runs a command; its output, or with ok=False (code, stdout and stderr)."""
    done = subprocess.run(
        [str(part) for part in command],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=patience(COMMAND_S),
        env={**os.environ, **(env or {})},
    )
    if not ok:
        return done.returncode, done.stdout + done.stderr
    check(done.returncode == 0, f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stderr}{done.stdout}")
    return done.stdout


def values_file(values):
    file = tempfile.NamedTemporaryFile("w", suffix=".yaml", dir=os.environ.get("PROBATE_TEST_SCRATCH"), delete=False)
    with file:
        yaml.safe_dump(values, file)
    return file.name


def template_command(values=None, kube=NEWEST, name="probate", namespace=NAMESPACE, more=()):
    return [HELM, "template", name, CHART, "--namespace", namespace, "--kube-version", kube,
            "--values", values_file(values or {}), *more]  # fmt: skip


RENDERED = {}


def render(values=None, **options):
    """The manifests of the chart for these values; each set is rendered once."""
    key = pretty([values, options])
    if key not in RENDERED:
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        RENDERED[key] = [one for one in yaml.load_all(run(*template_command(values, **options)), loader) if one]
    return copy.deepcopy(RENDERED[key])


def refusal(values, **options):
    """The text with which the chart refuses these values."""
    code, text = run(*template_command(values, **options), ok=False)
    check(code != 0, f"accepted: {pretty(values)}")
    return text


def find(documents, kind, name=None):
    """The one document of a kind; hooks have names of their own."""
    found = [one for one in documents if one["kind"] == kind and (name is None or one["metadata"]["name"] == name)]
    check(len(found) == 1, f"{len(found)} documents {kind} {name or ''}")
    return found[0]


CASES = []


def case(function):
    """Marks a function as a case; its name is the sentence that is to hold."""
    CASES.append(function)
    return function


def main():
    """Runs the cases whose name has one of the parts that the command line gives, and counts them as Unity does."""
    parts, failures, skipped, ran = sys.argv[2:], 0, 0, 0
    for one in CASES:
        name = one.__name__
        if parts and not any(part in name for part in parts):
            continue
        ran += 1
        try:
            one()
            print(f"{name}:PASS")
        except Skipped as reason:
            skipped += 1
            print(f"{name}:IGNORE: {reason}")
        except Exception as error:  # a case that breaks is a case that fails
            failures += 1
            text = error if isinstance(error, Failed) else traceback.format_exc()
            print(f"{name}:FAIL: {text}")
        sys.stdout.flush()
    print(f"\n{ran} Tests {failures} Failures {skipped} Ignored\n{'FAIL' if failures else 'OK'}")
    return 1 if failures or not ran else 0
