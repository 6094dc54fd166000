"""The output folder of a job, and what it keeps there while it runs.

    OUTPUT/part-00000.ndjson …   the result
    OUTPUT/_statistics.json      its statistics
    OUTPUT/_SUCCESS              written last
    OUTPUT/_job.json             what the job is: its fingerprint, its plan, its owner, and what it has written
    OUTPUT/table/                the result as a table, in a format of Spark, if the caller wants one
    OUTPUT/_sheaf.lock           held by the driver while it runs, if the folder is local
    OUTPUT/_sheaf/data/STAGE/    files of attempts: STEP-TAG.LABEL, each written once
    OUTPUT/_sheaf/data/range-N/  the same, of all stages: what is divided by keys, so that a range is read from one folder
    OUTPUT/_sheaf/data/STEP-TAG/ a file with its final name: a part of the result
    OUTPUT/_sheaf/done/STEP.json a record of each finished step: its tag and the labels of its files

A step is finished when its record exists. Records are written atomically, after the files that they name, and each
attempt has a tag of its own. Two attempts of one step can therefore both finish: one record wins, either is right, and
the files of the other are swept. All files stay until the job has finished, so that one that was killed resumes
wherever it was. Spark's readers skip names with an underscore.

Each driver writes a token of its own to `_job.json`. One that finds another token there has been superseded: it neither
removes nor names any parts.
"""

from __future__ import annotations

import fcntl
import glob
import json
import os
import re
import sys
import uuid
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Iterable, Mapping, Optional

from .failures import CANNOT_CREATE, MISSING_INPUT, USAGE, PermanentError, TransientError
from .fingerprint import Fingerprint
from .store import LocalStore, Store, join, literal, local_path
from .stores import Stores

SUCCESS = "_SUCCESS"
STATISTICS = "_statistics.json"
JOB = "_job.json"
WORK = "_sheaf"
TABLE = "table"
LOCK = "_sheaf.lock"

# The exit status of a driver whose folder another one has.
BUSY = 75

# The end of a label of a compressed file.
PACKED = ".zst"

_PART = re.compile(r"part-\d{5,}\.(ndjson|csv|json|txt)")
# What a killed writer of a small file leaves, here and in Hadoop's file systems.
_PARTIAL = r"(\.[0-9a-f]{32}\.tmp|\._COPYING_)"
_FILE = rf"({_PART.pattern}|{SUCCESS}|{re.escape(JOB)}|{re.escape(STATISTICS)}){_PARTIAL}?"
_TAG = re.compile(r".+-[0-9a-f]{12}")
# What a killed writer of a file of data leaves.
_UNFINISHED = re.compile(r".*(\.[0-9a-f]{32}|\._COPYING_)")
# Hadoop's local file system has a checksum file for each file.
_OWN = re.compile(rf"{WORK}|{TABLE}|{re.escape(LOCK)}|{_FILE}|\.{_FILE}\.crc")
# What a driver that was killed before it wrote `_job.json` leaves.
_BEFORE_JOB = re.compile(rf"{re.escape(LOCK)}|\.?{re.escape(JOB)}{_PARTIAL}(\.crc)?")


@dataclass(frozen=True)
class Record:
    """What a finished step left."""

    step: str
    tag: str
    """The step's name and what distinguishes this attempt."""
    mark: str = ""
    """What the step's result depends on: a fingerprint."""
    status: int = 0
    labels: tuple[str, ...] = ()
    """Its files in the folder of data are named after the tag and a label: see `file_name`."""
    statistics: Optional[dict[str, Any]] = None
    report: Optional[dict[str, Any]] = None
    messages: str = ""

    def file(self, label: str) -> str:
        """Returns the name of a file, compressed or not."""
        return file_name(self.tag, label + PACKED if label + PACKED in self.labels else label)

    def encoded(self) -> bytes:
        return (json.dumps(self.__dict__, ensure_ascii=False) + "\n").encode("utf-8")

    @staticmethod
    def decoded(content: bytes) -> Record:
        values = json.loads(content)
        # With partitions, many records have the same labels.
        return Record(**{**values, "labels": tuple(map(sys.intern, values["labels"]))})


def file_name(tag: str, label: str) -> str:
    """Returns the name of an attempt's file in the folder of data.

    A label is `KIND`, for a file in the folder of the stage, `FOLDER/KIND`, or `/NAME` for a file with a name of its own.
    """
    folder, mark, kind = label.rpartition("/")
    if mark and not folder:
        return f"{tag}/{kind}"
    return f"{folder or tag.partition('-')[0]}/{tag}.{kind}"


def _tag(name: str) -> str:
    """Returns the tag of the attempt that a file in the folder of data belongs to."""
    folder, _, base = name.rpartition("/")
    return folder if _TAG.fullmatch(folder) else base.partition(".")[0]


@dataclass(frozen=True)
class Layout:
    """The names in an output folder. Tasks get it."""

    output: str

    @property
    def data(self) -> str:
        return join(self.output, WORK, "data")

    @property
    def done(self) -> str:
        return join(self.output, WORK, "done")

    def file(self, name: str) -> str:
        return join(self.data, name)

    def record(self, step: str) -> str:
        return join(self.done, step + ".json")


class Superseded(TransientError):
    """Another driver has the folder."""

    def __init__(self, message: str) -> None:
        super().__init__(message, BUSY)


class Workspace:
    """The driver's view of an output folder. A `with` statement releases its lock."""

    def __init__(self, output: str, stores: Stores) -> None:
        self.layout = Layout(output)
        self.store: Store = stores.of(output)
        self.output = output
        self.problem = ""
        """Why a result that was complete has to be written again."""
        self._stores = stores
        self._owner = uuid.uuid4().hex
        self._lock: Optional[int] = None

    def __enter__(self) -> Workspace:
        return self

    def __exit__(self, *_: object) -> None:
        if self._lock is not None:
            # Removed while it is locked: a driver that waits for it sees that the file has lost its name.
            self.store.remove([join(self.output, LOCK)])
            os.close(self._lock)
            self._lock = None

    def open(self, fingerprint: Fingerprint, overwrite: bool) -> dict[str, Any]:
        """Prepares the folder and returns what `_job.json` holds, with the key `complete` if the job has finished.

        A job that has not finished is also this one if only options of the result differ.

        Raises `PermanentError` if the folder can't be created, or holds something else than this job's files, and
        `Superseded` if another driver is at work in it.
        """
        try:
            job, names = self._inspect(fingerprint, overwrite)
            if job.get("complete"):
                return job
            self._acquire()
        except (FileExistsError, NotADirectoryError) as error:
            raise PermanentError(
                f"{self.output}: the folder can't be created: {error.strerror}", CANNOT_CREATE
            ) from error
        # Another driver may have finished in the meantime.
        job, names = self._inspect(fingerprint, overwrite)
        if job.get("complete"):
            return job
        # First what makes a result complete. `_job.json` stays: without it the other files would be foreign.
        self.store.remove(join(self.output, name) for name in names if name == SUCCESS)
        if not job:
            self.store.remove(join(self.output, name) for name in names if name not in (SUCCESS, JOB, LOCK))
        return job

    def _inspect(self, fingerprint: Fingerprint, overwrite: bool) -> tuple[dict[str, Any], list[str]]:
        """Returns the job in the folder, which is empty unless it is this one, and the names there.

        Raises `PermanentError` if the folder holds something else that may not be replaced.
        """
        names = self.store.names(self.output)
        # Without the description of a job nothing shows that files with such names are a job's.
        known = _OWN if JOB in names else _BEFORE_JOB
        foreign = [name for name in names if not known.fullmatch(name)]
        if foreign:
            raise PermanentError(
                f"{self.output}: the folder holds other files, such as {foreign[0]}: name an empty or a new folder",
                USAGE,
            )
        if JOB not in names:
            return {}, names
        job = self._job()
        if job["fingerprint"] == fingerprint.whole:
            if SUCCESS in names:
                self.problem = self._difference(job)
                job["complete"] = not self.problem
            return job, names
        has_result = SUCCESS in names or "status" in job
        if not has_result and job.get("reading") == fingerprint.reading:
            return job, names
        if not overwrite and (has_result or self._has_finished_steps()):
            facts = job.get("facts")
            differences = fingerprint.differences(facts) if isinstance(facts, dict) else ""
            raise PermanentError(
                f"{self.output}: the folder holds the result of another job: it has "
                f"{differences or 'another fingerprint'}; --overwrite replaces it",
                USAGE,
            )
        return {}, names

    def _job(self) -> dict[str, Any]:
        """Returns what `_job.json` holds. Raises `PermanentError` if that is not the description of a job."""
        try:
            job = json.loads(self.store.read([join(self.output, JOB)])[0])
        except (ValueError, RecursionError):
            job = None
        if not isinstance(job, dict) or not isinstance(job.get("fingerprint"), str) or not _is_plan(job.get("plan")):
            raise PermanentError(
                f"{join(self.output, JOB)}: the file is damaged or not that of a job: remove the folder if it holds "
                "nothing of value, or name another one",
                USAGE,
            )
        return job

    def _has_finished_steps(self) -> bool:
        return any(name.endswith(".json") for name in self.store.names(self.layout.done))

    def _difference(self, job: Mapping[str, Any]) -> str:
        """Returns the first problem of the files of a finished job; an empty text if they are complete."""
        try:
            expected, rejects, status = job["files"], job["rejects"], job["status"]
            if not isinstance(expected, dict) or not isinstance(status, int) or not isinstance(job["messages"], str):
                raise TypeError
            uri, size = rejects if rejects is not None else ("", None)
        except (KeyError, TypeError, ValueError):
            return f"{JOB} does not list its files"
        found = self._part_sizes()
        for name in sorted({*expected, *found}):
            if name not in found:
                return f"{name} is missing"
            if found[name] != expected.get(name):
                return f"{name} has another size"
        if uri:
            existing = self._size(uri)
            if existing != size:
                return f"{uri} is missing" if existing is None else f"{uri} has another size"
        if STATISTICS not in self.store.names(self.output):
            return f"{STATISTICS} is missing"
        try:
            self.statistics()
        except ValueError:
            return f"{STATISTICS} is damaged"
        return ""

    def _part_sizes(self) -> dict[str, int]:
        if isinstance(self.store, LocalStore):
            folder = glob.escape(os.path.abspath(local_path(self.output)))
        else:
            folder = literal(self.output)
        try:
            files = self.store.files(join(folder, "part-*"))
        except PermanentError as error:
            if error.status != MISSING_INPUT:
                raise
            return {}
        sizes = {file.uri.rpartition("/")[2]: file.size for file in files}
        return {name: size for name, size in sizes.items() if _PART.fullmatch(name)}

    def _size(self, uri: str) -> Optional[int]:
        store = self._stores.of(uri)
        if isinstance(store, LocalStore):
            path = local_path(uri)
            return os.stat(path).st_size if os.path.isfile(path) else None
        try:
            return store.files(literal(uri))[0].size
        except PermanentError as error:
            if error.status != MISSING_INPUT:
                raise
            return None

    def _acquire(self) -> None:
        """Locks a local folder for this driver. Raises `Superseded` if another one has the lock."""
        if not isinstance(self.store, LocalStore):
            return
        folder = local_path(self.output)
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, LOCK)
        while True:
            lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if os.path.exists(path) and os.path.samestat(os.stat(path), os.fstat(lock)):
                    self._lock = lock
                    return
                os.close(lock)
            except BlockingIOError:
                os.close(lock)
                raise Superseded(
                    f"{self.output}: another driver is writing to the folder: wait until it ends"
                ) from None
            except FileNotFoundError:
                os.close(lock)
            except OSError:
                # A file system without locks: the owner in `_job.json` is all there is.
                os.close(lock)
                self.store.remove([path])
                return

    def begin(self, job: dict[str, Any]) -> None:
        """Makes this driver the owner of the folder."""
        self.store.make_folders([self.output])
        self._write_job(job)
        self.store.make_folders([self.layout.data, self.layout.done])

    def _write_job(self, job: dict[str, Any]) -> None:
        content = json.dumps({**job, "owner": self._owner}) + "\n"
        self.store.write(join(self.output, JOB), content.encode("utf-8"))

    def is_owner(self) -> bool:
        """Whether no other driver has begun since this one did."""
        return JOB in self.store.names(self.output) and self._job().get("owner") == self._owner

    def require_ownership(self) -> None:
        """Raises `Superseded` if another driver has the folder, or has completed the result."""
        if not self.is_owner() or SUCCESS in self.store.names(self.output):
            raise Superseded(f"{self.output}: another driver has taken over the folder: this one ends")

    def completed(self, fingerprint: Fingerprint) -> Optional[dict[str, Any]]:
        """Returns the job if it is complete, whichever driver has finished it."""
        job, _ = self._inspect(fingerprint, overwrite=True)
        return job if job.get("complete") else None

    def records(self, fingerprint: Fingerprint) -> dict[str, Record]:
        """Returns the records of the steps that earlier runs of this job finished, if their files still exist.

        Those of steps that depend on other options of the result are left out.
        """
        marks = (fingerprint.reading, fingerprint.whole)
        records: dict[str, Record] = {}
        for name, content in self.store.contents(self.layout.done):
            if not name.endswith(".json"):
                continue
            # The step of a damaged record is repeated.
            with suppress(ValueError, KeyError, TypeError):
                record = Record.decoded(content)
                if record.mark in marks:
                    records[record.tag] = record
        # An attempt writes its record after its files: those that exist need only be counted.
        missing = {tag: len(record.labels) for tag, record in records.items()}
        for name in self.store.walk(self.layout.data):
            if _tag(name) in missing and not _UNFINISHED.fullmatch(name):
                missing[_tag(name)] -= 1
        return {record.step: record for tag, record in records.items() if missing[tag] == 0}

    def sweep(self, records: Iterable[Record]) -> None:
        """Removes the files of attempts that no record names: those that failed, were killed, or came second."""
        named = {record.tag for record in records}
        self.store.remove(
            self.layout.file(name)
            for name in self.store.walk(self.layout.data)
            if _tag(name) not in named or _UNFINISHED.fullmatch(name)
        )
        # A killed writer of a record leaves its temporary file.
        partial = [name for name in self.store.names(self.layout.done) if not name.endswith(".json")]
        self.store.remove(join(self.layout.done, name) for name in partial)

    def parts(self) -> list[str]:
        """Returns the names of the parts in the folder."""
        return [name for name in self.store.names(self.output) if _PART.fullmatch(name)]

    def finish(self, statistics: dict[str, Any], job: dict[str, Any]) -> None:
        """Writes what makes the result complete, and removes everything that is not part of it.

        Raises `Superseded` if another driver has the folder.
        """
        self.require_ownership()
        self.store.write(
            join(self.output, STATISTICS), (json.dumps(statistics, ensure_ascii=False) + "\n").encode("utf-8")
        )
        self._write_job({**job, "files": self._part_sizes()})
        self.store.remove([join(self.output, WORK)])
        self.require_ownership()
        self.store.write(join(self.output, SUCCESS), b"")

    def statistics(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.store.read([join(self.output, STATISTICS)])[0])
        return found


def _is_plan(value: object) -> bool:
    return isinstance(value, dict) and value.keys() == {"shards", "splits", "fan_in", "partitions"}
