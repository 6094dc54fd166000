"""The functions of the package."""

from __future__ import annotations

import json
from contextlib import AbstractContextManager, nullcontext
from typing import IO, TYPE_CHECKING, Any, Optional

from sheaf_spark.store import AnyPath, AnyPaths, names_of

from . import running, tables

if TYPE_CHECKING:
    import pyarrow

# The functions set these.
_OWN = ("output", "format", "quiet", "partial", "stats")


def replay(sources: AnyPaths, *, sheaf: Optional[AnyPath] = None, **options: Any) -> pyarrow.Table:
    """Returns the groups of a replay, in the order of `sheaf replay`.

    `sources` are files and folders. The options are those of the command, with underscores: `by_device=True`,
    `until="2026-03-05"`, `only_app=["a", "b"]`. `sheaf` is the path of the command, if it is neither in the variable
    SHEAF nor in PATH. Times are timestamps, and members nested, so that the columns do not depend on the log.

    Memory: that of the table; the command's output is read as it is written. Raises `SheafError` with the exit status
    if the command fails. Its warnings, and rejected lines, become Python warnings.
    """
    return tables.groups(_run("replay", "ndjson", sources, sheaf, options))


def measure(sources: AnyPaths, *, sheaf: Optional[AnyPath] = None, **options: Any) -> pyarrow.Table:
    """Returns the measures of `sheaf measure`: a row for each interval, app and measure, or with `cells=True` for each
    interval, person and app. For the rest see `replay`."""
    return tables.measures(_run("measure", "ndjson", sources, sheaf, options))


def check(sources: AnyPaths, *, sheaf: Optional[AnyPath] = None, **options: Any) -> pyarrow.Table:
    """Returns the findings of `sheaf check`: a row for each rule that some record breaks. For the rest see `replay`."""
    return tables.findings(_report("check", sources, sheaf, options))


def compare(sources: AnyPaths, *, sheaf: Optional[AnyPath] = None, **options: Any) -> pyarrow.Table:
    """Returns how two designs differ, as `sheaf compare` counts it: a row for all apps, whose app is null, and one for
    each app that differs. `with_="new.json"` is the new configuration. For the rest see `replay`."""
    return tables.differences(_report("compare", sources, sheaf, options))


def read_groups(path: AnyPath) -> pyarrow.Table:
    """Returns the groups in a file that `sheaf replay` or `sheaf merge` wrote as NDJSON."""
    with open(path, "rb") as file:
        return tables.groups(nullcontext(file))


def read_measures(path: AnyPath) -> pyarrow.Table:
    """Returns the measures in a file that `sheaf measure` or `sheaf merge` wrote as NDJSON."""
    with open(path, "rb") as file:
        return tables.measures(nullcontext(file))


def _run(
    command: str, format: str, sources: AnyPaths, sheaf: Optional[AnyPath], options: dict[str, Any]
) -> AbstractContextManager[IO[bytes]]:
    for name in _OWN:
        if name in options:
            raise TypeError(f"'{name}' is not an option here: the result is a table")
    given = running.arguments(command, names_of(sources), {**options, "format": format})
    return running.output([running.binary(sheaf), *given])


def _report(command: str, sources: AnyPaths, sheaf: Optional[AnyPath], options: dict[str, Any]) -> dict[str, Any]:
    with _run(command, "json", sources, sheaf, options) as stream:
        report: dict[str, Any] = json.loads(stream.read() or "{}")
    return report
