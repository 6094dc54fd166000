"""Runs commands for the benchmark. No command outlives it."""

import os
import signal
import subprocess
import sys
import tempfile


class CommandFailed(Exception):
    """A command could not be run or failed; the message includes its error output."""


def call(arguments, stdout=subprocess.DEVNULL, environment=None, folder=None, name=None):
    """Runs a command to completion. If it fails, the exception includes the end of its error output.

    The exception names `name` instead of the program if it is given.
    """
    with tempfile.TemporaryFile() as errors:
        try:
            # A separate session, so that all processes that a command started can be killed together.
            child = subprocess.Popen(
                arguments, stdin=subprocess.DEVNULL, stdout=stdout, stderr=errors, env=environment, cwd=folder,
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
            errors.seek(0)
            lines = errors.read().decode(errors="replace").strip().splitlines()[-8:]
            how = f"signal {-status}" if status < 0 else f"status {status}"
            raise CommandFailed("\n    ".join([f"{name or arguments[0]} ended with {how}", *lines]))


def output(arguments, folder=None):
    """Returns a command's standard output without surrounding white space."""
    with tempfile.TemporaryFile() as written:
        call(arguments, stdout=written, folder=folder)
        written.seek(0)
        return written.read().decode(errors="replace").strip()


def say(text):
    print(text, file=sys.stderr, flush=True)
