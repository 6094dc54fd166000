"""Moves what the steps have written to where the caller wants it."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from typing import Optional, Sequence

from .executor import Executor
from .failures import USAGE, PermanentError
from .inputs import Source, neighbors
from .options import CommandOptions
from .reduction import part_label
from .scratch import Scratch
from .store import AnyPath, LocalStore, absolute, is_local, is_written_in_place, join, local_path, name_of, naming
from .stores import Stores
from .workspace import Record, Workspace


@dataclass(frozen=True)
class _Move:
    stores: Stores
    folder: str

    def __call__(self, uris: Sequence[str]) -> None:
        self.stores.of(self.folder).move(uris, self.folder)


def publish_parts(
    executor: Executor, workspace: Workspace, stores: Stores, records: Sequence[Record], suffix: str
) -> None:
    """Moves the parts of the result to the output folder. Object stores copy them: by several tasks.

    Raises `Superseded` if another driver has the folder.
    """
    workspace.require_ownership()
    # A run that was killed here has already named some parts, whose steps were then repeated.
    workspace.store.remove(join(workspace.output, name) for name in workspace.parts())
    uris = [workspace.layout.file(record.file(part_label(number, suffix))) for number, record in enumerate(records)]
    size = -(-len(uris) // executor.resources().tasks)
    groups = [[uris[index] for index in group] for group in neighbors(len(uris), size)]
    executor.map(_Move(stores, workspace.output), groups)


def check_output(inputs: Sequence[str], output: str, rejects: Optional[AnyPath]) -> None:
    """Raises `PermanentError` with status 64 if the places of the results can't be told apart."""
    folder = _place(output)
    for name in inputs:
        if _place(name) == folder:
            raise PermanentError(f"'{name}' is an input: the result would replace it: name another folder", USAGE)
    if rejects is None:
        return
    rejects = name_of(rejects)
    place = _place(rejects)
    if rejects.endswith("/") or (is_local(rejects) and os.path.isdir(place)):
        raise PermanentError(f"--rejects {rejects}: the name is that of a folder: name a file", USAGE)
    if place == folder or place.startswith(folder + "/"):
        raise PermanentError(f"--rejects {rejects}: the file must not be in the output folder", USAGE)


def check_sources(sources: Sequence[Source], output: str, options: CommandOptions) -> None:
    """Raises `PermanentError` with status 64 if the result or the rejected lines would replace a source.

    The rejected lines must not replace the configuration or the mapping file either.
    """
    folder = _place(output)
    for source in sources:
        if _place(source.uri).startswith(folder + "/"):
            raise PermanentError(
                f"'{source.name}' is a source in the output folder {output}: name another folder", USAGE
            )
    if options.rejects is None:
        return
    rejects = name_of(options.rejects)
    place, file = _place(rejects), _file(rejects)
    configurations = ((path, "a configuration file") for path in options.configurations.values())
    for path, what in (*configurations, *((path, "a mapping file") for path in options.mappings)):
        if _place(path) == place or _is_same(file, _file(path)):
            raise PermanentError(f"'{path}' is {what}: --rejects would replace it", USAGE)
    for source in sources:
        if _place(source.uri) == place or _is_same(file, _file(source.uri) if file is not None else None):
            raise PermanentError(f"'{source.name}' is a source: --rejects would replace it", USAGE)


def _place(uri: str) -> str:
    """What two names of one place have in common."""
    return os.path.realpath(local_path(uri)) if is_local(uri) else absolute(uri)


def _file(uri: str) -> Optional[os.stat_result]:
    try:
        return os.stat(local_path(uri)) if is_local(uri) else None
    except OSError:
        return None


def _is_same(first: Optional[os.stat_result], second: Optional[os.stat_result]) -> bool:
    return first is not None and second is not None and os.path.samestat(first, second)


def write_rejects(
    target: str, label: str, stores: Stores, workspace: Workspace, shards: Sequence[Record], folders: Sequence[AnyPath]
) -> Optional[int]:
    """Joins the rejected lines of the shards in their order. Members of gzip and frames of zstd may be joined, too.

    `label` is that of the lines of a shard. Returns the size of the file; None if it is a device or a pipe, which keeps
    nothing. Raises `Superseded` if another driver has the folder.
    """
    workspace.require_ownership()
    files = [workspace.layout.file(record.file(label)) for record in shards]
    store = stores.of(target)
    target = absolute(target)
    with Scratch(folders) as scratch:
        in_place = isinstance(store, LocalStore) and is_written_in_place(target)
        staging = None if in_place else store.staging(target.rpartition("/")[0])
        if staging is not None:
            staging.mkdir(parents=True, exist_ok=True)
        # Next to its target, so that it only has to be renamed.
        name = target.rpartition("/")[2]
        joined = (staging or scratch.path) / (f".{name}.{scratch.path.name}.tmp" if staging else name)
        try:
            with naming(joined), open(joined, "wb") as output:
                for file in files:
                    with open(workspace.store.fetch([file], scratch.path)[0], "rb") as part:
                        shutil.copyfileobj(part, output, 1 << 20)
            size = joined.stat().st_size
            store.publish({target: joined})
            return None if in_place else size
        finally:
            joined.unlink(missing_ok=True)
