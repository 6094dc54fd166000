"""The command `sheaf-spark`: arguments, messages and the exit status."""

from __future__ import annotations

import argparse
import sys
from typing import Any, Optional, Sequence

from . import __version__, options
from .api import replay
from .executor import LocalExecutor
from .failures import USAGE, JobError
from .job import FAN_IN, JobOptions, JobResult
from .resources import Resources, bytes_of


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Returns the exit status, which has the same meaning as that of `sheaf`."""
    parser = _parser()
    try:
        given = parser.parse_args(arguments)
    except SystemExit as error:
        return USAGE if error.code else 0
    try:
        where = _where(given)
        result = replay(where, given.inputs, given.output, options.from_namespace(given), _job(given))
    except JobError as error:
        print(f"sheaf-spark: {error}", file=sys.stderr)
        return error.status
    except KeyboardInterrupt:
        return 130
    _report(result, given.quiet)
    return result.status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("sheaf-spark", description=__doc__, allow_abbrev=False)
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    command = commands.add_parser("replay", help="replay logs on many machines", allow_abbrev=False)
    command.add_argument("inputs", nargs="+", metavar="INPUT", help="a path, folder, glob or URI")
    command.add_argument("-o", "--output", required=True, metavar="FOLDER", help="the folder for the parts")
    command.add_argument("--partitions", type=int, metavar="R", help="write R parts, each merged by one task")
    command.add_argument("--shards", type=int, metavar="N", help="the number of tasks that read inputs")
    command.add_argument("--shard-size", default="1GiB", metavar="SIZE", help="how much a task reads (1GiB)")
    command.add_argument("--fan-in", type=int, default=FAN_IN, metavar="N", help=f"files of a merge ({FAN_IN})")
    command.add_argument("--overwrite", action="store_true", help="replace another result in FOLDER")
    _add_resources(command)
    options.add_arguments(command)
    return parser


def _add_resources(command: argparse.ArgumentParser) -> None:
    command.add_argument("--master", metavar="URL", help="where Spark runs, unless spark-submit has it")
    command.add_argument("--conf", action="append", default=[], metavar="KEY=VALUE", help="a setting of Spark")
    command.add_argument("--local", type=int, metavar="N", help="run N tasks at a time on this machine, without Spark")
    command.add_argument("--attempts", type=int, default=3, metavar="N", help="attempts of a task with --local (3)")
    command.add_argument("--sheaf", metavar="PATH", help="the sheaf command on each machine")
    command.add_argument("--threads", type=int, metavar="N", help="threads of each task")
    command.add_argument("--memory", metavar="SIZE", help="the memory limit of each task")
    command.add_argument("--scratch", action="append", default=[], metavar="DIR", help="the folder for temporary files")
    command.add_argument("-q", "--quiet", action="store_true", help="write only errors")


def _where(given: argparse.Namespace) -> Any:
    if given.local is not None:
        return LocalExecutor(given.local or None, given.attempts)
    from .spark import session

    return session(given.master, given.conf)


def _job(given: argparse.Namespace) -> JobOptions:
    memory = bytes_of(given.memory) if given.memory else None
    return JobOptions(
        partitions=given.partitions,
        shards=given.shards,
        shard_size=bytes_of(given.shard_size),
        fan_in=given.fan_in,
        overwrite=given.overwrite,
        sheaf=given.sheaf,
        resources=Resources(threads=given.threads, memory=memory, folders=tuple(given.scratch)),
    )


def _report(result: JobResult, quiet: bool) -> None:
    if quiet:
        return
    if result.was_complete:
        print(f"sheaf-spark: {result.output} is complete already", file=sys.stderr)
    elif result.reused:
        print(f"sheaf-spark: continued after {result.reused} finished steps", file=sys.stderr)
    sys.stderr.write(result.messages)
