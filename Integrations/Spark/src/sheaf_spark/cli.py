"""The command `sheaf-spark`: arguments, messages and the exit status."""

from __future__ import annotations

import argparse
import errno
import json
import logging
import os
import sys
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any, Callable, Iterator, Optional, Sequence

from . import __version__, options
from .api import check, compare, measure, replay
from .check import Report, trial_of_check
from .executor import LocalExecutor
from .failures import CANNOT_CREATE, INPUT_OUTPUT, INTERNAL, USAGE, JobError, PermanentError
from .job import FAN_IN, JobOptions, JobResult, Partitions, trial_of
from .options import CommandOptions, CompareOptions, MeasureOptions, ReplayOptions
from .publish import check_output
from .resources import Resources, bytes_of
from .trial import Trial, succeeds_here

# Errors with which a file or a folder can't be created; others are those of a device.
_CANNOT_CREATE = frozenset(
    {
        errno.EACCES, errno.EPERM, errno.EROFS, errno.EEXIST, errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.ELOOP,
        errno.ENAMETOOLONG,
    }
)  # fmt: skip


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Returns the exit status, which has the same meaning as that of `sheaf`."""
    parser = _parser()
    try:
        given = parser.parse_args(arguments)
    except SystemExit as error:
        return USAGE if error.code else 0
    _log(0 if given.quiet else given.verbose + 1)
    try:
        return _run(given)
    except JobError as error:
        return _fail(str(error), error.status)
    except OSError as error:
        return _fail(*_problem_of(error))
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        first = next(iter(str(error).splitlines()), "no message")
        return _fail(f"internal error: {type(error).__name__}: {first}", INTERNAL)


def _log(verbosity: int) -> None:
    """Writes the progress of jobs to standard error: nothing at 0, finished steps at 1, and at 2 those that begin, too."""
    logger = logging.getLogger("sheaf_spark")
    logger.setLevel((logging.WARNING, logging.INFO, logging.DEBUG)[min(verbosity, 2)])
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("sheaf-spark: %(message)s"))
    logger.handlers = [handler]
    logger.propagate = False


def _fail(message: str, status: int) -> int:
    """Reports an error, even with names that can't be encoded, and returns its status."""
    text = f"sheaf-spark: {message}"
    print(text.encode("utf-8", "backslashreplace").decode("utf-8"), file=sys.stderr)
    return status


def _problem_of(error: OSError) -> tuple[str, int]:
    """Returns the message and the status for an error of a file system."""
    reason = error.strerror or str(error) or type(error).__name__
    if error.filename is None:
        return reason, INPUT_OUTPUT
    path = os.fsdecode(error.filename) if isinstance(error.filename, (str, bytes)) else str(error.filename)
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return (
            f"{os.path.dirname(path) or '.'}: {reason}: free some space in the folder, or name another one",
            INPUT_OUTPUT,
        )
    return f"{path}: {reason}", CANNOT_CREATE if error.errno in _CANNOT_CREATE else INPUT_OUTPUT


def _run(given: argparse.Namespace) -> int:
    job = _job(given)
    if given.command == "check":
        checked = options.from_namespace(given, ReplayOptions)
        with _where(given, trial_of_check(checked, job, given.disable)) as where:
            report = check(where, given.inputs, checked, job, disable=given.disable)
        print(_text(report, given.json))
        return report.status
    check_output(given.inputs, given.output, getattr(given, "rejects", None))
    jobs: dict[str, tuple[Callable[..., JobResult], type[CommandOptions]]] = {
        "replay": (replay, ReplayOptions), "measure": (measure, MeasureOptions), "compare": (compare, CompareOptions),
    }  # fmt: skip
    run, kind = jobs[given.command]
    chosen = options.from_namespace(given, kind)
    with _where(given, trial_of(chosen, job)) as where:
        result = run(where, given.inputs, given.output, chosen, job)
    _report(result, given.quiet)
    return result.status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("sheaf-spark", description=__doc__, allow_abbrev=False)
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    command = commands.add_parser("replay", help="replay logs on many machines", allow_abbrev=False)
    _add_job(command, partitions="write R parts, each merged by one task; auto: a part for 4 GiB of inputs")
    options.add_arguments(command, ReplayOptions)
    text = "measure how much each person gets, on many machines"
    command = commands.add_parser("measure", help=text, allow_abbrev=False)
    _add_job(command, partitions="measure R ranges of people, each by one task; with --cells write R parts")
    options.add_arguments(command, MeasureOptions)
    command = commands.add_parser("compare", help="compare two designs on many machines", allow_abbrev=False)
    _add_job(command)
    options.add_arguments(command, CompareOptions)
    command = commands.add_parser("check", help="check logs on many machines", allow_abbrev=False)
    command.add_argument("--disable", action="append", default=[], metavar="NAME", help="a rule that is not applied")
    command.add_argument("--json", action="store_true", help="write the report as JSON")
    _add_resources(command)
    options.add_check_arguments(command)
    return parser


def _add_job(command: argparse.ArgumentParser, partitions: Optional[str] = None) -> None:
    """Adds what jobs that write a result have. `partitions` describes the option; None if there is always one part."""
    command.add_argument("-o", "--output", required=True, metavar="FOLDER", help="the folder for the parts")
    if partitions is not None:
        command.add_argument("--partitions", type=_partitions, metavar="R", help=partitions)
    command.add_argument("--fan-in", type=int, default=FAN_IN, metavar="N", help=f"files of a merge ({FAN_IN})")
    command.add_argument("--table", metavar="FORMAT", help="also write a table to FOLDER/table, such as parquet")
    command.add_argument("--overwrite", action="store_true", help="replace another result in FOLDER")
    _add_resources(command)


def _partitions(text: str) -> Partitions:
    """Returns a number, or what `JobOptions.check` judges."""
    try:
        return int(text)
    except ValueError:
        return text


def _add_resources(command: argparse.ArgumentParser) -> None:
    command.add_argument("inputs", nargs="+", metavar="INPUT", help="a path, folder, glob or URI")
    command.add_argument("--shards", type=int, metavar="N", help="the number of tasks that read inputs")
    command.add_argument("--shard-size", default="1GiB", metavar="SIZE", help="how much a task reads (1GiB)")
    command.add_argument("--master", metavar="URL", help="where Spark runs, unless spark-submit has it")
    command.add_argument("--conf", action="append", default=[], metavar="KEY=VALUE", help="a setting of Spark")
    command.add_argument("--local", type=int, metavar="N", help="run N tasks at a time on this machine, without Spark")
    command.add_argument("--attempts", type=int, default=3, metavar="N", help="attempts of a task with --local (3)")
    command.add_argument("--sheaf", metavar="PATH", help="the sheaf command on each machine")
    command.add_argument("--threads", type=int, metavar="N", help="threads of each task")
    command.add_argument("--memory", metavar="SIZE", help="the memory limit of each task")
    command.add_argument("--scratch", action="append", default=[], metavar="DIR", help="the folder for temporary files")
    command.add_argument("-q", "--quiet", action="store_true", help="write only errors")
    command.add_argument("-v", "--verbose", action="count", default=0, help="also write which steps begin")


@contextmanager
def _where(given: argparse.Namespace, trial: Trial) -> Iterator[Any]:
    """Gives an executor or a session, which is stopped at the end.

    Raises `PermanentError` for wrong options before Spark is started.
    """
    if given.local is not None:
        for name, value, least in (("--local", given.local, 0), ("--attempts", given.attempts, 1)):
            if value < least:
                raise PermanentError(f"{name} takes a number from {least}", USAGE)
        yield LocalExecutor(given.local or None, given.attempts)
        return
    succeeds_here(trial)
    from .spark import session

    spark = session(given.master, given.conf)
    try:
        yield spark
    finally:
        # Otherwise the executors of a cluster end with errors in their logs.
        spark.stop()


def _job(given: argparse.Namespace) -> JobOptions:
    memory = bytes_of(given.memory) if given.memory else None
    return JobOptions(
        partitions=getattr(given, "partitions", None),
        shards=given.shards,
        shard_size=bytes_of(given.shard_size),
        fan_in=getattr(given, "fan_in", FAN_IN),
        overwrite=getattr(given, "overwrite", False),
        table=getattr(given, "table", None),
        sheaf=given.sheaf,
        resources=Resources(threads=given.threads, memory=memory, folders=tuple(given.scratch)),
    )


def _report(result: JobResult, quiet: bool) -> None:
    if result.was_complete:
        _note(f"sheaf-spark: {result.output} is complete already", quiet)
    elif result.problem:
        _note(f"sheaf-spark: {result.output} was written again: {result.problem}", quiet)
    elif result.reused:
        _note(f"sheaf-spark: continued after {result.reused} finished steps", quiet)
    if result.kept_shards is not None:
        kept = f"--shards has no effect on a job that continues: it began with {result.kept_shards}"
        _note(f"sheaf-spark: {kept}", quiet)
    if "records" in result.statistics:
        _note(_totals(result.statistics), quiet)
    # The command's own totals are those of a part, and its messages may be the same for several.
    for line in dict.fromkeys(line for line in result.messages.splitlines() if line.startswith("sheaf: ")):
        # As with `sheaf --quiet`, errors are reported.
        _note(line, quiet and line.startswith("sheaf: warning"))


def _note(line: str, quiet: bool) -> None:
    if not quiet:
        print(line, file=sys.stderr)


def _totals(statistics: dict[str, Any]) -> str:
    """The same line as that of the command."""
    counted = "people" if "people" in statistics else "groups"
    counts = ", ".join(f"{statistics.get(name, 0):,} {name}" for name in (counted, "silent", "updated"))
    rejected = statistics.get("rejected", {}).get("total", 0)
    return (
        f"{statistics.get('records', 0):,} records from {statistics.get('sources', 0):,} sources, {counts}, "
        f"{rejected:,} rejected, {statistics.get('seconds', 0):.1f} s"
    )


def _text(report: Report, as_json: bool) -> str:
    if as_json:
        by_source = [{"name": name, "source": source, "count": n} for (name, source), n in report.by_source.items()]
        return json.dumps({**asdict(report), "by_source": by_source}, ensure_ascii=False)
    lines = [
        f"{finding.severity:<8} {finding.count:>8}  {finding.name}  {_position(finding.first)}"
        for finding in report.findings
    ]
    lines.append(
        f"{report.records} records from {report.sources} sources: {report.errors} errors, {report.warnings} warnings"
    )
    if report.left_out:
        lines.append(f"not checked, since there are several shards: {', '.join(report.left_out)}")
    return "\n".join(lines)


def _position(first: dict[str, Any]) -> str:
    return f"{first['source']}:{first['line']}" if "line" in first else f"{first['source']}, byte {first.get('offset')}"
