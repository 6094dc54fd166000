"""The steps of a replay with partitions: keys are divided into ranges, and each range becomes a part."""

from __future__ import annotations

from dataclasses import dataclass, field

from .replay_steps import SAMPLE
from .steps import Bench

RANGES = "ranges"


def groups(number: int) -> str:
    return f"groups-{number:05}"


def identities(number: int) -> str:
    return f"identities-{number:05}"


def newest(number: int) -> str:
    return f"newest-{number:05}"


@dataclass(frozen=True)
class CombineSamples:
    """Makes one sample of several, so that no machine has to read many."""

    name: str
    samples: tuple[str, ...] = field(repr=False)

    def run(self, bench: Bench) -> None:
        inputs = map(str, bench.fetch(self.samples))
        bench.sheaf("partial", "keys", *inputs, "-o", bench.output(SAMPLE), "--quiet")


@dataclass(frozen=True)
class CutRanges:
    """Finds the keys at which the parts of the snapshot begin, from samples of all shards."""

    name: str
    samples: tuple[str, ...] = field(repr=False)
    partitions: int

    def run(self, bench: Bench) -> None:
        inputs = map(str, bench.fetch(self.samples))
        count = str(self.partitions)
        bench.sheaf("partial", "keys", *inputs, "--partitions", count, "-o", bench.output(RANGES), "--quiet")


@dataclass(frozen=True)
class SplitPartials:
    """Divides partial results into a slice of groups and a slice of identities for each range."""

    name: str
    files: tuple[str, ...] = field(repr=False)
    ranges: str
    partitions: int

    def run(self, bench: Bench) -> None:
        ranges, *inputs = map(str, bench.fetch([self.ranges, *self.files]))
        folder = bench.output_folder()
        bench.sheaf("partial", "split", *inputs, "--ranges", ranges, "--partial-dir", str(folder), "--quiet")
        for number in range(self.partitions):
            for label in (groups(number), identities(number)):
                bench.keep(folder / f"{label}.partial", label)


@dataclass(frozen=True)
class KeepNewest:
    """Finds the newest version of each notification of a range of identities, and divides them by group range."""

    name: str
    files: tuple[str, ...] = field(repr=False)
    ranges: str
    number: int
    partitions: int

    def run(self, bench: Bench) -> None:
        ranges, *inputs = map(str, bench.fetch([self.ranges, *self.files]))
        folder = bench.output_folder()
        profile = [] if bench.options.profile is None else ["--profile", bench.options.profile]
        bench.sheaf(
            "partial", "newest", *inputs, "--ranges", ranges, "--partial-dir", str(folder),
            *bench.config(), *profile, "--quiet",
        )  # fmt: skip
        for group in range(self.partitions):
            bench.keep(folder / f"{newest(group)}-{self.number:05}.partial", newest(group))
