#!/usr/bin/env python3
"""Prints the targets that the tests of a build folder need, so that only these are built.

usage: test_targets.py [--no-suite SUITE]... FOLDER

The tests of SUITE are left out. FOLDER is configured.
"""

import argparse
import json
import os
import subprocess


def introspect(folder, what):
    return json.loads(subprocess.run(["meson", "introspect", folder, what], check=True, capture_output=True).stdout)


def needed(tests, without):
    """The ids of what the tests run, and of what they are given as an argument or by "depends"."""
    suites = lambda test: {one.rpartition(":")[2] for one in test["suite"]}  # noqa: E731
    return {target for test in tests if not suites(test) & without for target in test["depends"]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--no-suite", action="append", default=[])
    parser.add_argument("folder")
    arguments = parser.parse_args()
    wanted = needed(introspect(arguments.folder, "--tests"), set(arguments.no_suite))
    for target in introspect(arguments.folder, "--targets"):
        if target["id"] in wanted:
            for file in target["filename"]:
                print(os.path.relpath(file, os.path.realpath(arguments.folder)))


main()
