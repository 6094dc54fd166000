"""Replays or measures lines that are in a DataFrame.

Each partition of the DataFrame becomes a keyed partial result: its rows are joined to lines by Arrow and written to
one `sheaf replay --keyed` or `sheaf measure --keyed`, with no Python code for each row.
"""

from __future__ import annotations

import json
import pickle
import time
import uuid
from dataclasses import dataclass, field, replace
from typing import IO, TYPE_CHECKING, Any, Callable, Iterable, Iterator, Mapping, Optional, Sequence

from . import command
from .failures import CONFIGURATION, USAGE, PermanentError
from .fingerprint import of_other_job
from .inputs import MAXIMUM_SOURCES
from .job import Job, JobOptions, JobResult, examine, plan_for
from .options import CommandOptions, ReplayOptions
from .reduction import Plan, Stages
from .replay_steps import PARTIAL, SAMPLE, read
from .spark import SparkExecutor, capture, collect, value_of
from .steps import Bench, Context, RunStep
from .store import AnyPath, name_of
from .workspace import Record

if TYPE_CHECKING:
    import pyarrow


def from_dataframe(
    frame: Any,
    output: AnyPath,
    *,
    line: str,
    ordinal: str,
    line_number: str,
    sources: Optional[Mapping[int, str]] = None,
    options: CommandOptions = ReplayOptions(),
    job: JobOptions = JobOptions(),
    partitions: Optional[int] = None,
) -> JobResult:
    """Replays the lines of a DataFrame, whose partitions and their order do not affect the result, or measures them if
    the options are `MeasureOptions`.

    `line` is the name of a column of text or bytes: one line of a log each. `ordinal` and `line_number` are columns of
    whole numbers, which give each line its position: the number of its source, from 0, and that of the line in it, from
    1. `sources` names the sources as snapshots show them. Without it they are named by their ordinals, which takes one
    more pass over the DataFrame. The other arguments are those of `replay`; there are no `rejects`.

    A job from a DataFrame does not resume, since its contents can't be compared with those of an earlier one: what an
    earlier job has left in `output` must be replaced with `overwrite`. Raises what `replay` raises.
    """
    from .api import prepare

    started = time.monotonic()
    _require_arrow()
    if options.rejects is not None:
        raise PermanentError("rejected lines of a DataFrame have no order to write them in: leave out rejects", USAGE)
    executor, job = prepare(frame.sparkSession, job)
    assert isinstance(executor, SparkExecutor)
    count = partitions if partitions is not None else job.partitions
    if isinstance(count, str):
        raise PermanentError(f"partitions: {count!r} needs the size of files: give a number", USAGE)
    job = replace(job, partitions=count)
    packed, identity = examine(executor, options, job)
    command.require(identity, command.KEYED_LINES)
    selected = _selected(frame, line, ordinal, line_number)
    names = sources if sources is not None else {number: str(number) for number in _ordinals(selected)}
    # The command requires a source, even for an empty DataFrame.
    listed = _source_list(names or {0: "0"})

    def make_shards(stages: Stages, plan: Plan) -> list[Record]:
        feed = _FeedPartition(stages.context, listed, plan.partitions is not None, uuid.uuid4().hex[:8])
        rows = collect(selected.mapInArrow(feed, "outcome binary"))
        records = [value_of(pickle.loads(bytes(row["outcome"]))) for row in rows]
        if not records:
            # Without partitions there would be no result to merge.
            (empty,) = executor.map(_FeedNothing(feed), [0])
            records.append(empty)
        stages.done.update((record.step, record) for record in records)
        return sorted(records, key=lambda record: record.step)

    # The number of partitions is Spark's to decide, and may change while the job runs.
    tasks = executor.resources().tasks
    plan = plan_for(max(tasks, job.fan_in), tasks, job.fan_in, count)
    # A source without lines is in no partial result, so that none can be expected. Every DataFrame is another job.
    work = Job(
        executor, name_of(output), options, job, identity, packed, of_other_job(), plan, make_shards, started
    )  # fmt: skip
    try:
        return work.run()
    except PermanentError as error:
        repeated = _repeated_position(selected) if error.status == USAGE else None
        if repeated is None:
            raise
        raise PermanentError(f"{repeated}: {error}", USAGE) from error


def _repeated_position(selected: Any) -> Optional[str]:
    """Returns a message about the first position that several rows have; None if all are different."""
    counts = selected.groupBy("ordinal", "number").count()
    rows = collect(counts.where("count > 1").orderBy("ordinal", "number").limit(1))
    if not rows:
        return None
    position = f"ordinal {rows[0]['ordinal']}, line number {rows[0]['number']}"
    return f"{rows[0]['count']} rows have the position {position}: each needs its own"


def with_positions(frame: Any, sources: Sequence[str], number: str, *, first: int = 0) -> tuple[Any, dict[int, str]]:
    """Adds the columns `ordinal` and `line_number`, from those of a table's own, and returns the names of its sources.

    `sources` are the columns that tell the sources apart, such as `["topic", "partition"]` of Kafka; ordinals are in
    their order, and names are their values with slashes between them. `number` is the column that counts the lines of a
    source, such as `offset`, from `first` on. One pass over the DataFrame finds the sources; the driver holds them.

        lines, names = with_positions(frame, ["topic", "partition"], "offset")
        from_dataframe(lines, "out", line="value", ordinal="ordinal", line_number="line_number", sources=names)
    """
    from pyspark.sql import functions

    rows = sorted(tuple(row) for row in collect(frame.select(*sources).distinct()))
    if any(value is None for row in rows for value in row):
        raise PermanentError(f"the columns {', '.join(sources)} have null: each line needs a source", USAGE)
    names = {ordinal: "/".join(map(str, row)) for ordinal, row in enumerate(rows)}
    if not rows:
        known = frame.withColumn("ordinal", functions.lit(0).cast("long"))
    else:
        schema = frame.select(*sources).schema.add("ordinal", "long")
        table = frame.sparkSession.createDataFrame([(*row, ordinal) for ordinal, row in enumerate(rows)], schema)
        known = frame.join(functions.broadcast(table), list(sources))
    return known.withColumn("line_number", functions.col(number).cast("long") - first + 1), names


def _require_arrow() -> None:
    try:
        # Spark requires pandas for functions of Arrow batches, too.
        import pandas  # noqa: F401
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise PermanentError(
            f"DataFrames need pyarrow and pandas ({error}): pip install 'sheaf-spark[dataframe]'", CONFIGURATION
        ) from error


def _selected(frame: Any, line: str, ordinal: str, line_number: str) -> Any:
    from pyspark.sql import functions, types

    kinds = {name: kind for name, kind in ((item.name, item.dataType) for item in frame.schema.fields)}
    expected = (
        (line, (types.StringType, types.BinaryType)),
        (ordinal, types.IntegralType),
        (line_number, types.IntegralType),
    )
    for name, allowed in expected:
        if name not in kinds and "." not in name:
            raise PermanentError(f"column {name} is missing: the columns are {', '.join(kinds)}", USAGE)
        if name in kinds and not isinstance(kinds[name], allowed):
            raise PermanentError(f"the column {name} has the type {kinds[name].simpleString()}", USAGE)
    return frame.select(
        functions.col(ordinal).cast("long").alias("ordinal"),
        functions.col(line_number).cast("long").alias("number"),
        functions.col(line).alias("line"),
    )


def _ordinals(selected: Any) -> list[int]:
    found = [row["ordinal"] for row in collect(selected.select("ordinal").distinct())]
    if any(number is None for number in found):
        raise PermanentError("the column of ordinals has null", USAGE)
    return sorted(found)


def _source_list(names: Mapping[int, str]) -> bytes:
    for number in names:
        if not 0 <= number < MAXIMUM_SOURCES:
            raise PermanentError(f"the ordinal {number} is not from 0 to {MAXIMUM_SOURCES - 1}", USAGE)
    lines = (
        json.dumps({"source": name, "ordinal": number}, ensure_ascii=False) for number, name in sorted(names.items())
    )
    return "".join(line + "\n" for line in lines).encode("utf-8")


@dataclass(frozen=True)
class _ReadKeyed:
    """The step that reads one partition."""

    name: str
    listed: bytes = field(repr=False)
    with_sample: bool
    feed: Callable[[IO[bytes]], None]
    is_of_result = False

    def run(self, bench: Bench) -> None:
        sources = bench.temporary("sources.ndjson", self.listed)
        partial = bench.output(PARTIAL, packed=True)
        arguments = ["-", "--keyed", "--sources-from", sources, "--partial", partial]
        options = [*bench.config(), *bench.options.of_records()]
        read(bench, *arguments, *options, feed=self.feed)
        if self.with_sample:
            bench.sheaf("partial", "keys", partial, "-o", bench.output(SAMPLE, packed=True), "--quiet")


@dataclass(frozen=True)
class _FeedPartition:
    """The function that Spark calls with the batches of a partition."""

    context: Context
    listed: bytes = field(repr=False)
    with_sample: bool
    tag: str

    def __call__(self, batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        import pyarrow
        from pyspark import TaskContext

        task = TaskContext.get()
        number = task.partitionId() if task is not None else 0
        outcome = capture(self.run, (number, batches))
        yield pyarrow.RecordBatch.from_pydict({"outcome": [pickle.dumps(outcome)]})

    def run(self, partition: tuple[int, Iterable[pyarrow.RecordBatch]]) -> Record:
        number, batches = partition

        def feed(pipe: IO[bytes]) -> None:
            for batch in batches:
                if batch.num_rows:
                    pipe.write(keyed_lines(*batch.columns))

        return RunStep(self.context)(_ReadKeyed(f"keyed-{number:05}", self.listed, self.with_sample, feed))


@dataclass(frozen=True)
class _FeedNothing:
    partition: _FeedPartition

    def __call__(self, number: int) -> Record:
        return self.partition.run((number, ()))


def keyed_lines(ordinals: Any, numbers: Any, lines: Any) -> memoryview:
    """Returns the lines `ORDINAL<TAB>LINE<TAB>text` of three Arrow arrays, as one buffer.

    A null line is a blank one. Line feeds in a line become spaces: in JSON they can only be between tokens. Raises
    `PermanentError` if an ordinal or a number is null.
    """
    import pyarrow
    import pyarrow.compute as compute

    if ordinals.null_count or numbers.null_count:
        raise PermanentError("a row has null as its ordinal or line number", USAGE)
    binary = pyarrow.large_binary()
    text = lines.cast(binary)
    if text.null_count:
        text = compute.fill_null(text, pyarrow.scalar(b"", binary))
    if compute.any(compute.match_substring(text, "\n")).as_py():
        text = compute.replace_substring(text, b"\n", b" ")
    tab, end = pyarrow.scalar(b"\t", binary), pyarrow.scalar(b"\n", binary)
    columns = [column.cast(pyarrow.large_string()).cast(binary) for column in (ordinals, numbers)]
    joined = compute.binary_join_element_wise(*columns, text, tab)
    # Joined with an empty text, each line ends with the separator.
    ended = compute.binary_join_element_wise(joined, pyarrow.scalar(b"", binary), end)
    _, offsets, content = ended.buffers()
    bounds = memoryview(offsets).cast("q")
    return memoryview(content)[bounds[ended.offset] : bounds[ended.offset + len(ended)]]
