"""The page on SQL: each query gives the table below it."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import unittest
from pathlib import Path

import duckdb
from support import PACKAGE, FolderTest, real_sheaf

SHEAF = real_sheaf()
ROOT = PACKAGE.parent.parent
PAGE = ROOT / "Documentation/reference/sql.md"

BLOCK = re.compile(r"```sql\n(?P<query>.*?)```\n(?:\n(?P<table>\|.*?\n)(?=\n|\Z))?", re.DOTALL)


def shown(connection: duckdb.DuckDBPyConnection, query: str) -> str:
    """The result of a query as a table of the page."""
    result = connection.execute(query)
    names = [column[0] for column in result.description or []]
    rows = [["" if value is None else str(value) for value in row] for row in result.fetchall()]
    lines = [f"| {' | '.join(names)} |", "|" + "---|" * len(names), *(f"| {' | '.join(row)} |" for row in rows)]
    return "\n".join(lines) + "\n"


@unittest.skipUnless(SHEAF, "no sheaf command: set SHEAF_BINARY or run `make build`")
class SQLTest(FolderTest):
    def test_the_queries_give_the_tables_of_the_page(self) -> None:
        page = PAGE.read_text()
        commands = [line.strip() for line in page.splitlines() if line.startswith("    sheaf ")]
        self.assertEqual(len(commands), 4)
        for command in commands:
            words = shlex.split(command)
            words[words.index("-o") + 1] = self.path(words[-1])
            subprocess.run([str(SHEAF), *words[1:], "-q"], cwd=ROOT, check=True)
        folder = os.getcwd()
        self.addCleanup(os.chdir, folder)
        os.chdir(Path(self.path("groups.csv")).parent)
        connection = duckdb.connect()
        compared = 0
        for block in BLOCK.finditer(page):
            with self.subTest(block["query"]):
                if block["table"] is None:
                    connection.execute(block["query"])
                else:
                    self.assertEqual(shown(connection, block["query"]), block["table"])
                    compared += 1
        self.assertEqual(compared, 8)

    def test_columns_need_no_quotes(self) -> None:
        log = self.write("log", '{"app":"a","ts":1,"device":"d","aps":{"alert":"b"}}\n')
        for arguments in (
            ["replay", log, "--delivery", "--every", "1d", "--by-device"],
            ["measure", log, "--every", "1d"],
        ):
            output = self.path("out.csv")
            subprocess.run([str(SHEAF), *arguments, "-q", "-o", output], check=True)
            for name in Path(output).read_text().splitlines()[0].split(","):
                self.assertRegex(name, r"^[a-z][a-z0-9_]*$")
                duckdb.sql(f"SELECT {name} FROM '{output}'").fetchall()
            subprocess.run([str(SHEAF), *arguments, "-q", "--format", "csv-iso", "-o", output], check=True)
            types = {name: str(type) for name, type, *_ in duckdb.sql(f"DESCRIBE FROM '{output}'").fetchall()}
            self.assertEqual(types["at"], "TIMESTAMP WITH TIME ZONE")
