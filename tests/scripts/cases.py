"""For tests of scripts in Python: cases that are counted one by one, as Unity's are."""

import sys
import time
import traceback

CASES = []


class Failed(Exception):
    """What a case wanted and did not get."""


def case(function):
    """Marks a function as a case; its name is the sentence that is to hold."""
    CASES.append(function)
    return function


def same(wanted, got):
    """Fails the case unless both are equal."""
    if wanted != got:
        raise Failed(f"wanted\n{wanted}\n got\n{got}")


def has(part, text):
    """Fails the case unless the text has the part."""
    if part not in text:
        raise Failed(f"wanted\n{part}\n somewhere in\n{text}")


def lacks(part, text):
    """Fails the case if the text has the part."""
    if part in text:
        raise Failed(f"did not want\n{part}\n anywhere in\n{text}")


def run_one(function):
    """Runs a case and prints its line; true when it holds."""
    began = time.monotonic()
    try:
        function()
        said = "PASS"
    except Exception as error:  # a case that breaks is a case that fails
        said = f"FAIL: {error if isinstance(error, Failed) else traceback.format_exc()}"
    print(f"{function.__name__}:{said} ({(time.monotonic() - began) * 1000:.0f} ms)", flush=True)
    return said == "PASS"


def main(parts):
    """Runs the cases whose name has one of the parts (all without parts) and ends with a summary line like Unity's."""
    chosen = [one for one in CASES if not parts or any(part in one.__name__ for part in parts)]
    failed = [one for one in chosen if not run_one(one)]
    print(f"\n{len(chosen)} Tests {len(failed)} Failures 0 Ignored\n{'FAIL' if failed else 'OK'}")
    return 1 if failed or not chosen else 0
