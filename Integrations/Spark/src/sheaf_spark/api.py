"""The functions of the package."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Sequence

from .check import Report, check_on
from .executor import Executor
from .failures import USAGE, PermanentError
from .job import JobOptions, JobResult, Partitions, run_on
from .options import CommandOptions, CompareOptions, MeasureOptions, ReplayOptions
from .s3 import S3Store
from .schema import check_table, write_table
from .store import AnyPath, AnyPaths, name_of


def replay(
    where: Any,
    inputs: AnyPaths,
    output: AnyPath,
    options: ReplayOptions = ReplayOptions(),
    job: JobOptions = JobOptions(),
    *,
    partitions: Partitions = None,
) -> JobResult:
    """Replays logs to a folder with the parts of one snapshot.

    `where` is a `SparkSession` or an `Executor`. `inputs` are paths, folders, globs or URIs, in their order, or one of
    them. The parts, one after the other, are the bytes that one `sheaf replay` of all inputs writes. `partitions`
    overrides that of `job`.

    Raises `PermanentError` if the job can't succeed, with the exit status of the command, and `TransientError` if all
    attempts of a step failed. Calling it again then continues where the job ended.
    """
    return _run(where, inputs, output, options, job, partitions)


def measure(
    where: Any,
    inputs: AnyPaths,
    output: AnyPath,
    options: MeasureOptions = MeasureOptions(),
    job: JobOptions = JobOptions(),
    *,
    partitions: Partitions = None,
) -> JobResult:
    """Measures logs like `sheaf measure`, to a folder with one part, or with several if options have both cells and partitions.

    The parts, one after the other, are the bytes that one `sheaf measure` of all inputs writes. With `partitions`, so many
    tasks measure the people. The other arguments are those of `replay`, and so is what it raises.
    """
    return _run(where, inputs, output, options, job, partitions)


def compare(
    where: Any,
    inputs: AnyPaths,
    output: AnyPath,
    options: CompareOptions,
    job: JobOptions = JobOptions(),
) -> JobResult:
    """Compares two designs like `sheaf compare`, to a folder with one part: the bytes that one `sheaf compare` of all inputs
    writes. One task writes it, from what the others have read.

    The status of the result is 65 if a condition of `fail_if` is true, too. Its statistics have only the time; the report
    has those of both designs. The other arguments are those of `replay`, and so is what it raises.
    """
    return _run(where, inputs, output, options, job, None)


def check(
    where: Any,
    inputs: AnyPaths,
    options: ReplayOptions = ReplayOptions(),
    job: JobOptions = JobOptions(),
    *,
    disable: Sequence[str] = (),
) -> Report:
    """Checks logs like `sheaf check`, and adds up the findings of all shards.

    `where` and `inputs` are those of `replay`. Of the options, those that `sheaf check` has too are used; `disable` are
    names of rules that are not applied. With several shards, rules about all records of an app are not applied either.
    Raises what `replay` raises.
    """
    executor, job = prepare(where, job)
    return check_on(executor, inputs, options, job, disable)


def _run(
    where: Any, inputs: AnyPaths, output: AnyPath, options: CommandOptions, job: JobOptions, partitions: Partitions
) -> JobResult:
    executor, job = prepare(where, job)
    if partitions is not None:
        job = replace(job, partitions=partitions)
    if job.table is None:
        return run_on(executor, inputs, output, options, job)
    if not hasattr(where, "sparkContext"):
        raise PermanentError("tables are written by Spark: leave out --table or --local", USAGE)
    check_table(where, job.table, options)
    if isinstance(job.stores.of(name_of(output)), S3Store):
        raise PermanentError("--table: Spark reads the parts by Hadoop: name the folder by an s3a: URI", USAGE)
    result = run_on(executor, inputs, output, options, job)
    write_table(where, result.output, job.table, options)
    return result


def prepare(where: Any, job: JobOptions) -> tuple[Executor, JobOptions]:
    """Returns the executor for a session, and the options with its settings. An executor is returned as it is.

    Raises `PermanentError` for anything else.
    """
    if type(where).__module__.startswith("pyspark.sql.connect"):
        raise PermanentError(
            "the session is one of Spark Connect, which can't run tasks that start commands: use a session of "
            "SparkSession.builder.master(…), or run the job with sheaf-spark --local",
            USAGE,
        )
    if not hasattr(where, "sparkContext"):
        if not hasattr(where, "map") or not hasattr(where, "resources"):
            raise PermanentError(f"{where!r} is neither a SparkSession nor an executor with map and resources", USAGE)
        executor: Executor = where
        return executor, job
    from .spark import SparkExecutor
    from .stores import Stores

    spark = SparkExecutor(where)
    stores = spark.stores() if job.stores == Stores() else job.stores
    return spark, replace(job, sheaf=job.sheaf or spark.binary, stores=stores)
