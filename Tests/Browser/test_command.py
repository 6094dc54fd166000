"""Pages that the command writes."""

import html
import json
import os
import pathlib
import random
import re
import subprocess
import unittest

import assemble
from support import DATA, PageTests, SHEAF, folder, generated, sheaf, snapshot, writes_pages

LOGS = int(os.environ.get("SHEAF_BROWSER_LOGS", "20"))


def knows(command):
    return subprocess.run([SHEAF, command, "--help"], capture_output=True, check=False).returncode == 0


@unittest.skipUnless(writes_pages(), "the command does not write pages")
class CommandTests(PageTests):
    def make(self, command, *arguments, expected=(0, 65)):
        path = pathlib.Path(folder()) / "made.html"
        sheaf(command, *arguments, "--output", path, "--format", "html", "--quiet", expected=expected)
        return path

    def data_of(self, path):
        text = path.read_text(encoding="utf-8")
        found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
        return found[1]

    def test_the_command_fills_the_template_as_the_assembler_does(self):
        sample = DATA / "samples/messages"
        path = self.make("replay", sample / "log.ndjson", "--config", sample / "config.json")
        text = path.read_text(encoding="utf-8")
        title = html.unescape(re.search(r"<title>(.*?)</title>", text)[1])
        self.assertNotIn("<", self.data_of(path))
        same = text == assemble.page(self.data_of(path), title=title)
        self.assertTrue(same, "the command differs from the assembler, or was built with other files of the page")

    def test_texts_are_those_of_the_snapshot_for_all_samples(self):
        for sample in sorted((DATA / "samples").iterdir()):
            with self.subTest(sample.name):
                arguments = [sample / "log.ndjson.gz", "--config", sample / "config.json"]
                self.open_file(self.make("replay", *arguments))
                self.assert_cards(snapshot(*arguments))

    def test_texts_are_those_of_the_snapshot_for_generated_logs(self):
        for seed in range(LOGS):
            chance = random.Random(seed)
            arguments = [generated(200, seed, 3), "--by-device", "--locale", chance.choice(["en", "ar", "he", "ja"])]
            arguments += chance.choice([[], ["--locked"], ["--delivery"]])
            with self.subTest(seed=seed):
                path = self.make("replay", *arguments, "--every", "1s")
                instants = json.loads(self.data_of(path))["screens"]["instants"]
                self.open_file(path)
                index = chance.randrange(len(instants))
                self.set_slider(index)
                shown = snapshot(*arguments, "--until", str(instants[index]))
                for name in self.texts(".person-name"):
                    self.choose_person(name)
                    device = None if name == "No device" else name
                    self.assert_cards([one for one in shown if one["device"] == device], name)

    def test_the_same_result_is_the_same_page(self):
        pages = [self.make("replay", generated(), "--by-device", "--threads", threads).read_bytes() for threads in (1, 3)]
        without_command = [re.sub(rb'"command":"[^"]*"', b"", page) for page in pages]
        self.assertEqual(*without_command)

    def test_a_day_can_be_followed_with_the_slider(self):
        arguments = [DATA / "day/log.ndjson", "--config", DATA / "day/config.json", "--removals", "--by-device"]
        path = self.make("replay", *arguments, "--every", "1h")
        instants = json.loads(self.data_of(path))["screens"]["instants"]
        self.open_file(path)
        for index, instant in enumerate(instants):
            self.set_slider(index)
            self.assert_cards(snapshot(*arguments, "--until", str(instant)), index)

    def test_notifications_that_are_not_grouped_come_and_go_one_by_one(self):
        config = pathlib.Path(folder()) / "alone.json"
        config.write_text('{"apps":{"com.example.shop":{"grouping":"off"},"com.example.messages":{"grouping":"off"}}}')
        arguments = [DATA / "day/log.ndjson", "--config", config, "--removals", "--by-device"]
        path = self.make("replay", *arguments, "--every", "15m")
        screens = json.loads(self.data_of(path))["screens"]
        if "alone" not in screens:
            self.skipTest("pages do not name the apps whose notifications are not grouped")
        self.open_file(path)
        for index, instant in enumerate(screens["instants"]):
            self.set_slider(index)
            self.assert_cards(snapshot(*arguments, "--until", str(instant)), index)

    def test_measures_and_findings_are_shown(self):
        for command, arguments, section in (
            ("measure", [generated(), "--every", "10s"], "#measures"),
            ("check", [DATA / "check/log.ndjson"], "#findings"),
        ):
            with self.subTest(command):
                self.open_file(self.make(command, *arguments))
                self.assertTrue(self.find(section).is_displayed())
                self.assertFalse(self.find("#problem").is_displayed())

    def test_a_comparison_has_both_screens(self):
        config = pathlib.Path(folder()) / "by-app.json"
        config.write_text('{"apps":{"com.example.messages":{"grouping":"byApp"}}}', encoding="utf-8")
        arguments = [generated(), "--with", config]
        path = self.make("compare", *arguments)
        data = json.loads(self.data_of(path))["comparison"]
        self.open_file(path)
        self.assertEqual(self.texts(".verdict"), data["verdict"])
        pairs = self.driver.find_elements("css selector", ".pair")
        self.assertEqual(len(pairs), len(data["screens"]))
        for pair, screen in zip(pairs, data["screens"]):
            for figure, side in zip(pair.find_elements("css selector", "figure"), ("now", "new")):
                names = ("title", "subtitle", "body", "summary")
                for card, group in zip(figure.find_elements("css selector", ".card"), screen[side], strict=True):
                    shown = [card.find_element("css selector", "." + name).text for name in names if group[name]]
                    self.assertEqual(shown, [group[name].strip() for name in names if group[name]])
        self.assert_fits()

    @unittest.skipUnless(knows("report"), "there is no sheaf report")
    def test_groups_of_a_report_open_into_their_notifications(self):
        arguments = ["--config", DATA / "day/config.json", "--removals", "--delivery"]
        path = pathlib.Path(folder()) / "report.html"
        log = DATA / "day/log.ndjson"
        sheaf("report", log, *arguments, "--every", "1h", "--output", path, "--quiet")
        self.open_file(path)
        lines = sheaf("explain", log, "--device", "phone", *arguments, "--format", "ndjson", "--quiet").splitlines()
        groups = [one for one in map(json.loads, lines) if one["type"] == "group"]
        for card, group in zip(self.driver.find_elements("css selector", ".card"), groups, strict=True):
            card.click()
            details = self.driver.find_element("id", card.get_attribute("aria-controls"))
            shown = [one.text for one in details.find_elements("css selector", ".members .body")]
            bodies = [one["body"] for one in group["notifications"]]
            self.assertEqual(shown, bodies if len(bodies) > 1 else [])

    @unittest.skipUnless(knows("report"), "there is no sheaf report")
    def test_a_report_has_all_sections(self):
        path = pathlib.Path(folder()) / "report.html"
        sheaf("report", generated(), "--every", "10s", "--output", path, "--quiet", expected=(0, 65))
        self.open_file(path)
        for section in ("screen", "measures", "statistics"):
            self.assertTrue(self.find("#" + section).is_displayed(), section)
        self.assert_fits()


if __name__ == "__main__":
    unittest.main()
