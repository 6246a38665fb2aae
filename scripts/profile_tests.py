#!/usr/bin/env python3
"""Says where the time of a run of the tests went, by a testlog.json of "meson test".

usage: profile_tests.py [--phases FILE] [--slowest N] TESTLOG

FILE has lines "phase NAME SECONDS": what was done before and around the tests. Then come the time from the first start
to the last end, the time of all programs together, how many ran at once on average, and the N slowest programs and
cases. "in cases" is the sum of a program's cases: what is missing is its own set-up, and it is more than the program's
time where cases run side by side. A program that says nothing of cases is one case.
"""

import argparse
import re
import sys

sys.dont_write_bytecode = True
import test_log  # noqa: E402

PHASE = re.compile(r"^phase (\S.*?) (\d+(?:\.\d+)?)$")
SLOWEST = 30


def seconds(amount):
    return f"{amount:8.1f} s"


def read_phases(path):
    """[(name, seconds)] in the order of the file; lines of another form are an error of the caller's."""
    phases = []
    with open(path, encoding="utf-8") as lines:
        for line in filter(None, map(str.strip, lines)):
            found = PHASE.match(line)
            if not found:
                raise SystemExit(f"profile_tests.py: not a phase: {line}")
            phases.append((found[1], float(found[2])))
    return phases


def show_phases(phases):
    for name, amount in phases:
        print(f"{seconds(amount)}  {name}")
    if phases:
        print(f"{seconds(sum(amount for _, amount in phases))}  together\n")


def show_sums(tests):
    """The programs of a run, as a whole."""
    if not tests:
        print("no program has run")
        return
    wall = max(one["starttime"] + one["duration"] for one in tests) - min(one["starttime"] for one in tests)
    busy = sum(one["duration"] for one in tests)
    print(f"{seconds(wall)}  from the first start to the last end")
    print(f"{seconds(busy)}  of {len(tests)} programs: {busy / wall if wall > 0 else 1:.1f} at once")


def timed_cases(test):
    """[(seconds, name)] of a program's cases; itself when they are not timed."""
    timed = [(case.ms / 1000, f"{test_log.program(test)}: {case.name}") for case in test_log.cases(test) if case.ms is not None]
    return timed or [(test["duration"], test_log.program(test))]


def in_cases(test):
    """What a program's cases took together, as text."""
    timed = [case.ms / 1000 for case in test_log.cases(test) if case.ms is not None]
    return f"{len(timed)} cases, {sum(timed):.1f} s in cases" if timed else "cases are not timed"


def show_slowest(tests, limit):
    print(f"\nthe {limit} slowest programs:")
    for test in sorted(tests, key=lambda one: -one["duration"])[:limit]:
        print(f"{seconds(test['duration'])}  {test_log.program(test)} ({in_cases(test)})")
    print(f"\nthe {limit} slowest cases:")
    cases = sorted((case for test in tests for case in timed_cases(test)), key=lambda one: -one[0])
    for amount, name in cases[:limit]:
        print(f"{seconds(amount)}  {name}")


def main():
    parser = argparse.ArgumentParser(usage="profile_tests.py [--phases FILE] [--slowest N] TESTLOG")
    parser.add_argument("--phases", metavar="FILE")
    parser.add_argument("--slowest", metavar="N", type=int, default=SLOWEST)
    parser.add_argument("log", metavar="TESTLOG")
    arguments = parser.parse_args()
    tests = test_log.read(arguments.log)
    print("\nwhere the time went:")
    if arguments.phases:
        show_phases(read_phases(arguments.phases))
    show_sums(tests)
    show_slowest(tests, arguments.slowest)
    return 0


if __name__ == "__main__":
    sys.exit(main())
