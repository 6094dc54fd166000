"""Two executors with a process each, which can be killed."""

import os
import signal
import threading
import unittest

from spark_support import SparkTest, ancestors, start
from support import wait_for_end
from test_local import FEATURES

from sheaf_spark import JobResult
from sheaf_spark.command import PARTITIONS


def setUpModule() -> None:
    # An executor has one core and 512 MiB.
    SparkTest.spark = start("local-cluster[2,1,512]", spark_executor_memory="512m")
    unittest.addModuleCleanup(SparkTest.spark.stop)


class ExecutorTests(SparkTest):
    def test_equals_one_replay(self) -> None:
        partitions = 3 if PARTITIONS in FEATURES else None
        self.assert_equals_one_run(self.run_job(partitions=partitions))

    def test_failed_attempts_are_repeated(self) -> None:
        self.assert_equals_one_run(self.run_job(sheaf=self.flaky(73, 3)))
        self.assertEqual(self.faults(), 3)

    def test_a_killed_executor_is_replaced_and_its_command_ends(self) -> None:
        sheaf = self.waiting()
        results: list[JobResult] = []
        thread = threading.Thread(target=lambda: results.append(self.run_job(sheaf=sheaf)))
        thread.start()
        child = self.started()
        executor = next(process for process, name in ancestors(child) if name == "java")
        os.kill(executor, signal.SIGKILL)
        self.assertTrue(wait_for_end(child), "the command outlived its executor")
        thread.join()
        self.assert_equals_one_run(results[0])


if __name__ == "__main__":
    unittest.main()
