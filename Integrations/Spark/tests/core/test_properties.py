"""Partial results of any division, merged in any order and cut anywhere, give the snapshot of one replay."""

import os
import random
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Sequence

from support import real_sheaf, run_once, seed
from test_replay import FEATURES, GeneratedLogsTest

from sheaf_spark.command import PARTITIONS
from sheaf_spark.inputs import Source, expand, source_list
from sheaf_spark.stores import Stores

SHEAF = real_sheaf()
ROUNDS = int(os.environ.get("SHEAF_TEST_ROUNDS", "2"))


@unittest.skipUnless(SHEAF and PARTITIONS in FEATURES, "no sheaf command with `sheaf partial`")
class PropertyTests(GeneratedLogsTest):
    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls.sources = expand([str(cls.shared / "logs")], Stores())
        cls.random = random.Random(seed())

    sources: list[Source]
    random: random.Random

    def sheaf(self, *arguments: str) -> None:
        completed = subprocess.run([str(SHEAF), *arguments, "-q"], stderr=subprocess.PIPE, text=True)
        self.assertIn(completed.returncode, (0, 65), f"{arguments}: {completed.stderr}")

    def partials(self, options: Sequence[str]) -> list[str]:
        """Replays a random division of the sources, which need not be neighbors."""
        divided: dict[int, list[Source]] = {}
        for source in self.sources:
            divided.setdefault(self.random.randrange(4), []).append(source)
        files: list[str] = []
        for number, shard in divided.items():
            self.random.shuffle(shard)
            listed = self.folder / f"{number}.sources"
            listed.write_bytes(source_list(shard, [source.uri for source in shard]))
            files.append(self.path(f"{number}.partial"))
            self.sheaf("replay", "--sources-from", str(listed), "--partial", files[-1], *options)
        return files

    def shuffled(self, files: Sequence[str]) -> list[str]:
        return self.random.sample(list(files), len(files))

    def expected(self, options: Sequence[str], suffix: str = "ndjson") -> bytes:
        whole = self.path("whole")
        run_once(str(SHEAF), [str(self.shared / "logs")], whole, "--format", suffix, *options)
        return Path(whole).read_bytes()

    def variants(self) -> list[list[str]]:
        return [[], ["--by-device"], ["--config", str(self.shared / "off.json")]]

    def test_any_tree_of_merges(self) -> None:
        for options in self.variants() * ROUNDS:
            files = self.shuffled(self.partials(options))
            config = [option for option in options if option != "--by-device"]
            while len(files) > 1:
                some = [files.pop() for _ in range(self.random.randint(2, len(files)))]
                merged = self.path(f"merged-{len(files)}-{self.random.random()}.partial")
                self.sheaf("merge", *some, "--partial", merged, *config)
                files.insert(self.random.randint(0, len(files)), merged)
            self.sheaf("merge", *files, "-o", self.path("snapshot.ndjson"), *config)
            with self.subTest(options=options):
                self.assertEqual(Path(self.path("snapshot.ndjson")).read_bytes(), self.expected(options))

    def test_any_ranges(self) -> None:
        for options in self.variants() * ROUNDS:
            files = self.partials(options)
            partitions = self.random.randint(1, 9)
            # The keys of some partial results cut all of them: the result does not depend on where.
            some = self.random.sample(files, self.random.randint(1, len(files)))
            ranges = self.path("ranges")
            self.sheaf("partial", "keys", *some, "--partitions", str(partitions), "-o", ranges)
            with self.subTest(options=options, partitions=partitions):
                self.assertEqual(self.reduced(files, ranges, partitions, options), self.expected(options))

    def reduced(self, files: list[str], ranges: str, partitions: int, options: Sequence[str]) -> bytes:
        by_device = "--by-device" in options
        config = [option for option in options if option != "--by-device"]
        root = Path(tempfile.mkdtemp(dir=self.folder))
        splits = [root / f"split-{number}" for number in range(len(files))]
        for folder, file in zip(splits, self.shuffled(files)):
            self.sheaf("partial", "split", file, "--ranges", ranges, "--partial-dir", str(folder))
        if not by_device:
            for number in range(partitions):
                slices = [str(folder / f"identities-{number:05}.partial") for folder in splits]
                arguments = ["--ranges", ranges, "--partial-dir", str(root / "newest"), *config]
                self.sheaf("partial", "newest", *self.shuffled(slices), *arguments)
        parts: list[bytes] = []
        for number in range(partitions):
            inputs = [str(folder / f"groups-{number:05}.partial") for folder in splits]
            if by_device:
                inputs += [str(folder / f"identities-{number:05}.partial") for folder in splits]
            else:
                inputs += [str(path) for path in root.glob(f"newest/newest-{number:05}-*")]
            self.sheaf("merge", *self.shuffled(inputs), "-o", str(root / "part.ndjson"), *config)
            parts.append((root / "part.ndjson").read_bytes())
        return b"".join(parts)


if __name__ == "__main__":
    unittest.main()
