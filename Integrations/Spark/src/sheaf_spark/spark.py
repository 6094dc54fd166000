"""Spark as an executor."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import uuid
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Generic, Optional, Sequence, TypeVar, Union

from .failures import CONFIGURATION, USAGE, PermanentError, TransientError
from .resources import Resources, bytes_of
from .stores import Stores

Item = TypeVar("Item")
Result = TypeVar("Result")

# A replay with one thread needs 63 MiB at least.
_LEAST_MEMORY = 128 << 20

_HADOOP = "spark.hadoop."

# How often the driver looks for permanent errors of tasks.
_POLL_SECONDS = 0.2


def session(master: Optional[str] = None, settings: Sequence[str] = ()) -> Any:
    """Returns the Spark session of this process, or a new one. `settings` are `KEY=VALUE`.

    Raises `PermanentError` if Python has no pyspark, or the machine no Java.
    """
    try:
        from pyspark.sql import SparkSession
    except ImportError as error:
        raise PermanentError(
            f"this Python has no pyspark ({error}): run the command by spark-submit, pip install 'sheaf-spark[spark]', or use "
            "--local to run on this machine without Spark",
            USAGE,
        ) from error
    builder: Any = SparkSession.builder.appName("sheaf-spark")
    if master is not None:
        builder = builder.master(master)
    for setting in settings:
        key, separator, value = setting.partition("=")
        if not separator:
            raise PermanentError(f"--conf {setting}: not KEY=VALUE", USAGE)
        builder = builder.config(key, value)
    return _started(builder)


def _started(builder: Any) -> Any:
    """Starts a session. Raises `PermanentError` if there is no Java, or if it ends at once."""
    from pyspark.errors import PySparkException

    try:
        return builder.getOrCreate()
    except (PySparkException, OSError) as error:
        java = os.environ.get("JAVA_HOME")
        name = os.path.join(java, "bin", "java") if java else "java"
        if shutil.which(name) is not None:
            if "JAVA_GATEWAY_EXITED" not in str(error):
                raise
            raise PermanentError(
                "Spark can't start: its Java process ended for the reason above, such as a wrong --master or --conf",
                CONFIGURATION,
            ) from error
        place = f"JAVA_HOME is {java}, which has no bin/java" if java else "java is not in PATH"
        raise PermanentError(
            f"Spark can't start: {place}: install Java 17, such as Debian's openjdk-17-jre-headless, or use --local to "
            "run on this machine without Spark",
            CONFIGURATION,
        ) from error


class SparkExecutor:
    """Runs each item as a task of Spark, which retries failed ones on other machines."""

    def __init__(self, spark: Any) -> None:
        """`spark` is a `SparkSession`."""
        self.spark = spark
        self._context = spark.sparkContext
        self._settings = dict(self._context.getConf().getAll())
        _ship_package(self._context)

    def map(self, function: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
        if not items:
            return []
        errors = self._context.accumulator([], _list_parameter())
        capturing = _Capture(function, errors)
        name = getattr(items[0], "name", type(function).__name__).partition("-")[0]
        description = f"sheaf {name}: {len(items):,} task{'' if len(items) == 1 else 's'}"
        distributed = self._context.parallelize(list(items), len(items)).map(capturing)
        outcomes = self._collect(distributed, errors, description)
        return [value_of(outcome) for outcome in outcomes]

    def _collect(self, distributed: Any, errors: Any, description: str) -> list[Any]:
        """Returns the elements of an RDD. Cancels its other tasks as soon as one has a permanent error, which it raises."""
        if not hasattr(self._context, "addJobTag"):
            # Before version 3.5, Spark can't cancel a job without changing the caller's job group.
            return collect(distributed)
        from pyspark import InheritableThread

        found: list[Any] = []
        problems: list[BaseException] = []

        def run() -> None:
            try:
                self._context.addJobTag(tag)
                # In this thread alone: the caller's other jobs keep their own.
                self._context.setJobDescription(description)
                found.extend(collect(distributed))
            except BaseException as error:
                problems.append(error)

        tag = f"sheaf-{uuid.uuid4().hex}"
        # With the caller's properties: a program that cancels its job group cancels this job too.
        thread = InheritableThread(target=run, daemon=True)
        thread.start()
        while thread.is_alive():
            thread.join(_POLL_SECONDS)
            if errors.value:
                self._context.cancelJobsWithTag(tag)
                thread.join()
                raise errors.value[0]
        if problems:
            raise problems[0]
        return found

    def resources(self) -> Resources:
        cores = int(self._setting("spark.task.cpus", "1"))
        tasks = max(1, int(self._context.defaultParallelism) // cores)
        scratch = self._settings.get("spark.sheaf.scratch")
        folders = tuple(scratch.split(",")) if scratch else ()
        return Resources(tasks, cores, self._memory(tasks, cores), folders)

    @property
    def binary(self) -> Optional[str]:
        return self._settings.get("spark.sheaf.binary")

    def stores(self) -> Stores:
        """Returns the stores that the session's settings describe."""
        hadoop = tuple((k[len(_HADOOP) :], v) for k, v in sorted(self._settings.items()) if k.startswith(_HADOOP))
        # EMR's machines have another file system for s3:, by files of Hadoop rather than by settings of Spark.
        own = self._context._jsc.hadoopConfiguration().get("fs.s3.impl")
        if own is not None and "fs.s3.impl" not in dict(hadoop):
            hadoop += (("fs.s3.impl", own),)
        extra = self._settings.get("spark.executor.extraClassPath", "")
        return Stores(hadoop, tuple(path for path in extra.split(os.pathsep) if path))

    def _setting(self, key: str, default: str) -> str:
        return str(self._settings.get(key, default))

    def _memory(self, tasks: int, cores: int) -> Optional[int]:
        """The memory of one task: as set, or its share of the overhead, which is for processes other than Java."""
        if "spark.sheaf.memory" in self._settings:
            return bytes_of(self._settings["spark.sheaf.memory"])
        is_local = (
            self._setting("spark.master", "").startswith("local[") or self._setting("spark.master", "") == "local"
        )
        if "spark.executor.memoryOverhead" in self._settings:
            overhead = bytes_of(self._settings["spark.executor.memoryOverhead"], "m")
        elif is_local:
            from .executor import share_of_memory

            return share_of_memory(tasks)
        else:
            overhead = max(384 << 20, bytes_of(self._setting("spark.executor.memory", "1g"), "m") // 10)
        executors = 1 if is_local else max(1, self._context._jsc.sc().getExecutorMemoryStatus().size() - 1)
        per_executor = int(self._settings.get("spark.executor.cores", tasks * cores // executors)) // cores
        # A quarter is for Python itself.
        return max(_LEAST_MEMORY, overhead * 3 // 4 // max(1, per_executor))


@dataclass(frozen=True)
class Value(Generic[Result]):
    """What a call returned, where it could also be an error."""

    value: Result


@dataclass(frozen=True)
class _Capture(Generic[Item, Result]):
    function: Callable[[Item], Result]
    errors: Any
    """An accumulator for permanent errors, which the driver sees as soon as a task has ended."""

    def __call__(self, item: Item) -> Union[Value[Result], PermanentError]:
        outcome = capture(self.function, item)
        if isinstance(outcome, PermanentError):
            self.errors.add([outcome])
        return outcome


def _list_parameter() -> Any:
    from pyspark.accumulators import AccumulatorParam

    class ListParameter(AccumulatorParam):  # type: ignore[type-arg]
        def zero(self, value: Any) -> list[Any]:
            return []

        def addInPlace(self, value1: Any, value2: Any) -> list[Any]:
            return [*value1, *value2]

    return ListParameter()


def capture(function: Callable[[Item], Result], item: Item) -> Union[Value[Result], PermanentError]:
    """Returns permanent errors instead of raising them: Spark would retry the task."""
    try:
        return Value(function(item))
    except PermanentError as error:
        return error


def value_of(outcome: Union[Value[Result], PermanentError]) -> Result:
    """Returns the value, or raises the error on the driver."""
    if isinstance(outcome, PermanentError):
        raise outcome
    return outcome.value


def collect(distributed: Any) -> list[Any]:
    """Returns the elements of an RDD or the rows of a DataFrame.

    Raises `TransientError` with the message of the last attempt if a task failed too often.
    """
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException

    try:
        return list(distributed.collect())
    except Py4JJavaError as error:
        raise TransientError(_message(str(error.java_exception))) from error
    except PySparkException as error:
        # Since version 4, Spark converts the exceptions of Python workers.
        raise TransientError(_message(str(error))) from error


def _message(text: str) -> str:
    """The message of this package's exception in what Spark reports, else that of another Python exception, else the first
    line of the report."""
    marks = ("sheaf_spark.failures.TransientError: ", "sheaf_spark.failures.PermanentError: ")
    lines = [line.strip() for line in text.splitlines()]
    for line in reversed(lines):
        for mark in marks:
            if line.startswith(mark):
                return line[len(mark) :]
    for line in reversed(lines):
        # Java's exceptions have the names of packages.
        if re.match(r"[A-Z]\w*(Error|Exception): ", line):
            return f"a task failed: {line}"
    return lines[0] if lines else "a task failed"


def _ship_package(context: Any) -> None:
    """Sends this package to the executors, unless it came as a zip file, which Spark has sent already."""
    folder = Path(__file__).resolve().parent
    if not folder.is_dir() or getattr(context, "_sheaf_spark_shipped", False):
        return
    # Executors fetch the file when they start, which may be at any time. Spark removes the folder when it stops.
    archive = os.path.join(tempfile.mkdtemp(dir=context._temp_dir), "sheaf_spark.zip")
    with zipfile.ZipFile(archive, "w") as file:
        for path in sorted(folder.glob("*.py")):
            file.write(path, f"sheaf_spark/{path.name}")
    context.addPyFile(archive)
    context._sheaf_spark_shipped = True
