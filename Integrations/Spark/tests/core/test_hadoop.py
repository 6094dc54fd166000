"""The commands of Hadoop's client that a store runs, with a fake Java that writes them to a file."""

from __future__ import annotations

import os
import unittest
from pathlib import Path
from unittest import mock

from support import FolderTest

from sheaf_spark.hadoop import HadoopStore


class HadoopTests(FolderTest):
    def setUp(self) -> None:
        super().setUp()
        java = self.write("java/bin/java", f'#!/bin/sh\necho "$@" >>{self.path("calls")}\n')
        os.chmod(java, 0o755)
        self.write("spark/jars/none.jar")
        variables = {"JAVA_HOME": self.path("java"), "SPARK_HOME": self.path("spark")}
        patch = mock.patch.dict(os.environ, variables)
        patch.start()
        self.addCleanup(patch.stop)

    def calls(self) -> list[list[str]]:
        """The arguments after those of Java and its configuration."""
        lines = Path(self.path("calls")).read_text().splitlines()
        return [line.partition(" -conf ")[2].split()[1:] for line in lines]

    def test_files_of_a_step_are_uploaded_by_one_process(self) -> None:
        files = [Path(self.write(f"scratch/{number}")) for number in range(3)]
        HadoopStore().publish({f"s3a://bucket/out/name-{n}": file for n, file in enumerate(files)})
        (call,) = self.calls()
        self.assertEqual(call[:3], ["-put", "-f", "-d"])
        self.assertEqual([name.rpartition("/")[2] for name in call[3:]], ["name-0", "name-1", "name-2", "out"])

    def test_objects_are_not_renamed(self) -> None:
        for scheme, is_object in [("s3a", True), ("gs", True), ("abfss", True), ("hdfs", False), ("file", False)]:
            with self.subTest(scheme):
                HadoopStore().write(f"{scheme}://place/out/_job.json", b"{}")
                self.assertEqual("-d" in self.calls()[-1], is_object)


if __name__ == "__main__":
    unittest.main()
