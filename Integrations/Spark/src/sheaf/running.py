"""The `sheaf` command as a child process."""

from __future__ import annotations

import inspect
import os
import shutil
import subprocess
import threading
import warnings
from contextlib import contextmanager
from typing import IO, Any, Iterator, Mapping, Optional, Sequence, Union

AnyPath = Union[str, "os.PathLike[str]"]

# The exit statuses with a complete result: some lines may be rejected, or a source damaged, or findings be errors.
_WITH_RESULT = (0, 65)


class SheafError(Exception):
    """The command failed. `status` is its exit status, or the number of a signal, as a negative number."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


def arguments(command: str, sources: Sequence[AnyPath], options: Mapping[str, Any]) -> list[str]:
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
    return [*given, "--", *(os.fspath(source) for source in sources)]


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
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert child.stdout is not None and child.stderr is not None
    messages: list[bytes] = []
    # In a thread of its own, so that the command never waits for a reader of its messages.
    reader = threading.Thread(target=messages.extend, args=(child.stderr,), daemon=True)
    reader.start()
    was_read = False
    try:
        yield child.stdout
        was_read = not child.stdout.read(1)
    finally:
        if not was_read:
            child.kill()
        child.stdout.close()
        status = child.wait()
        reader.join()
        child.stderr.close()
        lines = [line.decode("utf-8", "replace").rstrip() for line in messages]
        # An error of the reader is often due to one of the command, which says more.
        if was_read or status > 0:
            _report(lines, status)


def _report(lines: Sequence[str], status: int) -> None:
    told = [line.partition(": ")[2] for line in lines if line.startswith(("sheaf: ", "Error: "))]
    if status not in _WITH_RESULT:
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
