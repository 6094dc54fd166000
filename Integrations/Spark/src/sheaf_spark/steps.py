"""The steps of a job. Each is a value that travels to a machine, runs `sheaf` there, and leaves files."""

from __future__ import annotations

import json
import os
import shutil
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Callable, Optional, Protocol, Sequence

from . import bundle
from .command import Command
from .failures import CONFIGURATION, PermanentError, TransientError
from .options import CommandOptions
from .resources import Resources
from .scratch import Scratch
from .stores import Stores
from .workspace import PACKED, Layout, Record, file_name

# Files in the folder of data that the driver writes.
BUNDLE = "bundle.tar"
SOURCES = "sources.ndjson"


@dataclass(frozen=True)
class Context:
    """What all steps of a job have in common."""

    layout: Layout
    stores: Stores
    command: Command
    resources: Resources
    options: CommandOptions
    has_bundle: bool = False
    has_sources: bool = False
    """Whether there is a list of the sources that the results must cover."""
    mark: str = ""
    """What the results of steps depend on, except for `result_mark`."""
    result_mark: str = ""
    """The same with the options of the result."""


class Step(Protocol):
    """A piece of work. Its name is unique in the job, and the same whenever the job is run again."""

    @property
    def name(self) -> str: ...

    @property
    def is_of_result(self) -> bool:
        """Whether the step depends on options of the result, which the reading of sources does not take."""
        ...

    def run(self, bench: Bench) -> None:
        """Runs commands on the bench. Raises `PermanentError` or `TransientError`."""
        ...


@dataclass(frozen=True)
class RunStep:
    """The function that executors call for each step."""

    context: Context

    def __call__(self, step: Step) -> Record:
        """Runs an attempt and returns its record, which is also written. A failed attempt leaves no files."""
        context = self.context
        store = context.stores.of(context.layout.output)
        with Scratch(context.resources.folders) as scratch:
            tag = f"{step.name}-{uuid.uuid4().hex[:12]}"
            bench = Bench(context, scratch.path, tag)
            try:
                step.run(bench)
                labels = tuple(bench.files)
                mark = context.result_mark if step.is_of_result else context.mark
                record = Record(
                    step.name, tag, mark, bench.status, labels, bench.statistics, bench.report, bench.messages
                )
                store.publish(
                    {context.layout.file(record.file(label)): path for label, path in bench.files.items()},
                    last={context.layout.record(step.name): record.encoded()},
                )
            except BaseException:
                bench.discard()
                raise
            finally:
                bench.close()
            return record


class Bench:
    """An attempt at a step: a folder for its own files, and the names of those that it leaves."""

    def __init__(self, context: Context, scratch: Path, tag: str) -> None:
        self.context = context
        self.scratch = scratch
        self.files: dict[str, Path] = {}
        self.status = 0
        self.statistics: Optional[dict[str, Any]] = None
        self.report: Optional[dict[str, Any]] = None
        self.messages = ""
        self._tag = tag
        self._folders: list[Path] = []
        store = context.stores.of(context.layout.output)
        folder = store.staging(context.layout.data)
        self._staging = folder or scratch
        self.packs = folder is None
        """Whether files that travel to other machines are compressed: not those in a folder of this one."""
        self._options: Optional[CommandOptions] = None
        self._bundle: Optional[Path] = None

    @property
    def options(self) -> CommandOptions:
        """The options of the job, with paths that exist on this machine."""
        if self._options is None:
            self._options = self.context.options
            if self.context.has_bundle:
                if self._bundle is None:
                    self.fetch([])
                assert self._bundle is not None
                content = self._bundle.read_bytes()
                self._options = bundle.unpack(content, self.scratch / "bundle", self.context.options)
        return self._options

    def config(self) -> list[str]:
        return self.options.of_configuration()

    def output(self, label: str, packed: bool = False) -> str:
        """Returns where to write a file that is kept under `label`: see `file_name`.

        The command compresses a `packed` one if the bench does, since its name ends in `PACKED`.
        """
        label += PACKED if packed and self.packs else ""
        path = self._staging / file_name(self._tag, label)
        # Only in a folder that exists: another driver may have removed that of data.
        path.parent.mkdir(exist_ok=True)
        self.files[label] = path
        return str(path)

    def packing(self) -> list[str]:
        """Returns the arguments with which the command compresses slices, if the bench compresses files."""
        return ["--zstd"] if self.packs else []

    def output_folder(self) -> Path:
        """Returns a new folder, whose files `keep` turns into files of the step."""
        folder = self._staging / self._tag
        folder.mkdir()
        self._folders.append(folder)
        return folder

    def keep(self, path: Path, label: str) -> None:
        """Keeps a slice of an output folder under `label`. Raises `TransientError` if the command didn't write it."""
        try:
            os.rename(str(path) + (PACKED if self.packs else ""), self.output(label, packed=True))
        except FileNotFoundError:
            raise TransientError(f"sheaf did not write {path.name}") from None

    def close(self) -> None:
        for folder in self._folders:
            shutil.rmtree(folder, ignore_errors=True)

    def discard(self) -> None:
        """Removes what the attempt has written."""
        for path in self.files.values():
            path.unlink(missing_ok=True)

    def fetch(self, names: Sequence[str]) -> list[Path]:
        """Returns local files with the contents of files that other steps left.

        The first call brings the files of the driver, too: each call of some stores takes seconds.
        """
        layout = self.context.layout
        wanted = [BUNDLE] if self.context.has_bundle and self._bundle is None else []
        uris = [layout.file(name) for name in (*names, *wanted)]
        paths = self.context.stores.of(layout.output).fetch(uris, self.scratch)
        if wanted:
            self._bundle = paths.pop()
        return paths

    def fetch_inputs(self, uris: Sequence[str]) -> list[Path]:
        """Returns local files with the contents of sources, in their order."""
        stores = self.context.stores
        paths: dict[str, Path] = {}
        for store in {stores.of(uri) for uri in uris}:
            own = [uri for uri in uris if stores.of(uri) == store]
            paths.update(zip(own, store.fetch(own, self.scratch)))
        return [paths[uri] for uri in uris]

    def temporary(self, name: str, content: Optional[bytes] = None) -> str:
        path = self.scratch / name
        if content is not None:
            path.write_bytes(content)
        return str(path)

    def sheaf(self, *arguments: str, feed: Optional[Callable[[IO[bytes]], None]] = None) -> None:
        """Runs a command that takes the options for resources, and keeps its status and its messages."""
        resources = self.context.resources
        limits = ["--spill-dir", str(self.scratch), *resources.limits()]
        if resources.memory is None and not os.path.exists("/proc/self") and os.uname().sysname == "Linux":
            raise PermanentError(
                f"{os.uname().nodename} has no /proc, so that sheaf can't find out its memory limit: set it with "
                "--memory or spark.sheaf.memory",
                CONFIGURATION,
            )
        completed = self.context.command.run([*arguments, *limits], feed=feed)
        self.status = max(self.status, completed.status)
        self.messages += completed.messages

    def read_statistics(self, path: str) -> None:
        with open(path, encoding="utf-8") as file:
            self.statistics = json.load(file)
