#!/usr/bin/env python3
"""Does "scripts/soak flake" name what fails only sometimes, and go on where it was interrupted?

usage: test_flake.py SOURCE-ROOT [PART-OF-A-NAME...]

It plays on a Meson project of its own, whose tests are Python: nothing is compiled.
"""

import collections
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
from cases import Failed, case, has, lacks, main, same  # noqa: E402

ROOT = pathlib.Path(sys.argv[1]).resolve()
SCRATCH = tempfile.TemporaryDirectory()
BUILD = pathlib.Path(SCRATCH.name) / "build"
LEDGER = pathlib.Path(SCRATCH.name) / "ledger"
GATE = pathlib.Path(SCRATCH.name) / "gate"

# For what comes if it comes at all, on a machine that is busy.
WAIT_S = 60 * max(1, int(os.environ.get("PROBATE_TEST_PATIENCE", "100")) // 100)

PROJECT = """project('scratch')
program = find_program('program.py')
test('parity', program, args: ['parity'], suite: 'unit')
test('plain', program, args: ['plain'], suite: 'unit')
test('two words', program, args: ['plain'], suite: 'unit')
test('skips', program, args: ['skips'], suite: 'unit')
test('slow', program, args: ['slow'], suite: 'late', timeout: 1)
test('gate', program, args: ['gate'], suite: ['gated', 'cluster'], timeout: 60)
test('forever', program, args: ['plain'], suite: 'soak')
"""

# Each start is noted with the seed; "gate" ends when there is a file, or when this test is over.
PROGRAM = f"""#!/usr/bin/env python3
import os, pathlib, sys, time
mode, seed = sys.argv[1], int(os.environ["PROBATE_TEST_SEED"])
with open("{LEDGER}", "a") as ledger:
    ledger.write(f"{{mode}} {{seed}} {{os.environ['PROBATE_TEST_JITTER_MS']}}\\n")
if mode == "parity":
    print("a.c:1:test_even:PASS (1 ms)")
    print("a.c:2:test_odd:FAIL: the seed is odd (1 ms)" if seed % 2 else "a.c:2:test_odd:PASS (1 ms)")
    print(f"2 Tests {{seed % 2}} Failures 0 Ignored")
    sys.exit(seed % 2)
if mode == "skips":
    print("skipped: it always does")
    sys.exit(77)
if mode == "slow":
    time.sleep(1.5)
while mode == "gate" and not os.path.exists("{GATE}") and os.path.exists(sys.argv[0]):
    time.sleep(0.02)
print("1 Tests 0 Failures 0 Ignored")
"""


def set_up():
    folder = pathlib.Path(SCRATCH.name)
    (folder / "meson.build").write_text(PROJECT, encoding="utf-8")
    (folder / "program.py").write_text(PROGRAM, encoding="utf-8")
    (folder / "program.py").chmod(0o755)
    subprocess.run(["meson", "setup", str(BUILD), str(folder)], stdout=subprocess.DEVNULL, check=True, timeout=WAIT_S)


def environment():
    # The scratch project's own deadlines are not this test's.
    return os.environ | {"PROBATE_TEST_PATIENCE": "100"}


def command(*arguments):
    return [str(ROOT / "tests/soak/flake"), "--build", str(BUILD), *arguments]


def flake(*arguments):
    """(output, exit code) of a run that leaves the cores to the tests beside this one."""
    LEDGER.unlink(missing_ok=True)
    load = () if "--resume" in arguments else ("--no-load",)
    done = subprocess.run(command(*load, *arguments), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                          env=environment(), timeout=WAIT_S)
    return done.stdout, done.returncode


def started():
    """How often each test was started, by its mode."""
    lines = LEDGER.read_text(encoding="utf-8").splitlines() if LEDGER.exists() else []
    return collections.Counter(line.split()[0] for line in lines)


def last(output):
    return output.splitlines()[-1]


def until(holds, what):
    deadline = time.monotonic() + WAIT_S
    while not holds():
        if time.monotonic() > deadline:
            raise Failed(f"it did not come to this: {what}")
        time.sleep(0.02)


def start_until_the_gate(*arguments):
    """A run of two tests in one round that has done "plain" and is in the middle of "gate"."""
    LEDGER.unlink(missing_ok=True)
    GATE.unlink(missing_ok=True)
    run = subprocess.Popen(command("plain", "gated", "--rounds", "1", *arguments), stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, text=True, env=environment())
    state = BUILD / "flake/state.jsonl"
    until(lambda: started()["gate"] == 1 and state.exists() and '"test": "plain"' in state.read_text(encoding="utf-8"),
          "one test is done, the other one runs")
    return run


def children(pid):
    """{pid: command line} of a process's children."""
    found = {}
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text(encoding="utf-8").rpartition(") ")[2].split()[1])
            if parent == pid:
                found[int(stat.parent.name)] = (stat.parent / "cmdline").read_text(encoding="utf-8", errors="replace")
        except (FileNotFoundError, ProcessLookupError):
            continue
    return found


def busy(pid):
    return [child for child, line in children(pid).items() if "getppid" in line]


def lives(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(") ")[2][0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


# ----------------------------------------------------------------------------------------------------------- failures


@case
def a_case_that_fails_is_named_with_its_seed_and_how_to_repeat_it():
    output, code = flake("parity", "plain", "--rounds", "2", "--seed", "7")
    same(1, code)
    has("\nparity: test_odd  failed 2 of 2 rounds  seeds: 7, 7\n    scripts/soak flake parity --rounds 1 --seed 7\n", output)
    lacks("test_even", output)
    same("4 passed, 2 failed", last(output))


@case
def the_output_of_what_failed_is_kept():
    output, _ = flake("parity", "--rounds", "1", "--seed", "7")
    kept = BUILD / "flake/output/parity-round1.txt"
    has(f"    {kept}\n", output)
    has("a.c:2:test_odd:FAIL: the seed is odd (1 ms)", kept.read_text(encoding="utf-8"))


@case
def what_a_seed_does_not_break_passes():
    output, code = flake("parity", "--rounds", "2", "--seed", "8")
    same((0, "4 passed, 0 failed"), (code, last(output)))


@case
def each_round_has_a_seed_of_its_own_and_only_those_that_failed_are_named():
    output, _ = flake("parity", "--rounds", "4", "--jitter", "3")
    seeds = [int(line.split()[1]) for line in LEDGER.read_text(encoding="utf-8").splitlines()]
    same(4, len(set(seeds)))
    odd = [str(seed) for seed in seeds if seed % 2]
    if odd:
        has(f"parity: test_odd  failed {len(odd)} of 4 rounds  seeds: {', '.join(odd)}\n", output)
    same(f"{8 - len(odd)} passed, {len(odd)} failed", last(output))
    same({"3"}, {line.split()[2] for line in LEDGER.read_text(encoding="utf-8").splitlines()})


@case
def a_suite_means_its_tests_and_skips_are_counted():
    output, code = flake("unit", "--rounds", "1", "--seed", "2")
    same((0, "4 passed, 0 failed, 1 skipped"), (code, last(output)))
    same({"parity": 1, "plain": 2, "skips": 1}, dict(started()))


@case
def a_test_has_more_time_than_meson_gives_it():
    output, code = flake("late", "--rounds", "1")
    same((0, "1 passed, 0 failed"), (code, last(output)))


@case
def the_release_is_on_the_line_before_the_last():
    output, _ = flake("plain", "--rounds", "1", "--release", "Kubernetes v1.20.2")
    same(["Kubernetes v1.20.2", "1 passed, 0 failed"], output.splitlines()[-2:])


# ----------------------------------------------------------------------------------------------------- interruptions


@case
def a_run_that_is_out_of_time_says_what_it_left_out_and_is_resumed():
    output, code = flake("plain", "two words", "--rounds", "2", "--minutes", "0")
    same(1, code)  # nothing has passed
    has("not run in round 1: ", output)
    has("not run in round 2: ", output)
    has("scripts/soak flake --resume", output)
    same(({}, "0 passed, 0 failed"), (dict(started()), last(output)))
    output, code = flake("--resume")
    same((0, "4 passed, 0 failed"), (code, last(output)))
    lacks("not run", output)


@case
def an_interrupted_run_is_resumed_without_repeating_what_is_done():
    run = start_until_the_gate("--no-load")
    run.send_signal(signal.SIGTERM)
    output = run.communicate(timeout=WAIT_S)[0]
    same((130, "1 passed, 0 failed"), (run.returncode, last(output)))
    has("not run in round 1: gate\n", output)
    GATE.touch()
    output, code = flake("--resume")
    same((0, "2 passed, 0 failed"), (code, last(output)))
    same({"gate": 1}, dict(started()))


@case
def a_killed_run_is_resumed_and_a_line_that_was_not_written_to_its_end_does_not_count():
    run = start_until_the_gate()
    started_by_it = list(children(run.pid))
    run.kill()
    run.communicate(timeout=WAIT_S)
    until(lambda: not any(map(lives, started_by_it)), "the busy processes and the test have ended")
    GATE.touch()
    with open(BUILD / "flake/state.jsonl", "a", encoding="utf-8") as state:
        state.write('{"round": 0, "test": "ga')
    output, code = flake("--resume")
    same((0, "2 passed, 0 failed"), (code, last(output)))
    same({"gate": 1}, dict(started()))


@case
def a_run_that_left_something_out_is_not_clean():
    run = start_until_the_gate("--no-load")
    run.send_signal(signal.SIGTERM)
    run.communicate(timeout=WAIT_S)
    output, code = flake("--resume", "--minutes", "0")
    same((1, "1 passed, 0 failed"), (code, last(output)))


@case
def a_run_on_another_release_or_of_another_commit_is_not_resumed():
    flake("plain", "--rounds", "1", "--release", "Kubernetes v1.20.2")
    output, code = flake("--resume", "--release", "Kubernetes v1.36.4")
    same(2, code)
    has("the last run was of Kubernetes v1.20.2, this one would be of Kubernetes v1.36.4", output)
    state = BUILD / "flake/state.jsonl"
    plan, *rest = state.read_text(encoding="utf-8").splitlines(keepends=True)
    state.write_text(json.dumps(json.loads(plan) | {"commit": "commit 0"}) + "\n" + "".join(rest), encoding="utf-8")
    output, code = flake("--resume", "--release", "Kubernetes v1.20.2")
    same(2, code)
    has("the last run was of commit 0, this one would be of ", output)


@case
def the_load_and_the_jitter_are_named():
    output, _ = flake("plain", "--rounds", "1", "--jitter", "7")
    has(f"{len(os.sched_getaffinity(0))} cores, not kept busy, calls held up for up to 7 ms\n1 passed", output)


@case
def what_was_resumed_to_its_end_runs_nothing_again():
    flake("plain", "--rounds", "1")
    output, code = flake("--resume")
    same((0, "1 passed, 0 failed", {}), (code, last(output), dict(started())))


# ---------------------------------------------------------------------------------------------------------------- load


@case
def every_core_has_a_busy_process_as_long_as_the_round_runs():
    run = start_until_the_gate()
    loads = busy(run.pid)
    same(len(os.sched_getaffinity(0)), len(loads))
    GATE.touch()
    run.communicate(timeout=WAIT_S)
    same((0, False), (run.returncode, any(map(lives, loads))))


@case
def without_load_there_is_none():
    run = start_until_the_gate("--no-load")
    same([], busy(run.pid))
    GATE.touch()
    run.communicate(timeout=WAIT_S)
    same(0, run.returncode)


# ----------------------------------------------------------------------------------------------------------- arguments


@case
def wrong_usage_is_exit_2():
    for arguments in (["moon"], ["--resume", "plain"], ["--resume", "--rounds", "2"], ["--resume", "--no-load"], ["--rounds", "0"], ["--seed", "-1"],
                      ["--frob"]):
        same((arguments, 2), (arguments, flake(*arguments)[1]))


@case
def a_resume_of_nothing_is_exit_2():
    (BUILD / "flake/state.jsonl").unlink(missing_ok=True)
    output, code = flake("--resume")
    same((2, "flake: there is no run to resume"), (code, last(output)))


@case
def only_tests_of_suite_cluster_need_one():
    same(77, flake("plain", "--needs-cluster")[1])
    same(0, flake("plain", "gate", "--needs-cluster")[1])
    same(0, flake("--needs-cluster")[1])


@case
def soaks_are_not_run():
    flake("plain", "--rounds", "1")
    plan = json.loads((BUILD / "flake/state.jsonl").read_text(encoding="utf-8").splitlines()[0])
    same(["plain"], plan["tests"])
    same(2, flake("forever")[1])


if __name__ == "__main__":
    set_up()
    sys.exit(main(sys.argv[2:]))
