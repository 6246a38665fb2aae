#!/usr/bin/env python3
"""Counts the test cases in a testlog.json of "meson test".

usage: count_tests.py TESTLOG

A Unity program counts as the cases of its summary lines, any other test as one. The last lines of what failed are
printed; then "N skipped" if there are any; then, alone on the last line, "N passed, N failed". Exits 1 when something
failed or nothing passed.
"""

import json
import re
import sys

SUMMARY = re.compile(r"^(\d+) Tests (\d+) Failures (\d+) Ignored\s*$", re.MULTILINE)
SHOWN_LINES = 60


def count(test):
    """Returns (passed, failed, skipped) of one entry of the log."""
    summaries = [tuple(map(int, found)) for found in SUMMARY.findall(test.get("stdout") or "")]
    if not summaries:
        result = test["result"]
        return result in ("OK", "EXPECTEDFAIL"), result not in ("OK", "EXPECTEDFAIL", "SKIP"), result == "SKIP"
    cases, failed, skipped = (sum(column) for column in zip(*summaries))
    passed = cases - failed - skipped
    if test["result"] != "OK" and failed == 0:
        failed = 1  # all cases are fine, yet the program crashed, leaked, or did not end
    return passed, failed, skipped


def show(test):
    """Prints the end of what a failed test had to say."""
    print(f"\n--- {test['name']}: {test['result']}, exit code {test['returncode']}, {test['duration']:.1f} s")
    print("    " + " ".join(test["command"]))
    for stream in ("stdout", "stderr"):
        lines = (test.get(stream) or "").splitlines()
        if len(lines) > SHOWN_LINES:
            print(f"    ... ({len(lines) - SHOWN_LINES} lines of {stream} before)")
        for line in lines[-SHOWN_LINES:]:
            print("    " + line)


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    passed = failed = skipped = 0
    with open(sys.argv[1], encoding="utf-8", errors="replace") as log:
        for line in log:
            test = json.loads(line)
            counts = count(test)
            passed, failed, skipped = passed + counts[0], failed + counts[1], skipped + counts[2]
            if counts[1]:
                show(test)
    print()
    if skipped:
        print(f"{skipped} skipped")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
