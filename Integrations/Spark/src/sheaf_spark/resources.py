"""What a task may use of its machine."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Optional

from .failures import USAGE, PermanentError
from .store import AnyPath

_SIZE = re.compile(r"(\d+)\s*([kmgt]?)(i?b)?", re.IGNORECASE)
_UNITS = {"": 0, "k": 10, "m": 20, "g": 30, "t": 40}


@dataclass(frozen=True)
class Resources:
    """Limits of one task. What is None is left to the command."""

    tasks: int = 1
    """The number of tasks that run at a time, on all machines."""
    threads: Optional[int] = None
    memory: Optional[int] = None
    """In bytes."""
    folders: tuple[AnyPath, ...] = ()
    """Folders for scratch, in order of preference; the system's temporary folder if there are none."""

    def check(self) -> None:
        """Raises `PermanentError` for a number that is too small."""
        if self.threads is not None and self.threads < 1:
            raise PermanentError("--threads takes a number from 1", USAGE)

    def limits(self) -> list[str]:
        """Returns the arguments of the command for them."""
        threads = [] if self.threads is None else ["--threads", str(self.threads)]
        # In KiB: the command takes a number without a unit for a mistake.
        return threads if self.memory is None else [*threads, "--memory", f"{self.memory >> 10}KiB"]


def bytes_of(text: str, default_unit: str = "") -> int:
    """Returns the bytes in a size such as `512m`, `2g` or `64MiB`, in powers of 1024 as Spark and `sheaf` have them.

    `default_unit` is the unit of a number without one. Raises `PermanentError` if the text is not a size.
    """
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        raise PermanentError(f"'{text}' is not a size such as 512MiB or 2g", USAGE)
    unit = match.group(2).lower()
    if not unit and not match.group(3):
        unit = default_unit
    return int(match.group(1)) << _UNITS[unit]
