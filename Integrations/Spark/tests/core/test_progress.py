"""What a job tells about its progress."""

import re
import unittest

from test_folders import FolderCase


class ProgressTests(FolderCase):
    def steps(self, *arguments: str, command: str = "replay") -> "list[str]":
        status, messages = self.command(*arguments, command=command)
        self.assertEqual(status, 0, messages)
        lines = [line for line in messages.splitlines() if line.startswith("sheaf-spark: ")]
        return [re.sub(r", \d+\.\d s(, [\d,.]+ MB/s)?", "", line.partition(": ")[2]) for line in lines]

    def test_each_step_says_what_is_left(self) -> None:
        self.assertEqual(self.steps(), ["replay: 3 tasks; then part", "part: 1 task"])
        self.assertEqual(
            self.steps("--partitions", "2", "--overwrite"),
            [
                "replay: 3 tasks; then ranges, split, newest, part", "ranges: 1 task; then split, newest, part",
                "split: 3 tasks; then newest, part", "newest: 2 tasks; then part", "part: 2 tasks",
            ],
        )  # fmt: skip
        self.assertEqual(
            self.steps("--partitions", "2", "--overwrite", command="measure")[2:],
            ["split: 3 tasks; then measures, part", "measures: 2 tasks; then part", "part: 1 task"],
        )

    def test_steps_that_begin_are_written_on_request(self) -> None:
        self.assertEqual(self.steps("-v")[:2], ["replay: 3 tasks", "replay: 3 tasks; then part"])

    def test_a_quiet_job_writes_nothing(self) -> None:
        self.assertEqual(self.command("-q"), (0, ""))

    def test_a_job_that_continues_says_so(self) -> None:
        self.fault("merge", 70, 9)
        self.command()
        for path in (self.folder / "fake").glob("merge=*"):
            path.unlink()
        lines = self.steps("--shards", "5")
        self.assertEqual(
            lines,
            [
                "part: 1 task", "continued after 3 finished steps",
                "--shards has no effect on a job that continues: it began with 3",
            ],
        )  # fmt: skip


if __name__ == "__main__":
    unittest.main()
