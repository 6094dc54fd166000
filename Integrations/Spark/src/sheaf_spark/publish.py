"""Moves what the steps have written to where the caller wants it."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from typing import Sequence

from .executor import Executor
from .inputs import neighbors
from .reduction import part_label
from .scratch import Scratch
from .store import absolute, join
from .stores import Stores
from .workspace import Record, Workspace

_REJECTS = "rejects"


@dataclass(frozen=True)
class _Rename:
    stores: Stores

    def __call__(self, names: dict[str, str]) -> None:
        self.stores.of(next(iter(names))).rename(names)


def publish_parts(
    executor: Executor, workspace: Workspace, stores: Stores, records: Sequence[Record], suffix: str
) -> None:
    """Gives the parts of the snapshot their names in the output folder. Object stores copy them: by several tasks."""
    old = [name for name in workspace.store.names(workspace.output) if name.startswith("part-")]
    # A run that was killed here has already named some parts, whose steps were then repeated.
    workspace.store.remove(join(workspace.output, name) for name in old)
    names = [
        (workspace.layout.file(record.file(part_label(suffix))), join(workspace.output, record.step + suffix))
        for record in records
    ]
    size = -(-len(names) // executor.resources().tasks)
    executor.map(_Rename(stores), [dict(names[index] for index in group) for group in neighbors(len(names), size)])


def rejects_label(target: str) -> str:
    """The label of a shard's rejected lines: its suffix decides whether they are compressed."""
    suffix = os.path.splitext(target)[1]
    return _REJECTS + (suffix if suffix in (".gz", ".zst") else "")


def write_rejects(
    target: str, stores: Stores, workspace: Workspace, shards: Sequence[Record], folders: Sequence[str]
) -> None:
    """Joins the rejected lines of the shards in their order. Members of gzip and frames of zstd may be joined, too."""
    label = rejects_label(target)
    files = [workspace.layout.file(record.file(label)) for record in shards]
    store = stores.of(target)
    target = absolute(target)
    with Scratch(folders) as scratch:
        staging = store.staging(target.rpartition("/")[0])
        if staging is not None:
            staging.mkdir(parents=True, exist_ok=True)
        # Next to its target, so that it only has to be renamed.
        name = target.rpartition("/")[2]
        joined = (staging or scratch.path) / (f".{name}.{scratch.path.name}.tmp" if staging else name)
        try:
            with open(joined, "wb") as output:
                for file in files:
                    with open(workspace.store.fetch([file], scratch.path)[0], "rb") as part:
                        shutil.copyfileobj(part, output, 1 << 20)
            store.publish({target: joined})
        finally:
            joined.unlink(missing_ok=True)
