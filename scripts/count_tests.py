#!/usr/bin/env python3
"""Counts the test cases in a testlog.json of "meson test".

usage: count_tests.py [--release TEXT] TESTLOG

A program counts as the cases of its summary lines, which are like Unity's; one without them has failed. First come the last lines of what
failed; then the skipped cases by their reasons; then TEXT, which names the Kubernetes release; then, alone on the last
line, "N passed, N failed", or "N passed, N failed, N skipped" when cases were skipped. Exits 1 when something failed or
nothing passed.
"""

import argparse
import sys

sys.dont_write_bytecode = True
import test_log  # noqa: E402

SHOWN_LINES = 60
SHOWN_NAMES = 20


def show_failed(test):
    """Prints the end of what a failed test had to say."""
    print(f"\n--- {test['name']}: {test['result']}, exit code {test['returncode']}, {test['duration']:.1f} s")
    print("    " + " ".join(test["command"]))
    for stream in ("stdout", "stderr"):
        lines = (test.get(stream) or "").splitlines()
        if len(lines) > SHOWN_LINES:
            print(f"    ... ({len(lines) - SHOWN_LINES} lines of {stream} before)")
        for line in lines[-SHOWN_LINES:]:
            print("    " + line)


def show_skipped(skips):
    """Prints the skipped cases, those with the same reason together."""
    reasons = {}
    for name, reason in skips:
        reasons.setdefault(reason, []).append(name)
    for reason, names in reasons.items():
        print(f"\n{len(names)} skipped: {reason}")
        for name in names[:SHOWN_NAMES]:
            print("    " + name)
        if len(names) > SHOWN_NAMES:
            print(f"    and {len(names) - SHOWN_NAMES} more")


def last_line(passed, failed, skipped):
    """The count, as scripts/test ends with it."""
    return f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else "")


def main():
    parser = argparse.ArgumentParser(usage="count_tests.py [--release TEXT] TESTLOG")
    parser.add_argument("--release", metavar="TEXT", help="the Kubernetes release, printed before the last line")
    parser.add_argument("log", metavar="TESTLOG")
    arguments = parser.parse_args()
    tests = test_log.read(arguments.log)
    counts = [test_log.count(test) for test in tests]
    for test, (_, failed, _) in zip(tests, counts):
        if failed:
            show_failed(test)
    show_skipped([skip for test in tests for skip in test_log.skips(test)])
    passed, failed, skipped = (sum(column) for column in zip(*counts)) if counts else (0, 0, 0)
    print()
    if arguments.release:
        print(arguments.release)
    print(last_line(passed, failed, skipped))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
