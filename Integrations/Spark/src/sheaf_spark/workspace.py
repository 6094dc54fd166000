"""The output folder of a job, and what it keeps there while it runs.

    OUTPUT/part-00000.ndjson …   the result
    OUTPUT/_statistics.json      its statistics
    OUTPUT/_SUCCESS              written last
    OUTPUT/_job.json             what the job was: its fingerprint and its number of shards
    OUTPUT/_sheaf/data/          files of attempts: STEP-TAG.LABEL, each written once
    OUTPUT/_sheaf/done/STEP.json a record of each finished step: its tag and the labels of its files

A step is finished when its record exists. Records are written atomically, after the files that they name, and each
attempt has a tag of its own. Two attempts of one step can therefore both finish: one record wins, either is right, and
the files of the other are swept. All files stay until the job has finished, so that one that was killed resumes
wherever it was. Spark's readers skip names with an underscore.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Iterable, Optional

from .failures import USAGE, PermanentError
from .store import Store, join
from .stores import Stores

SUCCESS = "_SUCCESS"
STATISTICS = "_statistics.json"
JOB = "_job.json"
WORK = "_sheaf"


@dataclass(frozen=True)
class Record:
    """What a finished step left."""

    step: str
    tag: str
    """The step's name and what distinguishes this attempt."""
    status: int = 0
    labels: tuple[str, ...] = ()
    """Its files in the folder of data are named after the tag and a label: see `file`."""
    statistics: Optional[dict[str, Any]] = None
    report: Optional[dict[str, Any]] = None
    messages: str = ""

    def file(self, label: str) -> str:
        return f"{self.tag}.{label}"

    def files(self) -> list[str]:
        return [self.file(label) for label in self.labels]

    def encoded(self) -> bytes:
        return (json.dumps(self.__dict__, ensure_ascii=False) + "\n").encode("utf-8")

    @staticmethod
    def decoded(content: bytes) -> Record:
        values = json.loads(content)
        return Record(**{**values, "labels": tuple(values["labels"])})


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


class Workspace:
    """The driver's view of an output folder."""

    def __init__(self, output: str, stores: Stores) -> None:
        self.layout = Layout(output)
        self.store: Store = stores.of(output)
        self.output = output

    def open(self, fingerprint: str, overwrite: bool) -> dict[str, Any]:
        """Prepares the folder and returns what `_job.json` holds, with the key `complete` if the job has finished.

        Raises `PermanentError` if the folder holds something else than this job's files.
        """
        names = self.store.names(self.output)
        foreign = [name for name in names if not _is_own(name)]
        if foreign:
            raise PermanentError(
                f"{self.output}: the folder holds other files, such as {foreign[0]}: name an empty or a new folder",
                USAGE,
            )
        job: dict[str, Any] = {}
        if JOB in names:
            job = json.loads(self.store.read([join(self.output, JOB)])[0])
        elif names and not overwrite:
            raise PermanentError(f"{self.output}: the folder holds an unknown result: --overwrite replaces it", USAGE)
        if job and job["fingerprint"] != fingerprint and not overwrite:
            raise PermanentError(
                f"{self.output}: the folder holds the result of another job: its inputs, options, configuration, "
                "sheaf command or package were different; --overwrite replaces it",
                USAGE,
            )
        if job.get("fingerprint") == fingerprint:
            return {**job, "complete": SUCCESS in names}
        self.store.remove(join(self.output, name) for name in names)
        return {}

    def begin(self, job: dict[str, Any]) -> None:
        self.store.make_folders([self.layout.data, self.layout.done])
        self.store.write(join(self.output, JOB), (json.dumps(job) + "\n").encode("utf-8"))

    def records(self) -> dict[str, Record]:
        """Returns the records of the steps that earlier runs of this job finished, if their files still exist."""
        names = [name for name in self.store.names(self.layout.done) if name.endswith(".json")]
        data = set(self.store.names(self.layout.data))
        contents = self.store.read([join(self.layout.done, name) for name in names])
        records = [Record.decoded(content) for content in contents]
        return {record.step: record for record in records if data.issuperset(record.files())}

    def sweep(self, records: Iterable[Record]) -> None:
        """Removes the files of attempts that no record names: those that failed, were killed, or came second."""
        named = {name for record in records for name in record.files()}
        left = [name for name in self.store.names(self.layout.data) if name not in named]
        self.store.remove(self.layout.file(name) for name in left)
        # A killed writer of a record leaves its temporary file.
        partial = [name for name in self.store.names(self.layout.done) if not name.endswith(".json")]
        self.store.remove(join(self.layout.done, name) for name in partial)

    def finish(self, statistics: dict[str, Any], job: dict[str, Any]) -> None:
        """Writes what makes the result complete, and removes everything that is not part of it."""
        self.store.write(
            join(self.output, STATISTICS), (json.dumps(statistics, ensure_ascii=False) + "\n").encode("utf-8")
        )
        self.store.write(join(self.output, JOB), (json.dumps(job) + "\n").encode("utf-8"))
        self.store.remove([join(self.output, WORK)])
        self.store.write(join(self.output, SUCCESS), b"")

    def statistics(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.store.read([join(self.output, STATISTICS)])[0])
        return found


def _is_own(name: str) -> bool:
    # Checksum files of Hadoop's local file system and temporary files begin with a dot.
    own = name.lstrip(".")
    return any(own.startswith(start) for start in ("part-", SUCCESS, STATISTICS, JOB, WORK))
