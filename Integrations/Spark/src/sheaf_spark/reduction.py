"""From the partial results of shards to the parts of a result.

    without partitions     shard … shard ─▶ merge of neighbors, in levels ─▶ part 0

    with R partitions      shard ─▶ sample ─┐
                                            ├▶ ranges
                           shard ─▶ sample ─┘    │
                             │                   ▼
                             └─▶ split ─▶ groups of range r ──────────────────┐
                                      └▶ identities of range r ─▶ newest ─▶ … ├▶ part r
                                                         … of other ranges ─▶ ┘

With `--by-device` a notification's versions are in the range of its group, so that `newest` is left out. The people of
a range are measured from both kinds of slices, and the measures of all ranges are merged to one part.
"""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass, field
from typing import Optional, Sequence

from .executor import Executor
from .inputs import neighbors
from .options import CommandOptions, MeasureOptions, ReplayOptions
from .replay_steps import (
    PARTIAL,
    RANGES,
    SAMPLE,
    CombineSamples,
    CutRanges,
    KeepNewest,
    MeasurePeople,
    MergePartials,
    ReadShard,
    SplitPartials,
    WritePart,
    groups,
    identities,
    newest,
    of_range,
)
from .steps import Context, RunStep, Step
from .workspace import Record

_LOGGER = logging.getLogger("sheaf_spark")


@dataclass(frozen=True)
class Plan:
    """The numbers by which a job is divided. A job that resumes keeps those that it began with."""

    shards: int
    splits: int
    fan_in: int
    partitions: Optional[int]


@dataclass
class Stages:
    """Runs the steps that have no record yet."""

    executor: Executor
    context: Context
    done: dict[str, Record] = field(default_factory=dict)
    order: tuple[str, ...] = ()
    """The names of the stages that every job with such a plan has."""

    def run(self, steps: Sequence[Step]) -> list[Record]:
        missing = [step for step in steps if step.name not in self.done]
        if missing:
            what = self._describe(steps, missing)
            _LOGGER.debug("%s", what)
            started = time.monotonic()
            records = self.executor.map(RunStep(self.context), missing)
            self.done.update((record.step, record) for record in records)
            seconds = time.monotonic() - started
            size = sum(step.size for step in missing if isinstance(step, ReadShard))
            rate = f", {size / seconds / 1e6:,.1f} MB/s" if size and seconds > 0 else ""
            _LOGGER.info("%s, %.1f s%s%s", what, seconds, rate, self._left(missing[0].name))
        return [self.done[step.name] for step in steps]

    def _left(self, name: str) -> str:
        """Returns the stages after that of a step; those of merges of many files are not known before."""
        stage = name.partition("-")[0]
        left = self.order[self.order.index(stage) + 1 :] if stage in self.order else ()
        return f"; then {', '.join(left)}" if left else ""

    @staticmethod
    def _describe(steps: Sequence[Step], missing: Sequence[Step]) -> str:
        """Returns the name of some steps without its number, and how many are left."""
        name = missing[0].name.partition("-")[0]
        count = f"{len(missing):,} of {len(steps):,}" if len(missing) < len(steps) else f"{len(steps):,}"
        return f"{name}: {count} task{'' if len(steps) == 1 else 's'}"


def stage_names(options: CommandOptions, plan: Plan) -> tuple[str, ...]:
    """Returns the stages of a job, in order: steps of one stage have its name and a number."""
    if plan.partitions is None:
        return (options.command, "part")
    if isinstance(options, MeasureOptions):
        return (options.command, "ranges", "split", *([] if options.cells else ["measures"]), "part")
    has_newest = not (isinstance(options, ReplayOptions) and options.by_device)
    return (options.command, "ranges", "split", *(["newest"] if has_newest else []), "part")


def parts(stages: Stages, shards: Sequence[Record], plan: Plan) -> list[Record]:
    """Returns the records of the parts of the result, in order. Raises what executors raise."""
    options = stages.context.options
    if plan.partitions is None:
        files = [record.file(PARTIAL) for record in shards]
        inputs = _merged(stages, "merge", [files], plan.fan_in, of_ranges=False)
    elif isinstance(options, MeasureOptions) or isinstance(options, ReplayOptions) and options.by_device:
        split = _split(stages, shards, plan, plan.partitions)
        numbers = range(plan.partitions)
        grouped = _merged(stages, "groups", [_files(split, groups(n)) for n in numbers], plan.fan_in)
        known = _merged(stages, "identities", [_files(split, identities(n)) for n in numbers], plan.fan_in)
        inputs = [first + second for first, second in zip(grouped, known)]
        if isinstance(options, MeasureOptions) and not options.cells:
            measured = stages.run([MeasurePeople(f"measures-{n:05}", tuple(inputs[n])) for n in numbers])
            inputs = _merged(
                stages, "measured", [_files(measured, PARTIAL)], plan.fan_in, of_ranges=False, are_of_result=True
            )
    else:
        split = _split(stages, shards, plan, plan.partitions)
        numbers = range(plan.partitions)
        known = _merged(stages, "identities", [_files(split, identities(n)) for n in numbers], plan.fan_in)
        ranges = _ranges(stages, shards, plan, plan.partitions)
        kept = stages.run([KeepNewest(f"newest-{n:05}", tuple(known[n]), ranges, n, plan.partitions) for n in numbers])
        grouped = _merged(stages, "groups", [_files(split, groups(n)) for n in numbers], plan.fan_in)
        versions = [_files(kept, newest(n)) for n in numbers]
        folded = _merged(stages, "folded", versions, plan.fan_in, are_of_result=True)
        inputs = [first + second for first, second in zip(grouped, folded)]
    return stages.run(
        [
            WritePart(part_name(number), tuple(files), part_label(number, options.suffix), len(inputs) == 1)
            for number, files in enumerate(inputs)
        ]
    )


def part_name(number: int) -> str:
    return f"part-{number:05}"


def part_label(number: int, suffix: str) -> str:
    """Returns the label of a part, which has its final name already."""
    return f"/{part_name(number)}{suffix}"


def _files(records: Sequence[Record], label: str) -> list[str]:
    return [record.file(label) for record in records]


def _split(stages: Stages, shards: Sequence[Record], plan: Plan, partitions: int) -> list[Record]:
    """Splits the partial results: several of them at once if there are many, since each split writes 2R files."""
    ranges = _ranges(stages, shards, plan, partitions)
    size = -(-len(shards) // plan.splits)
    return stages.run(
        [
            SplitPartials(
                f"split-{number:05}",
                tuple(shards[index].file(PARTIAL) for index in together),
                ranges,
                partitions,
            )
            for number, together in enumerate(neighbors(len(shards), size))
        ]
    )


def _ranges(stages: Stages, shards: Sequence[Record], plan: Plan, partitions: int) -> str:
    samples = [record.file(SAMPLE) for record in shards]
    level = 0
    while len(samples) > plan.fan_in:
        records = stages.run(
            [
                CombineSamples(f"samples-{level}-{number:05}", tuple(samples[index] for index in together))
                for number, together in enumerate(neighbors(len(samples), plan.fan_in))
            ]
        )
        samples = _files(records, SAMPLE)
        level += 1
    return stages.run([CutRanges("ranges", tuple(samples), partitions)])[0].file(RANGES)


def _merged(
    stages: Stages,
    stage: str,
    lists: Sequence[Sequence[str]],
    fan_in: int,
    of_ranges: bool = True,
    are_of_result: bool = False,
) -> list[list[str]]:
    """Merges neighbors in each list, level by level, until no list has more than `fan_in` files.

    `of_ranges` tells whether each list has the files of a range, `are_of_result` whether the files depend on options of
    the result.
    """
    current = [list(files) for files in lists]
    level = 0
    while any(len(files) > fan_in for files in current):
        steps: list[MergePartials] = []
        owners: list[int] = []
        for owner, files in enumerate(current):
            if len(files) <= fan_in:
                continue
            for number, together in enumerate(neighbors(len(files), fan_in)):
                name = f"{stage}-{level}-{owner:05}-{number:05}"
                label = of_range(owner, PARTIAL) if of_ranges else PARTIAL
                steps.append(MergePartials(name, tuple(files[index] for index in together), label, are_of_result))
                owners.append(owner)
        merged: dict[int, list[str]] = {}
        for owner, step, record in zip(owners, steps, stages.run(steps)):
            merged.setdefault(owner, []).append(record.file(step.label))
        current = [merged.get(owner, files) for owner, files in enumerate(current)]
        level += 1
    return current
