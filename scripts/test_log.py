"""What a testlog.json of "meson test" says. Shared by count_tests.py, profile_tests.py and tests/soak/flake."""

import json
import re
from collections import namedtuple

SUMMARY = re.compile(r"^(\d+) Tests (\d+) Failures (\d+) Ignored\s*$", re.MULTILINE)

# "FILE:LINE:NAME:PASS (12 ms)" of Unity, or "NAME:PASS" of a script. A name can be a sentence.
CASE = re.compile(
    r"^(?:[^:\s]+:\d+:)?(?P<name>\S[^\n]*?):(?P<result>PASS|FAIL|IGNORE)"
    r"(?:: ?(?P<why>[^\n]*?))?(?: \((?P<ms>\d+) ms\))?\s*$",
    re.MULTILINE,
)

# The line in which a program that exits 77 says why.
SKIPPED = re.compile(r"^skipped:\s*(\S.*?)\s*$", re.MULTILINE)
NO_REASON = "no reason is given"

# result: PASS, FAIL or IGNORE; why and ms are None where the line has none.
Case = namedtuple("Case", "name result why ms")


def read(path):
    """The entries of a log, in the order in which the programs ended. A line that was cut is a failed program."""
    with open(path, encoding="utf-8", errors="replace") as log:
        return [entry(line) for line in log if line.strip()]


def entry(line):
    try:
        return json.loads(line)
    except ValueError:
        return {"name": "a cut line of the log", "result": "ERROR", "returncode": None, "starttime": 0.0, "duration": 0.0,
                "command": [], "stdout": line}  # fmt: skip


def program(test):
    """The name of a program, without the project and the suites."""
    return test["name"].rpartition(" / ")[2]


def summary(test):
    """(cases, failed, skipped) by the summary lines of Unity, or None when there is none."""
    found = [tuple(map(int, one)) for one in SUMMARY.findall(test.get("stdout") or "")]
    return tuple(sum(column) for column in zip(*found)) if found else None


def cases(test):
    """The cases that have a line in the output."""
    return [
        Case(found["name"], found["result"], found["why"], int(found["ms"]) if found["ms"] else None)
        for found in CASE.finditer(test.get("stdout") or "")
    ]


def count(test):
    """(passed, failed, skipped) of one program. Without a summary line of Unity it did not come to its end, or chose no
    case: that is a failure, whatever its exit code is. A program that Meson skips counts as one case."""
    total, failed, skipped = summary(test) or (0, 0, 0)
    if total == 0:
        return 0, int(test["result"] != "SKIP"), int(test["result"] == "SKIP")
    passed = total - failed - skipped
    if test["result"] != "OK" and failed == 0:
        failed = 1  # all cases are fine, yet the program crashed, leaked, or did not end
    return passed, failed, skipped


def skips(test):
    """[(name, reason)] of the skipped cases; as many as count() says."""
    if not summary(test):
        if test["result"] != "SKIP":
            return []
        said = SKIPPED.findall((test.get("stdout") or "") + "\n" + (test.get("stderr") or ""))
        return [(program(test), said[-1] if said else NO_REASON)]
    known = [
        (f"{program(test)}: {case.name}", case.why or NO_REASON) for case in cases(test) if case.result == "IGNORE"
    ]
    total = count(test)[2]
    return known[:total] + [(program(test), NO_REASON)] * (total - len(known))


def failures(test):
    """The names of the failed cases; the program's result where no case has failed."""
    if not count(test)[1]:
        return []
    names = list(dict.fromkeys(case.name for case in cases(test) if case.result == "FAIL"))
    return names or [f"({test['result'].lower()}, exit code {test['returncode']})"]
