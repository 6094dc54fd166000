"""Shared by the tests: folders, logs, and the commands that they run."""

from __future__ import annotations

import atexit
import json
import os
import random
import select
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any, Optional, Sequence

ROOT = Path(__file__).resolve().parents[4]
PACKAGE = ROOT / "Integrations/Spark"
sys.path.insert(0, str(PACKAGE / "src"))


def _fake() -> str:
    """A command that starts as fast as this Python does: a version manager's `python3` may take much longer."""
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    path = Path(os.path.realpath(folder.name)) / "sheaf"
    path.write_text(f"#!{sys.executable} -SE\n" + Path(__file__).with_name("fake_sheaf.py").read_text())
    path.chmod(0o755)
    return str(path)


FAKE = _fake()

# What is not a function of the log.
INCIDENTAL = ("seconds", "peakResidentBytes", "spilledBytes")


def real_sheaf() -> Optional[str]:
    """The binary in SHEAF_BINARY, or the one of this checkout that was built last."""
    chosen = os.environ.get("SHEAF_BINARY")
    if chosen:
        return chosen
    built = [ROOT / ".build" / configuration / "sheaf" for configuration in ("release", "debug")]
    existing = [path for path in built if os.access(path, os.X_OK)]
    return str(max(existing, key=lambda path: path.stat().st_mtime)) if existing else None


class FolderTest(unittest.TestCase):
    """A test with an empty folder."""

    def setUp(self) -> None:
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(os.path.realpath(temporary.name))

    def path(self, *names: str) -> str:
        return str(self.folder.joinpath(*names))

    def write(self, name: str, content: str = "") -> str:
        target = self.folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(content)
        return str(target)

    def names(self, name: str) -> list[str]:
        return sorted(str(path.relative_to(self.folder / name)) for path in (self.folder / name).rglob("*"))


def joined(output: str) -> bytes:
    """The concatenated parts of an output folder."""
    return b"".join(path.read_bytes() for path in sorted(Path(output).glob("part-*")))


def essential(statistics: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in statistics.items() if key not in INCIDENTAL}


def seed() -> int:
    """The seed of a test with random choices: SHEAF_TEST_SEED repeats one."""
    chosen = int(os.environ.get("SHEAF_TEST_SEED") or random.SystemRandom().randrange(1 << 32))
    print(f"SHEAF_TEST_SEED={chosen}", file=sys.stderr)
    return chosen


def wait_for_end(process_id: int, seconds: float = 30) -> bool:
    """Waits until a process that need not be a child has ended. False if it has not by then."""
    try:
        descriptor = os.pidfd_open(process_id)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([descriptor], [], [], seconds)[0])
    finally:
        os.close(descriptor)


def run_once(sheaf: str, inputs: Sequence[str], output: str, *options: str, command: str = "replay") -> dict[str, Any]:
    """Runs one command and returns its statistics, if it writes some, with the exit status under `status`."""
    statistics = output + ".statistics"
    written = [] if command == "compare" else ["--stats", statistics]
    completed = subprocess.run(
        [sheaf, command, *inputs, "-o", output, *written, "-q", *options], stderr=subprocess.DEVNULL
    )
    known = json.loads(Path(statistics).read_text()) if written else {}
    return {**known, "status": completed.returncode}


def job_of(options: Any) -> Any:
    """Returns the function of the package for a job with these options."""
    import sheaf_spark

    return getattr(sheaf_spark, options.command)
