"""The steps of a replay without partitions: shards become partial results, which are merged."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Optional

from .inputs import Source, source_list
from .steps import SOURCES, Bench

PARTIAL = "partial"
SAMPLE = "sample"
STATISTICS = "statistics"


@dataclass(frozen=True)
class ReplayShard:
    """Replays some of the sources to a partial result, with a sample of its keys if the result is partitioned."""

    name: str
    sources: tuple[Source, ...] = field(repr=False)
    with_sample: bool = False
    rejects: Optional[str] = None
    """The label under which rejected lines are kept."""

    def run(self, bench: Bench) -> None:
        paths = bench.fetch_inputs([source.uri for source in self.sources])
        listed = bench.temporary("sources.ndjson", source_list(self.sources, map(str, paths)))
        partial = bench.output(PARTIAL)
        arguments = ["--sources-from", listed, "--partial", partial, *bench.config(), *bench.options.of_records()]
        if self.rejects is not None:
            arguments += ["--rejects", bench.output(self.rejects)]
        bench.sheaf("replay", *arguments, "--quiet")
        if self.with_sample:
            bench.sheaf("partial", "keys", partial, "-o", bench.output(SAMPLE), "--quiet")


@dataclass(frozen=True)
class MergePartials:
    """Merges partial results, or slices of one kind and range, to a larger one."""

    name: str
    files: tuple[str, ...] = field(repr=False)

    def run(self, bench: Bench) -> None:
        inputs = map(str, bench.fetch(self.files))
        bench.sheaf("merge", *inputs, "--partial", bench.output(PARTIAL), *bench.config(), "--quiet")


@dataclass(frozen=True)
class WritePart:
    """Merges partial results, or all slices of one range, to a part of the snapshot with its statistics."""

    name: str
    files: tuple[str, ...] = field(repr=False)
    part: str
    """The label of the part, whose suffix selects the format."""
    is_whole: bool
    """Whether the files are all results of the job: then the command checks that no source is missing."""

    def run(self, bench: Bench) -> None:
        inputs = list(map(str, bench.fetch(self.files)))
        if self.is_whole and bench.context.has_sources:
            inputs += ["--expect-sources", str(bench.fetch([SOURCES])[0])]
        statistics = bench.temporary("statistics.json")
        bench.sheaf(
            "merge", *inputs, "-o", bench.output(self.part), "--stats", statistics,
            *bench.config(), *bench.options.of_snapshot(),
        )  # fmt: skip
        bench.read_statistics(statistics)
        os.unlink(statistics)
