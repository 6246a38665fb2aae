"""Waits of the tests in Python: their deadlines are scaled and their messages are made as those of support/wait.h."""

import os
import time

PAUSE_S = 0.2


def patience(seconds):
    """A deadline, scaled to the machine: PROBATE_TEST_PATIENCE is in percent, and 100 stands for an idle machine."""
    try:
        percent = int(os.environ.get("PROBATE_TEST_PATIENCE", ""))
    except ValueError:
        percent = 100
    return seconds * min(max(percent, 100), 2000) / 100


def wait_for(what, look, seconds, is_it=lambda seen: seen is True):
    """Until what look() sees is it. The text of a wait in vain, with what was seen last; None: it came true."""
    began = time.monotonic()
    while True:
        seen = look()
        if is_it(seen):
            return None
        waited = time.monotonic() - began
        if waited >= patience(seconds):
            return f"waited {waited:.1f} s for: {what}; last seen: {seen}"
        time.sleep(PAUSE_S)
