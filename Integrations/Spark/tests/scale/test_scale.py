"""A job with the files of one for 10 TB: 1,000 shards and 200 ranges, of 1 MB each.

It prints what the README's table has: files, folders, and the bytes that each stage writes. SHEAF_SCALE=SHARDS,RANGES
makes another job.
"""

from __future__ import annotations

import os
import subprocess
import tracemalloc
import unittest
from collections import Counter
from pathlib import Path
from unittest import mock

from support import FolderTest, joined, real_sheaf

from sheaf_spark import JobOptions, JobResult, LocalExecutor, ReplayOptions, Resources, replay
from sheaf_spark.fingerprint import Fingerprint
from sheaf_spark.store import LocalStore
from sheaf_spark.workspace import Record, Workspace

SHEAF = str(real_sheaf())
SHARDS, RANGES = map(int, os.environ.get("SHEAF_SCALE", "1000,200").split(","))
# Of each shard.
RECORDS = 1800


class Stopped(Exception):
    pass


class ScaleTests(FolderTest):
    def run_job(self, options: ReplayOptions) -> JobResult:
        job = JobOptions(
            partitions=RANGES, shards=SHARDS, sheaf=SHEAF, resources=Resources(threads=1, memory=256 << 20)
        )
        return replay(LocalExecutor(), self.path("logs"), self.path("out"), options, job)

    def test_files_and_volume(self) -> None:
        for removals in (False, True):
            with self.subTest(removals=removals):
                self._test(ReplayOptions(removals=removals), "removals" if removals else "replay")

    def test_files_and_volume_elsewhere(self) -> None:
        # As on a store that is not a folder of this machine, for which files are compressed.
        with mock.patch.object(LocalStore, "staging", return_value=None):
            self._test(ReplayOptions(removals=True), "removals, compressed")

    def _test(self, options: ReplayOptions, name: str) -> None:
        command = ["generate", "--records", str(SHARDS * RECORDS), "--seed", "1", "--devices", str(SHARDS * 100)]
        command += ["--files", str(SHARDS), "-o", self.path("logs/push.ndjson"), "-q"]
        given: list[str] = []
        if options.removals:
            command += ["--removals", "0.05"]
            given = ["--removals"]
        subprocess.run([SHEAF, *command], check=True)
        self.run_to_the_parts(options)
        files = [path for path in (self.folder / "out/_sheaf").rglob("*") if path.is_file()]
        folders = Counter(path.parent for path in files)
        sizes: Counter[str] = Counter()
        for path in files:
            sizes[self._kind(path)] += path.stat().st_size
        counts = Counter(self._kind(path) for path in files)
        log = sum(path.stat().st_size for path in (self.folder / "logs").iterdir())
        print(f"{name}: {len(files):,} files", end="; ")
        largest, count = folders.most_common(1)[0]
        print(
            f"the largest folder has {count:,}: {largest.relative_to(self.folder / 'out/_sheaf')}; the log {log:,} bytes"
        )
        for kind, size in sorted(sizes.items()):
            print(f"  {kind:12} {counts[kind]:8,} files {size:14,} bytes {size / log:6.2f} of the log")
        splits = -(-SHARDS // -(-SHARDS // 64))
        merges = RANGES * -(-RANGES // 64) if RANGES > 64 else 0
        self.assertEqual(counts["replay"], SHARDS)
        self.assertEqual(counts["sample"], SHARDS + (-(-SHARDS // 64) if SHARDS > 64 else 0))
        self.assertEqual((counts["groups"], counts["identities"]), (splits * RANGES, splits * RANGES))
        self.assertEqual((counts["newest"], counts["folded"], counts["part"]), (RANGES**2, merges, RANGES))
        self.assertEqual(max(folders.values()), max(2 * SHARDS, folders[self.folder / "out/_sheaf/done"]))
        self.assertLess(
            max(folders[path] for path in folders if path.name.startswith("range")), 2 * splits + 2 * RANGES
        )
        self.assert_that_resuming_takes_little_memory(len(files))
        result = self.run_job(options)
        self.assertEqual(result.reused, counts["record"])
        subprocess.run([SHEAF, "replay", self.path("logs"), "-o", self.path("whole.ndjson"), "-q", *given], check=True)
        self.assertEqual(joined(self.path("out")), Path(self.path("whole.ndjson")).read_bytes())
        subprocess.run(["rm", "-r", self.path("logs"), self.path("out")], check=True)

    def run_to_the_parts(self, options: ReplayOptions) -> None:
        """Ends the job before its parts are moved."""
        with mock.patch("sheaf_spark.job.publish_parts", side_effect=Stopped), self.assertRaises(Stopped):
            self.run_job(options)

    def assert_that_resuming_takes_little_memory(self, files: int) -> None:
        found: list[tuple[int, int]] = []
        original = Workspace.records

        def records(workspace: Workspace, fingerprint: Fingerprint) -> dict[str, Record]:
            tracemalloc.start()
            known = original(workspace, fingerprint)
            workspace.sweep(known.values())
            found.append((len(known), tracemalloc.get_traced_memory()[1]))
            tracemalloc.stop()
            return known

        with (
            mock.patch.object(Workspace, "records", records),
            mock.patch("sheaf_spark.job.publish_parts", side_effect=Stopped),
            self.assertRaises(Stopped),
        ):
            self.run_job(ReplayOptions(removals=self.has_removals()))
        known, peak = found[0]
        print(f"  resuming {known:,} steps, {files:,} files: {peak / 1e6:.1f} MB")
        # A pointer for each label, and a record for each step.
        self.assertLess(peak, 16 * files + 8000 * known + (2 << 20))

    def has_removals(self) -> bool:
        return b'"--removals"' in Path(self.path("out/_job.json")).read_bytes()

    def _kind(self, path: Path) -> str:
        if path.parent.name == "done":
            return "record"
        if path.parent.parent.name != "data":
            return "driver"
        stage = path.name.partition("-")[0]
        kind = path.name.split(".")[1]
        if kind == "sample":
            return "sample"
        return kind if kind in ("groups", "identities", "newest") else stage


if __name__ == "__main__":
    unittest.main()
