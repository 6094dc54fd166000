"""What a job does to files that others wrote, and how it ends when it can't use a folder."""

import contextlib
import errno
import io
import json
import os
import shutil
import threading
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

from support import FAKE, joined
from test_job import JobTest

from sheaf_spark import PermanentError, ReplayOptions, TransientError, cli
from sheaf_spark.options import CommandOptions
from sheaf_spark.store import LocalStore


class FolderCase(JobTest):
    def refuse(self, pattern: str, options: CommandOptions = ReplayOptions(), **values: Any) -> None:
        with self.assertRaisesRegex(PermanentError, pattern) as raised:
            self.run_job(options, **values)
        self.assertEqual(raised.exception.status, 64)

    def command(
        self, *arguments: str, inputs: str = "logs", output: str = "out", command: str = "replay"
    ) -> "tuple[int, str]":
        messages = io.StringIO()
        with contextlib.redirect_stderr(messages):
            status = cli.main(
                [command, self.path(inputs), "-o", self.path(output), "--local", "2", "--sheaf", FAKE, "--shards", "3",
                 "--memory", "128MiB", "--scratch", self.path("scratch"), *arguments]
            )  # fmt: skip
        return status, messages.getvalue()


class ForeignFileTests(FolderCase):
    def test_names_like_those_of_a_result_are_foreign_without_a_job(self) -> None:
        for name in ("part-00000.ndjson", "part-00000.parquet", "_SUCCESS", "_statistics.json", "_sheaf/data/x"):
            with self.subTest(name):
                self.write(f"out/{name}", "precious")
                self.refuse("other files, such as", overwrite=True)
                self.assertEqual(Path(self.path("out", name)).read_text(), "precious")
                self.assertEqual(len(os.listdir(self.path("out"))), 1)
                shutil.rmtree(self.path("out"))

    def test_other_names_are_foreign_next_to_a_result(self) -> None:
        self.run_job()
        for name in ("part-00000.parquet", "part-1.ndjson", "_SUCCESS.old", "part-00000.ndjson.bak"):
            with self.subTest(name):
                self.write(f"out/{name}", "precious")
                self.refuse(f"other files, such as {name}", overwrite=True, shards=2)
                os.unlink(self.path("out", name))
        self.run_job(overwrite=True, shards=2)

    def test_files_of_killed_writers_are_not_foreign(self) -> None:
        self.write(f"out/_job.json.{'0' * 32}.tmp")
        self.write("out/_sheaf.lock")
        self.run_job()
        self.assert_only_results()

    def test_an_input_in_the_output_folder_is_refused(self) -> None:
        self.run_job()
        os.rename(self.path("logs"), self.path("kept"))
        os.symlink(self.path("out"), self.path("logs"))
        self.refuse("logs' is an input", overwrite=True)
        os.unlink(self.path("logs"))
        os.symlink(self.path("out/part-00000.ndjson"), self.path("logs"))
        self.refuse("logs' is a source in the output folder", overwrite=True)
        self.assertEqual(joined(self.path("out")), self.expected)


class RejectsTests(FolderCase):
    def test_sources_and_the_configuration_are_not_replaced(self) -> None:
        configuration = self.write("c.json", "{}")
        os.link(self.path("logs/3"), self.path("hard"))
        os.symlink(self.path("logs/3"), self.path("soft"))
        for name in ("logs/3", "hard", "soft", "logs/../logs/3"):
            with self.subTest(name):
                path = f"{self.folder}/{name}"
                self.refuse("logs/3' is a source: --rejects would replace it", ReplayOptions(rejects=path))
        options = ReplayOptions(config=configuration, rejects=configuration)
        self.refuse("c.json' is a configuration file: --rejects would replace it", options)
        self.assertFalse(os.path.exists(self.path("out")))

    def test_a_part_is_not_replaced(self) -> None:
        self.run_job()
        os.symlink(self.path("out"), self.path("link"))
        options = ReplayOptions(rejects=self.path("link/part-00000.ndjson"))
        self.refuse("must not be in the output folder", options, overwrite=True)

    def test_a_folder_is_refused_before_any_work(self) -> None:
        os.mkdir(self.path("rejects"))
        for name in ("rejects", "new/"):
            status, messages = self.command("--rejects", f"{self.folder}/{name}")
            self.assertEqual(status, 64)
            self.assertRegex(messages, "the name is that of a folder")
        self.assertFalse(os.path.exists(self.path("out")))

    def test_pipes_are_written_in_place(self) -> None:
        self.write("logs/1", "bad 1\n")
        os.mkfifo(self.path("pipe"))
        found: list[str] = []
        reader = threading.Thread(target=lambda: found.append(Path(self.path("pipe")).read_text()), daemon=True)
        reader.start()
        self.run_job(ReplayOptions(rejects=self.path("pipe")))
        reader.join(10)
        self.assertEqual(found, ["bad 1\n"])
        self.assertTrue(Path(self.path("pipe")).is_fifo())
        self.assertTrue(self.run_job(ReplayOptions(rejects=self.path("pipe"))).was_complete)

    def test_a_store_writes_to_a_pipe(self) -> None:
        os.mkfifo(self.path("pipe"))
        found: list[str] = []
        reader = threading.Thread(target=lambda: found.append(Path(self.path("pipe")).read_text()), daemon=True)
        reader.start()
        LocalStore().publish({self.path("pipe"): Path(self.write("lines", "a\n"))})
        reader.join(10)
        self.assertEqual(found, ["a\n"])

    def test_the_path_of_rejected_lines_is_that_of_the_current_folder(self) -> None:
        self.addCleanup(os.chdir, os.getcwd())
        for name in ("a", "b"):
            os.mkdir(self.path(name))
            os.chdir(self.path(name))
            self.run_job(ReplayOptions(rejects="lines"), overwrite=True)
            self.assertEqual(self.names(name), ["lines"])


class DriverTests(FolderCase):
    def block(self, command: str) -> None:
        os.mkfifo(self.path("fake/started"))
        self.fault(command, "block")

    def test_a_second_driver_ends_at_once(self) -> None:
        self.block("merge")
        first = threading.Thread(target=lambda: self.run_job(workers=1))
        first.start()
        child = int(Path(self.path("fake/started")).read_text())
        try:
            for overwrite in (False, True):
                with self.assertRaisesRegex(TransientError, "another driver is writing to the folder") as raised:
                    self.run_job(overwrite=overwrite)
                self.assertEqual(raised.exception.status, 75)
        finally:
            os.kill(child, 15)
            first.join()
        self.assertEqual(joined(self.path("out")), self.expected)
        self.assert_only_results()

    def late(self, act: Any) -> Any:
        """Runs a job during whose last step `act` does what another driver would do in a store without locks."""
        self.block("merge")
        outcome: list[Any] = []

        def run() -> None:
            try:
                outcome.append(self.run_job(workers=1))
            except Exception as error:
                outcome.append(error)

        thread = threading.Thread(target=run)
        thread.start()
        child = int(Path(self.path("fake/started")).read_text())
        os.unlink(self.path("fake/started"))
        try:
            act()
        finally:
            os.kill(child, 15)
            thread.join()
        return outcome[0]

    def test_a_late_driver_reports_the_result_of_another_one(self) -> None:
        def act() -> None:
            with mock.patch("sheaf_spark.workspace.fcntl") as fcntl:
                fcntl.flock.side_effect = OSError(errno.ENOLCK, "No locks available")
                self.run_job()
            self.assertNotIn("_sheaf.lock", self.names("out"))
            self.write("out/_statistics.json", '{"records":-1}')

        result = self.late(act)
        self.assertTrue(result.was_complete)
        self.assertEqual(result.statistics, {"records": -1})
        self.assertEqual(joined(self.path("out")), self.expected)

    def test_a_superseded_driver_leaves_the_parts(self) -> None:
        def act() -> None:
            path = Path(self.path("out/_job.json"))
            path.write_text(json.dumps({**json.loads(path.read_text()), "owner": "another"}))
            self.write("out/part-00007.ndjson", "of another driver")

        error = self.late(act)
        self.assertRegex(str(error), "another driver has taken over the folder")
        self.assertEqual(error.status, 75)
        self.assertEqual(Path(self.path("out/part-00007.ndjson")).read_text(), "of another driver")
        self.assertFalse(os.path.exists(self.path("out/_SUCCESS")))


class CompleteTests(FolderCase):
    def test_a_result_with_lost_or_changed_files_is_written_again(self) -> None:
        options = ReplayOptions(rejects=self.path("rejects"))
        changes = {
            "part-00000.ndjson is missing": lambda: os.unlink(self.path("out/part-00000.ndjson")),
            "part-00000.ndjson has another size": lambda: self.write("out/part-00000.ndjson", "x"),
            "part-00001.ndjson has another size": lambda: self.write("out/part-00001.ndjson", "x"),
            "rejects is missing": lambda: os.unlink(self.path("rejects")),
            "rejects has another size": lambda: self.write("rejects", "x"),
            "_statistics.json is missing": lambda: os.unlink(self.path("out/_statistics.json")),
            "_statistics.json is damaged": lambda: self.write("out/_statistics.json", "{"),
        }
        self.write("logs/1", "bad 1\n")
        self.run_job(options)
        expected = joined(self.path("out"))
        for problem, change in changes.items():
            with self.subTest(problem):
                change()
                result = self.run_job(options)
                self.assertFalse(result.was_complete)
                self.assertRegex(result.problem, problem)
                self.assertEqual(joined(self.path("out")), expected)
                self.assertEqual(Path(self.path("rejects")).read_text(), "bad 1\n")
                self.assert_only_results()
        self.assertTrue(self.run_job(options).was_complete)

    def test_the_command_says_why_it_runs_again(self) -> None:
        self.command()
        os.unlink(self.path("out/part-00000.ndjson"))
        self.assertRegex(self.command()[1], "out was written again: part-00000.ndjson is missing\n")

    def test_a_failed_attempt_does_not_block_other_options(self) -> None:
        self.fault("replay", 78)
        with self.assertRaises(PermanentError):
            self.run_job(workers=1)
        for path in (self.folder / "fake").iterdir():
            path.unlink()
        self.run_job(ReplayOptions(app="a"), shards=3)
        self.assertEqual(joined(self.path("out")), self.expected)
        self.assert_only_results()

    def test_a_step_with_a_damaged_record_is_repeated(self) -> None:
        self.fault("merge", 70, 3)
        with self.assertRaises(TransientError):
            self.run_job()
        self.write("out/_sheaf/done/replay-00001.json", "{")
        self.assertEqual(self.run_job().reused, 4)
        self.assertEqual(joined(self.path("out")), self.expected)

    def test_messages_are_kept_with_the_result(self) -> None:
        self.fault("merge", "note")
        for arguments in ([], ["-q"]):
            status, messages = self.command(*arguments)
            self.assertEqual(status, 65)
            self.assertIn("sheaf: a source is damaged\n", messages)
            self.assertEqual("sheaf: warning: a note\n" in messages, not arguments)
            self.assertEqual("records from" in messages, not arguments)


class DriverErrorTests(FolderCase):
    def assert_error(self, expected: int, pattern: str, *arguments: str, **places: str) -> None:
        status, messages = self.command(*arguments, **places)
        self.assertRegex(messages, pattern)
        self.assertEqual((status, messages.count("\n")), (expected, 1))

    def test_an_output_that_is_a_file_or_below_one(self) -> None:
        self.write("file", "precious")
        for output in ("file", "file/out"):
            self.assert_error(73, f"{output}: the folder can't be created: ", output=output)
        self.assertEqual(Path(self.path("file")).read_text(), "precious")

    def test_a_full_disk_names_the_folder(self) -> None:
        with mock.patch("os.fsync", side_effect=OSError(errno.ENOSPC, "No space left on device")):
            self.assert_error(74, f"{self.path('out')}: No space left on device: free some space")

    def test_a_folder_without_permission(self) -> None:
        with mock.patch("os.makedirs", side_effect=PermissionError(errno.EACCES, "Permission denied", "/none")):
            self.assert_error(73, "sheaf-spark: /none: Permission denied")

    def test_a_damaged_description_of_a_job(self) -> None:
        for content in ("", "{", "[]", "{}", '{"fingerprint":"x","plan":{}}', '"\ud800"'):
            with self.subTest(content):
                Path(self.path("out")).mkdir(exist_ok=True)
                Path(self.path("out/_job.json")).write_bytes(content.encode("utf-8", "surrogatepass"))
                for arguments in ([], ["--overwrite"]):
                    self.assert_error(64, "out/_job.json: the file is damaged.*: remove the folder", *arguments)

    def test_a_configuration_that_cannot_be_encoded(self) -> None:
        os.mkdir(self.path("s"))
        path = self.write("c.json", '{"apps":{"x":{"strings":"s","name":"\\ud800"}}}')
        self.assert_error(78, "c.json", "--config", path)

    def test_any_other_error_has_one_line(self) -> None:
        with mock.patch("sheaf_spark.cli.replay", side_effect=RuntimeError("first\nsecond")):
            self.assert_error(70, "sheaf-spark: internal error: RuntimeError: first\n")


if __name__ == "__main__":
    unittest.main()
