#!/usr/bin/env python3
"""Do the reports on a run of the tests say what its log says?

usage: test_reports.py SOURCE-ROOT [PART-OF-A-NAME...]
"""

import json
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from cases import case, has, main, same  # noqa: E402

ROOT = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(ROOT / "tests" / "support"))
from patience import patience  # noqa: E402

COMMAND_S = 60  # for one command
SCRATCH = tempfile.TemporaryDirectory()
FINE = "1 Tests 0 Failures 0 Ignored\nOK\n"


def entry(name="t", result="OK", code=0, stdout="", stderr="", start=0.0, duration=1.0):
    """One line of a testlog.json."""
    return {"name": f"probate:unit / {name}", "result": result, "returncode": code, "starttime": start,
            "duration": duration, "command": [name], "stdout": stdout, "stderr": stderr}


def write(name, text):
    """A scratch file, by its path."""
    path = pathlib.Path(SCRATCH.name) / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def report(script, *tests, options=()):
    """(lines, exit code) of a script on a log with these entries."""
    log = write("testlog.json", "".join(json.dumps(test) + "\n" for test in tests))
    done = subprocess.run([sys.executable, str(ROOT / "scripts" / script), *options, log], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False, timeout=patience(COMMAND_S))
    return done.stdout.splitlines(), done.returncode


def count(*tests, options=()):
    return report("count_tests.py", *tests, options=options)


# ------------------------------------------------------------------------------------------------------------- count


@case
def a_run_without_skips_ends_with_passed_and_failed():
    lines, code = count(entry(stdout="2 Tests 0 Failures 0 Ignored \nOK\n"))
    same((["", "2 passed, 0 failed"], 0), (lines, code))


@case
def skipped_cases_are_counted_and_named_under_their_reason():
    lines, code = count(
        entry("e2e", stdout="../tests/a.c:7:test_b:IGNORE: this API server has no CEL (0 ms)\n"
                            "../tests/a.c:9:test_c:PASS (12 ms)\n"
                            "../tests/a.c:11:a row: with a colon:IGNORE: this API server has no CEL (3 ms)\n"
                            "-----------------------\n3 Tests 0 Failures 2 Ignored \nOK\n"),
        entry("policies", stdout="plain:IGNORE: not root's\n1 Tests 0 Failures 1 Ignored\n"))
    same(["", "2 skipped: this API server has no CEL", "    e2e: test_b", "    e2e: a row: with a colon", "",
          "1 skipped: not root's", "    policies: plain", "", "1 passed, 0 failed, 3 skipped"], lines)
    same(0, code)


@case
def a_program_that_exits_77_is_one_skipped_case_with_the_reason_that_it_says_last():
    lines, _ = count(entry("one", stdout=FINE),
                     entry("chart", "SKIP", 77, "skipped: first\nskipped: helm is not there\nbye\n"))
    same(["", "1 skipped: helm is not there", "    chart", "", "1 passed, 0 failed, 1 skipped"], lines)


@case
def a_skip_without_a_reason_says_so():
    lines, _ = count(entry("one", stdout=FINE), entry("bare", "SKIP", 77), entry("sum", stdout="2 Tests 0 Failures 1 Ignored"))
    same(["", "2 skipped: no reason is given", "    bare", "    sum", "", "2 passed, 0 failed, 2 skipped"], lines)


@case
def many_cases_with_one_reason_are_named_up_to_twenty():
    rows = "".join(f"row {number}:IGNORE: too old\n" for number in range(23))
    lines, _ = count(entry("fine", stdout=FINE), entry("many", stdout=rows + "23 Tests 0 Failures 23 Ignored\n"))
    same("23 skipped: too old", lines[1])
    same(["    many: row 19", "    and 3 more", "", "1 passed, 0 failed, 23 skipped"], lines[-4:])


@case
def the_release_is_on_the_line_before_the_last():
    lines, _ = count(entry(stdout=FINE), options=("--release", "Kubernetes v1.20.2"))
    same(["Kubernetes v1.20.2", "1 passed, 0 failed"], lines[-2:])


@case
def the_end_of_what_failed_comes_first():
    lines, code = count(entry("skips", "SKIP", 77, "skipped: no"),
                        entry("bad", "FAIL", 1, "a.c:1:test_x:FAIL: Expected 1 Was 2 (4 ms)\n1 Tests 1 Failures 0 Ignored\n", "oh\n"))
    same(1, code)
    same("--- probate:unit / bad: FAIL, exit code 1, 1.0 s", lines[1])
    has("    a.c:1:test_x:FAIL: Expected 1 Was 2 (4 ms)", "\n".join(lines))
    has("    oh", "\n".join(lines))
    same("0 passed, 1 failed, 1 skipped", lines[-1])


@case
def a_run_in_which_nothing_passed_has_failed():
    same(1, count(entry("skips", "SKIP", 77, "skipped: no"))[1])
    same((["", "0 passed, 0 failed"], 1), count())


@case
def a_program_that_does_not_come_to_its_summary_has_failed():
    for stdout in ("", "a.c:1:test_a:PASS (1 ms)\n", "0 Tests 0 Failures 0 Ignored\nOK\n"):
        lines, code = count(entry("early", "OK", 0, stdout))
        same((1, "0 passed, 1 failed"), (code, lines[-1]))


@case
def a_log_that_was_cut_is_a_failure():
    log = write("testlog.json", json.dumps(entry(stdout="2 Tests 0 Failures 0 Ignored\n")) + '\n{"name": "probate:un')
    done = subprocess.run([sys.executable, str(ROOT / "scripts" / "count_tests.py"), log], stdout=subprocess.PIPE, text=True,
                          check=False, timeout=patience(COMMAND_S))  # fmt: skip
    same((1, "2 passed, 1 failed"), (done.returncode, done.stdout.splitlines()[-1]))


# ----------------------------------------------------------------------------------------------------------- profile

TIMED = "a.c:1:test_slow:PASS (2500 ms)\na.c:2:test_fast:PASS (40 ms)\na.c:3:a row: it waits:FAIL: no (700 ms)\n"


MESON_BUILD = """project('p', 'c')
first = executable('first', 'a.c')
second = executable('second', 'a.c')
third = executable('third', 'a.c')
tool = executable('tool', 'a.c')
test('first', first, args: [tool], suite: ['unit'])
test('second', second, suite: ['unit', 'slow'])
test('third', third, suite: 'soak')
"""


@case
def the_targets_of_a_run_are_its_programs_and_what_they_are_given():
    source = pathlib.Path(SCRATCH.name) / "source"
    source.mkdir()
    (source / "meson.build").write_text(MESON_BUILD, encoding="utf-8")
    (source / "a.c").write_text("int main(void) { return 0; }\n", encoding="utf-8")
    subprocess.run(["meson", "setup", source / "b", source], check=True, capture_output=True, timeout=patience(COMMAND_S))

    def targets(*options):
        command = [sys.executable, str(ROOT / "scripts" / "test_targets.py"), *options, source / "b"]
        return sorted(subprocess.run(command, check=True, capture_output=True, text=True, timeout=patience(COMMAND_S)).stdout.split())

    same(["first", "second", "third", "tool"], targets())
    same(["first", "tool"], targets("--no-suite", "slow", "--no-suite", "soak"))


# As scripts/test --quick builds: the targets of the tests that it runs. Meson is run by ninja when a meson.build is new.
BUILD = """source "$1/scripts/lib.sh"
PROBATE_ROOT=$2
SCRIPTS=$1/scripts
targets_of() { python3 "$SCRIPTS/test_targets.py" --no-suite slow "$1"; }
compile_probate "$2/b"
"""


@case
def a_test_that_has_come_into_the_run_since_the_last_build_is_built():
    source = pathlib.Path(SCRATCH.name) / "moved"
    source.mkdir()

    def build(suite, code):
        text = f"project('p', 'c')\ntest('one', executable('one', 'one.c'), suite: '{suite}')\n"
        (source / "meson.build").write_text(text + "test('two', executable('two', 'two.c'))\n", encoding="utf-8")
        (source / "one.c").write_text(f"int main(void) {{ return {code}; }}\n", encoding="utf-8")
        (source / "two.c").write_text("int main(void) { return 0; }\n", encoding="utf-8")
        subprocess.run(["bash", "-c", BUILD, "build", ROOT, source], check=True, capture_output=True, timeout=patience(COMMAND_S))
        return subprocess.run([source / "b/one"], check=False, timeout=patience(COMMAND_S)).returncode

    same(3, build("unit", 3))
    same(3, build("slow", 4))  # not in the run
    same(5, build("unit", 5))


def profile(*tests, options=()):
    lines, code = report("profile_tests.py", *tests, options=options)
    same(0, code)
    return lines


@case
def the_sums_say_how_many_programs_ran_at_once():
    lines = profile(entry("a", start=100.0, duration=4.0), entry("b", start=100.5, duration=3.5))
    same(["     4.0 s  from the first start to the last end", "     7.5 s  of 2 programs: 1.9 at once"], lines[2:4])


@case
def the_slowest_come_first_and_no_more_than_asked_for():
    lines = profile(entry("waits", stdout=TIMED, duration=3.5), entry("plain", duration=1.0), entry("quick", duration=0.1),
                    options=("--slowest", "2"))
    same(["the 2 slowest programs:", "     3.5 s  waits (3 cases, 3.2 s in cases)",
          "     1.0 s  plain (cases are not timed)", "", "the 2 slowest cases:", "     2.5 s  waits: test_slow",
          "     1.0 s  plain"], lines[5:])


@case
def failed_cases_are_timed_too():
    has("     0.7 s  waits: a row: it waits", "\n".join(profile(entry("waits", "FAIL", 1, TIMED))))


@case
def the_phases_come_first_with_their_sum():
    phases = write("phases", "phase control plane 240\nphase build 31\nphase tests 100.5\n")
    same(["", "where the time went:", "   240.0 s  control plane", "    31.0 s  build", "   100.5 s  tests",
          "   371.5 s  together", ""], profile(entry(), options=("--phases", phases))[:7])


@case
def a_log_without_programs_is_no_error():
    has("no program has run", "\n".join(profile()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[2:]))
