"""The options of `sheaf replay` that a job takes, divided by the step that they belong to."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, fields
from typing import Any, Optional, Sequence

from .failures import USAGE, PermanentError

# Options that decide how lines become records and records become state: for `sheaf replay --partial`.
_OF_RECORDS = (
    "by_device", "max_arguments", "since", "until", "every", "offset", "removals", "delivery", "outcomes", "unique",
    "input", "app", "max_line", "inflater",
)  # fmt: skip
# Options that decide how state is shown: for the merge that writes a snapshot.
_OF_SNAPSHOT = ("locale", "now", "profile", "format", "sort", "top", "emit", "locked", "max_rejects")

# Those that `sheaf check` has, too.
OF_CHECK = ("config", "locale", "profile", "input", "app", "max_line", "inflater")

_SUFFIXES = {"ndjson": ".ndjson", "json": ".json", "csv": ".csv", "text": ".txt"}


@dataclass(frozen=True)
class ReplayOptions:
    """Options as on the command line of `sheaf replay`, with the same meaning and the same defaults."""

    config: Optional[str] = None
    """A path on the driver. The job ships the file and the string tables that it names."""
    by_device: bool = False
    max_arguments: Optional[int] = None
    since: Optional[str] = None
    until: Optional[str] = None
    every: Optional[str] = None
    offset: Optional[str] = None
    removals: bool = False
    delivery: bool = False
    outcomes: bool = False
    unique: bool = False
    input: Optional[str] = None
    """The name of a shape, or the path of a mapping file on the driver."""
    app: Optional[str] = None
    max_line: Optional[str] = None
    inflater: Optional[str] = None
    rejects: Optional[str] = None
    """The path or URI of a file for rejected lines."""
    locale: Optional[str] = None
    now: Optional[str] = None
    profile: Optional[str] = None
    format: str = "ndjson"
    sort: Optional[str] = None
    top: Optional[int] = None
    emit: Optional[str] = None
    locked: bool = False
    max_rejects: Optional[int] = None

    def check(self, partitions: Optional[int]) -> None:
        """Raises `PermanentError` for options that can't be combined."""
        if self.format not in _SUFFIXES:
            raise PermanentError(f"--format {self.format}: not one of {', '.join(_SUFFIXES)}", USAGE)
        if partitions is None:
            return
        if partitions < 1:
            raise PermanentError("--partitions takes a number from 1", USAGE)
        for given, text in (
            (self.top is not None, "--top"),
            (self.sort == "recent", "--sort recent"),
            (self.format in ("json", "text"), f"--format {self.format}"),
            (self.every is not None, "--every"),
        ):
            if given:
                raise PermanentError(f"{text} needs all groups in one part: leave out --partitions", USAGE)
        for given, text in ((self.outcomes, "--outcomes"), (self.unique, "--unique")):
            if given:
                raise PermanentError(f"{text} needs all records of a push in one part: leave out --partitions", USAGE)

    @property
    def suffix(self) -> str:
        """The end of the name of each part, by which the command selects the format."""
        return _SUFFIXES[self.format]

    def of_records(self) -> list[str]:
        return self._arguments(_OF_RECORDS)

    def of_snapshot(self) -> list[str]:
        return self._arguments(_OF_SNAPSHOT)

    def _arguments(self, names: Sequence[str]) -> list[str]:
        arguments: list[str] = []
        for name in names:
            value = getattr(self, name)
            if value is None or value is False:
                continue
            arguments.append("--" + name.replace("_", "-"))
            if value is not True:
                arguments.append(str(value))
        return arguments


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options to a parser, whose result `from_namespace` takes."""
    group = parser.add_argument_group("options of sheaf replay (see 'sheaf replay --help')")
    _add(group, [field.name for field in fields(ReplayOptions)])


def add_check_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options that `sheaf check` has, too."""
    _add(parser.add_argument_group("options of sheaf check (see 'sheaf check --help')"), OF_CHECK)


def _add(group: argparse._ArgumentGroup, names: Sequence[str]) -> None:
    for field in fields(ReplayOptions):
        if field.name not in names:
            continue
        flag = "--" + field.name.replace("_", "-")
        if field.type == "bool":
            group.add_argument(flag, action="store_true", default=False)
        else:
            whole = field.type == "Optional[int]"
            group.add_argument(flag, type=int if whole else str, default=field.default, metavar=field.name.upper())


def from_namespace(namespace: argparse.Namespace) -> ReplayOptions:
    values: dict[str, Any] = {
        field.name: getattr(namespace, field.name) for field in fields(ReplayOptions) if field.name in namespace
    }
    return ReplayOptions(**values)
