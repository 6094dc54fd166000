"""Measures with a fake command: which step has which option, what is refused, and the command line."""

import json
import shutil
import unittest
from dataclasses import fields
from pathlib import Path
from typing import Any

from support import joined
from test_folders import FolderCase

from sheaf_spark import JobResult, MeasureOptions

EVERYTHING = MeasureOptions(
    since="1", until="9", every="1d", offset="+02:00", removals=True, delivery=True, outcomes=True, unique=True,
    input="apns", app="a", max_line="1MiB", inflater="zlib", profile="ios15", format="csv", max_rejects=3,
    per="category", quantiles="50,99.9", fold=2,
)  # fmt: skip
READING = {
    "--since": "1", "--until": "9", "--every": "1d", "--offset": "+02:00", "--removals": None, "--delivery": None,
    "--outcomes": None, "--unique": None, "--input": "apns", "--app": "a", "--max-line": "1MiB", "--inflater": "zlib",
    "--profile": "ios15", "--per": "category",
}  # fmt: skip
WRITING = {"--quantiles": "50,99.9", "--fold": "2", "--format": "csv", "--max-rejects": "3"}
OWN = {"--sources-from", "--partial", "--quiet", "--spill-dir", "--memory", "--threads", "--stats", "-o"}


class MeasureTest(FolderCase):
    def measure(self, options: MeasureOptions = MeasureOptions(), **values: Any) -> JobResult:
        return self.run_job(options, **values)

    def calls(self, command: str) -> list[dict[str, Any]]:
        """Returns the options of each run of a command, without those that the job itself needs."""
        found = []
        for line in Path(self.path("fake/calls")).read_text().splitlines():
            name, *arguments = json.loads(line)
            if name != command:
                continue
            options: dict[str, Any] = {}
            for index, argument in enumerate(arguments):
                if argument.startswith("-"):
                    following = arguments[index + 1 : index + 2]
                    options[argument] = None if not following or following[0].startswith("-") else following[0]
            found.append({"is partial": "--partial" in options, **options})
        return found


class StepTests(MeasureTest):
    def test_each_step_has_its_options(self) -> None:
        self.write("fake/calls")
        self.measure(EVERYTHING, fan_in=2)
        self.assertEqual(self.calls("replay"), [])
        reads, merges = self.calls("measure"), self.calls("merge")
        self.assertEqual((len(reads), sum(not call["is partial"] for call in merges)), (5, 1))
        for call in reads + merges:
            kind = "read" if call in reads else "merge" if call.pop("is partial") else "write"
            call.pop("is partial", None)
            own = {name: value for name, value in call.items() if name not in OWN}
            with self.subTest(kind=kind):
                own.pop("--expect-sources", None)
                self.assertEqual(own, {"read": READING, "merge": {}, "write": WRITING}[kind])

    def test_every_option_belongs_to_a_step(self) -> None:
        for field in [field.name for field in fields(MeasureOptions)]:
            places = [
                field in MeasureOptions._reading,
                field in MeasureOptions._writing,
                field in ("config", "rejects"),
            ]
            with self.subTest(field):
                self.assertEqual(sum(places), 1)

    def test_all_merges_have_the_configuration(self) -> None:
        self.write("fake/calls")
        self.measure(MeasureOptions(config=self.write("c.json", "{}"), cells=True), fan_in=2)
        for call in self.calls("measure") + self.calls("merge"):
            self.assertRegex(call["--config"], r"bundle/configuration\.json$")
            self.assertEqual("--cells" in call, not call["is partial"])

    def test_any_division_gives_the_same_bytes(self) -> None:
        for values, parts in [
            ({"shards": 1}, 1), ({"shards": 9, "fan_in": 2}, 1), ({"partitions": 1}, 1),
            ({"partitions": 5, "shards": 7, "fan_in": 2}, 1), ({"partitions": 3, "cells": True}, 3),
        ]:  # fmt: skip
            with self.subTest(values=values):
                shutil.rmtree(self.path("out"), ignore_errors=True)
                result = self.measure(MeasureOptions(cells=values.pop("cells", False)), **values)
                self.assertFalse(result.was_complete)
                self.assertEqual(joined(self.path("out")), self.expected)
                self.assert_only_results(parts)

    def test_people_are_measured_with_their_options(self) -> None:
        self.write("fake/calls")
        options = MeasureOptions(config=self.write("c.json", "{}"), fold=7, quantiles="50")
        self.measure(options, partitions=3)
        steps = [call for call in self.calls("partial") if "--config" in call]
        self.assertEqual(len(steps), 3)
        for call in steps:
            self.assertEqual(call["--fold"], "7")
            self.assertNotIn("--quantiles", call)

    def test_finished_steps_are_reused(self) -> None:
        self.fault("measure", 74, 1)
        self.fault("merge", 70, 3)
        with self.assertRaisesRegex(Exception, "a fault"):
            self.measure()
        result = self.measure()
        self.assertEqual((joined(self.path("out")), result.reused), (self.expected, 5))


class RefusalTests(MeasureTest):
    def test_partitions(self) -> None:
        for number in (0, 1, 2):
            message = "--partitions is 0, but must be from 1 to 10000" if number == 0 else "leave out --partitions"
            for options in (
                MeasureOptions(unique=True), MeasureOptions(outcomes=True),
                MeasureOptions(cells=True, format="json"), MeasureOptions(cells=True, format="text"),
            ):  # fmt: skip
                self.refuse(message, options, partitions=number)

    def test_options_of_the_merge_are_refused_before_anything_is_read(self) -> None:
        self.write("fake/calls")
        for options, message in [
            (MeasureOptions(format="xml"), "--format xml: not one of ndjson, json, csv, csv-iso, text"),
            (MeasureOptions(cells=True, quantiles="50"), "--quantiles has no effect with --cells"),
            (MeasureOptions(fold=0), "--fold is 0, but must be from 1 to 1000"),
            (MeasureOptions(fold=1001), "--fold is 1001"),
            (MeasureOptions(quantiles="50,5.0,50.00"), "--quantiles has 50 twice"),
            *(
                (MeasureOptions(quantiles=text), "is not a percentile")
                for text in ("", "0", "0.000", "100.001", "1000", "50,", "50, 60", "5.", ".5", "1e1", "-1", "1.2345", "nan")
            ),
        ]:  # fmt: skip
            with self.subTest(options=options):
                self.refuse(message, options)
        self.assertEqual(Path(self.path("fake/calls")).read_text(), "")

    def test_a_command_without_measures(self) -> None:
        script = "#!/bin/sh\ncase $1 in replay) echo --sources-from ;; *) echo 0.0.1 ;; esac\n"
        Path(self.write("old", script)).chmod(0o755)
        with self.assertRaisesRegex(Exception, "wrong version of sheaf: 0.0.1 has no 'sheaf measure'"):
            self.measure(sheaf=self.path("old"))


class NameTests(unittest.TestCase):
    def test_names_of_quantiles(self) -> None:
        for text, names in [
            (None, ["p50", "p90", "p95", "p99"]),
            ("99.90,050,5.0,0.125", ["p99.9", "p50", "p5", "p0.125"]),
            ("100.000", ["p100"]),
        ]:
            with self.subTest(text=text):
                self.assertEqual(MeasureOptions(quantiles=text).quantile_names(), names)


class CommandLineTests(MeasureTest):
    def test_arguments_become_options(self) -> None:
        self.write("fake/calls")
        arguments = ["--per", "level", "--quantiles", "99", "--fold", "3", "--time-zone", "Europe/Berlin", "--removals"]
        status, messages = self.command(*arguments, command="measure")
        self.assertEqual((status, joined(self.path("out"))), (0, self.expected))
        self.assertRegex(messages, r"(?m)^180 records from 0 sources, ")
        for call in self.calls("measure"):
            self.assertEqual((call["--per"], call["--time-zone"]), ("level", "Europe/Berlin"))
            self.assertIn("--removals", call)
        (write,) = self.calls("merge")
        self.assertEqual((write["--quantiles"], write["--fold"]), ("99", "3"))

    def test_partitions(self) -> None:
        status, _ = self.command("--partitions", "2", command="measure")
        self.assertEqual((status, joined(self.path("out"))), (0, self.expected))
        message = "sheaf-spark: --format text needs all people in one part: leave out --partitions\n"
        arguments = ["--partitions", "2", "--cells", "--format", "text", "--overwrite"]
        self.assertEqual(self.command(*arguments, command="measure"), (64, message))

    def test_options_of_replay_are_unknown(self) -> None:
        for option in ("--by-device", "--locked"):
            status, messages = self.command(option, command="measure")
            self.assertEqual(status, 64)
            self.assertIn(f"unrecognized arguments: {option}", messages)


if __name__ == "__main__":
    unittest.main()
