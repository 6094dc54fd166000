"""The options of the commands that a job takes, divided by the step that they belong to."""

from __future__ import annotations

import argparse
import os
import re
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Mapping, Optional, Sequence, TypeVar

from .failures import USAGE, PermanentError
from .store import AnyPath, AnyPaths, name_of, names_of

# Options that decide how lines become records and records become state: for the commands with `--partial`.
_OF_RECORDS = (
    "since", "until", "every", "offset", "time_zone", "removals", "delivery", "outcomes", "unique", "input", "app",
    "max_line", "inflater",
)  # fmt: skip

# Those that `sheaf check` has, too.
OF_CHECK = ("config", "locale", "profile", "input", "app", "max_line", "inflater")

# The options that name files, those that name configurations, and those that name inputs.
_PATHS = ("config", "with_", "rejects")
_CONFIGURATIONS = ("config", "with_")
_INPUTS = ("input", "with_input")
# Those that may be given several times.
_REPEATED = (*_INPUTS, "fail_if")

# The number of ranges that the command divides keys into at most.
MAXIMUM_PARTITIONS = 10_000

Options = TypeVar("Options", bound="CommandOptions")


@dataclass(frozen=True)
class CommandOptions:
    """Options as on the command line, with the same meaning and the same defaults: those of all commands."""

    command: ClassVar[str]
    """The name of the command that reads the sources."""
    merging: ClassVar[str] = "merge"
    """The name of the command that merges partial results."""
    without_effect: ClassVar[Sequence[str]] = ()
    """Options of others that this command does not take."""
    has_statistics: ClassVar[bool] = True
    """Whether that command writes statistics."""
    suffixes: ClassVar[Mapping[str, str]] = {
        "ndjson": ".ndjson", "json": ".json", "csv": ".csv", "csv-iso": ".csv", "text": ".txt",
    }  # fmt: skip
    """The end of a part's name in each format."""
    _reading: ClassVar[tuple[str, ...]]
    """Options of that command."""
    _writing: ClassVar[tuple[str, ...]]
    """Options of the merge that writes the result."""

    config: Optional[AnyPath] = None
    """A path on the driver. The job ships the file and the string tables that it names."""
    since: Optional[str] = None
    until: Optional[str] = None
    every: Optional[str] = None
    offset: Optional[str] = None
    time_zone: Optional[str] = None
    removals: bool = False
    delivery: bool = False
    outcomes: bool = False
    unique: bool = False
    input: Optional[AnyPaths] = None
    """Names of shapes and paths of mapping files on the driver, each one or several with commas between them: each entry is
    read by the first that it fits."""
    app: Optional[str] = None
    max_line: Optional[str] = None
    inflater: Optional[str] = None
    rejects: Optional[AnyPath] = None
    """The path or URI of a file for rejected lines."""
    profile: Optional[str] = None
    format: str = "ndjson"
    max_rejects: Optional[int] = None

    def __post_init__(self) -> None:
        for name in _PATHS:
            if getattr(self, name, None) is not None:
                object.__setattr__(self, name, name_of(getattr(self, name)))
        for name in _INPUTS:
            if getattr(self, name, None) is not None:
                object.__setattr__(self, name, tuple(_split(names_of(getattr(self, name)))))

    def check(self, partitions: Optional[int]) -> None:
        """Raises `PermanentError` for options that can't be combined."""
        if self.format not in self.suffixes:
            raise PermanentError(f"--format {self.format}: not one of {', '.join(self.suffixes)}", USAGE)
        for name in ("since", "until", "now"):
            if getattr(self, name, None) in ("today", "yesterday"):
                raise PermanentError(
                    f"--{name} {getattr(self, name)}: a job may last longer than a day: write a date", USAGE
                )
        if partitions is None:
            return
        if not 1 <= partitions <= MAXIMUM_PARTITIONS:
            raise PermanentError(f"--partitions is {partitions}, but must be from 1 to {MAXIMUM_PARTITIONS}", USAGE)
        for given, text in ((self.outcomes, "--outcomes"), (self.unique, "--unique")):
            if given:
                raise PermanentError(f"{text} needs all records of a push in one part: leave out --partitions", USAGE)

    @property
    def suffix(self) -> str:
        """The end of the name of each part, by which the command selects the format."""
        return self.suffixes[self.format]

    def whole(self) -> list[str]:
        """Returns the command and the arguments for a run that reads nothing: all options of the job."""
        names = list(dict.fromkeys((*self._reading, *self._writing)))
        return [self.command, "-", *self.of_configuration(), *self._arguments(names)]

    def of_configuration(self) -> list[str]:
        """Returns the arguments that name configurations."""
        return self._arguments([name for name in _CONFIGURATIONS if hasattr(self, name)])

    def of_check(self) -> list[str]:
        """Returns the arguments that `sheaf check` has, too."""
        # The locale selects string tables, which only a configuration names.
        return self._arguments([name for name in OF_CHECK if name != "locale" or self.config is not None])

    def described(self) -> dict[str, str]:
        """Returns the options that are given, without those that name files, by the names of their arguments."""
        defaults = type(self)()
        # Files are compared by what they hold, whose names are those in the bundle.
        names = [field.name for field in fields(self) if field.name not in (*_PATHS, *_INPUTS)]
        given = [name for name in names if getattr(self, name) != getattr(defaults, name)]
        described = {_flag(name): str(getattr(self, name)) for name in given}
        for option, inputs in self.inputs.items():
            shown = (name if is_shape(name) else os.path.basename(name) for name in inputs)
            described[_flag(option)] = ",".join(shown)
        return described

    def only_of_result(self) -> set[str]:
        """Returns the arguments that only steps after the reading of sources take."""
        return {_flag(name) for name in self._writing if name not in self._reading}

    @property
    def rejects_label(self) -> Optional[str]:
        """The label of a shard's rejected lines: its suffix decides whether they are compressed. None to drop them."""
        if self.rejects is None:
            return None
        suffix = os.path.splitext(name_of(self.rejects))[1]
        return "rejects" + (suffix if suffix in (".gz", ".zst") else "")

    @property
    def configurations(self) -> dict[str, str]:
        """The paths of configurations by their options."""
        return {name: getattr(self, name) for name in _CONFIGURATIONS if getattr(self, name, None) is not None}

    @property
    def inputs(self) -> dict[str, list[str]]:
        """The inputs by their options, in their order."""
        return {name: names_of(getattr(self, name)) for name in _INPUTS if getattr(self, name, None) is not None}

    @property
    def mappings(self) -> list[str]:
        """The paths of the mapping files among the inputs."""
        return [name for inputs in self.inputs.values() for name in inputs if not is_shape(name)]

    def of_records(self) -> list[str]:
        """Returns the arguments for the command that reads sources."""
        return self._arguments(self._reading)

    def of_result(self) -> list[str]:
        """Returns the arguments for the merge that writes the result."""
        return self._arguments(self._writing)

    def of_people(self) -> list[str]:
        """Returns the arguments for the command that measures the people of a range."""
        return self._arguments([name for name in self._writing if name == "fold"])

    def _arguments(self, names: Sequence[str]) -> list[str]:
        arguments: list[str] = []
        for name in names:
            value = getattr(self, name)
            if value is None or value is False:
                continue
            if value is True:
                arguments.append(_flag(name))
            else:
                for item in value if isinstance(value, tuple) else (value,):
                    arguments += [_flag(name), str(item)]
        return arguments


def _flag(name: str) -> str:
    """Returns the argument of an option. One whose name is a keyword of Python ends with an underscore."""
    return "--" + name.rstrip("_").replace("_", "-")


def is_shape(name: str) -> bool:
    """Whether an input is the name of a shape, which has neither a slash nor a suffix."""
    return not any(mark in name for mark in "/.")


def _split(names: Sequence[str]) -> list[str]:
    """Returns the names of inputs that commas separate. A file's name may have one."""
    return [
        part for name in names for part in (name.split(",") if "," in name and not os.path.exists(name) else [name])
    ]


@dataclass(frozen=True)
class ReplayOptions(CommandOptions):
    """Options of `sheaf replay`."""

    command = "replay"
    _reading = (*_OF_RECORDS, "by_device", "max_arguments")
    _writing = ("locale", "now", "profile", "format", "sort", "top", "emit", "locked", "max_rejects")

    by_device: bool = False
    max_arguments: Optional[int] = None
    locale: Optional[str] = None
    now: Optional[str] = None
    sort: Optional[str] = None
    top: Optional[int] = None
    emit: Optional[str] = None
    locked: bool = False

    def check(self, partitions: Optional[int]) -> None:
        super().check(partitions)
        if partitions is None:
            return
        for given, text in (
            (self.top is not None, "--top"),
            (self.sort == "recent", "--sort recent"),
            (self.format in ("json", "text"), f"--format {self.format}"),
            (self.every is not None, "--every"),
        ):
            if given:
                raise PermanentError(f"{text} needs all groups in one part: leave out --partitions", USAGE)


@dataclass(frozen=True)
class MeasureOptions(CommandOptions):
    """Options of `sheaf measure`."""

    command = "measure"
    # A partial result of measures has the profile that its records were read with.
    _reading = (*_OF_RECORDS, "profile", "per")
    _writing = ("quantiles", "fold", "cells", "format", "max_rejects")

    per: Optional[str] = None
    quantiles: Optional[str] = None
    """Percentiles with commas between them, such as `50,99.9`."""
    fold: Optional[int] = None
    cells: bool = False

    def check(self, partitions: Optional[int]) -> None:
        super().check(partitions)
        if partitions is not None and self.cells and self.format in ("json", "text"):
            raise PermanentError(f"--format {self.format} needs all people in one part: leave out --partitions", USAGE)
        # The merge would refuse these, too, but only after all sources have been read.
        if self.cells and self.quantiles is not None:
            raise PermanentError("--quantiles has no effect with --cells, which writes each person's values", USAGE)
        if self.fold is not None and not 1 <= self.fold <= 1000:
            raise PermanentError(f"--fold is {self.fold}, but must be from 1 to 1000", USAGE)
        self.quantile_names()

    def quantile_names(self) -> list[str]:
        """Returns the names of the quantiles in the result, such as `p99.9`. Raises `PermanentError` for other texts."""
        names: list[str] = []
        for text in ("50,90,95,99" if self.quantiles is None else self.quantiles).split(","):
            match = re.fullmatch(r"([0-9]{1,3})(?:\.([0-9]{1,3}))?", text)
            if match is None or not 0 < float(text) <= 100:
                raise PermanentError(
                    f"--quantiles {self.quantiles}: '{text}' is not a percentile: write numbers above 0 up to 100, with "
                    "at most three decimals, such as 50,95,99.9",
                    USAGE,
                )
            decimals = (match[2] or "").rstrip("0")
            name = f"p{int(match[1])}" + (f".{decimals}" if decimals else "")
            if name in names:
                raise PermanentError(f"--quantiles has {name[1:]} twice", USAGE)
            names.append(name)
        return names


@dataclass(frozen=True)
class CompareOptions(CommandOptions):
    """Options of `sheaf compare`."""

    command = "compare"
    merging = "compare"
    has_statistics = False
    # Screens are compared at the end, and no rejected lines are kept.
    without_effect = ("every", "offset", "time_zone", "rejects")
    # A page shows the command that was typed.
    suffixes = {"json": ".json", "text": ".txt", "github": ".txt"}
    _designs = ("profile", "with_profile", "locale", "with_locale", "locked", "fail_if")
    _reading = (
        *(name for name in _OF_RECORDS if name not in ("every", "offset", "time_zone")), "with_input", "measures", *_designs,
    )  # fmt: skip
    _writing = ("format", "max_rejects", *_designs)

    with_: Optional[AnyPath] = None
    """The path of the new configuration on the driver; that of `config` without one."""
    with_input: Optional[AnyPaths] = None
    """How entries are read with the new design."""
    with_profile: Optional[str] = None
    locale: Optional[str] = None
    with_locale: Optional[str] = None
    locked: bool = False
    measures: bool = False
    fail_if: Optional[AnyPaths] = None
    """Conditions such as `groups.p95 > +10%`; if one is true, the status of the job is 65."""
    format: str = "json"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.fail_if is not None:
            object.__setattr__(self, "fail_if", tuple(names_of(self.fail_if)))

    def check(self, partitions: Optional[int]) -> None:
        super().check(partitions)
        for name in self.without_effect:
            if getattr(self, name) is not None:
                raise PermanentError(f"{_flag(name)} has no effect on a comparison", USAGE)
        if partitions is not None:
            raise PermanentError("a comparison is written by one task: leave out --partitions", USAGE)


def add_arguments(parser: argparse.ArgumentParser, kind: type[CommandOptions]) -> None:
    """Adds the options of a command to a parser, whose result `from_namespace` takes."""
    group = parser.add_argument_group(f"options of sheaf {kind.command} (see 'sheaf {kind.command} --help')")
    _add(group, kind, [field.name for field in fields(kind) if field.name not in kind.without_effect])


def add_check_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `sheaf replay` that `sheaf check` has, too."""
    group = parser.add_argument_group("options of sheaf check (see 'sheaf check --help')")
    _add(group, ReplayOptions, OF_CHECK)


def _add(group: argparse._ArgumentGroup, kind: type[CommandOptions], names: Sequence[str]) -> None:
    for field in fields(kind):
        if field.name not in names:
            continue
        flag = _flag(field.name)
        if field.type == "bool":
            group.add_argument(flag, action="store_true", default=False)
        elif field.name in _REPEATED:
            group.add_argument(flag, dest=field.name, action="append", metavar=field.name.rpartition("_")[2].upper())
        else:
            kind_of_value = int if field.type == "Optional[int]" else str
            metavar = field.name.rstrip("_").upper()
            group.add_argument(flag, dest=field.name, type=kind_of_value, default=field.default, metavar=metavar)


def from_namespace(namespace: argparse.Namespace, kind: type[Options]) -> Options:
    values: dict[str, Any] = {
        field.name: getattr(namespace, field.name) for field in fields(kind) if field.name in namespace
    }
    return kind(**values)
