"""Checks logs on many machines, and adds up the findings."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Optional, Sequence

from . import bundle, command
from .executor import Executor
from .failures import SUCCESS
from .inputs import Source, expand, shard_count, shards
from .job import JobOptions
from .options import CommandOptions, ReplayOptions
from .scratch import Scratch
from .steps import Bench, Context
from .store import AnyPaths, names_of
from .trial import Trial, run_trial
from .workspace import Layout

# Rules about all records of an app. A shard has some of them, so that its findings would be wrong.
WHOLE_LOG_RULES = (
    "threads.single",
    "threads.many",
    "thread.crowded",
    "interruptions.many",
    "urgent.buried",
    "formats.mixed",
    "collapse-ids.single",
)


@dataclass(frozen=True)
class Finding:
    name: str
    severity: str
    count: int
    first: dict[str, Any]
    """The first position in the order of the job: `source` with `line` or `offset`."""
    detail: Optional[str] = None


@dataclass(frozen=True)
class Report:
    """What `sheaf check --format json` reports, for all sources."""

    sources: int
    lines: int
    blank: int
    records: int
    errors: int
    warnings: int
    findings: tuple[Finding, ...]
    by_source: dict[tuple[str, str], int] = field(default_factory=dict)
    """The number of findings by their name and source."""
    status: int = SUCCESS
    """65 if there is an error, else 0."""
    left_out: tuple[str, ...] = ()
    """Rules that were not applied, because they are about all records of an app and there were several shards."""


def check_on(
    executor: Executor,
    inputs: AnyPaths,
    options: ReplayOptions,
    job: JobOptions,
    disable: Sequence[str] = (),
) -> Report:
    """Checks files. Of the options, `config`, `locale`, `profile`, `input`, `app`, `max_line` and `inflater` count.

    Raises what `run_on` raises.
    """
    packed = bundle.pack(options)
    run_trial(executor, trial_of_check(options, job, disable), packed)
    identity = executor.map(command.probe, [command.Command(job.sheaf)])[0]
    sources = expand(names_of(inputs), job.stores)
    own = executor.resources()
    divided = shards(sources, job.shards or shard_count(sources, own.tasks, job.shard_size))
    left_out = WHOLE_LOG_RULES if len(divided) > 1 else ()
    asked = job.resources
    # A check takes no limit of memory.
    limits = replace(own, threads=asked.threads or own.threads, memory=None, folders=asked.folders or own.folders)
    # A check leaves no files, so that its context has no output folder.
    context = Context(Layout("."), job.stores, command.Command(job.sheaf, identity), limits, options)
    function = CheckShard(context, packed.content if packed is not None else None, (*left_out, *disable))
    return _total(sources, executor.map(function, divided), left_out)


def trial_of_check(options: CommandOptions, job: JobOptions, disable: Sequence[str]) -> Trial:
    """Returns a run of the command that finds errors in the options of a check.

    Raises `PermanentError` for those that the command does not have.
    """
    job.check()
    resources = replace(job.resources, memory=None)
    return Trial(command.Command(job.sheaf), options, _WholeCheck(tuple(disable)), resources)


@dataclass(frozen=True)
class _WholeCheck:
    """The arguments for a check that reads nothing."""

    disable: tuple[str, ...]

    def __call__(self, options: CommandOptions) -> list[str]:
        return ["check", "-", *options.of_check(), *_disabled(self.disable)]


def _disabled(rules: Sequence[str]) -> list[str]:
    return [argument for rule in rules for argument in ("--disable", rule)]


@dataclass(frozen=True)
class CheckShard:
    """Checks some of the sources and returns the two reports of the command."""

    context: Context
    packed: Optional[bytes] = field(repr=False)
    disable: tuple[str, ...]

    def __call__(self, sources: tuple[Source, ...]) -> dict[str, Any]:
        resources, options = self.context.resources, self.context.options
        with Scratch(resources.folders) as scratch:
            bench = Bench(self.context, scratch.path, "check")
            paths = [str(path) for path in bench.fetch_inputs([source.uri for source in sources])]
            if self.packed is not None:
                options = bundle.unpack(self.packed, scratch.path / "bundle", options)
            report, counts = scratch.path / "report.json", scratch.path / "counts.json"
            arguments = ["--format", "json", "-o", str(report), "--write-baseline", str(counts), "--quiet"]
            arguments += [*options.of_check(), *_disabled(self.disable), *resources.limits()]
            self.context.command.run(["check", *paths, *arguments])
            return _named(_load(report), _load(counts), dict(zip(paths, (source.name for source in sources))))


def _load(path: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content


def _named(report: dict[str, Any], counts: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    """Returns a report with the names of sources in place of the paths by which the command read them."""
    for finding in [*counts["findings"], *(finding["first"] for finding in report["findings"])]:
        finding["source"] = names.get(finding["source"], finding["source"])
    return {**report, "by_source": counts["findings"]}


def _total(sources: Sequence[Source], reports: Sequence[dict[str, Any]], left_out: tuple[str, ...]) -> Report:
    findings: dict[str, Finding] = {}
    by_source: dict[tuple[str, str], int] = {}
    # Reports are in the order of their sources, so that the first one with a finding has its first position.
    for report in reports:
        for item in report["findings"]:
            new = Finding(**item)
            known = findings.get(new.name)
            findings[new.name] = new if known is None else replace(known, count=known.count + new.count)
        for item in report["by_source"]:
            key = (item["name"], item["source"])
            by_source[key] = by_source.get(key, 0) + item["count"]
    sums = {
        name: sum(report[name] for report in reports) for name in ("lines", "blank", "records", "errors", "warnings")
    }
    ordered = sorted(findings.values(), key=lambda finding: (finding.severity != "error", finding.name))
    status = 65 if sums["errors"] else SUCCESS
    return Report(len(sources), **sums, findings=tuple(ordered), by_source=by_source, status=status, left_out=left_out)
