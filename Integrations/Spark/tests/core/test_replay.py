"""Jobs with the real command give the bytes and the statistics of one command."""

import gzip
import json
import os
import shutil
import subprocess
import tempfile
import unittest
from dataclasses import replace
from pathlib import Path
from typing import Any, Callable, Sequence
from unittest import mock

from support import FolderTest, essential, job_of, joined, real_sheaf, run_once

from sheaf_spark import (
    CompareOptions,
    Executor,
    JobOptions,
    LocalExecutor,
    MeasureOptions,
    PermanentError,
    ReplayOptions,
    Resources,
    replay,
)
from sheaf_spark.command import COMPARISONS, MEASURES, PARTITIONS, Command, probe
from sheaf_spark.options import CommandOptions

SHEAF = real_sheaf()
FEATURES = probe(Command(SHEAF)).features if SHEAF else ()


def generate(folder: str) -> None:
    """Writes a log in twelve files: with collapse identifiers, a damaged file, rejected lines, an empty file, and one in two
    formats that only mappings read."""
    assert SHEAF is not None
    logs = Path(folder) / "logs"
    subprocess.run(
        [SHEAF, "generate", "--records", "9000", "--seed", "7", "--devices", "30", "--thread-ids", "40", "--files", "7",
         "-o", str(logs / "push.ndjson.gz"), "-q"],
        check=True,
    )  # fmt: skip
    damaged = logs / "push-3.ndjson.gz"
    damaged.write_bytes(damaged.read_bytes()[:-2000])
    (logs / "push-5a.ndjson.gz").write_bytes(gzip.compress(b'not json\n{"no":"app"}\n\n'))
    (logs / "push-7a.ndjson").write_bytes(b"")
    # A push that is logged twice, in files of different tasks, and one that is refused later.
    push, other = ({"app": "a", "ts": 5, "id": id, "aps": {"alert": id}} for id in ("first", "second"))
    outcome = {"event": "outcome", "id": "second", "status": 410}
    for name, records in (("push-0", [push, outcome]), ("push-9", [push, other])):
        (logs / f"{name}.ndjson").write_text("".join(json.dumps(record) + "\n" for record in records))
    house: list[Any] = []
    for number in range(40):
        house.append(
            {"kind": "push", "bundle": "b", "to": f"d{number % 3}", "payload": {"aps": {"alert": f"{number}"}}}
        )
        house.append({"notice": {"text": f"{number}", "room": f"r{number % 4}"}, "bundle": "c", "at": number})
    (logs / "push-9b.ndjson").write_text("".join(json.dumps(record) + "\n" for record in house))
    first = {"when": [{"pointer": "/kind", "equals": "push"}], "fields": {"app": "/bundle", "device": "/to"}}
    second = {
        "when": ["/notice"],
        "fields": {
            "app": "/bundle", "timestamp": "/at", "payload/aps/thread-id": "/notice/room",
            "payload/aps/alert/body": "/notice/text",
        },
    }  # fmt: skip
    (Path(folder) / "first.json").write_text(json.dumps(first))
    (Path(folder) / "second.json").write_text(json.dumps(second))
    configuration = {"apps": {app: {"grouping": "off"} for app in ("com.example.mail", "com.example.messages")}}
    (Path(folder) / "off.json").write_text(json.dumps(configuration))


class GeneratedLogsTest(FolderTest):
    """Tests that share the logs of `generate` in the folder `shared`."""

    shared: Path

    @classmethod
    def setUpClass(cls) -> None:
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.shared = Path(os.path.realpath(temporary.name))
        generate(str(cls.shared))


class ComparingTest(GeneratedLogsTest):
    def compare(self, options: CommandOptions = ReplayOptions(), **values: Any) -> None:
        """Compares a job with one command: the result, the statistics, the status and the rejected lines."""
        logs = str(self.shared / "logs")
        whole, output = self.path("whole" + options.suffix), self.path("out")
        shutil.rmtree(output, ignore_errors=True)
        _, _, *arguments = options.whole()
        has_rejects = not isinstance(options, CompareOptions)
        if has_rejects:
            arguments += ["--rejects", self.path("whole.rejects")]
        expected = run_once(str(SHEAF), [logs], whole, *arguments, command=options.command)
        if has_rejects:
            options = replace(options, rejects=self.path("rejects"))
        job = JobOptions(**{"sheaf": SHEAF, **values})
        result = job_of(options)(LocalExecutor(2), [logs], output, options, job)
        self.assertEqual(joined(output), Path(whole).read_bytes())
        self.assertEqual({**essential(result.statistics), "status": result.status}, essential(expected))
        if has_rejects:
            self.assertEqual(Path(self.path("rejects")).read_bytes(), Path(self.path("whole.rejects")).read_bytes())


class CountingExecutor(LocalExecutor):
    """Counts the tasks that it runs."""

    count = 0

    def map(self, function: Callable[[Any], Any], items: Sequence[Any]) -> list[Any]:
        self.count += len(items)
        return super().map(function, items)


@unittest.skipUnless(SHEAF, "no sheaf command: set SHEAF_BINARY or run `make build`")
class ReplayTests(ComparingTest):
    def variants(self) -> list[ReplayOptions]:
        return [
            ReplayOptions(),
            ReplayOptions(by_device=True),
            ReplayOptions(config=str(self.shared / "off.json")),
            ReplayOptions(input=["auto", *(self.shared / name for name in ("first.json", "second.json"))]),
            ReplayOptions(format="csv", max_arguments=2, locale="de"),
        ]

    def test_without_partitions(self) -> None:
        for options in self.variants():
            for values in [{"shards": 1}, {"shards": 4}, {"shards": 9, "fan_in": 2}]:
                with self.subTest(options=options, values=values):
                    self.compare(options, **values)

    def test_lists_of_inputs_are_written_in_several_ways(self) -> None:
        first, second = (self.shared / name for name in ("first.json", "second.json"))
        for given in (f"{first},{second}", [str(first), second]):
            with self.subTest(given=given):
                options = ReplayOptions(input=given)
                self.assertEqual(options.inputs, {"input": [str(first), str(second)]})
                self.assertEqual(options.described()["--input"], "first.json,second.json")
                self.compare(options, shards=3)
        with self.assertRaisesRegex(PermanentError, "--input first.json,second.json"):
            self.compare(ReplayOptions(input=[first, second]), shards=2)
            replay(
                LocalExecutor(2), [str(self.shared / "logs")], self.path("out"), ReplayOptions(input=[second, first]),
                JobOptions(sheaf=SHEAF),
            )  # fmt: skip

    def test_options_that_need_all_groups(self) -> None:
        for options in [
            ReplayOptions(top=5), ReplayOptions(sort="recent"), ReplayOptions(format="text"),
            ReplayOptions(format="json", max_rejects=2), ReplayOptions(every="1h", emit="all"),
            ReplayOptions(every="1d", time_zone="Europe/Berlin"),
            ReplayOptions(unique=True), ReplayOptions(outcomes=True), ReplayOptions(unique=True, outcomes=True),
        ]:  # fmt: skip
            with self.subTest(options=options):
                self.compare(options, shards=4)

    @unittest.skipUnless(PARTITIONS in FEATURES, "the command has no `sheaf partial`")
    def test_with_partitions(self) -> None:
        for options in self.variants():
            for values in [
                {"shards": 1, "partitions": 1}, {"shards": 4, "partitions": 3},
                {"shards": 9, "partitions": 7, "fan_in": 2}, {"shards": 2, "partitions": 40},
            ]:  # fmt: skip
                with self.subTest(options=options, values=values):
                    self.compare(options, **values)

    @unittest.skipUnless(PARTITIONS in FEATURES, "the command has no `sheaf partial`")
    def test_delivery_and_removals_with_partitions(self) -> None:
        for options in [ReplayOptions(delivery=True), ReplayOptions(removals=True)]:
            with self.subTest(options=options):
                self.compare(options, shards=4, partitions=3)

    def test_a_wrong_configuration_is_a_permanent_error(self) -> None:
        wrong = self.write("wrong.json", '{"apps":{"a":{"groping":"off"}}}')
        with self.assertRaisesRegex(PermanentError, "groping") as raised:
            self.compare_error(ReplayOptions(config=wrong))
        self.assertEqual(raised.exception.status, 78)

    def test_wrong_options_are_found_before_anything_is_read(self) -> None:
        # The value of each is wrong in a way that only the command knows.
        for option, value in {
            "profile": "ios99", "sort": "nosuch", "locale": "xx", "now": "yesterday", "emit": "bad", "top": 0,
            "max_rejects": -1, "every": "1x", "offset": "1", "time_zone": "Mars", "since": "yesterday", "until": "x",
            "input": "nosuch", "inflater": "q", "max_arguments": 0, "max_line": "0", "app": "",
        }.items():  # fmt: skip
            flag = "--" + option.replace("_", "-")
            message = f"unknown input '{value}'" if option == "input" else flag
            calls = CountingExecutor()
            with self.subTest(flag), self.assertRaisesRegex(PermanentError, message) as raised:
                self.refused(ReplayOptions(**{option: value}), calls)
            self.assertEqual(raised.exception.status, 64)
            self.assertEqual((calls.count, self.names(".")), (0, []))
        for job, message in [
            (JobOptions(partitions=20000), "--partitions is 20000"), (JobOptions(shards=0), "--shards"),
            (JobOptions(resources=Resources(threads=0)), "--threads"), (JobOptions(fan_in=1), "--fan-in"),
            (JobOptions(resources=Resources(threads=257)), "--threads is 257"),
            (JobOptions(resources=Resources(memory=1024)), "1 KiB of memory is too little"),
        ]:  # fmt: skip
            with self.subTest(message), self.assertRaisesRegex(PermanentError, message):
                self.refused(ReplayOptions(), CountingExecutor(), job)
            self.assertEqual(self.names("."), [])

    def test_the_trial_runs_on_another_machine_if_this_one_has_no_command(self) -> None:
        with mock.patch("sheaf_spark.trial.succeeds_here", lambda trial: False):
            calls = CountingExecutor()
            wrong = self.write("wrong.json", '{"apps":{"a":{"groping":"off"}}}')
            with self.assertRaisesRegex(PermanentError, "configuration.json.*groping"):
                self.refused(ReplayOptions(config=wrong), calls)
        self.assertEqual((calls.count, self.names(".")), (1, ["wrong.json"]))

    def refused(self, options: ReplayOptions, executor: Executor, job: JobOptions = JobOptions()) -> None:
        replay(executor, self.shared / "logs", self.path("out"), options, replace(job, sheaf=SHEAF))

    def test_warnings_are_those_of_one_replay(self) -> None:
        logs = str(self.shared / "logs")
        file = self.path("rejects")
        for rejects, advice in [(None, "; use --rejects FILE to keep them"), (file, f"they are in {file}")]:
            job = JobOptions(sheaf=SHEAF, shards=4)
            result = replay(LocalExecutor(2), logs, self.path("out"), ReplayOptions(rejects=rejects), job)
            self.assertEqual(result.messages.count("notifications of different devices share groups"), 4)
            self.assertIn(advice, result.messages)
            shutil.rmtree(self.path("out"))

    def compare_error(self, options: ReplayOptions) -> None:
        replay(LocalExecutor(2), [str(self.shared / "logs")], self.path("out"), options, JobOptions(sheaf=SHEAF))


@unittest.skipUnless(MEASURES in FEATURES, "the command has no `sheaf measure`")
class MeasureTests(ComparingTest):
    def test_equals_one_command(self) -> None:
        # The oldest record is of 1970, and measures have rows for each interval after it.
        times = {"since": "2026-01-05", "every": "2m"}
        for options in [
            MeasureOptions(), MeasureOptions(**times, time_zone="Europe/Berlin", format="text"),
            MeasureOptions(per="category", quantiles="50,99.9", format="csv"),
            MeasureOptions(per="level", cells=True, **times, profile="ios15", removals=True),
            MeasureOptions(per="none", fold=1, delivery=True, profile="ios15", format="json", max_rejects=2),
            MeasureOptions(config=str(self.shared / "off.json"), outcomes=True, unique=True),
        ]:  # fmt: skip
            for values in [{"shards": 1}, {"shards": 9, "fan_in": 2}]:
                with self.subTest(options=options, values=values):
                    self.compare(options, **values)
                    self.assertGreater(len(joined(self.path("out"))), 1000)


@unittest.skipUnless(COMPARISONS in FEATURES, "the command has no `sheaf compare --partial`")
class CompareTests(ComparingTest):
    def test_equals_one_command(self) -> None:
        now, new = str(self.shared / "off.json"), self.write("new.json", '{"apps":{"com.example.mail":{}}}')
        rule = {"pointer": "/payload/aps/thread-id", "separator": "-", "part": 0}
        threads = self.write("threads.json", json.dumps({"fields": {"payload/aps/thread-id": [rule]}}))
        inputs = [self.shared / name for name in ("first.json", "second.json")]
        for options in [
            CompareOptions(config=now, with_=new), CompareOptions(with_=now, measures=True, fail_if="split > 0"),
            CompareOptions(with_profile="ios15", format="text", fail_if=["banners.p95 > 99", "groups.p50 > +10%"]),
            CompareOptions(config=now, with_input=threads, removals=True, delivery=True),
            CompareOptions(with_locale="de", format="github", input=["auto", *inputs], unique=True, outcomes=True),
        ]:  # fmt: skip
            for values in [{"shards": 1}, {"shards": 9, "fan_in": 2}]:
                with self.subTest(options=options, values=values):
                    self.compare(options, **values)
                    self.assertGreater(len(joined(self.path("out"))), 100)


if __name__ == "__main__":
    unittest.main()
