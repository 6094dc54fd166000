"""Spark in one process, where a task has four attempts."""

import gzip
import json
import os
import subprocess
import sys
import threading
import unittest
import warnings
from pathlib import Path

import pyarrow
from pyspark.sql import DataFrame, Row
from spark_support import LOGS, SHEAF, SparkTest, start
from support import FAKE, PACKAGE, joined, run_once, wait_for_end

import sheaf
from sheaf import tables
from sheaf_spark import (
    CompareOptions,
    JobOptions,
    JobResult,
    MeasureOptions,
    PermanentError,
    ReplayOptions,
    Stores,
    TransientError,
    check,
    from_dataframe,
    read,
    replay,
    schema,
    to_dataframe,
    with_positions,
)
from sheaf_spark.command import COMPARISONS, KEYED_LINES, MEASURES, PARTITIONS, Command, probe
from sheaf_spark.dataframe import keyed_lines
from sheaf_spark.options import CommandOptions
from sheaf_spark.spark import SparkExecutor

FEATURES = probe(Command(SHEAF)).features
HAS_PARTITIONS = unittest.skipUnless(PARTITIONS in FEATURES, "the command has no `sheaf partial`")
HAS_MEASURES = unittest.skipUnless(MEASURES in FEATURES, "the command has no `sheaf measure`")
HAS_COMPARISONS = unittest.skipUnless(COMPARISONS in FEATURES, "the command has no `sheaf compare --partial`")
HAS_KEYED = unittest.skipUnless(KEYED_LINES in FEATURES, "the command has no `--keyed`")


def setUpModule() -> None:
    SparkTest.spark = start("local[2,4]")
    unittest.addModuleCleanup(SparkTest.spark.stop)


class ReplayTests(SparkTest):
    def test_equals_one_replay(self) -> None:
        self.assert_equals_one_run(self.run_job(fan_in=2))

    @HAS_PARTITIONS
    def test_partitions_equal_one_replay(self) -> None:
        self.assert_equals_one_run(self.run_job(partitions=3))
        self.assert_equals_one_run(
            self.run_job(ReplayOptions(by_device=True), partitions=3, overwrite=True), "--by-device"
        )

    def test_uris_through_hadoop(self) -> None:
        settings = SparkExecutor(self.spark).stores().settings
        output = "file://" + self.path("out")
        whole = self.path("whole")
        run_once(SHEAF, [LOGS], whole, "--format", "ndjson")
        expected = Path(whole).read_bytes().replace(LOGS.encode(), b"file://" + LOGS.encode())
        for partitions in (None, 2):
            with self.subTest(partitions=partitions):
                job = JobOptions(
                    sheaf=SHEAF,
                    shards=2,
                    partitions=partitions,
                    overwrite=True,
                    stores=Stores(settings, files_by_hadoop=True),
                )
                result = replay(self.spark, ["file://" + LOGS], output, ReplayOptions(), job)
                self.assertEqual(joined(self.path("out")), expected)
                self.assertEqual(result.status, 65)
                self.assertEqual([name for name in self.names("out") if name.startswith("_sheaf")], [])
                self.assertTrue(replay(self.spark, ["file://" + LOGS], output, ReplayOptions(), job).was_complete)

    def test_a_snapshot_is_a_data_frame(self) -> None:
        result = self.run_job(ReplayOptions(by_device=True))
        frame = read(self.spark, self.path("out"))
        self.assertEqual(frame.count(), result.statistics["groups"])
        rows = frame.selectExpr("sum(count)", "count(device)", "count(leading.title)", "max(leading.line)").first()
        self.assertEqual(rows[0], result.statistics["grouped"])
        self.assertTrue(all(rows))
        # Every member of a line has a column.
        inferred = self.spark.read.json(self.path("out/part-*.ndjson")).schema
        for field in inferred:
            with self.subTest(field.name):
                self.assertIn(field.name, frame.columns)

    @HAS_PARTITIONS
    def test_tables_have_the_columns_of_the_package_sheaf(self) -> None:
        result = self.run_job(ReplayOptions(by_device=True), partitions=2)
        file = self.path("table")
        to_dataframe(self.spark, result.output).write.parquet(file)
        written = self.spark.read.parquet(file).toArrow()
        # Spark's timestamps have microseconds, and its own time zone.
        written = written.cast(tables.GROUPS)
        os.environ["SHEAF"] = str(SHEAF)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            own = sheaf.replay(LOGS, by_device=True)
        self.assertEqual(sorted(map(repr, written.to_pylist())), sorted(map(repr, own.to_pylist())))

    def test_a_table_is_written_next_to_the_parts(self) -> None:
        for options, table in [(ReplayOptions(), "parquet"), (MeasureOptions(cells=True), "orc")]:
            with self.subTest(table):
                result = self.run_job(options, table=table, overwrite=True)
                frame = self.spark.read.format(table).load(result.output + "/table")
                expected = to_dataframe(self.spark, result.output, options)
                self.assertEqual(frame.schema, expected.schema)
                self.assertEqual(sorted(map(repr, frame.collect())), sorted(map(repr, expected.collect())))
                self.assertTrue(self.run_job(options, table=table).was_complete)

    def test_an_unknown_format_is_found_before_anything_is_read(self) -> None:
        for options, table, message in [
            (ReplayOptions(), "parkett", "Spark has no such format: parquet and orc are built in"),
            (ReplayOptions(), "parquett", "Spark has no such format, did you mean parquet"),
            (ReplayOptions(format="csv"), "parquet", "--format csv"),
        ]:
            with self.subTest(message), self.assertRaisesRegex(PermanentError, message):
                self.run_job(options, table=table)
            self.assertFalse(os.path.exists(self.path("out")))

    def test_checks_are_added_up(self) -> None:
        report = check(self.spark, [LOGS], job=JobOptions(sheaf=SHEAF, shards=3))
        self.assertEqual((report.status, report.errors, report.sources), (65, 83, 12))
        self.assertEqual(report.by_source["json.invalid", LOGS + "/push-5a.ndjson.gz"], 1)


@HAS_MEASURES
class MeasureTests(SparkTest):
    # The oldest record is of 1970, and measures have rows for each interval after it.
    variants = [
        MeasureOptions(),
        MeasureOptions(since="2026-01-05", every="2m"),
        MeasureOptions(per="category", quantiles="50,99.9"),
        MeasureOptions(cells=True),
        MeasureOptions(cells=True, per="level", since="2026-01-05", every="2m", profile="ios15"),
        MeasureOptions(per="none", removals=True, fold=1),
    ]

    def test_equals_one_command(self) -> None:
        for options in self.variants:
            with self.subTest(options=options):
                result = self.run_job(options, fan_in=2, overwrite=True)
                arguments = options.of_records() + options.of_result()
                self.assert_equals_one_run(result, *arguments, command="measure")
                result = self.run_job(options, partitions=3, overwrite=True)
                self.assert_equals_one_run(result, *arguments, command="measure")

    def test_measures_are_a_data_frame(self) -> None:
        for options in self.variants:
            with self.subTest(options=options):
                result = self.run_job(options, overwrite=True)
                (part,) = Path(self.path("out")).glob("part-*.ndjson")
                lines = [json.loads(line) for line in part.read_text().splitlines()]
                frame = read(self.spark, self.path("out"), options)
                self.assertEqual(schema(options).names, list(lines[0]))
                self.assertEqual([row.asDict() for row in frame.collect()], lines)
                if not options.cells:
                    all_apps = frame.where("app is null and measure = 'pushes'").first()
                    self.assertEqual(all_apps["people"], result.statistics["people"])

    def test_a_failed_attempt_is_repeated(self) -> None:
        result = self.run_job(MeasureOptions(), sheaf=self.flaky(74, 3))
        self.assert_equals_one_run(result, command="measure")
        self.assertEqual(self.faults(), 3)


@HAS_COMPARISONS
class CompareTests(SparkTest):
    def options(self) -> CompareOptions:
        new = self.write("new.json", '{"apps":{"com.example.mail":{"grouping":"byApp"}}}')
        return CompareOptions(config=self.write("now.json", "{}"), with_=new, fail_if="banners.p95 > 99")

    def test_equals_one_command(self) -> None:
        for options in (self.options(), CompareOptions(with_profile="ios15", removals=True, format="text")):
            with self.subTest(options=options):
                result = self.run_job(options, fan_in=2, overwrite=True)
                _, _, *arguments = options.whole()
                self.assert_equals_one_run(result, *arguments, command="compare")

    def test_a_failed_attempt_is_repeated(self) -> None:
        options = self.options()
        result = self.run_job(options, sheaf=self.flaky(74, 3))
        _, _, *arguments = options.whole()
        self.assert_equals_one_run(result, *arguments, command="compare")
        self.assertEqual(self.faults(), 3)

    def test_differences_are_a_data_frame_and_a_table(self) -> None:
        options = self.options()
        result = self.run_job(options, table="parquet")
        (part,) = Path(self.path("out")).glob("part-*.json")
        report = json.loads(part.read_text())
        self.assertGreater(len(report["apps"]), 0)
        frame = to_dataframe(self.spark, result.output, options)
        expected = [report["all"], *report["apps"]]
        self.assertEqual([row.asDict(recursive=True) for row in frame.collect()], expected)
        self.assertEqual(frame.schema, schema(options))
        table = self.spark.read.parquet(result.output + "/table")
        rows = sorted((row.asDict(recursive=True) for row in table.collect()), key=lambda row: row["app"] or "")
        self.assertEqual(rows, expected)

    def test_a_table_needs_json(self) -> None:
        with self.assertRaisesRegex(PermanentError, "--table reads the parts as json: leave out --format text"):
            self.run_job(CompareOptions(with_profile="ios15", format="text"), table="parquet")


class FailureTests(SparkTest):
    def test_failed_attempts_are_repeated(self) -> None:
        self.assert_equals_one_run(self.run_job(sheaf=self.flaky(74, 3)))
        self.assertEqual(self.faults(), 3)

    def test_an_attempt_that_was_killed_is_repeated(self) -> None:
        sheaf = self.flaky(1, 2)
        Path(sheaf).write_text(Path(sheaf).read_text().replace("exit 1", "kill -9 $$"))
        self.assert_equals_one_run(self.run_job(sheaf=sheaf))

    def test_permanent_failures_are_not_repeated(self) -> None:
        with self.assertRaises(PermanentError) as raised:
            self.run_job(sheaf=self.flaky(66, 40), shards=1)
        self.assertEqual((raised.exception.status, self.faults()), (66, 1))

    def test_a_permanent_failure_ends_the_other_tasks(self) -> None:
        sheaf = self.waiting()
        # The first replay waits until it is killed, and the second one fails.
        script = Path(sheaf).read_text()
        failing = f"""            if mv {self.path("faults/1")} {self.path("faults/failed")} 2>/dev/null; then
                read line <{self.path("running")}
                echo 'sheaf: a fault' >&2
                exit 66
            fi
"""
        os.mkfifo(self.path("running"))
        self.write("faults/1")
        Path(sheaf).write_text(script.replace("\nfi\nexec", f"\n{failing}fi\nexec", 1))
        problems: list[BaseException] = []

        def run() -> None:
            try:
                self.run_job(sheaf=sheaf, shards=2)
            except PermanentError as error:
                problems.append(error)

        thread = threading.Thread(target=run)
        thread.start()
        process = self.started()
        with open(self.path("running"), "w") as pipe:
            pipe.write("\n")
        thread.join()
        self.assertEqual([error.status for error in problems if isinstance(error, PermanentError)], [66])
        self.assertTrue(wait_for_end(process), "the command of the other task continues")

    def test_the_last_attempt_ends_the_job_which_then_resumes(self) -> None:
        sheaf = self.flaky(74, 4)
        with self.assertRaisesRegex(TransientError, "a fault .*status 74"):
            self.run_job(sheaf=sheaf, shards=1)
        self.assertEqual(self.faults(), 4)
        self.assert_equals_one_run(self.run_job(sheaf=sheaf, shards=1))

    def test_a_cancelled_task_takes_its_command_along(self) -> None:
        context = self.spark.sparkContext
        sheaf = self.waiting()
        problems: list[BaseException] = []

        def run() -> None:
            context.setJobGroup("cancelled", "", interruptOnCancel=True)
            try:
                self.run_job(sheaf=sheaf, shards=2)
            except TransientError as error:
                problems.append(error)

        from pyspark import InheritableThread

        thread = InheritableThread(target=run)
        thread.start()
        child = self.started()
        context.cancelJobGroup("cancelled")
        thread.join()
        self.assertEqual(len(problems), 1)
        self.assertTrue(wait_for_end(child), "the command outlived its task")


class ArrowTests(unittest.TestCase):
    def test_rows_become_lines(self) -> None:
        for kind in (pyarrow.string(), pyarrow.binary(), pyarrow.large_string()):
            with self.subTest(kind=kind):
                lines = pyarrow.array(["{}", None, "[1,\n2]", "", "\t"], pyarrow.string()).cast(kind)
                ordinals = pyarrow.array([0, 1, 16777215, 3, 4], pyarrow.int64())
                numbers = pyarrow.array([1, 2, 10**12, 4, 5], pyarrow.int64())
                expected = b"0\t1\t{}\n1\t2\t\n16777215\t1000000000000\t[1, 2]\n3\t4\t\n4\t5\t\t\n"
                self.assertEqual(bytes(keyed_lines(ordinals, numbers, lines)), expected)
                # A slice has the offsets of the whole.
                part = [array.slice(2, 2) for array in (ordinals, numbers, lines)]
                self.assertEqual(bytes(keyed_lines(*part)), b"".join(expected.splitlines(True)[2:4]))

    def test_rows_without_a_position_are_errors(self) -> None:
        whole, null = pyarrow.array([1]), pyarrow.array([None], pyarrow.int64())
        for ordinals, numbers in ((null, whole), (whole, null)):
            with self.assertRaises(PermanentError):
                keyed_lines(ordinals, numbers, pyarrow.array(["{}"]))


class StartTests(SparkTest):
    def test_without_java_the_message_names_it(self) -> None:
        for java, message in [(None, "java is not in PATH"), ("/nonexistent", "JAVA_HOME is /nonexistent")]:
            environment = {**os.environ, "PATH": "/nonexistent", "PYTHONPATH": str(PACKAGE / "src")}
            environment.pop("JAVA_HOME", None)
            if java is not None:
                environment["JAVA_HOME"] = java
            arguments = ["replay", LOGS, "-o", self.path("out"), "--sheaf", str(SHEAF)]
            completed = subprocess.run(
                [sys.executable, "-m", "sheaf_spark", *arguments], env=environment, stderr=subprocess.PIPE, text=True
            )
            with self.subTest(message):
                self.assertEqual(completed.returncode, 78)
                self.assertIn(message, completed.stderr)
                self.assertFalse(os.path.exists(self.path("out")))

    def test_a_wrong_master_is_no_internal_error(self) -> None:
        arguments = ["replay", LOGS, "-o", self.path("out"), "--sheaf", str(SHEAF), "--master", "lokal"]
        environment = {**os.environ, "PYTHONPATH": str(PACKAGE / "src")}
        completed = subprocess.run(
            [sys.executable, "-m", "sheaf_spark", *arguments], env=environment, stderr=subprocess.PIPE, text=True
        )
        self.assertEqual(completed.returncode, 78)
        self.assertIn("SparkException", completed.stderr)
        self.assertIn("Spark can't start: its Java process ended", completed.stderr)
        self.assertFalse(os.path.exists(self.path("out")))


class FakeDataFrameTests(SparkTest):
    """What does not depend on the command: it sorts lines."""

    def replay(self, frame: DataFrame, **values: object) -> JobResult:
        job = JobOptions(sheaf=FAKE, overwrite=True)
        return from_dataframe(
            frame, self.path("out"), line="line", ordinal="ordinal", line_number="number", job=job, **values
        )

    def test_all_rows_reach_the_command(self) -> None:
        frame = self.spark.range(20000).selectExpr("concat('line ', id) line", "id % 7 ordinal", "id number")
        expected = "".join(sorted(f"line {number}\n" for number in range(20000))).encode()
        for count, partitions in [(1, None), (13, None), (13, 3)]:
            with self.subTest(count=count, partitions=partitions):
                self.replay(frame.repartition(count), partitions=partitions)
                self.assertEqual(joined(self.path("out")), expected)

    def test_an_empty_frame(self) -> None:
        self.replay(self.spark.createDataFrame([], "line string, ordinal int, number int"))
        self.assertEqual(joined(self.path("out")), b"")

    def test_wrong_columns_are_permanent_errors(self) -> None:
        for row, message in [
            ("1 line, 1 ordinal, 1 number", "the column line has the type int"),
            ("'' line, 'a' ordinal, 1 number", "the column ordinal has the type string"),
            ("'' line, cast(null as int) ordinal, 1 number", "null"),
            ("'' line, 1 ordinal, cast(null as int) number", "null"),
            ("'' line, -1 ordinal, 1 number", "the ordinal -1 is not from 0"),
        ]:
            with self.subTest(row), self.assertRaisesRegex(PermanentError, message):
                self.replay(self.spark.sql(f"select {row}"))


@HAS_KEYED
class DataFrameTests(SparkTest):
    def lines(self) -> list[Row]:
        rows = []
        for ordinal, path in enumerate(sorted(Path(LOGS).iterdir())):
            content = path.read_bytes()
            if path.name == "push-3.ndjson.gz":
                continue
            text = gzip.decompress(content) if path.suffix == ".gz" else content
            rows += [
                Row(line=line.decode(), ordinal=ordinal, number=number)
                for number, line in enumerate(text.split(b"\n")[:-1], 1)
            ]
        return rows

    def test_any_partitions_give_the_same_bytes(self) -> None:
        paths = {ordinal: str(path) for ordinal, path in enumerate(sorted(Path(LOGS).iterdir()))}
        sources = {ordinal: path for ordinal, path in paths.items() if not path.endswith("push-3.ndjson.gz")}
        whole = self.path("whole")
        run_once(SHEAF, list(sources.values()), whole, "--format", "ndjson")
        frame = self.spark.createDataFrame(self.lines())
        for count, partitions in [(1, None), (13, None), *([(13, 3)] if PARTITIONS in FEATURES else [])]:
            with self.subTest(count=count, partitions=partitions):
                result = from_dataframe(
                    frame.repartition(count), self.path("out"), line="line", ordinal="ordinal", line_number="number",
                    sources=sources, partitions=partitions, job=JobOptions(sheaf=SHEAF, overwrite=True),
                )  # fmt: skip
                self.assertEqual(joined(self.path("out")), Path(whole).read_bytes())
                self.assertEqual((result.status, result.statistics["rejected"]["total"]), (65, 82))

    @HAS_MEASURES
    def test_measures_of_any_partitions_are_the_same_bytes(self) -> None:
        options = MeasureOptions(since="2026-01-05", every="2m")
        self.assert_equals_in_any_partitions(options, *options.of_records(), "--format", "ndjson")

    @HAS_COMPARISONS
    def test_comparisons_of_any_partitions_are_the_same_bytes(self) -> None:
        options = CompareOptions(with_profile="ios15", format="text")
        self.assert_equals_in_any_partitions(options, *options.of_result())

    def assert_equals_in_any_partitions(self, options: CommandOptions, *arguments: str) -> None:
        paths = [str(path) for path in sorted(Path(LOGS).iterdir())]
        sources = {ordinal: path for ordinal, path in enumerate(paths) if not path.endswith("push-3.ndjson.gz")}
        whole = self.path("whole")
        run_once(SHEAF, list(sources.values()), whole, *arguments, command=options.command)
        frame = self.spark.createDataFrame(self.lines())
        for count in (1, 13):
            with self.subTest(count=count):
                from_dataframe(
                    frame.repartition(count), self.path("out"), line="line", ordinal="ordinal", line_number="number",
                    sources=sources, options=options, job=JobOptions(sheaf=SHEAF, overwrite=True),
                )  # fmt: skip
                self.assertEqual(joined(self.path("out")), Path(whole).read_bytes())

    def test_bytes_nulls_and_line_feeds(self) -> None:
        payload = '{"topic":"a.b",\n "payload":{"aps":{"alert":"x"}}}'
        rows = [(payload.encode(), 0, 1), (None, 0, 2), (payload.encode(), 3, 1)]
        frame = self.spark.createDataFrame(rows, "value binary, partition int, position bigint")
        result = from_dataframe(
            frame, self.path("out"), line="value", ordinal="partition", line_number="position",
            job=JobOptions(sheaf=SHEAF),
        )  # fmt: skip
        self.assertEqual((result.statistics["grouped"], result.statistics["blank"], result.status), (2, 1, 0))
        self.assertEqual(read(self.spark, self.path("out")).first()["leading"]["source"], "3")

    def test_positions_of_a_topic(self) -> None:
        rows = [
            (
                f'{{"app":"a","ts":{100 - offset},"payload":{{"aps":{{"alert":"{partition} {offset}"}}}}}}',
                "t",
                partition,
                offset,
            )
            for partition in (10, 2)
            for offset in range(4, 7)
        ]
        frame = self.spark.createDataFrame(rows, "value string, topic string, partition int, offset bigint")
        lines, names = with_positions(frame, ["topic", "partition"], "offset")
        self.assertEqual(names, {0: "t/2", 1: "t/10"})
        result = from_dataframe(
            lines, self.path("out"), line="value", ordinal="ordinal", line_number="line_number", sources=names,
            job=JobOptions(sheaf=SHEAF),
        )  # fmt: skip
        group = json.loads(joined(result.output))
        leading = {name: group["leading"][name] for name in ("body", "source", "line")}
        self.assertEqual(leading, {"body": "10 4", "source": "t/10", "line": 5})
        with self.assertRaisesRegex(PermanentError, "topic, partition have null"):
            with_positions(frame.selectExpr("value", "null as topic", "partition"), ["topic", "partition"], "offset")

    def test_a_repeated_position_is_named(self) -> None:
        line = '{"app":"a","ts":1,"payload":{"aps":{"alert":"x"}}}'
        rows = [(line, 0, 1), (line, 0, 2), (line, 3, 7), (line, 3, 7), (line, 3, 8), (line, 3, 8)]
        frame = self.spark.createDataFrame(rows, "line string, ordinal int, number int").repartition(2)
        with self.assertRaisesRegex(PermanentError, "^2 rows have the position ordinal 3, line number 7: ") as raised:
            from_dataframe(
                frame, self.path("out"), line="line", ordinal="ordinal", line_number="number",
                job=JobOptions(sheaf=SHEAF),
            )  # fmt: skip
        self.assertEqual(raised.exception.status, 64)

    def test_a_failed_attempt_is_repeated(self) -> None:
        frame = self.spark.createDataFrame(self.lines()).repartition(3)
        result = from_dataframe(
            frame, self.path("out"), line="line", ordinal="ordinal", line_number="number",
            job=JobOptions(sheaf=self.flaky(70, 2)),
        )  # fmt: skip
        self.assertEqual((result.status, self.faults()), (65, 2))

    def test_an_empty_frame_has_an_empty_snapshot(self) -> None:
        frame = self.spark.createDataFrame([], "line string, ordinal int, number int")
        result = from_dataframe(
            frame, self.path("out"), line="line", ordinal="ordinal", line_number="number", job=JobOptions(sheaf=SHEAF)
        )
        self.assertEqual((result.statistics["groups"], joined(self.path("out"))), (0, b""))


if __name__ == "__main__":
    unittest.main()
