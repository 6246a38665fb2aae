#!/usr/bin/env python3
"""tests/docs/tutorial.py PROGRAM [--keep-going]: does docs/tutorial.md tell the truth?

Types what its ```console blocks show into one shell, line by line, and compares what comes back with what they say:
white space is folded on both sides, and "..." stands for anything. What only looks is typed again, as a reader would,
until it shows what the page says: Probate may need a moment to get there. Manifests that it shows in ```yaml blocks after
"FILE:" must be what the files hold. Clusters are its own, and so are the ports: those of the page are replaced.
"""

import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "support"))
from patience import patience, wait_for  # noqa: E402

PAGE = os.path.join(ROOT, "docs", "tutorial.md")
PORTS = ("9443", "8081", "8082")  # as the page has them
PATIENCE_S = patience(180)  # for one command; two control planes come up in 20 s, in 60 s on a machine with ten times the work it can do
LOOKS = re.compile(r"(kubectl( -n \S+| --kubeconfig \S+)* get|curl -s|grep) ")
LOOKING_S = 30  # it takes milliseconds, or seconds on a machine with ten times the work it can do


def blocks(text, language):
    return re.findall(r"^```%s\n(.*?)^```$" % language, text, re.M | re.S)


def steps(text):
    """[(command, expected output)] of one console block. A command goes on after a backslash, and in quotes."""
    found = []
    lines = iter(text.splitlines())
    for line in lines:
        if not line.startswith("$ "):
            if not found:
                raise SystemExit("a console block begins with a command, not with: " + line)
            found[-1][1].append(line)
            continue
        command = [line[2:]]
        while command[-1].endswith("\\") or "\n".join(command).count("'") % 2:
            command.append(next(lines))
        found.append(("\n".join(command), []))
    return [(command, "\n".join(output)) for command, output in found]


def fits(expected, output):
    pattern = ".*?".join(re.escape(" ".join(part.split())) for part in expected.split("..."))
    # A blank beside "..." may be part of what it stands for.
    pattern = pattern.replace(".*?", r"\s?.*?\s?")
    return re.fullmatch(pattern, " ".join(output.split())) is not None


def free_ports(count):
    """Not of those that the kernel gives to connections (from 32768 on): they stay free until the page needs them."""
    sockets = []
    try:
        for port in random.sample(range(10000, 20000), 1000):
            one = socket.socket()
            sockets.append(one)
            try:
                one.bind(("127.0.0.1", port))
            except OSError:
                sockets.pop().close()
            if len(sockets) == count:
                break
        return [str(one.getsockname()[1]) for one in sockets]
    finally:
        for one in sockets:
            one.close()


class Shell:
    """One bash for the whole page, so that variables and background processes last. It leads a session of its own."""

    def __init__(self, environment):
        self.process = subprocess.Popen(["bash", "--norc"], cwd=ROOT, env=environment, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                        start_new_session=True)

    def run(self, command):
        """What the command says, or None when it takes too long."""
        mark = "end-of-command-%d" % time.monotonic_ns()
        watchdog = threading.Timer(PATIENCE_S, self.kill)
        watchdog.start()
        output = []
        try:
            self.process.stdin.write("{ %s\n} </dev/null\necho; echo %s\n" % (command, mark))
            self.process.stdin.flush()
            for line in self.process.stdout:
                if line.strip() == mark:
                    return "".join(output)
                output.append(line)
        except BrokenPipeError:
            pass
        finally:
            watchdog.cancel()
        return None

    def kill(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def close(self):
        """What the page started in the background and left is ended too."""
        self.kill()
        self.process.wait()


def type_in(shell, command, expected):
    """What comes back in the end."""
    seen = []

    def look():
        seen.append(shell.run(command))
        return seen[-1]

    done = lambda output: output is None or fits(expected, output) or not LOOKS.match(command)
    wait_for("what the page says", look, LOOKING_S, done)
    return seen[-1]


def check_manifests(text):
    """A manifest that the page shows is the file that the commands use."""
    wrong = 0
    for name, shown in re.findall(r"^`(examples/tutorial/[a-z-]+\.yaml)`:\n\n```yaml\n(.*?)^```$", text, re.M | re.S):
        with open(os.path.join(ROOT, name), encoding="utf-8") as file:
            if file.read() != shown:
                print("%s is not what docs/tutorial.md shows of it" % name)
                wrong += 1
    return wrong


def for_old_server(shell, command):
    """What the page tells those to add whose API server does not know matchConditions."""
    if not command.startswith("probate manifest webhook "):
        return command
    known = shell.run("kubectl explain validatingwebhookconfiguration.webhooks.matchConditions >/dev/null 2>&1 && echo known")
    return command if known and "known" in known else command.replace(" | ", " --match-conditions=false | ", 1)


def play(shell, text, ports, keep_going):
    """How many commands were typed, and after how many something else came back."""
    typed = wrong = 0
    for command, expected in (step for block in blocks(text, "console") for step in steps(block)):
        command = for_old_server(shell, command)
        for port, own in ports.items():
            command, expected = command.replace(port, own), expected.replace(port, own)
        start = time.monotonic()
        output = type_in(shell, command, expected)
        took = time.monotonic() - start
        typed += 1
        if output is not None and fits(expected, output):
            print("%4.1f s  %s" % (took, command.splitlines()[0]), flush=True)
            continue
        wrong += 1
        print("WRONG, %.1f s\n$ %s\n--- docs/tutorial.md says:\n%s\n--- the shell says:\n%s\n---" % (
            took, command, expected, "nothing in time" if output is None else output.rstrip("\n")), flush=True)
        if output is None or not keep_going:
            break
    return typed, wrong


def environment_of(program, clusters, scratch):
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    tools = [os.path.join(cache, "probate", name) for name in sorted(os.listdir(os.path.join(cache, "probate")))
             if re.fullmatch(r"tools-v\d+", name)]
    kept = ("PROBATE_KUBERNETES", "PROBATE_TEST_PATIENCE")
    environment = {key: value for key, value in os.environ.items()
                   if key in kept or not key.startswith(("PROBATE_", "KUBE"))}
    environment.update(PATH=":".join([os.path.dirname(os.path.abspath(program))] + tools + [os.environ["PATH"]]),
                       PROBATE_CLUSTER_DIR=clusters, HOME=scratch, TMPDIR=scratch, LC_ALL="C.UTF-8",
                       XDG_CACHE_HOME=cache, NO_PROXY="127.0.0.1,localhost")
    return environment


def end_clusters(environment):
    for name in ("hub", "spoke"):
        subprocess.run([os.path.join(ROOT, "scripts", "cluster"), "down", name], env=environment, check=False,
                       stdout=subprocess.DEVNULL)


def main():
    program, keep_going = sys.argv[1], "--keep-going" in sys.argv[2:]
    with open(PAGE, encoding="utf-8") as file:
        text = file.read()
    scratch = tempfile.mkdtemp(prefix="probate-tutorial-")
    environment = environment_of(program, os.environ.get("PROBATE_TEST_E2E_DIR", os.path.join(scratch, "clusters")), scratch)
    end_clusters(environment)  # what a run left over that was itself killed
    mistaken = check_manifests(text)
    start = time.monotonic()
    ports = dict(zip(PORTS, free_ports(len(PORTS))))
    environment["PROBATE_OPS_LISTEN"] = "127.0.0.1:" + ports["8081"]  # the default is nowhere on the page
    shell = Shell(environment)
    try:
        typed, wrong = play(shell, text, ports, keep_going)
    finally:
        shell.close()
        end_clusters(environment)
        shutil.rmtree(scratch, ignore_errors=True)
    wrong += mistaken
    print("in %.0f s\n%d Tests %d Failures 0 Ignored\n%s" % (
        time.monotonic() - start, typed, wrong, "FAIL" if wrong else "OK"))
    return 1 if wrong else 0


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the clusters are ended
    sys.exit(main())
