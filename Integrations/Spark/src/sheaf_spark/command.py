"""The `sheaf` command on the machine of a task: where it is, which one it is, and what its exit status means."""

from __future__ import annotations

import functools
import hashlib
import os
import platform
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Callable, Optional, Sequence

from . import process
from .failures import CONFIGURATION, PERMANENT, RESULTS, PermanentError, TransientError
from .scratch import SETTING
from .store import AnyPath, name_of

NAMED_SOURCES = "--sources-from"
KEYED_LINES = "--keyed"
PARTITIONS = "partial"
MEASURES = "measure"
COMPARISONS = "compare --partial"


class MissingCommand(PermanentError):
    """A machine has no binary, or one that it can't execute."""


@dataclass(frozen=True)
class Identity:
    """A binary, as the driver learned it from the first task."""

    version: str
    digest: str
    """SHA-256 of the file."""
    features: tuple[str, ...] = ()
    """Those of the constants of this module that it has."""


@dataclass(frozen=True)
class Command:
    """How to find the binary; `identity` is set once it is known, and every machine must then have the same."""

    path: Optional[AnyPath] = None
    identity: Optional[Identity] = None

    def locate(self) -> str:
        """Returns the path of the binary on this machine.

        Raises `MissingCommand` with status 78 that lists where it was looked for.
        """
        tried: list[str] = []
        for description, candidate in self._candidates():
            if candidate is None:
                tried.append(description)
            elif not os.path.isfile(candidate):
                tried.append(f"{candidate} ({description})")
            elif not os.access(candidate, os.X_OK):
                tried.append(f"{candidate} ({description}, not executable)")
            else:
                return os.path.abspath(candidate)
        raise MissingCommand(
            f"no sheaf command on {platform.node()}: looked for {', '.join(tried)}; name it with --sheaf PATH or "
            "spark.sheaf.binary, ship it with spark-submit --files, or install it in PATH",
            CONFIGURATION,
        )

    def _candidates(self) -> list[tuple[str, Optional[str]]]:
        path = None if self.path is None else name_of(self.path)
        shipped = _shipped(os.path.basename(path) if path else "sheaf")
        if path is not None:
            # A path that is not there may name a file that Spark ships under its last component.
            return [("--sheaf or spark.sheaf.binary", path), ("files shipped by Spark", shipped)]
        return [("files shipped by Spark", shipped), ("PATH", shutil.which("sheaf"))]

    def verified(self) -> str:
        """Returns the path of the binary. Raises `PermanentError` if it is another one than on the other machines."""
        path = self.locate()
        if self.identity is not None and digest_of(path) != self.identity.digest:
            raise PermanentError(
                f"{path} on {platform.node()} is not the sheaf {self.identity.version} of the other machines: "
                "install the same binary everywhere, or ship it with spark-submit --files",
                CONFIGURATION,
            )
        return path

    def run(
        self,
        arguments: Sequence[str],
        *,
        feed: Optional[Callable[[IO[bytes]], None]] = None,
        folder: Optional[Path] = None,
    ) -> process.Completed:
        """Runs the command. Its status is 0 or 65.

        Raises `PermanentError` for statuses with which another attempt ends too, and `TransientError` for others.
        """
        path = self.verified()
        try:
            completed = process.run([path, *arguments], feed=feed, folder=folder)
        except OSError as error:
            raise MissingCommand(
                f"{path} can't be executed on {platform.node()}: {error.strerror}: it may be for another system",
                CONFIGURATION,
            ) from error
        if completed.status in RESULTS:
            return completed
        problem = _problem(completed)
        if completed.status in PERMANENT:
            raise PermanentError(problem, completed.status)
        raise TransientError(
            f"{problem} (sheaf {arguments[0]} on {platform.node()}, {_ending(completed.status)})",
            completed.status if completed.status > 0 else 128 - completed.status,
        )


def probe(command: Command) -> Identity:
    """Identifies the binary of this machine. Raises `PermanentError` if it is missing or can't be executed."""
    path = command.locate()
    try:
        version = process.run([path, "--version"], capture=True)
        replay = process.run([path, "replay", "--help"], capture=True)
        overview = process.run([path, "--help"], capture=True)
        compare = process.run([path, "compare", "--help"], capture=True)
    except OSError as error:
        raise PermanentError(
            f"{path} can't be executed on {platform.node()}: {error.strerror}: it may be for another system",
            CONFIGURATION,
        ) from error
    if version.status != 0:
        raise PermanentError(
            f"{path} on {platform.node()} did not start ({_ending(version.status)}): {version.messages.strip()}",
            CONFIGURATION,
        )
    features = [name for name in (NAMED_SOURCES, KEYED_LINES) if name.encode() in replay.output]
    listed = {line.split()[0] for line in overview.output.decode("utf-8", "replace").splitlines() if line.split()}
    features += [name for name in (PARTITIONS, MEASURES) if name in listed]
    if b"--partial" in compare.output:
        features.append(COMPARISONS)
    text = version.output.decode("utf-8", "replace").strip().partition("\n")[0]
    return Identity(text, digest_of(path), tuple(features))


def require(identity: Identity, feature: str) -> None:
    """Raises `PermanentError` if the binary lacks a feature."""
    if feature not in identity.features:
        name = f"'sheaf {feature}'" if feature in (PARTITIONS, MEASURES, COMPARISONS) else f"'sheaf replay {feature}'"
        raise PermanentError(
            f"the wrong version of sheaf: {identity.version} has no {name}: "
            "build the command from the sources that this package comes with",
            CONFIGURATION,
        )


def digest_of(path: str) -> str:
    """Returns the SHA-256 of a file, which is read again only if it has changed."""
    status = os.stat(path)
    return _digest(path, status.st_size, status.st_mtime_ns)


@functools.lru_cache(maxsize=8)
def _digest(path: str, size: int, modified: int) -> str:
    sha = hashlib.sha256()
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            sha.update(block)
    return sha.hexdigest()


def _shipped(name: str) -> Optional[str]:
    """Where Spark puts a file of `--files`; None outside of a Spark program."""
    files = getattr(sys.modules.get("pyspark"), "SparkFiles", None)
    try:
        return None if files is None else str(files.get(name))
    except Exception:
        # Spark has no folder for files before a session has started.
        return None


def _problem(completed: process.Completed) -> str:
    lines = [line for line in completed.messages.splitlines() if line.startswith(("sheaf: ", "Error: "))]
    lines = [line for line in lines if not line.startswith("sheaf: warning")] or completed.messages.splitlines()[-1:]
    text = "; ".join(line.partition(": ")[2] or line for line in lines) or "sheaf failed without a message"
    if "No space left on device" in text:
        text += f"; free space on that disk; {SETTING}"
    return text


def _ending(status: int) -> str:
    return f"signal {-status}" if status < 0 else f"status {status}"
