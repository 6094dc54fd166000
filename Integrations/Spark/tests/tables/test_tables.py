"""The tables of the package `sheaf` hold what the command writes, whichever library reads them."""

from __future__ import annotations

import datetime
import json
import os
import subprocess
import sys
import unittest
import warnings
from pathlib import Path
from typing import Any

import duckdb
import pandas
import polars
import pyarrow
import pyarrow.parquet
from support import PACKAGE, real_sheaf
from test_replay import GeneratedLogsTest

import sheaf

SHEAF = real_sheaf()
NOTEBOOK = PACKAGE / "examples/screens.ipynb"


def plain(value: Any) -> Any:
    """A value as JSON has it: times as milliseconds, and members that a library adds to a struct left out."""
    if isinstance(value, datetime.datetime):
        return round(value.timestamp() * 1000)
    if isinstance(value, dict):
        return {name: plain(member) for name, member in value.items() if member is not None}
    return [plain(item) for item in value] if isinstance(value, list) else value


@unittest.skipUnless(SHEAF, "no sheaf command: set SHEAF_BINARY or run `make build`")
class TableTest(GeneratedLogsTest):
    def setUp(self) -> None:
        super().setUp()
        self.logs = self.shared / "logs"
        os.environ["SHEAF"] = str(SHEAF)
        self.addCleanup(os.environ.pop, "SHEAF")
        # Some sources are damaged, and devices share groups.
        warnings.simplefilter("ignore", UserWarning)
        self.addCleanup(warnings.resetwarnings)

    def lines(self, command: str, *arguments: str) -> list[dict[str, Any]]:
        run = [str(SHEAF), command, *arguments, str(self.logs), "--format", "ndjson", "-q"]
        output = subprocess.run(run, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        return [plain(json.loads(line)) for line in output.splitlines()]


class GroupTests(TableTest):
    def test_equals_the_lines_of_the_command(self) -> None:
        variants: list[tuple[dict[str, Any], list[str]]] = [
            ({}, []), ({"by_device": True, "max_arguments": 2}, ["--by-device", "--max-arguments", "2"]),
            ({"every": "1d", "since": "2026-01-05"}, ["--every", "1d", "--since", "2026-01-05"]),
            ({"delivery": True, "config": self.shared / "off.json"}, ["--delivery", "--config", f"{self.shared}/off.json"]),
            ({"only_app": ["com.example.mail", "com.example.social"]},
             ["--only-app", "com.example.mail", "--only-app", "com.example.social"]),
        ]  # fmt: skip
        for options, arguments in variants:
            with self.subTest(options=options):
                table = sheaf.replay(self.logs, **options)
                self.assertEqual(plain(table.to_pylist()), self.lines("replay", *arguments))
                self.assertEqual(table.schema.names, sheaf.replay(self.logs, only_app="none").schema.names)
                self.assertGreater(table.num_rows, 0)

    def test_every_library_reads_the_same(self) -> None:
        groups = sheaf.replay([self.logs], by_device=True)
        expected = self.lines("replay", "--by-device")
        file = self.path("groups.parquet")
        pyarrow.parquet.write_table(groups, file)
        found = {
            "pyarrow": pyarrow.parquet.read_table(file).to_pylist(),
            "polars": polars.from_arrow(groups).to_dicts(),
            "polars, from a file": polars.read_parquet(file).to_dicts(),
            "duckdb": duckdb.sql("select * from groups").arrow().read_all().to_pylist(),
            "duckdb, from a file": duckdb.read_parquet(file).arrow().read_all().to_pylist(),
            "pandas": pyarrow.Table.from_pandas(groups.to_pandas(types_mapper=pandas.ArrowDtype)).to_pylist(),
        }
        for library, rows in found.items():
            with self.subTest(library):
                self.assertEqual(plain(rows), expected)

    def test_files_are_read(self) -> None:
        file = self.path("groups.ndjson")
        subprocess.run([str(SHEAF), "replay", str(self.logs), "-o", file, "-q"], stderr=subprocess.DEVNULL)
        self.assertEqual(sheaf.read_groups(file), sheaf.replay(self.logs))
        self.assertEqual(sheaf.read_groups(self.write("empty.ndjson")).num_rows, 0)


class MeasureTests(TableTest):
    def test_equals_the_lines_of_the_command(self) -> None:
        times = ["--since", "2026-01-05", "--every", "2m"]
        variants: list[tuple[dict[str, Any], list[str]]] = [
            ({}, []), ({"per": "category", "quantiles": "50,99.9"}, ["--per", "category", "--quantiles", "50,99.9"]),
            ({"cells": True, "per": "level", "since": "2026-01-05", "every": "2m"}, ["--cells", "--per", "level", *times]),
        ]  # fmt: skip
        for options, arguments in variants:
            with self.subTest(options=options):
                table = sheaf.measure(self.logs, **options)
                lines = self.lines("measure", *arguments)
                self.assertEqual(plain(table.to_pylist()), lines)
                self.assertEqual(str(table.schema.field("at").type), "timestamp[ms, tz=UTC]")
                output = self.path("measures.ndjson")
                subprocess.run(
                    [str(SHEAF), "measure", str(self.logs), "-o", output, "-q", *arguments], stderr=subprocess.DEVNULL
                )
                self.assertEqual(sheaf.read_measures(output), table)


class ReportTests(TableTest):
    def test_findings(self) -> None:
        run = [str(SHEAF), "check", str(self.logs), "--format", "json", "-q"]
        report = json.loads(subprocess.run(run, stdout=subprocess.PIPE).stdout)
        self.assertEqual(plain(sheaf.check(self.logs).to_pylist()), plain(report["findings"]))
        self.assertGreater(len(report["findings"]), 0)
        # A rule that is disabled has no finding.
        names = [finding["name"] for finding in report["findings"]]
        self.assertEqual(sheaf.check(self.logs, disable=names).num_rows, 0)

    def test_differences(self) -> None:
        design = self.shared / "off.json"
        run = [str(SHEAF), "compare", str(self.logs), "--with", str(design), "--format", "json", "-q"]
        report = json.loads(subprocess.run(run, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout)
        table = sheaf.compare(self.logs, with_=design)
        self.assertEqual(table["app"].to_pylist(), [None, *(app["app"] for app in report["apps"])])
        self.assertEqual(table["kept"].to_pylist(), [part["kept"] for part in [report["all"], *report["apps"]]])
        self.assertGreater(table.num_rows, 1)


class ErrorTests(TableTest):
    def test_errors_have_the_status_of_the_command(self) -> None:
        for options, status, message in [
            ({"locale": "xx"}, 64, "unknown locale 'xx'"), ({"nosuch": 1}, 64, "--nosuch"),
            ({"config": self.path("none.json")}, 78, "none.json"), ({"sheaf": "/nosuch"}, 127, "/nosuch: no such command"),
        ]:  # fmt: skip
            with self.subTest(options=options), self.assertRaisesRegex(sheaf.SheafError, message) as raised:
                sheaf.replay(self.logs, **options)
            self.assertEqual(raised.exception.status, status)
        for call in (sheaf.replay, sheaf.measure, sheaf.check, sheaf.compare):
            with self.assertRaisesRegex(sheaf.SheafError, "no such file"):
                call(self.path("none"), **({"with_locale": "de"} if call is sheaf.compare else {}))
            with self.assertRaisesRegex(TypeError, "'format' is not an option here"):
                call(self.logs, format="csv")

    def test_warnings_name_the_line_of_the_caller(self) -> None:
        for call in (sheaf.replay, sheaf.check):
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                call(self.logs)
            if call is sheaf.replay:
                self.assertTrue(any("devices share groups" in str(warning.message) for warning in caught))
            self.assertEqual({warning.filename for warning in caught} - {__file__}, set())


class NotebookTests(TableTest):
    def test_the_example_runs(self) -> None:
        cells = json.loads(NOTEBOOK.read_text())["cells"]
        code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
        environment = {
            **os.environ,
            "PYTHONPATH": str(PACKAGE / "src"),
            "PATH": f"{Path(str(SHEAF)).parent}:/usr/bin:/bin",
        }
        completed = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", code],
            cwd=self.shared,
            env=environment,
            capture_output=True,
            text=True,
        )
        self.assertEqual(completed.returncode, 0, completed.stderr)
        self.assertIn("com.example", completed.stdout)


if __name__ == "__main__":
    unittest.main()
