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

from dataclasses import dataclass, field
from typing import Optional, Sequence

from .executor import Executor
from .inputs import neighbors
from .options import MeasureOptions, ReplayOptions
from .replay_steps import (
    PARTIAL,
    RANGES,
    SAMPLE,
    CombineSamples,
    CutRanges,
    KeepNewest,
    MeasurePeople,
    MergePartials,
    SplitPartials,
    WritePart,
    groups,
    identities,
    newest,
)
from .steps import Context, RunStep, Step
from .workspace import Record


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

    def run(self, steps: Sequence[Step]) -> list[Record]:
        missing = [step for step in steps if step.name not in self.done]
        if missing:
            records = self.executor.map(RunStep(self.context), missing)
            self.done.update((record.step, record) for record in records)
        return [self.done[step.name] for step in steps]


def parts(stages: Stages, shards: Sequence[Record], plan: Plan) -> list[Record]:
    """Returns the records of the parts of the result, in order. Raises what executors raise."""
    options = stages.context.options
    if plan.partitions is None:
        files = [record.file(PARTIAL) for record in shards]
        inputs = _merged(stages, "merge", [files], plan.fan_in)
    elif isinstance(options, MeasureOptions) or isinstance(options, ReplayOptions) and options.by_device:
        split = _split(stages, shards, plan, plan.partitions)
        numbers = range(plan.partitions)
        grouped = _merged(stages, "groups", [_files(split, groups(n)) for n in numbers], plan.fan_in)
        known = _merged(stages, "identities", [_files(split, identities(n)) for n in numbers], plan.fan_in)
        inputs = [first + second for first, second in zip(grouped, known)]
        if isinstance(options, MeasureOptions) and not options.cells:
            measured = stages.run([MeasurePeople(f"measures-{n:05}", tuple(inputs[n])) for n in numbers])
            inputs = _merged(stages, "measured", [_files(measured, PARTIAL)], plan.fan_in)
    else:
        split = _split(stages, shards, plan, plan.partitions)
        numbers = range(plan.partitions)
        known = _merged(stages, "identities", [_files(split, identities(n)) for n in numbers], plan.fan_in)
        ranges = _ranges(stages, shards, plan, plan.partitions)
        kept = stages.run([KeepNewest(f"newest-{n:05}", tuple(known[n]), ranges, n, plan.partitions) for n in numbers])
        grouped = _merged(stages, "groups", [_files(split, groups(n)) for n in numbers], plan.fan_in)
        folded = _merged(stages, "folded", [_files(kept, newest(n)) for n in numbers], plan.fan_in)
        inputs = [first + second for first, second in zip(grouped, folded)]
    return stages.run(
        [
            WritePart(f"part-{number:05}", tuple(files), part_label(options.suffix), len(inputs) == 1)
            for number, files in enumerate(inputs)
        ]
    )


def part_label(suffix: str) -> str:
    return "part" + suffix


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


def _merged(stages: Stages, stage: str, lists: Sequence[Sequence[str]], fan_in: int) -> list[list[str]]:
    """Merges neighbors in each list, level by level, until no list has more than `fan_in` files."""
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
                steps.append(MergePartials(name, tuple(files[index] for index in together)))
                owners.append(owner)
        merged: dict[int, list[str]] = {}
        for owner, record in zip(owners, stages.run(steps)):
            merged.setdefault(owner, []).append(record.file(PARTIAL))
        current = [merged.get(owner, files) for owner, files in enumerate(current)]
        level += 1
    return current
