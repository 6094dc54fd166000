"""Child processes that never outlive the thread that waits for them.

Linux can send a signal to a process when its parent dies (`PR_SET_PDEATHSIG`). The "parent" is the *thread* that
forked, not the process: the child is killed when that thread ends, even if the process continues. Therefore `run`
forks and waits in the caller's thread, and helper threads only move bytes. A thread of a pool may end after its tasks,
never during one. A Python worker of Spark runs its tasks in its main thread, so that killing the worker kills the
child. Systems without `prctl`, such as macOS, have no such signal; there a child continues until it has finished.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Callable, Mapping, Optional, Sequence

_PR_SET_PDEATHSIG = 1

# Only the end of a child's messages is kept, so that a task's memory does not depend on them.
MESSAGE_LIMIT = 64 * 1024

# Loaded here because a forked child must not load libraries.
_prctl = ctypes.CDLL(None, use_errno=True).prctl if sys.platform.startswith("linux") else None

_children: dict[int, subprocess.Popen[bytes]] = {}
_children_lock = threading.Lock()


@dataclass(frozen=True)
class Completed:
    """How a child ended. `status` is negative for a signal, as in `subprocess`."""

    status: int
    output: bytes
    messages: str


def ends_with(parent: int) -> Callable[[], None]:
    """Returns what the child runs between `fork` and `exec`."""

    def prepare() -> None:
        if _prctl is not None:
            _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
            # If the parent died before the call, the signal never comes.
            if os.getppid() != parent:
                os._exit(128 + signal.SIGKILL)

    return prepare


def start(
    arguments: Sequence[str],
    *,
    stdin: Optional[int] = subprocess.DEVNULL,
    stdout: int = subprocess.DEVNULL,
    environment: Optional[Mapping[str, str]] = None,
    folder: Optional[Path] = None,
) -> subprocess.Popen[bytes]:
    """Starts a child that is killed when the calling thread ends. The same thread must wait for it.

    Raises `OSError` if the program can't be executed.
    """
    return subprocess.Popen(
        list(arguments),
        stdin=stdin,
        stdout=stdout,
        stderr=subprocess.PIPE,
        env=None if environment is None else dict(environment),
        cwd=folder,
        preexec_fn=ends_with(os.getpid()),
    )


def run(
    arguments: Sequence[str],
    *,
    feed: Optional[Callable[[IO[bytes]], None]] = None,
    capture: bool = False,
    output: Optional[IO[bytes]] = None,
    environment: Optional[Mapping[str, str]] = None,
    folder: Optional[Path] = None,
) -> Completed:
    """Runs a child to its end, and kills it if the caller is interrupted.

    `feed` writes to the child's standard input, in the caller's thread. If the child ends before it has read
    everything, the rest is dropped, and its status tells why. An exception from `feed` kills the child and is raised.
    Standard output is captured, or goes to the file `output`, or nowhere. Raises `OSError` if the program can't be executed.
    """
    stdout = subprocess.PIPE if capture else subprocess.DEVNULL
    child = start(
        arguments,
        stdin=subprocess.DEVNULL if feed is None else subprocess.PIPE,
        stdout=stdout if output is None else output.fileno(),
        environment=environment,
        folder=folder,
    )
    thread = threading.get_ident()
    with _children_lock:
        _children[thread] = child
    messages, captured = Drain(child.stderr, MESSAGE_LIMIT), Drain(child.stdout, None)
    try:
        if feed is not None:
            assert child.stdin is not None
            try:
                feed(child.stdin)
                child.stdin.close()
            except BrokenPipeError:
                pass
        status = child.wait()
    except BaseException:
        child.kill()
        child.wait()
        raise
    finally:
        with _children_lock:
            _children.pop(thread, None)
        if child.stdin is not None:
            try:
                child.stdin.close()
            except BrokenPipeError:
                pass
        text, content = messages.finish(), captured.finish()
    return Completed(status, content, text.decode("utf-8", "replace"))


def kill_children(threads: Sequence[int]) -> None:
    """Kills the children that these threads wait for. Each thread then sees that its child ended by a signal."""
    with _children_lock:
        for thread in threads:
            child = _children.get(thread)
            if child is not None:
                child.kill()


class Drain:
    """Reads a pipe until it is closed, in a thread of its own, so that the child never blocks on it."""

    def __init__(self, pipe: Optional[IO[bytes]], limit: Optional[int]) -> None:
        self._pipe = pipe
        self._limit = limit
        self._bytes = bytearray()
        self._thread: Optional[threading.Thread] = None
        if pipe is not None:
            self._thread = threading.Thread(target=self._read, name="sheaf-drain", daemon=True)
            self._thread.start()

    def _read(self) -> None:
        assert self._pipe is not None
        while True:
            block = self._pipe.read1(1 << 16)  # type: ignore[attr-defined]
            if not block:
                return
            self._bytes += block
            if self._limit is not None and len(self._bytes) > self._limit:
                del self._bytes[: -self._limit]

    def finish(self) -> bytes:
        if self._thread is not None and self._pipe is not None:
            self._thread.join()
            self._pipe.close()
        return bytes(self._bytes)
