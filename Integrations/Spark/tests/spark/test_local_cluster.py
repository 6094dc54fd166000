"""Two executors with a process each, which can be killed."""

import unittest

from spark_support import SparkTest, start
from test_local import FEATURES

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
        self.assert_equals_one_run(self.with_a_killed_executor(lambda: self.run_job(sheaf=sheaf)))


if __name__ == "__main__":
    unittest.main()
