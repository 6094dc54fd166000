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

    def lines(self, name: str) -> list[str]:
        return Path(self.path(name)).read_text().splitlines()

    def calls(self) -> list[list[str]]:
        """The arguments after those of Java and its configuration."""
        return [line.partition(" -conf ")[2].split()[1:] for line in self.lines("calls")]

    def test_files_of_a_step_are_uploaded_by_one_process(self) -> None:
        files = [Path(self.write(f"scratch/{number}")) for number in range(3)]
        HadoopStore().publish({f"s3a://bucket/out/name-{n}": file for n, file in enumerate(files)})
        (call,) = self.calls()
        self.assertEqual(call[:3], ["-put", "-f", "-d"])
        self.assertEqual([name.rpartition("/")[2] for name in call[3:]], ["name-0", "name-1", "name-2", "out"])

    def test_files_of_several_folders_and_their_record_are_uploaded_by_one_process(self) -> None:
        java = f"""#!/bin/sh
            echo "$@" >>{self.path("calls")}
            for last; do :; done
            for argument; do case $argument in file://*) find ${{argument#file://}} -type f | sort;; esac done >{self.path("sent")}
        """
        self.write("java/bin/java", java)
        files = {
            "s3a://bucket/out/_sheaf/data/range-00000/a-1.groups": Path(self.write("scratch/1")),
            "s3a://bucket/out/_sheaf/data/range-00001/a-1.groups": Path(self.write("scratch/2")),
        }
        HadoopStore().publish(files, {"s3a://bucket/out/_sheaf/done/a.json": b"{}"})
        (call,) = self.calls()
        self.assertEqual([name.rpartition("/")[2] for name in call[3:]], ["data", "done", "_sheaf"])
        self.assertEqual(call[-1], "s3a://bucket/out/_sheaf")
        sent = [line.partition("/data/")[2] or line.partition("/done/")[2] for line in self.lines("sent")]
        self.assertEqual(sent, ["range-00000/a-1.groups", "range-00001/a-1.groups", "a.json"])

    def test_files_of_different_names_are_fetched_by_one_process(self) -> None:
        uris = ["s3a://b/range-00000/x", "s3a://b/range-00001/y", "s3a://b/z"]
        paths = HadoopStore().fetch([*uris, uris[0]], self.folder)
        (call,) = self.calls()
        self.assertEqual((call[0], call[1:-1]), ("-get", uris))
        self.assertEqual([path.name for path in paths], ["x", "y", "z", "x"])
        HadoopStore().fetch(["s3a://a/x", "s3a://b/x"], self.folder)
        self.assertEqual([call[1:-1] for call in self.calls()[1:]], [["s3a://a/x"], ["s3a://b/x"]])

    def test_parts_are_moved_by_one_process(self) -> None:
        HadoopStore().move(["hdfs://h/d/a/part-0", "hdfs://h/d/b/part-1"], "hdfs://h/out")
        self.assertEqual(self.calls(), [["-mv", "hdfs://h/d/a/part-0", "hdfs://h/d/b/part-1", "hdfs://h/out"]])

    def test_folders_are_listed_as_a_stream(self) -> None:
        listing = "".join(
            f"-rw-r--r--   1 me group {number} 2026-01-01 00:00 s3a://b/out/_sheaf/data/{folder}/x-{number}.partial\n"
            for folder in ("merge", "range-00000")
            for number in range(2)
        )
        self.write("listing", "drwxr-xr-x - me group 0 2026-01-01 00:00 s3a://b/out/_sheaf/data/merge\n" + listing)
        self.write("java/bin/java", f"#!/bin/sh\ncat {self.path('listing')}\n")
        names = list(HadoopStore().walk("s3a://b/out/_sheaf/data"))
        self.assertEqual(names[:3], ["merge/x-0.partial", "merge/x-1.partial", "range-00000/x-0.partial"])
        self.assertEqual(len(names), 4)

    def test_objects_are_not_renamed(self) -> None:
        for scheme, is_object in [("s3a", True), ("gs", True), ("abfss", True), ("hdfs", False), ("file", False)]:
            with self.subTest(scheme):
                HadoopStore().write(f"{scheme}://place/out/_job.json", b"{}")
                self.assertEqual("-d" in self.calls()[-1], is_object)


if __name__ == "__main__":
    unittest.main()
