"""Jobs with a fake command: results, retries, resuming, and the files in folders afterwards."""

import json
import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

from support import FAKE, PACKAGE, FolderTest, job_of, joined, wait_for_end

from sheaf_spark import (
    JobOptions,
    JobResult,
    LocalExecutor,
    MeasureOptions,
    PermanentError,
    ReplayOptions,
    Resources,
    TransientError,
    replay,
)
from sheaf_spark.command import Command, Identity
from sheaf_spark.job import trial_of
from sheaf_spark.options import CommandOptions


class JobTest(FolderTest):
    def setUp(self) -> None:
        super().setUp()
        for number in range(9):
            self.write(f"logs/{number}", "".join(f"line {line * 9 + number:03}\n" for line in range(20)))
        self.expected = "".join(f"line {line:03}\n" for line in range(180)).encode()
        (self.folder / "fake").mkdir()
        os.environ["SHEAF_FAKE"] = self.path("fake")
        self.addCleanup(os.environ.pop, "SHEAF_FAKE")

    def run_job(self, options: CommandOptions = ReplayOptions(), workers: int = 3, **values: Any) -> JobResult:
        resources = Resources(memory=1 << 27, folders=(self.path("scratch"),))
        job = JobOptions(**{"sheaf": FAKE, "shards": 5, "resources": resources, **values})
        return job_of(options)(LocalExecutor(workers), [self.path("logs")], self.path("out"), options, job)

    def fault(self, command: str, status: object, count: int = 1) -> None:
        for number in range(count):
            self.write(f"fake/{command}={status}={number}")

    def claimed(self) -> int:
        return sum(name.startswith("claimed") for name in self.names("fake"))

    def assert_only_results(self, parts: int = 1) -> None:
        expected = ["_SUCCESS", "_job.json", "_statistics.json", *(f"part-{n:05}.ndjson" for n in range(parts))]
        self.assertEqual(self.names("out"), sorted(expected))
        self.assertEqual(self.names("scratch"), [])


class ResultTests(JobTest):
    def test_any_division_gives_the_same_bytes(self) -> None:
        for values in [
            {"shards": 1}, {"shards": 9, "fan_in": 2}, {"partitions": 1, "shards": 2}, {"partitions": 3, "fan_in": 2},
            {"partitions": 4, "by_device": True},
        ]:  # fmt: skip
            options = ReplayOptions(by_device=values.pop("by_device", False))
            with self.subTest(values=values):
                shutil.rmtree(self.path("out"), ignore_errors=True)
                result = self.run_job(options, **values)
                self.assertEqual(joined(self.path("out")), self.expected)
                self.assertFalse(result.was_complete)
                self.assertEqual((result.status, result.statistics["records"]), (0, 180))
                self.assert_only_results(values.get("partitions", 1))

    def test_statistics_are_added_up(self) -> None:
        self.run_job(partitions=3)
        statistics = json.loads(Path(self.path("out/_statistics.json")).read_text())
        self.assertEqual(statistics["records"], 180)
        self.assertLess(statistics["peakResidentBytes"], 180)
        self.assertEqual(statistics["sourceErrors"], [])

    def test_rejects_are_in_the_order_of_sources(self) -> None:
        for number in (1, 4, 8):
            self.write(f"logs/{number}", f"bad {number}\n")
        result = self.run_job(ReplayOptions(rejects=self.path("rejects/lines")))
        self.assertEqual(Path(self.path("rejects/lines")).read_text(), "bad 1\nbad 4\nbad 8\n")
        self.assertEqual(self.names("rejects"), ["lines"])
        self.assertEqual(result.status, 65)

    def test_options_that_need_all_groups_are_refused_with_partitions(self) -> None:
        for options in [
            ReplayOptions(top=3), ReplayOptions(sort="recent"), ReplayOptions(format="json"),
            ReplayOptions(format="text"), ReplayOptions(every="1h"),
            ReplayOptions(unique=True), ReplayOptions(outcomes=True),
        ]:  # fmt: skip
            with self.subTest(options=options), self.assertRaisesRegex(PermanentError, "leave out --partitions"):
                self.run_job(options, partitions=2)
            options.check(None)


class PathTests(JobTest):
    def test_a_path_is_one_input(self) -> None:
        logs = Path(self.path("logs"))
        for number, inputs in enumerate((logs, str(logs), [logs], (str(logs),))):
            output = Path(self.path(f"out-{number}"))
            with self.subTest(inputs=inputs):
                job = JobOptions(sheaf=Path(FAKE), resources=Resources(folders=(Path(self.path("scratch")),)))
                replay(LocalExecutor(1), inputs, output, ReplayOptions(rejects=output.with_suffix(".rejects")), job)
                self.assertEqual(joined(str(output)), self.expected)

    def test_what_is_not_a_path_is_refused(self) -> None:
        job = JobOptions(sheaf=FAKE)
        for inputs in (b"logs", [b"logs"], [None], [self.path("logs"), 3]):
            with self.subTest(inputs=inputs), self.assertRaisesRegex(PermanentError, "is not a path"):
                replay(LocalExecutor(1), inputs, self.path("out"), ReplayOptions(), job)  # type: ignore[arg-type]

    def test_misspelled_formats_of_tables_are_found_without_spark(self) -> None:
        for table, near in [("parquett", "parquet"), ("Parqet", "parquet"), ("orcc", "orc"), ("icebrg", "iceberg")]:
            with (
                self.subTest(table),
                self.assertRaisesRegex(PermanentError, f"--table {table}: .* did you mean {near}"),
            ):
                trial_of(ReplayOptions(), JobOptions(sheaf=FAKE, table=table))
        with self.assertRaisesRegex(PermanentError, "--table reads the parts as ndjson: leave out --format csv"):
            trial_of(ReplayOptions(format="csv"), JobOptions(sheaf=FAKE, table="parquet"))
        # Spark may have packages with others.
        for table in ("parquet", "PARQUET", "delta", "deltalake", "bigquery", "org.example.Tables"):
            trial_of(ReplayOptions(), JobOptions(sheaf=FAKE, table=table))

    def test_what_is_not_an_executor_is_refused(self) -> None:
        connected = type("SparkSession", (), {"__module__": "pyspark.sql.connect.session"})()
        for where, message in [
            (None, "None is neither a SparkSession nor an executor"), (connected, "Spark Connect, which can't run tasks")
        ]:  # fmt: skip
            with self.subTest(message), self.assertRaisesRegex(PermanentError, message):
                replay(where, self.path("logs"), self.path("out"))


class FailureTests(JobTest):
    def test_transient_statuses_are_retried(self) -> None:
        for status in (70, 73, 74, 75, -9, -15):
            with self.subTest(status=status):
                self.fault("replay", status, 2)
                self.run_job(overwrite=True, shards=1)
                self.assertEqual(joined(self.path("out")), self.expected)
                self.assertEqual(self.claimed(), 2)
                self.assert_only_results()
                for path in (self.folder / "fake").iterdir():
                    path.unlink()
                self.write("logs/0", Path(self.path("logs/0")).read_text())

    def test_permanent_statuses_end_the_job_at_once(self) -> None:
        for status in (64, 66, 78):
            with self.subTest(status=status):
                self.fault("replay", status, 9)
                before = self.claimed()
                with self.assertRaises(PermanentError) as raised:
                    self.run_job(workers=1, overwrite=True)
                self.assertEqual(raised.exception.status, status)
                self.assertEqual(self.claimed() - before, 1)
                for path in (self.folder / "fake").glob("replay=*"):
                    path.unlink()

    def test_the_last_attempt_decides(self) -> None:
        self.fault("replay", 70, 3)
        with self.assertRaises(TransientError) as raised:
            self.run_job(shards=1)
        self.assertEqual(raised.exception.status, 70)
        self.assertEqual(self.claimed(), 3)
        self.assertEqual(self.names("out/_sheaf"), ["data", "data/replay", "done"])
        self.assertEqual(self.names("scratch"), [])

    def test_a_full_disk_names_the_setting(self) -> None:
        self.fault("merge", 74, 3)
        with self.assertRaisesRegex(TransientError, r"No space left on device.*--scratch DIR.*spark\.local\.dir"):
            self.run_job()

    def test_each_stage_can_fail_once(self) -> None:
        for command in ("replay", "keys", "split", "newest", "merge"):
            self.fault(command, 74)
        self.run_job(partitions=3)
        self.assertEqual(joined(self.path("out")), self.expected)
        self.assertEqual(self.claimed(), 5)
        self.assert_only_results(3)

    def test_a_missing_command_is_an_error_that_names_the_places(self) -> None:
        with self.assertRaisesRegex(PermanentError, r"no sheaf command on .*/none/sheaf.*--sheaf PATH.*--files"):
            self.run_job(sheaf="/none/sheaf")

    def test_another_binary_on_some_machine_is_refused(self) -> None:
        other = Command(FAKE, Identity("0.1.0", "0" * 64))
        with self.assertRaisesRegex(PermanentError, "is not the sheaf 0.1.0 of the other machines"):
            other.run(["replay"])

    def test_a_machine_without_proc_needs_a_memory_limit(self) -> None:
        exists = os.path.exists
        with mock.patch("os.path.exists", lambda path: path != "/proc/self" and exists(path)):
            self.run_job()
            shutil.rmtree(self.path("out"))
            with self.assertRaisesRegex(PermanentError, "has no /proc.*--memory or spark.sheaf.memory"):
                self.run_job(workers=1, resources=Resources())

    def test_python_without_pyspark_is_a_usage_error(self) -> None:
        completed = subprocess.run(
            [sys.executable, "-S", "-m", "sheaf_spark", "replay", self.path("logs"), "-o", self.path("out")],
            env={**os.environ, "PYTHONPATH": str(PACKAGE / "src")},
            stderr=subprocess.PIPE,
            text=True,
        )
        self.assertEqual(completed.returncode, 64)
        self.assertRegex(completed.stderr, "this Python has no pyspark .*: run the command by spark-submit")

    def test_another_system_or_an_old_command_is_refused(self) -> None:
        old = self.write("old", "#!/bin/sh\necho 0.0.1\n")
        os.chmod(old, 0o755)
        with self.assertRaisesRegex(
            PermanentError, "wrong version of sheaf: 0.0.1 has no 'sheaf replay --sources-from'"
        ):
            self.run_job(sheaf=old)
        wrong = self.write("wrong", "\x7fELF nothing")
        os.chmod(wrong, 0o755)
        with self.assertRaisesRegex(PermanentError, "can't be executed"):
            self.run_job(sheaf=wrong)


class ResumeTests(JobTest):
    def failing(self, command: str = "merge", **values: Any) -> None:
        self.fault(command, 70, 9)
        with self.assertRaises(TransientError):
            self.run_job(**values)
        for path in (self.folder / "fake").glob(f"{command}=*"):
            path.unlink()

    def test_finished_steps_are_reused(self) -> None:
        self.failing()
        self.fault("replay", 70, 9)
        result = self.run_job()
        self.assertEqual((joined(self.path("out")), result.reused), (self.expected, 5))
        self.assert_only_results()

    def test_a_complete_result_is_returned_as_it_is(self) -> None:
        first = self.run_job()
        self.fault("replay", 70, 9)
        second = self.run_job()
        self.assertTrue(second.was_complete)
        self.assertEqual(second.statistics, first.statistics)

    def test_lost_files_are_written_again(self) -> None:
        self.failing()
        for path in sorted((self.folder / "out/_sheaf/data/replay").iterdir())[:2]:
            path.unlink()
        self.assertEqual(self.run_job().reused, 3)
        self.assertEqual(joined(self.path("out")), self.expected)

    def test_other_inputs_or_options_are_another_job(self) -> None:
        self.failing()
        changes = {
            "no --app": lambda: self.run_job(ReplayOptions(app="a")),
            "command replay": lambda: self.run_job(MeasureOptions()),
            "no --partitions": lambda: self.run_job(partitions=2),
            "another configuration or mapping file": lambda: self.run_job(
                ReplayOptions(config=self.write("c.json", "{}"))
            ),
            "no --rejects, no rejected lines": lambda: self.run_job(ReplayOptions(rejects=self.path("rejects"))),
            "other inputs": lambda: (self.write("logs/4", "line 000\n"), self.run_job()),
        }
        for difference, run in changes.items():
            message = f"another job: it has {difference}; --overwrite replaces it"
            with self.subTest(difference), self.assertRaisesRegex(PermanentError, message):
                run()
        self.run_job(overwrite=True)
        self.assertEqual(self.names("out")[-1], "part-00000.ndjson")

    def test_shards_are_kept_if_only_options_of_the_result_change(self) -> None:
        for partitions in (None, 3):
            for options in (ReplayOptions(locale="de"), ReplayOptions(profile="ios12", max_rejects=1)):
                with self.subTest(options=options, partitions=partitions):
                    shutil.rmtree(self.path("out"), ignore_errors=True)
                    self.failing(partitions=partitions)
                    self.write("fake/calls")
                    result = self.run_job(options, partitions=partitions)
                    self.assertEqual(joined(self.path("out")), self.expected)
                    self.assertGreaterEqual(result.reused, 5)
                    calls = [json.loads(line) for line in Path(self.path("fake/calls")).read_text().splitlines()]
                    self.assertNotIn("replay", [call[0] for call in calls])
                    # Versions are found with the profile.
                    newest = [call for call in calls if call[:2] == ["partial", "newest"]]
                    self.assertEqual(len(newest), 0 if partitions is None else partitions)

    def test_a_complete_result_with_other_options_is_another_one(self) -> None:
        self.run_job(ReplayOptions(locale="de"))
        with self.assertRaisesRegex(PermanentError, "it has --locale de; --overwrite replaces it"):
            self.run_job(ReplayOptions(locale="fr"))

    def test_a_job_continues_with_the_shards_that_it_began_with(self) -> None:
        self.failing()
        result = self.run_job(shards=3)
        self.assertEqual((result.reused, result.kept_shards), (5, 5))
        self.assertEqual(joined(self.path("out")), self.expected)
        result = self.run_job(shards=2, fan_in=2)
        self.assertTrue(result.was_complete)

    def test_the_contents_of_a_configuration_count_but_not_its_path(self) -> None:
        first = self.write("a/c.json", '{"apps":{"x":{"strings":"s"}}}')
        self.write("a/s/en.lproj/Localizable.strings", "one")
        self.run_job(ReplayOptions(config=first))
        second = self.write("b/c.json", '{"apps":{"x":{"strings":"t"}}}')
        self.write("b/t/en.lproj/Localizable.strings", "one")
        self.assertTrue(self.run_job(ReplayOptions(config=second)).was_complete)
        self.write("b/t/en.lproj/Localizable.strings", "two")
        with self.assertRaisesRegex(PermanentError, "another job"):
            self.run_job(ReplayOptions(config=second))

    def test_folders_with_other_files_are_refused_even_to_overwrite(self) -> None:
        self.write("out/precious.txt")
        for overwrite in (False, True):
            with self.assertRaisesRegex(PermanentError, "other files, such as precious.txt"):
                self.run_job(overwrite=overwrite)
        self.assertEqual(self.names("out"), ["precious.txt"])

    def test_a_killed_driver_takes_its_commands_along_and_resumes(self) -> None:
        os.mkfifo(self.path("fake/started"))
        self.fault("merge", "block")
        driver = subprocess.Popen(
            [sys.executable, "-m", "sheaf_spark", "replay", self.path("logs"), "-o", self.path("out"), "--local", "2",
             "--sheaf", FAKE, "--shards", "5", "--memory", "128MiB", "--scratch", self.path("scratch")],
            env={**os.environ, "PYTHONPATH": str(PACKAGE / "src")},
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        with open(self.path("fake/started")) as started:
            child = int(started.read())
        driver.kill()
        driver.wait()
        self.assertTrue(wait_for_end(child), "the command outlived its driver")
        self.assertEqual(len(self.names("scratch")), 2)
        result = self.run_job(overwrite=False)
        self.assertEqual((joined(self.path("out")), result.reused), (self.expected, 5))
        self.assert_only_results()


if __name__ == "__main__":
    unittest.main()
