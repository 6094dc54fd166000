"""A replay or a measurement of many sources: the driver's part."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Callable, Mapping, Optional, Sequence, Union

from . import bundle, command, statistics
from .executor import Executor
from .failures import CONFIGURATION, USAGE, PermanentError
from .fingerprint import Fingerprint, of_job
from .inputs import Source, expand, shard_count, shards, source_list
from .options import CommandOptions, CompareOptions, MeasureOptions
from .publish import check_output, check_sources, publish_parts, write_rejects
from .reduction import Plan, Stages, parts, stage_names
from .replay_steps import ReadShard
from .resources import Resources
from .schema import check_table_options
from .steps import BUNDLE, SOURCES, Context
from .store import AnyPath, AnyPaths, absolute, name_of, names_of
from .stores import Stores
from .trial import Trial, run_trial
from .workspace import Record, Workspace

# A shard of this size takes a few seconds, so that little is lost when a machine fails.
SHARD_SIZE = 1 << 30
FAN_IN = 64

# With --partitions auto: enough ranges for one task to merge each in minutes, and few enough for slices of some size, since
# each pair of ranges has one.
RANGE_SIZE = 4 << 30
MAXIMUM_RANGES = 500
# How many slices the splits write together, as far as one task can read its part of the shards.
SLICES = 250_000

# The command's advice about rejected lines in partial results.
_ADVICE = "; use --rejects FILE with sheaf replay to keep them"


# A number, or AUTO.
Partitions = Union[int, str, None]
AUTO = "auto"


@dataclass(frozen=True)
class JobOptions:
    """How a job is divided and where it runs. None of this changes the result."""

    partitions: Partitions = None
    """The number of parts, `auto` to choose it by the size of the sources; None writes one part, which one machine merges."""
    shards: Optional[int] = None
    """The number of tasks that read sources; None chooses it by their size."""
    shard_size: int = SHARD_SIZE
    """In bytes, as stored."""
    fan_in: int = FAN_IN
    """How many partial results a merge reads at most."""
    overwrite: bool = False
    """Whether another result in the output folder is replaced."""
    sheaf: Optional[AnyPath] = None
    """The path of the command on every machine."""
    resources: Resources = Resources()
    """Limits of each task; those that are None are the executor's."""
    stores: Stores = Stores()
    table: Optional[str] = None
    """A format of Spark, such as `parquet`, in which the result is also written, to the folder `table` in the output."""

    def check(self) -> None:
        if isinstance(self.partitions, str) and self.partitions != AUTO:
            raise PermanentError(f"--partitions takes a number or {AUTO}, not {self.partitions!r}", USAGE)
        if self.fan_in < 2:
            raise PermanentError("--fan-in takes a number from 2", USAGE)
        if self.shards is not None and self.shards < 1:
            raise PermanentError("--shards takes a number from 1", USAGE)
        if self.shard_size < 1:
            raise PermanentError("--shard-size must not be 0", USAGE)
        self.resources.check()


@dataclass(frozen=True)
class JobResult:
    """What a job wrote."""

    output: str
    status: int
    """0, or 65 if lines were rejected or a source was damaged, as for `sheaf replay`."""
    statistics: dict[str, Any]
    messages: str = ""
    """What the command reported on standard error while it wrote the result."""
    reused: int = 0
    """The number of steps that an earlier run of the job had finished."""
    was_complete: bool = False
    """Whether an earlier run had already written the whole result."""
    problem: str = ""
    """What was wrong with the files of an earlier run, so that this one wrote the result again."""
    kept_shards: Optional[int] = None
    """The number of shards of an earlier run that this one continued, if the caller gave another number."""


def run_on(
    executor: Executor,
    inputs: AnyPaths,
    output: AnyPath,
    options: CommandOptions,
    job: JobOptions,
) -> JobResult:
    """Replays or measures files. Raises `PermanentError`, and `TransientError` or the executor's own error after all attempts."""
    started = time.monotonic()
    names, folder = names_of(inputs), name_of(output)
    check_output(names, folder, options.rejects)
    packed, identity = examine(executor, options, job)
    sources = expand(names, job.stores)
    check_sources(sources, folder, options)
    partitions = partition_count(job.partitions, sources)

    def make_shards(stages: Stages, plan: Plan) -> list[Record]:
        steps = [
            ReadShard(f"{options.command}-{number:05}", shard, plan.partitions is not None, options.rejects_label)
            for number, shard in enumerate(shards(sources, plan.shards))
        ]
        return stages.run(steps)

    tasks = executor.resources().tasks
    count = job.shards or shard_count(sources, tasks, job.shard_size)
    return Job(
        executor,
        folder,
        options,
        job,
        identity,
        packed,
        of_job(sources, options, packed, identity, partitions),
        plan_for(count, tasks, job.fan_in, partitions),
        make_shards,
        started,
        expected=source_list(sources, (source.uri for source in sources)),
    ).run()


def examine(
    executor: Executor, options: CommandOptions, job: JobOptions
) -> tuple[Optional[bundle.Bundle], command.Identity]:
    """Returns the files of the driver that a job needs, and the command that the executor's machines have.

    Raises `PermanentError` if the options are wrong, a file can't be read, or the command can't run the job.
    """
    trial = trial_of(options, job)
    packed = _packed(options)
    run_trial(executor, trial, packed)
    identity = executor.map(command.probe, [trial.command])[0]
    command.require(identity, command.NAMED_SOURCES)
    if job.partitions is not None:
        command.require(identity, command.PARTITIONS)
    if isinstance(options, MeasureOptions):
        command.require(identity, command.MEASURES)
    if isinstance(options, CompareOptions):
        command.require(identity, command.COMPARISONS)
    return packed, identity


def trial_of(options: CommandOptions, job: JobOptions) -> Trial:
    """Returns a run of the command that finds errors in the options of a job.

    Raises `PermanentError` for those that the command does not have, and for options that can't be combined.
    """
    job.check()
    options.check(1 if isinstance(job.partitions, str) else job.partitions)
    if job.table is not None:
        check_table_options(job.table, options)
    return Trial(command.Command(job.sheaf), options, CommandOptions.whole, job.resources)


def _packed(options: CommandOptions) -> Optional[bundle.Bundle]:
    """Packs the files of the driver. Raises `PermanentError` with status 78 if one can't be read or written again."""
    try:
        return bundle.pack(options)
    except (ValueError, RecursionError) as error:
        path = ", ".join([*options.configurations.values(), *options.mappings])
        raise PermanentError(f"{path}: the configuration can't be read: {error}", CONFIGURATION) from error


def partition_count(wanted: Partitions, sources: Sequence[Source]) -> Optional[int]:
    """Returns the number of parts, which for `auto` follows from the sources."""
    if not isinstance(wanted, str):
        return wanted
    return max(1, min(MAXIMUM_RANGES, -(-sum(source.size for source in sources) // RANGE_SIZE)))


def plan_for(shard_count: int, tasks: int, fan_in: int, partitions: Optional[int]) -> Plan:
    """Returns the division of a job. Its files are 2 for each shard, 2 `partitions` for each split, and `partitions` squared."""
    splits = min(shard_count, max(fan_in, min(tasks, SLICES // (2 * (partitions or 1)))))
    return Plan(shard_count, splits, fan_in, partitions)


@dataclass(frozen=True)
class Job:
    """A job from its shards to its output folder."""

    executor: Executor
    output: str
    options: CommandOptions
    settings: JobOptions
    identity: command.Identity
    """The command that the executor's machines have."""
    packed: Optional[bundle.Bundle]
    """The files of the driver that the steps need."""
    fingerprint: Fingerprint
    """What the job is."""
    plan: Plan
    make_shards: Callable[[Stages, Plan], list[Record]] = field(repr=False)
    """Makes the partial results that the job merges."""
    started: float
    """The monotonic time at which it began."""
    expected: Optional[bytes] = None
    """The sources that the result must cover, as `sheaf merge --expect-sources` takes them; None if that is unknown."""

    def run(self) -> JobResult:
        """Runs the job, or continues one that was killed, with the plan that it began with."""
        with Workspace(absolute(self.output), self.settings.stores) as workspace:
            state = workspace.open(self.fingerprint, self.settings.overwrite)
            if state.get("complete"):
                return _complete(workspace, state)
            known = workspace.records(self.fingerprint) if state else {}
            # Without a finished step, the job may also be divided in another way.
            job = replace(self, plan=Plan(**state["plan"])) if known else self
            workspace.begin(job._state())
            try:
                return job._run(workspace, known, resumes=bool(state))
            except Exception:
                # Another driver has removed what this one needs, or has finished before it.
                finished = None
                with suppress(Exception):
                    finished = workspace.completed(self.fingerprint)
                if finished is None:
                    raise
                return _complete(workspace, finished)

    def _state(self) -> dict[str, Any]:
        marks = {"fingerprint": self.fingerprint.whole, "reading": self.fingerprint.reading}
        return {**marks, "facts": dict(self.fingerprint.facts), "plan": asdict(self.plan)}

    def _run(self, workspace: Workspace, known: Mapping[str, Record], resumes: bool) -> JobResult:
        """Runs the steps that have no record yet. Raises `Superseded` if another driver takes the folder over.

        `known` has the records of the steps that an earlier run finished.
        """
        if resumes:
            workspace.sweep(known.values())
        context = self._context(workspace)
        stages = Stages(self.executor, context, dict(known), stage_names(self.options, self.plan))
        options, stores = self.options, self.settings.stores
        try:
            shard_records = self.make_shards(stages, self.plan)
            part_records = parts(stages, shard_records, self.plan)
            status = max(record.status for record in part_records)
            rejects: Optional[tuple[str, int]] = None
            if options.rejects is not None and options.rejects_label is not None:
                target, folders = name_of(options.rejects), context.resources.folders
                size = write_rejects(target, options.rejects_label, stores, workspace, shard_records, folders)
                rejects = None if size is None else (absolute(target), size)
            publish_parts(self.executor, workspace, stores, part_records, options.suffix)
        except BaseException:
            # Finished steps are kept for the next run; what failed attempts left is of no use.
            with suppress(Exception):
                workspace.require_ownership()
                workspace.sweep({**workspace.records(self.fingerprint), **stages.done}.values())
            raise
        total = statistics.add([record.statistics for record in part_records if record.statistics is not None])
        total["seconds"] = round(time.monotonic() - self.started, 3)
        messages = "".join(record.messages for record in (*shard_records, *part_records))
        kept = "; use --rejects FILE to keep them" if options.rejects is None else f"; they are in {options.rejects}"
        messages = messages.replace(_ADVICE, "" if "rejects" in options.without_effect else kept)
        finished = {"status": status, "messages": messages, "rejects": rejects}
        workspace.finish(total, {**self._state(), **finished})
        asked = self.settings.shards
        return JobResult(
            workspace.output,
            status,
            total,
            messages,
            len(known),
            problem=workspace.problem,
            kept_shards=self.plan.shards if known and asked not in (None, self.plan.shards) else None,
        )

    def _context(self, workspace: Workspace) -> Context:
        """Writes the files that steps read, and returns what all steps have in common."""
        layout = workspace.layout
        if self.expected is not None:
            workspace.store.write(layout.file(SOURCES), self.expected)
        if self.packed is not None:
            workspace.store.write(layout.file(BUNDLE), self.packed.content)
        resources = self.settings.resources
        wanted = {name: value for name, value in asdict(resources).items() if value and name != "tasks"}
        return Context(
            layout,
            self.settings.stores,
            command.Command(self.settings.sheaf, self.identity),
            replace(self.executor.resources(), **wanted),
            self.options,
            has_bundle=self.packed is not None,
            has_sources=self.expected is not None,
            mark=self.fingerprint.reading,
            result_mark=self.fingerprint.whole,
        )


def _complete(workspace: Workspace, state: dict[str, Any]) -> JobResult:
    return JobResult(workspace.output, state["status"], workspace.statistics(), state["messages"], was_complete=True)
