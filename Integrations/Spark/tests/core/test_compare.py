"""Comparisons with a fake command: which step has which option, what is refused, and the command line."""

import json
import shutil
import unittest
from dataclasses import fields
from pathlib import Path
from typing import Any

from support import joined
from test_folders import FolderCase

from sheaf_spark import CompareOptions, JobResult

EVERYTHING = CompareOptions(
    since="1", until="9", removals=True, delivery=True, outcomes=True, unique=True, input="apns", with_input="fcm",
    app="a", max_line="1MiB", inflater="zlib", profile="ios12", with_profile="ios15", locale="de", with_locale="fr",
    locked=True, measures=True, fail_if=["split > 3", "merged > 4"], format="text", max_rejects=3,
)  # fmt: skip
DESIGNS = {
    "--profile": "ios12", "--with-profile": "ios15", "--locale": "de", "--with-locale": "fr", "--locked": None,
    "--fail-if": "merged > 4",
}  # fmt: skip
READING = {
    **DESIGNS, "--since": "1", "--until": "9", "--removals": None, "--delivery": None, "--outcomes": None,
    "--unique": None, "--input": "apns", "--with-input": "fcm", "--app": "a", "--max-line": "1MiB", "--inflater": "zlib",
    "--measures": None,
}  # fmt: skip
WRITING = {**DESIGNS, "--format": "text", "--max-rejects": "3"}
OWN = {"--sources-from", "--partial", "--quiet", "--spill-dir", "--memory", "--threads", "-o", "--expect-sources"}


class CompareTest(FolderCase):
    def compare(self, options: CompareOptions = CompareOptions(with_profile="ios15"), **values: Any) -> JobResult:
        return self.run_job(options, **values)

    def calls(self) -> "dict[str, list[dict[str, Any]]]":
        """Returns the options of each run of a command, by the step that it belongs to."""
        found: dict[str, list[dict[str, Any]]] = {"read": [], "merge": [], "write": []}
        for line in Path(self.path("fake/calls")).read_text().splitlines():
            name, *arguments = json.loads(line)
            self.assertEqual(name, "compare")
            options: dict[str, Any] = {}
            for index, argument in enumerate(arguments):
                if argument.startswith("-"):
                    following = arguments[index + 1 : index + 2]
                    options[argument] = None if not following or following[0].startswith("-") else following[0]
            step = "read" if "--sources-from" in options else "merge" if "--partial" in options else "write"
            found[step].append(options)
        return found


class StepTests(CompareTest):
    def test_each_step_has_its_options(self) -> None:
        self.write("fake/calls")
        self.compare(EVERYTHING, fan_in=2)
        calls = self.calls()
        self.assertEqual({step: len(found) for step, found in calls.items()}, {"read": 5, "merge": 5, "write": 1})
        for step, expected in {"read": READING, "merge": {}, "write": WRITING}.items():
            for call in calls[step]:
                with self.subTest(step):
                    self.assertEqual({name: value for name, value in call.items() if name not in OWN}, expected)

    def test_every_option_belongs_to_a_step(self) -> None:
        for field in [field.name for field in fields(CompareOptions)]:
            with self.subTest(field):
                known = {
                    *CompareOptions._reading,
                    *CompareOptions._writing,
                    "config",
                    "with_",
                    *CompareOptions.without_effect,
                }
                self.assertIn(field, known)

    def test_all_steps_have_both_configurations(self) -> None:
        self.write("fake/calls")
        now, new = self.write("a.json", "{}"), self.write("b.json", '{"apps":{"x":{"strings":"tables"}}}')
        self.write("tables/en.strings", "x")
        self.compare(CompareOptions(config=now, with_=new), fan_in=2)
        for found in self.calls().values():
            for call in found:
                self.assertRegex(call["--config"], r"bundle/configuration\.json$")
                self.assertRegex(call["--with"], r"bundle/with\.json$")

    def test_mappings_keep_their_names(self) -> None:
        self.write("fake/calls")
        now, new = self.write("a/log.json", "{}"), self.write("b/log.json", '{"fields":{}}')
        self.compare(CompareOptions(input=["auto", now], with_input=new))
        for call in self.calls()["read"]:
            self.assertRegex(call["--input"], r"/mappings/0/log\.json$")
            self.assertRegex(call["--with-input"], r"/mappings/1/log\.json$")

    def test_any_division_gives_the_same_bytes(self) -> None:
        for values in ({"shards": 1}, {"shards": 9, "fan_in": 2}):
            with self.subTest(values=values):
                shutil.rmtree(self.path("out"), ignore_errors=True)
                result = self.compare(**values)
                self.assertEqual(joined(self.path("out")), self.expected)
                self.assertEqual(list(result.statistics), ["seconds"])
                self.assertEqual(self.names("out"), ["_SUCCESS", "_job.json", "_statistics.json", "part-00000.json"])

    def test_finished_steps_are_reused(self) -> None:
        self.fault("merge", 70, 3)
        with self.assertRaisesRegex(Exception, "a fault"):
            self.compare()
        # Only the last step depends on the format.
        result = self.compare(CompareOptions(with_profile="ios15", format="text"))
        self.assertEqual((joined(self.path("out")), result.reused), (self.expected, 5))

    def test_another_design_is_another_job(self) -> None:
        self.compare(CompareOptions(with_=self.write("a.json", "{}")))
        with self.assertRaisesRegex(Exception, "another job"):
            self.compare(CompareOptions(with_=self.write("a.json", '{"apps":{}}')))


class RefusalTests(CompareTest):
    def test_options_without_effect(self) -> None:
        for options, message in [
            (CompareOptions(every="1d"), "--every has no effect on a comparison"),
            (CompareOptions(offset="+01:00"), "--offset has no effect"),
            (CompareOptions(time_zone="Europe/Berlin"), "--time-zone has no effect"),
            (CompareOptions(rejects=self.path("rejects")), "--rejects has no effect"),
            (CompareOptions(format="ndjson"), "--format ndjson: not one of json, text, github"),
        ]:
            with self.subTest(message):
                self.refuse(message, options)
        self.refuse("a comparison is written by one task: leave out --partitions", CompareOptions(), partitions=2)

    def test_a_command_without_partial_comparisons(self) -> None:
        script = "#!/bin/sh\ncase $1 in replay) echo --sources-from ;; *) echo 0.0.1 ;; esac\n"
        Path(self.write("old", script)).chmod(0o755)
        with self.assertRaisesRegex(Exception, "wrong version of sheaf: 0.0.1 has no 'sheaf compare --partial'"):
            self.compare(sheaf=self.path("old"))


class CommandLineTests(CompareTest):
    def test_arguments_become_options(self) -> None:
        self.write("fake/calls")
        new = self.write("new.json", "{}")
        arguments = ["--with", new, "--fail-if", "split > 3", "--fail-if", "merged > 4", "--with-input", "fcm,apns"]
        status, messages = self.command(*arguments, command="compare")
        self.assertEqual((status, joined(self.path("out"))), (0, self.expected))
        self.assertNotIn("records", messages)
        (write,) = self.calls()["write"]
        self.assertEqual((write["--format"], write["--fail-if"]), ("json", "merged > 4"))
        for call in self.calls()["read"]:
            self.assertRegex(call["--with"], r"with\.json$")
            self.assertEqual(call["--with-input"], "apns")

    def test_options_of_others_are_unknown(self) -> None:
        for option in ("--by-device", "--cells", "--partitions=2", "--rejects=x", "--every=1d"):
            status, messages = self.command(option, command="compare")
            self.assertEqual(status, 64)
            self.assertIn(f"unrecognized arguments: {option}", messages)


if __name__ == "__main__":
    unittest.main()
