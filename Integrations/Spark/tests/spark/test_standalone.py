"""A master and two workers on this machine: a worker is killed, and slow tasks are started twice."""

import os
import re
import signal
import subprocess
import tempfile
import threading
import unittest
from pathlib import Path
from typing import Callable, Optional

import pyspark
from spark_support import SHARED, SparkTest, ancestors, running, start
from support import wait_for_end

from sheaf_spark import JobResult, process

HOME = Path(pyspark.__file__).parent


class Daemon:
    """A process of the cluster, in a process group of its own."""

    def __init__(self, host: str, *arguments: str) -> None:
        environment = {**os.environ, "SPARK_HOME": str(HOME), "SPARK_NO_DAEMONIZE": "1", "SPARK_LOCAL_IP": host}
        self.process = subprocess.Popen(
            [str(HOME / "bin/spark-class"), *arguments],
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            # A test that is interrupted leaves no cluster.
            preexec_fn=process.ends_with(os.getpid()),
        )
        self._drain: Optional[threading.Thread] = None

    def wait_for(self, pattern: str) -> "re.Match[str]":
        """Waits for a line of the log, and then reads the rest of the log in a thread."""
        pipe = self.process.stderr
        assert pipe is not None
        for line in pipe:
            match = re.search(pattern, line)
            if match:
                self._drain = threading.Thread(target=pipe.read, daemon=True)
                self._drain.start()
                return match
        raise AssertionError(f"the log ended without {pattern}")

    def stop(self) -> None:
        try:
            os.killpg(self.process.pid, signal.SIGTERM)
        except ProcessLookupError:
            pass
        self.process.wait()
        if self._drain is not None:
            self._drain.join()
        assert self.process.stderr is not None
        self.process.stderr.close()


def worker(url: str, host: str) -> Daemon:
    folder = tempfile.mkdtemp(dir=SHARED)
    started = Daemon(
        host, "org.apache.spark.deploy.worker.Worker", "--host", host, "--cores", "2", "--memory", "1g",
        "--webui-port", "0", "--work-dir", folder, url,
    )  # fmt: skip
    unittest.addModuleCleanup(started.stop)
    started.wait_for("Successfully registered with master")
    return started


def setUpModule() -> None:
    os.environ["SPARK_DAEMON_MEMORY"] = "256m"
    master = Daemon(
        "127.0.0.1", "org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port", "0", "--webui-port", "0"
    )
    unittest.addModuleCleanup(master.stop)
    url = master.wait_for(r"Starting Spark master at (spark://\S+)").group(1)
    # Spark starts the second attempt of a slow task on another host only.
    StandaloneTests.workers = [worker(url, "127.0.0.1"), worker(url, "127.0.0.2")]
    SparkTest.spark = start(
        url,
        spark_executor_memory="512m",
        spark_executor_cores="2",
        spark_speculation="true",
        spark_speculation_interval="100ms",
        spark_speculation_multiplier="1.5",
        spark_speculation_quantile="0.5",
    )
    unittest.addModuleCleanup(SparkTest.spark.stop)


class StandaloneTests(SparkTest):
    workers: "list[Daemon]"

    def test_1_a_slow_task_is_started_twice_and_its_command_ends(self) -> None:
        sheaf = self.waiting()
        # The waiting command never ends by itself: only a second attempt lets the job finish.
        result, child = self.run_with(sheaf, lambda child: None)
        self.assertTrue(wait_for_end(child), "the command outlived its task")
        self.assert_equals_one_run(result)
        self.assertEqual(running(sheaf), [])

    def test_2_a_killed_worker_loses_nothing(self) -> None:
        def kill_worker(child: int) -> None:
            above = {one for one, _ in ancestors(child)}
            (owner,) = (one for one in self.workers if one.process.pid in above)
            # The worker, the executor, and the daemon of its Python processes.
            for one, name in ancestors(child):
                if one in above and name == "java":
                    os.kill(one, signal.SIGKILL)
                if one == owner.process.pid:
                    break

        sheaf = self.waiting()
        result, child = self.run_with(sheaf, kill_worker)
        self.assertTrue(wait_for_end(child), "the command outlived its worker")
        self.assert_equals_one_run(result)
        self.assertEqual(running(sheaf), [])

    def run_with(self, sheaf: str, act: "Callable[[int], None]") -> "tuple[JobResult, int]":
        results: list[JobResult] = []
        thread = threading.Thread(target=lambda: results.append(self.run_job(sheaf=sheaf, shards=8)))
        thread.start()
        child = self.started()
        act(child)
        thread.join()
        return results[0], child


if __name__ == "__main__":
    unittest.main()
