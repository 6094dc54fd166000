"""Jobs whose log and result are in S3: on this machine, and on two executors that can be killed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

from pyarrow import fs
from s3_server import BUCKET, Server
from spark_support import LOGS, SHEAF, SparkTest, start
from support import PACKAGE, essential, job_of, run_once, wait_for_end

from sheaf_spark import (
    CompareOptions,
    JobOptions,
    JobResult,
    LocalExecutor,
    MeasureOptions,
    PermanentError,
    ReplayOptions,
    Stores,
    TransientError,
)
from sheaf_spark.hadoop import HadoopStore
from sheaf_spark.options import CommandOptions
from sheaf_spark.s3 import S3Store, _matcher

ROOT = f"s3://{BUCKET}"


def setUpModule() -> None:
    SparkTest.spark = start("local-cluster[2,1,512]", spark_executor_memory="512m")
    unittest.addModuleCleanup(SparkTest.spark.stop)


class S3Test(SparkTest):
    def setUp(self) -> None:
        super().setUp()
        self.server = Server()
        self.addCleanup(self.server.stop)
        self.settings = tuple(self.server.settings.items())
        self.store = S3Store(self.settings)
        host = self.server.settings["fs.s3a.endpoint"].partition("://")[2]
        fs.S3FileSystem(
            endpoint_override=host, scheme="http", access_key="key", secret_key="secret", allow_bucket_creation=True
        ).create_dir(BUCKET)
        files = [path for path in Path(LOGS).rglob("*") if path.is_file()]
        self.store.publish({f"{ROOT}/logs/{path.relative_to(LOGS)}": path for path in files})
        self.server.requests.clear()

    def run_in(self, executor: Any, options: CommandOptions = ReplayOptions(), **values: Any) -> JobResult:
        job = JobOptions(**{"sheaf": SHEAF, "shards": 4, "stores": Stores(self.settings), **values})
        return job_of(options)(executor, f"{ROOT}/logs", f"{ROOT}/out", options, job)

    def assert_equals(self, result: JobResult, *options: str, command: str = "replay") -> None:
        whole = self.path("whole")
        format = "json" if command == "compare" else "ndjson"
        expected = run_once(SHEAF, [LOGS], whole, "--format", format, *options, command=command)
        written = self.store.read([file.uri for file in self.store.files(f"{ROOT}/out/part-*")])
        self.assertEqual(b"".join(written), Path(whole).read_bytes().replace(LOGS.encode(), f"{ROOT}/logs".encode()))
        renamed = json.loads(json.dumps(essential(expected)).replace(LOGS, f"{ROOT}/logs"))
        self.assertEqual({**essential(result.statistics), "status": result.status}, renamed)
        own = ["_SUCCESS", "_job.json", "_statistics.json"]
        self.assertEqual([name for name in self.store.walk(f"{ROOT}/out") if not name.startswith("part-")], own)


class JobTests(S3Test):
    def test_jobs_equal_one_run(self) -> None:
        for name, options, values, given, command in [
            ("replay", ReplayOptions(), {}, [], "replay"),
            ("ranges", ReplayOptions(), {"partitions": 3}, [], "replay"),
            ("people", ReplayOptions(by_device=True), {"partitions": 3}, ["--by-device"], "replay"),
            ("measure", MeasureOptions(), {"partitions": 3}, [], "measure"),
            ("compare", CompareOptions(with_profile="ios15"), {}, ["--with-profile", "ios15"], "compare"),
        ]:
            with self.subTest(name):
                # Some requests are refused, which the client repeats.
                self.server.refused = 29
                result = self.run_in(LocalExecutor(2), options, overwrite=True, **values)
                self.server.refused = 0
                self.assert_equals(result, *given, command=command)

    def test_only_parts_are_copied(self) -> None:
        self.run_in(LocalExecutor(2), partitions=3)
        self.assertEqual(self.server.requests["COPY"], 3)

    def test_rejected_lines_and_a_complete_result(self) -> None:
        options = ReplayOptions(rejects=f"{ROOT}/rejects/lines.gz")
        self.run_in(LocalExecutor(2), options)
        run_once(SHEAF, [LOGS], self.path("whole"), "--rejects", self.path("lines"))
        (content,) = self.store.read([f"{ROOT}/rejects/lines.gz"])
        lines = subprocess.run(["gzip", "-dc"], input=content, stdout=subprocess.PIPE, check=True).stdout
        self.assertEqual(lines.replace(f"{ROOT}/logs".encode(), LOGS.encode()), Path(self.path("lines")).read_bytes())
        self.assertTrue(self.run_in(LocalExecutor(2), options).was_complete)
        self.store.remove([f"{ROOT}/rejects/lines.gz"])
        self.assertIn("is missing", self.run_in(LocalExecutor(2), options).problem)

    def test_a_killed_driver_continues(self) -> None:
        variables = {
            "AWS_ACCESS_KEY_ID": "key",
            "AWS_SECRET_ACCESS_KEY": "secret",
            "AWS_ENDPOINT_URL": self.server.settings["fs.s3a.endpoint"],
            "AWS_REGION": "us-east-1",
            "PYTHONPATH": str(PACKAGE / "src"),
        }
        command = [sys.executable, "-m", "sheaf_spark", "replay", f"{ROOT}/logs", "-o", f"{ROOT}/out"]
        # One task at a time: the first shard is done when the second one waits.
        waiting = self.waiting("replay-00001")
        driver = subprocess.Popen(
            [*command, "--local", "1", "--shards", "4", "--partitions", "2", "--sheaf", waiting],
            env={**os.environ, **variables},
            stderr=subprocess.DEVNULL,
        )
        child = self.started()
        driver.kill()
        driver.wait()
        self.assertTrue(wait_for_end(child))
        result = self.run_in(LocalExecutor(2), partitions=2, sheaf=waiting)
        self.assertGreater(result.reused, 0)
        self.assert_equals(result)


class ClusterTests(S3Test):
    def test_a_killed_executor_is_replaced(self) -> None:
        sheaf = self.waiting()
        self.assert_equals(self.with_a_killed_executor(lambda: self.run_in(self.spark, sheaf=sheaf, partitions=3)))


class StoreTests(S3Test):
    def test_patterns(self) -> None:
        for name in ("d/a1", "d/a2", "d/b1", "d/c/a1", "d/.x.sheaf-1.tmp", "e*/f"):
            self.store.write(f"{ROOT}/{name}", b"1")
        for pattern, expected in [
            ("d", ["d/a1", "d/a2", "d/b1", "d/c/a1"]),
            ("d/", ["d/a1", "d/a2", "d/b1", "d/c/a1"]),
            ("d/a1", ["d/a1"]),
            ("d/a*", ["d/a1", "d/a2"]),
            ("d/*1", ["d/a1", "d/b1"]),
            ("d/[!a]1", ["d/b1"]),
            ("d/{b,a}?", ["d/a1", "d/a2", "d/b1"]),
            ("?/c", ["d/c/a1"]),
            ("*/*/a1", ["d/c/a1"]),
            ("e\\*/f", ["e*/f"]),
        ]:
            with self.subTest(pattern):
                found = [file.uri for file in self.store.files(f"{ROOT}/{pattern}")]
                self.assertEqual(found, [f"{ROOT}/{name}" for name in expected])

    def test_globs(self) -> None:
        for pattern, name, matches in [
            ("a.b", "axb", False),
            ("[]]", "]", True),
            ("[a-c]", "b", True),
            ("[", "[", True),
            ("{a,b{c,d}}", "bd", True),
            ("{a", "a", True),
            ("a}", "a}", True),
            ("*", "", True),
            ("\\", "\\", True),
        ]:
            with self.subTest(pattern, name=name):
                self.assertEqual(bool(_matcher(pattern).fullmatch(name)), matches)

    def test_missing_objects(self) -> None:
        for pattern in ("none", "none*", "none/*/x"):
            with self.subTest(pattern), self.assertRaisesRegex(PermanentError, "no such object") as raised:
                self.store.files(f"{ROOT}/{pattern}")
            self.assertEqual(raised.exception.status, 66)
        with self.assertRaises(PermanentError):
            self.store.fetch([f"{ROOT}/none"], self.folder)
        self.assertEqual((self.store.names(f"{ROOT}/none"), list(self.store.walk(f"{ROOT}/none"))), ([], []))
        self.store.remove([f"{ROOT}/none"])

    def test_moved_objects_are_skipped(self) -> None:
        self.store.write(f"{ROOT}/from/x", b"1")
        for _ in range(2):
            self.store.move([f"{ROOT}/from/x"], f"{ROOT}/to")
        self.assertEqual(self.store.read([f"{ROOT}/to/x"]), [b"1"])
        with mock.patch("sheaf_spark.s3._COPY_LIMIT", 0):
            self.store.move([f"{ROOT}/to/x"], f"{ROOT}/by-way-of-this-machine")
        self.assertEqual(self.store.read([f"{ROOT}/by-way-of-this-machine/x"]), [b"1"])

    def test_a_server_that_is_gone_is_a_transient_error(self) -> None:
        with mock.patch("sheaf_spark.s3._ATTEMPTS", 1):
            store = S3Store((*self.settings[:-1], ("fs.s3a.endpoint", "http://127.0.0.1:1")))
            with self.assertRaises(TransientError):
                store.read([f"{ROOT}/x"])

    def test_s3_of_hadoop_is_kept(self) -> None:
        self.assertIsInstance(Stores((("fs.s3.impl", "x"),)).of("s3://b/x"), HadoopStore)
        self.assertIsInstance(Stores().of("s3a://b/x"), HadoopStore)
        self.assertIsInstance(Stores().of("S3://b/x"), S3Store)


if __name__ == "__main__":
    unittest.main()
