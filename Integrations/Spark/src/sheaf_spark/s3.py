"""Objects of S3 and of servers like it, by pyarrow, without Java.

Objects exist only as a whole and have their final names from the beginning; only the parts of a result are moved, which
copies them in the store. Requests of a step run at the same time.
"""

from __future__ import annotations

import os
import re
import uuid
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Callable, Iterable, Iterator, Mapping, Optional, Sequence, TypeVar

from .failures import CONFIGURATION, MISSING_INPUT, PermanentError, TransientError
from .store import StoredFile, batches, is_temporary, join

Item = TypeVar("Item")
Result = TypeVar("Result")

SCHEME = "s3"
_PREFIX = "s3://"

# Enough to hide the latency of small requests.
_REQUESTS = 16
# Of each request, with growing pauses.
_ATTEMPTS = 6
# Items of one batch, whose results are kept in memory.
_BATCH = 512
# A larger object is not copied by one request, but read and written.
_COPY_LIMIT = 5 << 30

_SPECIAL = re.compile(r"[*?\[{\\]")


@dataclass(frozen=True)
class S3Store:
    settings: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    """Settings as those of `s3a:` in Hadoop, such as `fs.s3a.endpoint`. Others come from AWS's files and variables."""

    def files(self, pattern: str) -> list[StoredFile]:
        found: list[StoredFile] = []
        with _failures(pattern):
            for info in self._matches(_path(pattern)):
                inside = [info] if _is_file(info) else list(self._below(info.path))
                found += [
                    StoredFile(_PREFIX + file.path, file.size, str(file.mtime_ns))
                    for file in sorted(inside, key=lambda file: file.path.encode("utf-8", "surrogateescape"))
                    if not is_temporary(file.base_name)
                ]
        if not found:
            raise PermanentError(f"{pattern}: no such object, and no folder with objects", MISSING_INPUT)
        return found

    def names(self, folder: str) -> list[str]:
        with _failures(folder):
            return sorted(info.base_name for info in self._inside(_path(folder)))

    def walk(self, folder: str) -> Iterator[str]:
        root = _path(folder).rstrip("/")
        with _failures(folder):
            for file in self._below(root):
                yield file.path[len(root) + 1 :]

    def contents(self, folder: str) -> Iterator[tuple[str, bytes]]:
        files = (join(folder, name) for name in self.walk(folder) if "/" not in name)
        for uri, content in _at_once(lambda uri: (uri, self._read(uri)), files):
            yield uri.rpartition("/")[2], content

    def fetch(self, uris: Sequence[str], folder: Path) -> list[Path]:
        from pyarrow import fs

        target = folder / f"fetched-{uuid.uuid4().hex[:8]}"
        target.mkdir(parents=True)

        def get(numbered: tuple[int, str]) -> Path:
            number, uri = numbered
            # Objects of one name come from different folders.
            path = target / f"{number}-{uri.rpartition('/')[2]}"
            with _failures(uri):
                fs.copy_files(
                    _path(uri),
                    str(path),
                    self._system(uri),
                    fs.LocalFileSystem(),
                    chunk_size=1 << 20,
                    use_threads=False,
                )
            return path

        wanted = list(dict.fromkeys(uris))
        paths = dict(zip(wanted, _at_once(get, enumerate(wanted))))
        return [paths[uri] for uri in uris]

    def staging(self, folder: str) -> Optional[Path]:
        return None

    def publish(self, files: Mapping[str, Path], last: Mapping[str, bytes] = {}) -> None:
        from pyarrow import fs

        def put(item: tuple[str, Path]) -> None:
            uri, path = item
            with _failures(uri):
                fs.copy_files(
                    str(path),
                    _path(uri),
                    fs.LocalFileSystem(),
                    self._system(uri),
                    chunk_size=1 << 23,
                    use_threads=False,
                )

        for _ in _at_once(put, files.items()):
            pass
        for uri, content in last.items():
            self.write(uri, content)

    def read(self, uris: Sequence[str]) -> list[bytes]:
        return list(_at_once(self._read, uris))

    def _read(self, uri: str) -> bytes:
        with _failures(uri), self._system(uri).open_input_stream(_path(uri), compression=None) as file:
            content: bytes = file.read()
            return content

    def write(self, uri: str, content: bytes) -> None:
        with _failures(uri), self._system(uri).open_output_stream(_path(uri), compression=None) as file:
            file.write(content)

    def move(self, uris: Sequence[str], folder: str) -> None:
        def move(uri: str) -> None:
            target = join(folder, uri.rpartition("/")[2])
            with _failures(uri):
                system = self._system(uri)
                source, existing = system.get_file_info([_path(uri), _path(target)])
                if not _is_file(source) and _is_file(existing):
                    return
                if source.size <= _COPY_LIMIT:
                    system.copy_file(_path(uri), _path(target))
                else:
                    _copy(system, _path(uri), _path(target))
                system.delete_file(_path(uri))

        for _ in _at_once(move, uris):
            pass

    def remove(self, uris: Iterable[str]) -> None:
        from pyarrow import fs

        def remove(uri: str) -> None:
            with _failures(uri):
                system = self._system(uri)
                info = system.get_file_info(_path(uri))
                if info.type == fs.FileType.Directory:
                    system.delete_dir(_path(uri))
                elif info.type != fs.FileType.NotFound:
                    system.delete_file(_path(uri))

        for _ in _at_once(remove, uris):
            pass

    def make_folders(self, uris: Sequence[str]) -> None:
        """Does nothing: names of objects have slashes, and nothing else is a folder."""

    def _system(self, uri: str) -> Any:
        return _system(self.settings, _path(uri).partition("/")[0])

    def _inside(self, path: str) -> list[Any]:
        """Returns what is in a folder; nothing if it does not exist. The folder's own marker is left out."""
        from pyarrow import fs

        selector = fs.FileSelector(path, allow_not_found=True)
        return [info for info in self._system(_PREFIX + path).get_file_info(selector) if info.base_name]

    def _below(self, path: str) -> Iterator[Any]:
        """Passes the files in a folder and in those in it, one folder after the other, for memory's sake."""
        folders = [path]
        while folders:
            for info in self._inside(folders.pop()):
                if _is_file(info):
                    yield info
                else:
                    folders.append(info.path)

    def _matches(self, pattern: str) -> list[Any]:
        """Returns what a pattern matches, in byte order."""
        head, *segments = pattern.rstrip("/").split("/")
        places = [head]
        while segments and not _SPECIAL.search(segments[0]):
            places[0] += "/" + segments.pop(0)
        if not segments:
            infos = self._system(_PREFIX + head).get_file_info(places)
            return [info for info in infos if info.type.name != "NotFound"]
        found: list[Any] = []
        for segment in segments:
            matching = _matcher(segment)
            found = [info for place in places for info in self._inside(place) if matching.fullmatch(info.base_name)]
            places = [info.path for info in found]
        return sorted(found, key=lambda info: info.path.encode("utf-8", "surrogateescape"))


def is_s3(scheme: str, settings: Iterable[tuple[str, str]]) -> bool:
    """Whether a scheme is one of this store. Where Hadoop has `s3:` of its own, as on EMR, it is Hadoop's."""
    return scheme == SCHEME and all(name != "fs.s3.impl" for name, _ in settings)


@lru_cache(maxsize=64)
def _system(settings: tuple[tuple[str, str], ...], bucket: str) -> Any:
    """Returns a file system of pyarrow. Raises `PermanentError` if Python has no pyarrow."""
    try:
        from pyarrow import fs
    except ImportError as error:
        raise PermanentError(
            f"s3://{bucket}: this Python has no pyarrow ({error}): pip install 'sheaf-spark[s3]' on every machine, or "
            "name an s3a: URI for Hadoop's client",
            CONFIGURATION,
        ) from error
    given = {name[len("fs.s3a.") :]: value for name, value in settings if name.startswith("fs.s3a.")}
    # The driver's requests are repeated by nothing else.
    values: dict[str, Any] = {"retry_strategy": fs.AwsStandardS3RetryStrategy(max_attempts=_ATTEMPTS)}
    # pyarrow has the other variables of AWS's tools from its library.
    variables = [os.environ.get(name) for name in ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL")]
    endpoint = next((value for value in (given.get("endpoint"), *variables) if value), None)
    if endpoint:
        scheme, mark, host = endpoint.rpartition("://")
        values["endpoint_override"] = host
        is_plain = scheme == "http" or not mark and given.get("connection.ssl.enabled") == "false"
        values["scheme"] = "http" if is_plain else "https"
        # Most servers other than AWS's have no host for each bucket.
        values["force_virtual_addressing"] = given.get("path.style.access") == "false"
    if "access.key" in given:
        values["access_key"] = given["access.key"]
        values["secret_key"] = given.get("secret.key", "")
        values["session_token"] = given.get("session.token")
    region = given.get("endpoint.region") or os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION")
    if not region and not endpoint:
        with _failures(f"s3://{bucket}"):
            region = fs.resolve_s3_region(bucket)
    if region:
        values["region"] = region
    given_values = {name: value for name, value in values.items() if value is not None}
    system: Any = fs.S3FileSystem
    try:
        return system(allow_delayed_open=True, **given_values)
    except TypeError:
        # Before version 21 of pyarrow, a small object takes three requests.
        return system(**given_values)


@contextmanager
def _failures(uri: str) -> Iterator[None]:
    """Raises `PermanentError` if an object does not exist, and `TransientError` for other errors of the store."""
    try:
        yield
    except FileNotFoundError as error:
        raise PermanentError(f"{uri}: no such object", MISSING_INPUT) from error
    except OSError as error:
        # Several lines, with the whole answer of the server.
        problem = str(error).strip().partition("\n")[0]
        raise TransientError(f"{uri}: {problem}") from error


def _at_once(function: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
    """Passes the results of a function in the order of the items. Several calls run at the same time."""
    for batch in batches(items, _BATCH):
        if len(batch) == 1:
            yield function(batch[0])
            continue
        with ThreadPoolExecutor(min(_REQUESTS, len(batch)), "sheaf-s3") as pool:
            yield from pool.map(function, batch)


def _copy(system: Any, source: str, target: str) -> None:
    """Copies an object by way of this machine."""
    with (
        system.open_input_stream(source, compression=None) as reader,
        system.open_output_stream(target, compression=None) as writer,
    ):
        while block := reader.read(1 << 24):
            writer.write(block)


def _path(uri: str) -> str:
    return uri[len(_PREFIX) :]


def _is_file(info: Any) -> bool:
    return bool(info.type.name == "File")


def _matcher(segment: str) -> re.Pattern[str]:
    """Returns an expression for a segment of a glob, as Hadoop has them: `*`, `?`, `[…]`, `{a,b}`, and backslashes."""
    text = ""
    depth = 0
    index = 0
    while index < len(segment):
        letter = segment[index]
        end = segment.find("]", index + 2) if letter == "[" else -1
        if letter == "\\" and index + 1 < len(segment):
            index += 1
            text += re.escape(segment[index])
        elif letter == "[" and end > 0:
            inside = segment[index + 1 : end].replace("\\", "\\\\")
            text += "[" + ("^" + inside[1:] if inside[0] in "^!" else inside) + "]"
            index = end
        elif letter == "{":
            depth += 1
            text += "(?:"
        elif letter == "}" and depth:
            depth -= 1
            text += ")"
        elif letter == "," and depth:
            text += "|"
        else:
            text += {"*": ".*", "?": "."}.get(letter, re.escape(letter))
        index += 1
    return re.compile(text + ")" * depth, re.DOTALL)
