"""Folders for a task's own files. They disappear with the task, or with the next one if it was killed."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Optional, Sequence, Type

from .failures import CANNOT_CREATE, TransientError
from .store import AnyPath, name_of

SETTING = "--scratch DIR, spark.sheaf.scratch or spark.local.dir sets the folder for temporary files"

_PREFIX = "sheaf-spark-"
_LOCK = ".lock"


class Scratch:
    """A folder that exists inside a `with` statement. A lock shows others that it is in use."""

    def __init__(self, folders: Sequence[AnyPath]) -> None:
        """`folders` are in order of preference; without any, those of Spark, or the system's are used."""
        self._folders = [name_of(folder) for folder in folders] or _default_folders()
        self._lock: Optional[int] = None
        self.path = Path()

    def __enter__(self) -> Scratch:
        """Raises `TransientError` if no folder can be used, since another machine may have one."""
        problems: list[str] = []
        for folder in self._folders:
            try:
                os.makedirs(folder, exist_ok=True)
                sweep(folder)
                self._create(folder)
                return self
            except OSError as error:
                problems.append(f"{folder}: {error.strerror}")
        raise TransientError(f"no folder for temporary files: {'; '.join(problems)}; {SETTING}", CANNOT_CREATE)

    def _create(self, folder: str) -> None:
        while True:
            path = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=folder))
            lock = os.open(path / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
            fcntl.flock(lock, fcntl.LOCK_EX)
            # Another task may have taken the folder for an abandoned one before it was locked.
            if (path / _LOCK).exists():
                self._lock = lock
                self.path = path
                return
            os.close(lock)

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        shutil.rmtree(self.path, ignore_errors=True)
        if self._lock is not None:
            os.close(self._lock)


def sweep(folder: str) -> None:
    """Removes the folders of killed tasks from `folder`, and from those of other executors if it is Spark's."""
    base = Path(folder)
    found = list(base.glob(_PREFIX + "*"))
    if base.name.startswith("blockmgr-"):
        # Each executor has its own, next to the others of the application or one level above. Spark removes them when
        # the application ends, which may be long after an executor was killed.
        found += base.parent.glob(f"blockmgr-*/{_PREFIX}*")
        found += base.parent.parent.glob(f"executor-*/blockmgr-*/{_PREFIX}*")
    for path in found:
        try:
            lock = os.open(path / _LOCK, os.O_RDWR)
        except OSError:
            # Another user's, or one that is being created at this moment.
            continue
        try:
            # The kernel released the lock when the process ended.
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(path, ignore_errors=True)
        except OSError:
            pass
        finally:
            os.close(lock)


def _default_folders() -> list[str]:
    # Spark tells its Python workers the folders of `spark.local.dir`, or of the cluster manager, in this variable.
    local = [folder for folder in os.environ.get("SPARK_LOCAL_DIRS", "").split(",") if folder]
    return local or [tempfile.gettempdir()]
