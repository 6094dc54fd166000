"""The sources of a job: which files they are, their order, and their division into shards."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Iterable, Sequence

from .failures import USAGE, PermanentError
from .store import scheme
from .stores import Stores

# The command numbers sources with 24 bits.
MAXIMUM_SOURCES = 1 << 24


@dataclass(frozen=True)
class Source:
    """A file of the log. Its ordinal is its number in the whole job, whichever task reads it."""

    ordinal: int
    name: str
    """As snapshots show it: the URI or the path, as given."""
    uri: str
    """Where tasks find it: like the name, but absolute."""
    size: int
    """In bytes, as stored."""
    modified: str


def expand(inputs: Sequence[str], stores: Stores) -> list[Source]:
    """Returns the sources in the order of one `sheaf replay`: arguments in order, folders in byte order of path.

    Raises `PermanentError` for an input without files, with status 66, and for one that can't be named.
    """
    if not inputs:
        raise PermanentError("no inputs were given", USAGE)
    sources: list[Source] = []
    for pattern in inputs:
        if pattern == "-":
            raise PermanentError("standard input ('-') can't be read by several machines: write it to a file", USAGE)
        is_local = scheme(pattern) == ""
        for file in stores.of(pattern).files(pattern):
            try:
                file.uri.encode("utf-8")
            except UnicodeEncodeError:
                raise PermanentError(f"{file.uri!r}: the name is not valid UTF-8: rename the file", USAGE) from None
            # The name of a local file may look like a URI.
            uri = os.path.abspath(file.uri) if is_local else file.uri
            sources.append(Source(len(sources), file.uri, uri, file.size, file.modified))
    if len(sources) >= MAXIMUM_SOURCES:
        raise PermanentError(f"{len(sources)} sources are too many: fewer than {MAXIMUM_SOURCES} are supported", USAGE)
    return sources


def source_list(sources: Iterable[Source], paths: Iterable[str]) -> bytes:
    """Returns the file for `--sources-from`, with the local path of each source."""
    lines = (
        json.dumps({"path": path, "source": source.name, "ordinal": source.ordinal}, ensure_ascii=False)
        for source, path in zip(sources, paths)
    )
    return "".join(line + "\n" for line in lines).encode("utf-8")


def shards(sources: Sequence[Source], count: int) -> list[tuple[Source, ...]]:
    """Divides the sources into at most `count` shards of neighbors, with about the same number of bytes.

    Each shard has at least one source, and the concatenated shards are the sources.
    """
    # One byte more for each, so that empty files are divided too.
    total = sum(source.size + 1 for source in sources)
    divided: dict[int, list[Source]] = {}
    before = 0
    for source in sources:
        middle = 2 * before + source.size + 1
        divided.setdefault(middle * count // (2 * total), []).append(source)
        before += source.size + 1
    return [tuple(divided[index]) for index in sorted(divided)]


def shard_count(sources: Sequence[Source], tasks: int, shard_size: int) -> int:
    """The number of shards: enough for all tasks that run at a time, and for none to read much over `shard_size`."""
    total = sum(source.size for source in sources)
    return max(1, min(len(sources), max(tasks, -(-total // shard_size))))


def neighbors(count: int, fan_in: int) -> list[range]:
    """Divides `count` items into the fewest ranges of at most `fan_in` neighbors, of about the same length."""
    groups = -(-count // fan_in)
    return [range(count * index // groups, count * (index + 1) // groups) for index in range(groups)]
