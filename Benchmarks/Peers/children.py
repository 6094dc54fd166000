"""Commands that are run for the benchmark, none of which outlives it."""

import os
import signal
import subprocess
import sys
import tempfile


class CommandFailed(Exception):
    """A command that could not be run or did not succeed, with what it said."""


def call(arguments, stdout=subprocess.DEVNULL, environment=None, folder=None, name=None):
    """Runs a command to its end. What it says on standard error is kept for the case that it fails.

    A failure is said of `name`, where that is not the program.
    """
    with tempfile.TemporaryFile() as said:
        try:
            # A session of its own, so that all that a command started can be ended with it.
            child = subprocess.Popen(
                arguments, stdin=subprocess.DEVNULL, stdout=stdout, stderr=said, env=environment, cwd=folder,
                start_new_session=True)
        except OSError as error:
            raise CommandFailed(f"{arguments[0]}: {error.strerror}") from error
        try:
            status = child.wait()
        except BaseException:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
            raise
        if status != 0:
            said.seek(0)
            lines = said.read().decode(errors="replace").strip().splitlines()[-8:]
            how = f"signal {-status}" if status < 0 else f"status {status}"
            raise CommandFailed("\n    ".join([f"{name or arguments[0]} ended with {how}", *lines]))


def output(arguments, folder=None):
    """What a command writes to standard output, without the last line's end."""
    with tempfile.TemporaryFile() as written:
        call(arguments, stdout=written, folder=folder)
        written.seek(0)
        return written.read().decode(errors="replace").strip()


def say(text):
    print(text, file=sys.stderr, flush=True)
