"""How inputs become sources, shards and trees of merges."""

import os
import random
import unittest

from support import FolderTest, seed

from sheaf_spark.failures import PermanentError
from sheaf_spark.inputs import Source, expand, neighbors, shard_count, shards, source_list
from sheaf_spark.job import AUTO, JobOptions, partition_count, plan_for
from sheaf_spark.resources import bytes_of
from sheaf_spark.store import scheme
from sheaf_spark.stores import Stores


def sources(*sizes: int) -> list[Source]:
    return [Source(index, f"s{index}", f"/s{index}", size, "0") for index, size in enumerate(sizes)]


class ShardTests(unittest.TestCase):
    def test_shards_are_neighbors_and_cover_all_sources(self) -> None:
        source = random.Random(seed())
        for _ in range(500):
            all_sources = sources(*(source.choice([0, 1, 10, 1000, 10**9]) for _ in range(source.randint(1, 40))))
            count = source.randint(1, 50)
            divided = shards(all_sources, count)
            self.assertEqual([s for shard in divided for s in shard], all_sources)
            self.assertLessEqual(len(divided), count)
            self.assertTrue(all(divided))

    def test_shards_of_equal_files_are_equal(self) -> None:
        self.assertEqual([len(shard) for shard in shards(sources(*[100] * 12), 4)], [3, 3, 3, 3])

    def test_empty_files_are_divided(self) -> None:
        self.assertEqual([len(shard) for shard in shards(sources(0, 0, 0, 0), 2)], [2, 2])

    def test_count_follows_size_and_tasks(self) -> None:
        for sizes, tasks, expected in [
            ([10] * 100, 4, 4),
            ([10] * 3, 8, 3),
            ([1000] * 100, 4, 100),
            ([0], 1, 1),
        ]:
            with self.subTest(sizes=sizes[:2], tasks=tasks):
                self.assertEqual(shard_count(sources(*sizes), tasks, 1000), expected)

    def test_merges_have_at_most_the_fan_in(self) -> None:
        for count in range(1, 200):
            for fan_in in (2, 3, 64):
                ranges = neighbors(count, fan_in)
                self.assertEqual([index for one in ranges for index in one], list(range(count)))
                self.assertLessEqual(max(map(len, ranges)), fan_in)
                self.assertEqual(len(ranges), -(-count // fan_in))


class InputTests(FolderTest):
    def names(self, *inputs: str) -> list[str]:
        return [source.name for source in expand(inputs, Stores())]

    def test_order_is_that_of_the_arguments_and_of_bytes_in_folders(self) -> None:
        for name in ("logs/b", "logs/a/z", "logs/a.x", "logs/ä", "logs/.hidden", "first"):
            self.write(name)
        self.write("logs/.b.sheaf-1x.tmp")
        os.symlink(self.path("first"), self.path("logs/link"))
        os.symlink(self.path("logs/a"), self.path("logs/folder-link"))
        logs = self.path("logs")
        expected = [".hidden", "a.x", "a/z", "b", "link", "ä"]
        self.assertEqual(
            self.names(logs, self.path("first")), [f"{logs}/{name}" for name in expected] + [self.path("first")]
        )

    def test_globs_match_in_order(self) -> None:
        for name in ("x-2.gz", "x-10.gz", "y.gz"):
            self.write(name)
        self.assertEqual(self.names(self.path("x-*.gz")), [self.path("x-10.gz"), self.path("x-2.gz")])

    def test_a_name_with_the_characters_of_a_glob_is_a_name(self) -> None:
        self.assertEqual(self.names(self.write("a[1].gz")), [self.path("a[1].gz")])

    def test_file_uris_keep_their_name(self) -> None:
        uri = "file://" + self.write("a b")
        self.assertEqual(self.names(uri), [self.path("a b")])

    def test_missing_and_empty_inputs_are_permanent_errors(self) -> None:
        os.mkdir(self.path("empty"))
        for pattern, status in [(self.path("none"), 66), (self.path("none*"), 66), (self.path("empty"), 66), ("-", 64)]:
            with self.subTest(pattern=pattern), self.assertRaises(PermanentError) as raised:
                self.names(pattern)
            self.assertEqual(raised.exception.status, status)

    def test_a_relative_path_is_shown_as_given(self) -> None:
        self.write("logs/a")
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        (source,) = expand(["logs"], Stores())
        self.assertEqual((source.name, source.uri), ("logs/a", self.path("logs/a")))
        self.assertEqual(source_list([source], ["/x"]), b'{"path": "/x", "source": "logs/a", "ordinal": 0}\n')

    def test_schemes(self) -> None:
        for uri, expected in [("s3a://b/k", "s3a"), ("file:/a", "file"), ("/a:b", ""), ("a/b:c", ""), ("c:/x", "")]:
            with self.subTest(uri=uri):
                self.assertEqual(scheme(uri), expected)

    def test_sizes(self) -> None:
        for text, expected in [("1", 1), ("512m", 512 << 20), ("64MiB", 64 << 20), ("2g", 2 << 30), ("1 K", 1024)]:
            with self.subTest(text=text):
                self.assertEqual(bytes_of(text), expected)
        self.assertEqual(bytes_of("512", "m"), 512 << 20)
        with self.assertRaises(PermanentError):
            bytes_of("many")

    def test_the_number_of_parts_follows_from_the_sources(self) -> None:
        for size, parts in [(0, 1), (1, 1), (4 << 30, 1), ((4 << 30) + 1, 2), (100 << 30, 25), (10 << 40, 500)]:
            with self.subTest(size=size):
                sources = [Source(0, "a", "a", size // 2, ""), Source(1, "b", "b", size - size // 2, "")]
                self.assertEqual(partition_count(AUTO, sources), parts)
        self.assertEqual((partition_count(7, []), partition_count(None, [])), (7, None))
        for wanted in ("many", "-1x", ""):
            with self.subTest(wanted), self.assertRaisesRegex(PermanentError, "takes a number or auto"):
                JobOptions(partitions=wanted).check()

    def test_the_number_of_slices_is_bounded(self) -> None:
        for count, tasks, partitions, splits in [
            (10_000, 500, None, 500),
            (10_000, 500, 200, 500),
            (10_000, 500, 1_000, 125),
            (10_000, 5_000, 1_000, 125),
            (10_000, 500, 10_000, 64),
            (10, 500, 200, 10),
        ]:
            with self.subTest(shards=count, tasks=tasks, partitions=partitions):
                self.assertEqual(plan_for(count, tasks, 64, partitions).splits, splits)


if __name__ == "__main__":
    unittest.main()
