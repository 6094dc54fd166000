"""The steps of a replay, or of a measurement.

Shards become partial results, which are merged. With partitions, keys are divided into ranges, and each range becomes a
part, or is measured.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import IO, Callable, Optional

from .inputs import Source, source_list
from .steps import SOURCES, Bench

PARTIAL = "partial"

# In the command's warning, which also has the number of the shard's devices.
_SHARED = "notifications of different devices share groups"
SHARED_GROUPS = f"sheaf: warning: {_SHARED}; --by-device separates them"
SAMPLE = "sample"
RANGES = "ranges"


@dataclass(frozen=True)
class ReadShard:
    """Reads some of the sources to a partial result, with a sample of its keys if the result is partitioned."""

    name: str
    sources: tuple[Source, ...] = field(repr=False)
    with_sample: bool = False
    rejects: Optional[str] = None
    """The label under which rejected lines are kept."""
    is_of_result = False

    @property
    def size(self) -> int:
        """In bytes, as stored."""
        return sum(source.size for source in self.sources)

    def run(self, bench: Bench) -> None:
        paths = bench.fetch_inputs([source.uri for source in self.sources])
        listed = bench.temporary("sources.ndjson", source_list(self.sources, map(str, paths)))
        partial = bench.output(PARTIAL, packed=True)
        arguments = ["--sources-from", listed, "--partial", partial, *bench.config(), *bench.options.of_records()]
        if self.rejects is not None:
            arguments += ["--rejects", bench.output(self.rejects)]
        read(bench, *arguments)
        if self.with_sample:
            bench.sheaf("partial", "keys", partial, "-o", bench.output(SAMPLE, packed=True), "--quiet")


def read(bench: Bench, *arguments: str, feed: Optional[Callable[[IO[bytes]], None]] = None) -> None:
    """Runs the command that reads sources. Of its warnings, only the one that partial results do not hold is kept: what
    others say of a shard may not be true of all sources."""
    bench.sheaf(bench.options.command, *arguments, feed=feed)
    bench.messages = SHARED_GROUPS + "\n" if _SHARED in bench.messages else ""


@dataclass(frozen=True)
class MergePartials:
    """Merges partial results, or slices of one kind and range, to a larger one."""

    name: str
    files: tuple[str, ...] = field(repr=False)
    label: str = PARTIAL
    is_of_result: bool = False

    def run(self, bench: Bench) -> None:
        inputs = map(str, bench.fetch(self.files))
        command = bench.options.merging
        bench.sheaf(command, *inputs, "--partial", bench.output(self.label, packed=True), *bench.config(), "--quiet")


@dataclass(frozen=True)
class WritePart:
    """Merges partial results, or all slices of one range, to a part of the result with its statistics."""

    name: str
    files: tuple[str, ...] = field(repr=False)
    part: str
    """The label of the part, whose suffix selects the format."""
    is_whole: bool
    """Whether the part is the whole result: then the command checks that no source is missing."""
    is_of_result = True

    def run(self, bench: Bench) -> None:
        expected = [SOURCES] if self.is_whole and bench.context.has_sources else []
        inputs = list(map(str, bench.fetch([*self.files, *expected])))
        if expected:
            inputs.insert(-1, "--expect-sources")
        statistics = bench.temporary("statistics.json")
        options = bench.options
        arguments = [*inputs, "-o", bench.output(self.part), *bench.config(), *options.of_result()]
        if options.has_statistics:
            bench.sheaf(options.merging, *arguments, "--stats", statistics)
            bench.read_statistics(statistics)
            os.unlink(statistics)
        else:
            bench.sheaf(options.merging, *arguments)


def of_range(number: int, kind: str) -> str:
    """Returns the label of a file of a range."""
    return f"range-{number:05}/{kind}"


def groups(number: int) -> str:
    return of_range(number, "groups")


def identities(number: int) -> str:
    return of_range(number, "identities")


def newest(number: int) -> str:
    return of_range(number, "newest")


@dataclass(frozen=True)
class CombineSamples:
    """Makes one sample of several, so that no machine has to read many."""

    name: str
    samples: tuple[str, ...] = field(repr=False)
    is_of_result = False

    def run(self, bench: Bench) -> None:
        inputs = map(str, bench.fetch(self.samples))
        bench.sheaf("partial", "keys", *inputs, "-o", bench.output(SAMPLE, packed=True), "--quiet")


@dataclass(frozen=True)
class CutRanges:
    """Finds the keys at which the parts of the snapshot begin, from samples of all shards."""

    name: str
    samples: tuple[str, ...] = field(repr=False)
    partitions: int
    is_of_result = False

    def run(self, bench: Bench) -> None:
        inputs = map(str, bench.fetch(self.samples))
        count = str(self.partitions)
        bench.sheaf(
            "partial", "keys", *inputs, "--complete", "--partitions", count,
            "-o", bench.output(RANGES, packed=True), "--quiet",
        )  # fmt: skip


@dataclass(frozen=True)
class SplitPartials:
    """Divides partial results into a slice of groups and a slice of identities for each range."""

    name: str
    files: tuple[str, ...] = field(repr=False)
    ranges: str
    partitions: int
    is_of_result = False

    def run(self, bench: Bench) -> None:
        ranges, *inputs = map(str, bench.fetch([self.ranges, *self.files]))
        folder = bench.output_folder()
        bench.sheaf(
            "partial", "split", *inputs, "--ranges", ranges, "--partial-dir", str(folder), *bench.packing(), "--quiet",
        )  # fmt: skip
        for number in range(self.partitions):
            bench.keep(folder / f"groups-{number:05}.partial", groups(number))
            bench.keep(folder / f"identities-{number:05}.partial", identities(number))


@dataclass(frozen=True)
class KeepNewest:
    """Finds the newest version of each notification of a range of identities, and divides them by group range."""

    name: str
    files: tuple[str, ...] = field(repr=False)
    ranges: str
    number: int
    partitions: int
    is_of_result = True

    def run(self, bench: Bench) -> None:
        ranges, *inputs = map(str, bench.fetch([self.ranges, *self.files]))
        folder = bench.output_folder()
        profile = [] if bench.options.profile is None else ["--profile", bench.options.profile]
        bench.sheaf(
            "partial", "newest", *inputs, "--ranges", ranges, "--partial-dir", str(folder),
            *bench.config(), *profile, *bench.packing(), "--quiet",
        )  # fmt: skip
        for group in range(self.partitions):
            bench.keep(folder / f"newest-{group:05}-{self.number:05}.partial", newest(group))


@dataclass(frozen=True)
class MeasurePeople:
    """Measures the people in all slices of a range."""

    name: str
    files: tuple[str, ...] = field(repr=False)
    is_of_result = True

    def run(self, bench: Bench) -> None:
        inputs = map(str, bench.fetch(self.files))
        bench.sheaf(
            "partial", "measure", *inputs, "-o", bench.output(PARTIAL, packed=True),
            *bench.config(), *bench.options.of_people(), "--quiet",
        )  # fmt: skip
