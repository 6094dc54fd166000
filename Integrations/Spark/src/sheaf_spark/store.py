"""Where files are: an interface, and the file system of this machine as one implementation.

A store names files by URIs, which for the local one may also be plain paths. Data files are written once under a name
that no other attempt uses; only small files are replaced, and each replacement is atomic.
"""

from __future__ import annotations

import glob
import os
import re
import shutil
import stat
import uuid
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Iterable, Iterator, Mapping, Optional, Protocol, Sequence, TypeVar, Union
from urllib.parse import unquote, urlsplit

from .failures import MISSING_INPUT, USAGE, PermanentError

Item = TypeVar("Item")

# A path or a URI, as callers name a file or a folder.
AnyPath = Union[str, "os.PathLike[str]"]
# Several of them, or one.
AnyPaths = Union[AnyPath, Sequence[AnyPath]]


@dataclass(frozen=True)
class StoredFile:
    uri: str
    size: int
    """In bytes, as stored."""
    modified: str
    """The time of the last change, in the store's own notation: it is only compared."""


class Store(Protocol):
    """A file system. All methods raise `OSError` or `TransientError` if it fails."""

    def files(self, pattern: str) -> list[StoredFile]:
        """Returns the file, the files in the folder (recursively), or those that match the glob, in byte order.

        Raises `PermanentError` with status 66 if there is none.
        """
        ...

    def names(self, folder: str) -> list[str]:
        """Returns the names of the files and folders in a folder; none if it does not exist."""
        ...

    def walk(self, folder: str) -> Iterator[str]:
        """Passes the path of each file in a folder, and in those in it, relative to it; none if it does not exist.

        The memory does not depend on the number of files, only on that of the largest folder.
        """
        ...

    def contents(self, folder: str) -> Iterator[tuple[str, bytes]]:
        """Passes the name and the content of each file in a folder of small files; none if it does not exist."""
        ...

    def fetch(self, uris: Sequence[str], folder: Path) -> list[Path]:
        """Returns local files with the contents of these, which it may place in `folder`.

        Raises `PermanentError` with status 66 if one does not exist.
        """
        ...

    def staging(self, folder: str) -> Optional[Path]:
        """Returns where to write files so that `publish` need not copy them; None if any folder is as good."""
        ...

    def publish(self, files: Mapping[str, Path], last: Mapping[str, bytes] = {}) -> None:
        """Moves or copies local files to these URIs, and then writes small files as `write` does.

        All are in a folder that exists, or in folders in it, which are created. A device or a pipe is written to; any
        other file is replaced.
        """
        ...

    def read(self, uris: Sequence[str]) -> list[bytes]:
        """Returns the contents of small files."""
        ...

    def write(self, uri: str, content: bytes) -> None:
        """Replaces a small file: a reader sees the old content or the new one."""
        ...

    def move(self, uris: Sequence[str], folder: str) -> None:
        """Moves files to a folder that has none of these names. Files that have been moved are skipped."""
        ...

    def remove(self, uris: Iterable[str]) -> None:
        """Removes files and folders with all they hold, as far as they exist."""
        ...

    def make_folders(self, uris: Sequence[str]) -> None: ...


def name_of(path: AnyPath) -> str:
    """Returns the text of a path. Raises `PermanentError` if it is something else."""
    name: object = os.fspath(path) if isinstance(path, os.PathLike) else path
    if not isinstance(name, str):
        raise PermanentError(f"{path!r} is not a path: give a text or an object with a path", USAGE)
    return name


def names_of(paths: AnyPaths) -> list[str]:
    """Returns the texts of several paths. A single path is a list of one."""
    if isinstance(paths, (str, bytes, os.PathLike)):
        return [name_of(paths)]
    return [name_of(path) for path in paths]


def batches(items: Iterable[Item], count: int) -> Iterator[list[Item]]:
    """Divides items into lists of at most `count`, as far as they are taken."""
    rest = iter(items)
    while batch := list(islice(rest, count)):
        yield batch


def join(folder: str, *names: str) -> str:
    return "/".join([folder.rstrip("/"), *names])


def scheme(uri: str) -> str:
    """Returns the scheme of a URI, in lower case; empty for a path."""
    head, _, path = uri.partition(":")
    # A name such as `host:1.gz` is not a URI.
    is_scheme = path.startswith("/") and len(head) > 1 and head[0].isalpha() and head.replace("+", "").isalnum()
    return head.lower() if is_scheme else ""


def absolute(uri: str) -> str:
    """Returns a path or URI that means the same in every process, without a slash at the end."""
    return uri.rstrip("/") if scheme(uri) else os.path.abspath(uri)


def is_local(uri: str) -> bool:
    """Whether a URI names a file of this machine."""
    return scheme(uri) in ("", "file")


def local_path(uri: str) -> str:
    """Returns the path that a `file:` URI or a path names."""
    if scheme(uri) != "file":
        return uri
    # Hadoop does not decode percent signs in the paths it is given; a path with one is taken as it is if it exists.
    plain = uri[len("file:") :]
    plain = urlsplit(uri).path if plain.startswith("//") else plain
    return plain if os.path.lexists(plain) else unquote(plain)


def is_written_in_place(uri: str) -> bool:
    """Whether a local file must not be replaced by another: a device, a pipe, or a name for an open file."""
    path = os.path.abspath(local_path(uri))
    try:
        kind = os.stat(path).st_mode
    except OSError:
        return False
    # The target of /dev/stdout may be any file.
    return not stat.S_ISREG(kind) or path.startswith(("/dev/", "/proc/"))


@contextmanager
def naming(path: object) -> Iterator[None]:
    """Adds the path to an `OSError` that has none, as those of writes."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(path)
        raise


@dataclass(frozen=True)
class LocalStore:
    """Files of this machine, or of a file system that every machine mounts under the same path."""

    def files(self, pattern: str) -> list[StoredFile]:
        path = local_path(pattern)
        if os.path.lexists(path):
            matches = [path]
        else:
            matches = sorted(glob.glob(path), key=os.fsencode) if glob.has_magic(path) else []
            if not matches:
                raise PermanentError(f"{pattern}: no such file or directory", MISSING_INPUT)
        found: list[StoredFile] = []
        for match in matches:
            inside = _files_in(match) if os.path.isdir(match) else [match]
            if not inside:
                raise PermanentError(f"{match}: the directory holds no files", MISSING_INPUT)
            found += [_stored(name) for name in inside]
        return found

    def names(self, folder: str) -> list[str]:
        try:
            return sorted(os.listdir(local_path(folder)))
        except FileNotFoundError:
            return []

    def walk(self, folder: str) -> Iterator[str]:
        root = local_path(folder)
        for place, _, names in os.walk(root):
            for name in names:
                yield os.path.relpath(os.path.join(place, name), root)

    def contents(self, folder: str) -> Iterator[tuple[str, bytes]]:
        root = Path(local_path(folder))
        for name in self.names(folder):
            yield name, (root / name).read_bytes()

    def fetch(self, uris: Sequence[str], folder: Path) -> list[Path]:
        paths = [Path(os.path.abspath(local_path(uri))) for uri in uris]
        for path, uri in zip(paths, uris):
            if not path.exists():
                raise PermanentError(f"{uri}: no such file or directory", MISSING_INPUT)
        return paths

    def staging(self, folder: str) -> Optional[Path]:
        return Path(os.path.abspath(local_path(folder)))

    def publish(self, files: Mapping[str, Path], last: Mapping[str, bytes] = {}) -> None:
        for uri, path in files.items():
            target = os.path.abspath(local_path(uri))
            if str(path) == target:
                continue
            folder = os.path.dirname(target)
            # Only what is in a folder that exists: another driver may have removed that.
            with naming(folder), suppress(FileExistsError):
                os.mkdir(folder)
            if is_written_in_place(target):
                with naming(target), open(path, "rb") as source, open(target, "wb") as file:
                    shutil.copyfileobj(source, file, 1 << 20)
                continue
            try:
                os.replace(path, target)
            except OSError:
                # Another file system. The copy gets its name only when it is complete.
                copy = f"{target}.{uuid.uuid4().hex}"
                with naming(copy):
                    shutil.copyfile(path, copy)
                os.replace(copy, target)
        for uri, content in last.items():
            self.write(uri, content)

    def read(self, uris: Sequence[str]) -> list[bytes]:
        return [Path(local_path(uri)).read_bytes() for uri in uris]

    def write(self, uri: str, content: bytes) -> None:
        target = local_path(uri)
        new = f"{target}.{uuid.uuid4().hex}.tmp"
        with naming(new), open(new, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(new, target)

    def move(self, uris: Sequence[str], folder: str) -> None:
        for uri in uris:
            target = os.path.join(local_path(folder), uri.rpartition("/")[2])
            try:
                os.replace(local_path(uri), target)
            except FileNotFoundError:
                if not os.path.exists(target):
                    raise

    def remove(self, uris: Iterable[str]) -> None:
        for uri in uris:
            path = local_path(uri)
            if os.path.isdir(path) and not os.path.islink(path):
                shutil.rmtree(path, ignore_errors=True)
            elif os.path.lexists(path):
                os.unlink(path)

    def make_folders(self, uris: Sequence[str]) -> None:
        for uri in uris:
            os.makedirs(local_path(uri), exist_ok=True)


def _files_in(folder: str) -> list[str]:
    """The files in a folder, as `sheaf` finds them: links to files are followed, links to folders are not."""
    found: list[str] = []
    folders = [folder]
    while folders:
        current = folders.pop()
        for entry in os.scandir(current):
            if is_temporary(entry.name):
                continue
            path = current + entry.name if current.endswith("/") else f"{current}/{entry.name}"
            if entry.is_dir(follow_symlinks=False):
                folders.append(path)
            elif entry.is_file():
                found.append(path)
            elif entry.is_symlink() and not entry.is_dir():
                raise PermanentError(f"{path}: broken symbolic link", MISSING_INPUT)
    return sorted(found, key=os.fsencode)


def literal(uri: str) -> str:
    """Returns a pattern of Hadoop that matches only this URI."""
    return re.sub(r"([*?\[\]{}\\])", r"\\\1", uri)


def is_temporary(name: str) -> bool:
    """Whether a file of this name is one that `sheaf` is writing, or that a killed `sheaf` left."""
    return name.startswith(".") and ".sheaf-" in name and name.endswith((".tmp", ".spool"))


def _stored(path: str) -> StoredFile:
    try:
        status = os.stat(path)
    except OSError as error:
        raise PermanentError(f"{path}: cannot be opened: {error.strerror}", MISSING_INPUT) from error
    return StoredFile(path, status.st_size, str(status.st_mtime_ns))
