"""The `sheaf` command as a child process."""

from __future__ import annotations

import inspect
import os
import shutil
import subprocess
import warnings
from contextlib import contextmanager
from typing import IO, Any, Iterator, Mapping, Optional, Sequence

from sheaf_spark import process
from sheaf_spark.failures import RESULTS
from sheaf_spark.store import AnyPath


class SheafError(Exception):
    """The command failed. `status` is its exit status, or the number of a signal, as a negative number."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


def arguments(command: str, sources: Sequence[str], options: Mapping[str, Any]) -> list[str]:
    """Returns the arguments of a command.

    An option has the name of its argument with underscores; one that is a word of Python may end in one: `with_`. True
    gives the argument alone, False and None leave it out, and a list repeats it.
    """
    given = [command]
    for name, value in options.items():
        flag = "--" + name.rstrip("_").replace("_", "-")
        for item in value if isinstance(value, (list, tuple)) else [value]:
            if item is None or item is False:
                continue
            given += [flag] if item is True else [flag, os.fspath(item) if isinstance(item, os.PathLike) else str(item)]
    # A name may begin with a hyphen.
    return [*given, "--", *sources]


def binary(path: Optional[AnyPath] = None) -> str:
    """Returns the path of the command: the given one, that in the variable SHEAF, or the first in PATH.

    Raises `SheafError` with status 127 if there is none.
    """
    name = os.fspath(path) if path is not None else os.environ.get("SHEAF", "sheaf")
    found = shutil.which(name)
    if found is None:
        raise SheafError(f"{name}: no such command: install sheaf in PATH, or give its path as sheaf=…", 127)
    return found


@contextmanager
def output(command: Sequence[str]) -> Iterator[IO[bytes]]:
    """Runs a command and gives its standard output as a stream, which need not be read to its end.

    Warnings, and messages about rejected lines, become Python warnings at the end. Raises `SheafError` if the command
    fails.
    """
    child = process.start(command, stdout=subprocess.PIPE)
    assert child.stdout is not None
    # In a thread of its own, so that the command never waits for a reader of its messages.
    messages = process.Drain(child.stderr, process.MESSAGE_LIMIT)
    was_read = False
    try:
        yield child.stdout
        was_read = not child.stdout.read(1)
    finally:
        if not was_read:
            child.kill()
        child.stdout.close()
        status = child.wait()
        lines = messages.finish().decode("utf-8", "replace").splitlines()
        # An error of the reader is often due to one of the command, which explains it.
        if was_read or status > 0:
            _report(lines, status)


def _report(lines: Sequence[str], status: int) -> None:
    told = [line.partition(": ")[2] for line in lines if line.startswith(("sheaf: ", "Error: "))]
    if status not in RESULTS:
        text = "; ".join(line for line in told if not line.startswith("warning: ")) or "\n".join(lines[-3:])
        raise SheafError(text or f"sheaf ended with {status}", status)
    for line in told:
        warnings.warn(line.removeprefix("warning: "), stacklevel=_depth())


def _depth() -> int:
    """Returns how far the caller of the package is above `_report`, which warnings name."""
    frame, depth = inspect.currentframe(), 0
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] in (__package__, "contextlib"):
        frame, depth = frame.f_back, depth + 1
    return depth
