"""Hadoop's file systems, by the client that ships with Spark.

Every method starts one Java process, which takes a second or two: tasks therefore pass all their files at once.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import sys
import tempfile
import uuid
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Iterable, Iterator, Mapping, Optional, Sequence
from urllib.parse import urlsplit
from xml.sax.saxutils import escape

from . import process
from .failures import CONFIGURATION, MISSING_INPUT, PermanentError, TransientError
from .scratch import Scratch
from .store import StoredFile, batches, is_temporary, join, literal, scheme

_SHELL = "org.apache.hadoop.fs.FsShell"

# The client is short-lived and uses little memory, except to list a folder of very many files.
_JAVA_OPTIONS = ("-Xmx1g", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")

# permissions, replication, owner and group (which may have spaces or be empty), size, time, path
_LISTED = re.compile(r"([-d])\S{9,10}\+?\s+(?:\d+|-)\s.*?(\d+) (\d{4}-\d\d-\d\d \d\d:\d\d) (.+)")

# Stores in which an object exists only as a whole, and whose renames copy it.
_OF_OBJECTS = frozenset({"s3", "s3a", "s3n", "gs", "abfs", "abfss", "wasb", "wasbs", "oss", "cosn", "obs"})

# The length of a command line is limited. URIs of the usual length fit in it if there are no more than this.
_BATCH = 500


@dataclass(frozen=True)
class HadoopStore:
    settings: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    classpath: tuple[str, ...] = ()

    def files(self, pattern: str) -> list[StoredFile]:
        # Every file gets a path that begins with the pattern's folder, so links and globs need no care here.
        found = [file for file in self._listed(pattern) if not is_temporary(file.uri.rpartition("/")[2])]
        if not found:
            raise PermanentError(f"{pattern}: the directory holds no files", MISSING_INPUT)
        return sorted(found, key=lambda file: _order(file.uri, pattern))

    def names(self, folder: str) -> list[str]:
        try:
            listing = self._shell("-ls", "-C", literal(folder))
        except _MissingFile:
            return []
        return sorted(line.rstrip("/").rpartition("/")[2] for line in listing.splitlines() if line)

    def walk(self, folder: str) -> Iterator[str]:
        # The client may write the scheme and the host in another way.
        root = urlsplit(folder).path.rstrip("/") + "/"
        try:
            for file in self._listed(literal(folder)):
                yield file.uri.partition(root)[2]
        except _MissingFile:
            return

    def contents(self, folder: str) -> Iterator[tuple[str, bytes]]:
        with tempfile.TemporaryDirectory() as target:
            try:
                self._shell("-get", literal(folder), target)
            except _MissingFile:
                return
            for entry in os.scandir(os.path.join(target, folder.rstrip("/").rpartition("/")[2])):
                yield entry.name, Path(entry.path).read_bytes()

    def _listed(self, pattern: str) -> Iterator[StoredFile]:
        """Passes all files that the client lists below what a pattern matches."""
        # By way of a file: neither the client nor this process has to keep all names.
        with tempfile.TemporaryFile() as listing:
            self._shell("-ls", "-R", pattern, output=listing)
            listing.seek(0)
            for line in listing:
                match = _LISTED.fullmatch(line.decode("utf-8", "surrogateescape").rstrip("\n"))
                if match is not None and match.group(1) != "d":
                    yield StoredFile(match.group(4), int(match.group(2)), match.group(3))

    def fetch(self, uris: Sequence[str], folder: Path) -> list[Path]:
        # Files of one name come from different folders: each is fetched to another folder here.
        targets: list[dict[str, str]] = []
        for uri in dict.fromkeys(uris):
            name = uri.rpartition("/")[2]
            free = next((target for target in targets if name not in target), None)
            if free is None:
                free = {}
                targets.append(free)
            free[name] = uri
        paths: dict[str, Path] = {}
        for number, files in enumerate(targets):
            target = folder / f"fetched-{uuid.uuid4().hex[:8]}-{number}"
            target.mkdir(parents=True)
            for batch in batches(files.values(), _BATCH):
                self._shell("-get", *map(literal, batch), str(target))
            paths.update((uri, target / name) for name, uri in files.items())
        return [paths[uri] for uri in uris]

    def staging(self, folder: str) -> Optional[Path]:
        return None

    def publish(self, files: Mapping[str, Path], last: Mapping[str, bytes] = {}) -> None:
        uris = [*files, *last]
        if not uris:
            return
        root = os.path.commonpath([uri.rpartition("/")[0].split("://", 1)[-1] for uri in uris])
        # `commonpath` makes one slash of several, which the scheme has.
        root = uris[0][: uris[0].index(root) + len(root)]
        # Linked under their final names in a tree, because one process then uploads all of it.
        beside = next((path.parent for path in files.values()), None)
        with tempfile.TemporaryDirectory(dir=beside) as tree:
            for uri, path in files.items():
                os.link(path, _made(tree, uri[len(root) + 1 :]))
            for uri, content in last.items():
                Path(_made(tree, uri[len(root) + 1 :])).write_bytes(content)
            # In order. Where the client fails to upload one of them, it ends with an error after the others.
            tops = dict.fromkeys(uri[len(root) + 1 :].partition("/")[0] for uri in uris)
            for batch in batches(tops, _BATCH):
                self._shell(*_put(root), *(f"file://{tree}/{name}" for name in batch), literal(root))

    def read(self, uris: Sequence[str]) -> list[bytes]:
        if not uris:
            return []
        with tempfile.TemporaryDirectory() as folder:
            return [path.read_bytes() for path in self.fetch(uris, Path(folder))]

    def write(self, uri: str, content: bytes) -> None:
        with tempfile.NamedTemporaryFile() as file:
            file.write(content)
            file.flush()
            self._shell(*_put(uri), f"file://{file.name}", literal(uri))

    def move(self, uris: Sequence[str], folder: str) -> None:
        for batch in batches(uris, _BATCH):
            try:
                self._shell("-mv", *map(literal, batch), literal(folder))
            except (_MissingFile, TransientError) as error:
                # The client does not replace files, and reports the existing one even if the source is gone.
                for uri in batch:
                    if self._exists(uri) or not self._exists(join(folder, uri.rpartition("/")[2])):
                        raise TransientError(f"{uri} could not be moved to {folder}: {error}") from error

    def _exists(self, uri: str) -> bool:
        folder, _, name = uri.rpartition("/")
        return name in self.names(folder)

    def remove(self, uris: Iterable[str]) -> None:
        for batch in batches(uris, _BATCH):
            self._shell("-rm", "-r", "-f", "-skipTrash", *map(literal, batch))

    def make_folders(self, uris: Sequence[str]) -> None:
        for batch in batches(uris, _BATCH):
            self._shell("-mkdir", "-p", *map(literal, batch))

    def _shell(self, *arguments: str, output: Optional[IO[bytes]] = None) -> str:
        """Runs a command of the client and returns its output, unless that goes to a file.

        Raises `_MissingFile` if a file does not exist, `PermanentError` if the client can't read such URIs, and
        `TransientError` otherwise, since most failures are those of a network.
        """
        java = _java()
        # In a folder that the next task removes if this process is killed, because settings may hold keys.
        with Scratch(()) as scratch:
            folder = str(scratch.path)
            # A file, since every user of a machine can read command lines.
            configuration = os.path.join(folder, "core-site.xml")
            with open(os.open(configuration, os.O_WRONLY | os.O_CREAT, 0o600), "w", encoding="utf-8") as file:
                file.write(_configuration(self.settings))
            completed = process.run(
                [java, *_JAVA_OPTIONS, "-cp", self._classpath(folder), _SHELL, "-conf", configuration, *arguments],
                capture=output is None,
                output=output,
            )
        if completed.status == 0:
            return completed.output.decode("utf-8", "surrogateescape")
        problem = _problem(completed.messages)
        if "No such file or directory" in completed.messages:
            raise _MissingFile(problem, MISSING_INPUT)
        if "No FileSystem for scheme" in completed.messages or "ClassNotFoundException" in completed.messages:
            raise PermanentError(
                f"{arguments[-1]}: {problem}: add the file system's jars with --packages or --jars", CONFIGURATION
            )
        raise TransientError(f"hadoop fs {arguments[0]} {arguments[-1]}: {problem} (status {completed.status})")

    def _classpath(self, folder: str) -> str:
        """The class path. `folder` comes last: its core-site.xml is for machines without Hadoop's, which must exist."""
        jars = os.path.join(_spark_home(), "jars", "*")
        own = [os.environ[name] for name in ("HADOOP_CONF_DIR",) if os.environ.get(name)]
        return os.pathsep.join([*own, jars, *self.classpath, *_shipped_jars(), folder])


def _put(uri: str) -> list[str]:
    """The command that uploads files. The client renames them when they are complete, except in a store of objects."""
    return ["-put", "-f", *(["-d"] if scheme(uri) in _OF_OBJECTS else [])]


def _order(uri: str, pattern: str) -> tuple[bytes, bytes]:
    """The order of local files: by what the pattern matches, and then by path."""
    match = "/".join(uri.split("/")[: pattern.rstrip("/").count("/") + 1])
    return match.encode("utf-8", "surrogateescape"), uri.encode("utf-8", "surrogateescape")


class _MissingFile(PermanentError):
    pass


def _java() -> str:
    home = os.environ.get("JAVA_HOME")
    java = os.path.join(home, "bin", "java") if home else shutil.which("java")
    if java is None or not os.path.exists(java):
        raise PermanentError(
            "java was found neither in JAVA_HOME nor in PATH: it reads URIs such as s3a:", CONFIGURATION
        )
    return java


def _spark_home() -> str:
    home = os.environ.get("SPARK_HOME")
    if home and os.path.isdir(os.path.join(home, "jars")):
        return home
    specification = importlib.util.find_spec("pyspark")
    if specification is not None and specification.origin is not None:
        return os.path.dirname(specification.origin)
    raise PermanentError("Spark's jars were not found: set SPARK_HOME, or install pyspark", CONFIGURATION)


def _shipped_jars() -> list[str]:
    """Where Spark puts the files of `--jars` and `--packages` on an executor."""
    files = getattr(sys.modules.get("pyspark"), "SparkFiles", None)
    try:
        return [] if files is None else [join(files.getRootDirectory(), "*")]
    except Exception:
        # There is no such folder outside of a Spark program.
        return []


def _made(folder: str, name: str) -> str:
    """Returns the path of a file in a folder, or in a folder in it, which is created."""
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    return path


def _problem(messages: str) -> str:
    """The line of the client's messages that names the problem."""
    lines = [line for line in messages.splitlines() if line and not line.startswith(("\t", "SLF4J", "log4j", "WARN"))]
    noise = (" WARN ", " INFO ", "Fatal internal error")
    relevant = [line for line in lines if not any(word in line for word in noise)]
    if not relevant:
        return "no message"
    problem = next((line for line in relevant if "No such file or directory" in line), relevant[0]).strip()
    # "get: `s3a://bucket/name': No such file or directory" has a command that the caller did not give.
    command, mark, rest = problem.partition(": `")
    return rest.replace("': ", ": ") if mark and " " not in command else problem


def _configuration(settings: Iterable[tuple[str, str]]) -> str:
    properties = (
        f"<property><name>{escape(name)}</name><value>{escape(value)}</value></property>" for name, value in settings
    )
    return f"<configuration>{''.join(properties)}</configuration>\n"
