"""Shared by the tests on Spark: the session, the log, and commands that fail or wait."""

from __future__ import annotations

import atexit
import os
import signal
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import Any, Callable

from pyspark.sql import SparkSession
from support import FolderTest, essential, job_of, joined, real_sheaf, run_once, wait_for_end
from test_replay import generate

from sheaf_spark import JobOptions, JobResult, ReplayOptions
from sheaf_spark.options import CommandOptions

SHEAF = str(real_sheaf())

_folder = tempfile.TemporaryDirectory()
atexit.register(_folder.cleanup)
SHARED = Path(os.path.realpath(_folder.name))
LOGS = str(SHARED / "logs")


def start(master: str, **settings: str) -> SparkSession:
    """Starts the session of this process. It talks to nothing but this machine."""
    builder: Any = SparkSession.builder.master(master).appName("sheaf-spark tests")
    for key, value in {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "4",
        "spark.local.dir": str(SHARED / "spark"),
        "spark.sheaf.memory": "128m",
        **{key.replace("_", "."): value for key, value in settings.items()},
    }.items():
        builder = builder.config(key, value)
    spark: SparkSession = builder.getOrCreate()
    # Tests kill tasks, which Spark reports at length.
    spark.sparkContext.setLogLevel("OFF")
    generate(str(SHARED))
    return spark


class SparkTest(FolderTest):
    spark: SparkSession

    def run_job(self, options: CommandOptions = ReplayOptions(), **values: Any) -> JobResult:
        job = JobOptions(**{"sheaf": SHEAF, "shards": 4, **values})
        return job_of(options)(self.spark, [LOGS], self.path("out"), options, job)

    def assert_equals_one_run(self, result: JobResult, *options: str, command: str = "replay") -> None:
        whole = self.path("whole")
        format = "json" if command == "compare" else "ndjson"
        expected = run_once(SHEAF, [LOGS], whole, "--format", format, *options, command=command)
        self.assertEqual(joined(self.path("out")), Path(whole).read_bytes())
        self.assertEqual({**essential(result.statistics), "status": result.status}, essential(expected))
        self.assertEqual([name for name in self.names("out") if name.startswith("_sheaf")], [])
        self.assert_no_scratch()

    def assert_no_scratch(self) -> None:
        left = [path for path in SHARED.joinpath("spark").rglob("sheaf-spark-*") if path.is_dir()]
        self.assertEqual(left, [])

    def flaky(self, status: int, count: int) -> str:
        """Returns a command whose first `count` replays or measurements fail with a status. Their number is that of `failed-*`."""
        for number in range(count):
            self.write(f"faults/{number}")
        return self._wrapper(
            f"""
            for fault in {self.path("faults")}/[0-9]*; do
                if mv "$fault" {self.path("faults")}/failed-$$ 2>/dev/null; then
                    echo 'sheaf: a fault' >&2
                    exit {status}
                fi
            done"""
        )

    def waiting(self, step: str = "") -> str:
        """Returns a command whose first replay, or that of a step, writes its process id to the FIFO `started` and waits forever."""
        os.mkfifo(self.path("started"))
        self.write("faults/0")
        return self._wrapper(
            f"""
            case "$*" in *{step}*)
                if mv {self.path("faults/0")} {self.path("faults/waiting")} 2>/dev/null; then
                    echo $$ >{self.path("started")}
                    exec tail -f /dev/null
                fi
            esac"""
        )

    def _wrapper(self, body: str) -> str:
        path = self.write(
            "sheaf",
            # Neither when it is asked for help, nor when it only tries options.
            f'#!/bin/sh\ncase "$* " in *" --help "* | *" -o /dev/null ") exec {SHEAF} "$@" ;; esac\n'
            'if [ "$1" = replay ] || [ "$1" = measure ] || [ "$1" = compare ]; then'
            f'{body}\nfi\nexec {SHEAF} "$@"\n',
        )
        os.chmod(path, 0o755)
        return path

    def started(self) -> int:
        """Waits until the command of `waiting` has started, and returns its process id."""
        with open(self.path("started")) as pipe:
            return int(pipe.read())

    def with_a_killed_executor(self, run: Callable[[], JobResult]) -> JobResult:
        """Returns the result of a job whose command is that of `waiting`, and whose first executor is killed."""
        results: list[JobResult] = []
        thread = threading.Thread(target=lambda: results.append(run()))
        thread.start()
        child = self.started()
        executor = next(process for process, name in ancestors(child) if name == "java")
        os.kill(executor, signal.SIGKILL)
        self.assertTrue(wait_for_end(child), "the command outlived its executor")
        thread.join()
        return results[0]

    def faults(self) -> int:
        return sum(name.startswith("failed") for name in self.names("faults"))


def ancestors(process_id: int) -> list[tuple[int, str]]:
    """Returns the processes above one, each with its command, the nearest first."""
    found: list[tuple[int, str]] = []
    while process_id > 1:
        status = Path(f"/proc/{process_id}/stat").read_text()
        name = status[status.index("(") + 1 : status.rindex(")")]
        found.append((process_id, name))
        process_id = int(status[status.rindex(")") + 2 :].split()[1])
    return found[1:]


def running(path: str) -> list[int]:
    """Returns the processes that run the command at this path."""
    output = subprocess.run(["pgrep", "-f", f"^({path}|/bin/sh {path}) "], capture_output=True, text=True).stdout
    return [int(line) for line in output.split()]
