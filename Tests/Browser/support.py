"""The browser that all tests share, and data for pages."""

import atexit
import functools
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By

import assemble

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT / "Data"
SHEAF = os.environ.get("SHEAF_BINARY", str(ROOT / ".build/release/sheaf"))

PHONE = (390, 844)
DESKTOP = (1280, 800)


# The command


def sheaf(*arguments, expected=(0,)):
    run = subprocess.run([SHEAF, *map(str, arguments)], cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    if run.returncode not in expected:
        raise AssertionError(f"sheaf {' '.join(map(str, arguments))}: {run.returncode}: {run.stderr}")
    return run.stdout


def snapshot(*arguments):
    """The lines of a snapshot of `sheaf replay`."""
    text = sheaf("replay", *arguments, "--format", "ndjson", "--quiet")
    return [json.loads(line) for line in text.splitlines()]


def statistics(*arguments):
    path = pathlib.Path(folder()) / "statistics.json"
    sheaf("replay", *arguments, "--stats", path, "--output", "/dev/null", "--quiet", expected=(0, 65))
    return json.loads(path.read_text(encoding="utf-8"))


def check(*sources):
    return json.loads(sheaf("check", *sources, "--format", "json", "--quiet", expected=(0, 65)))


def measures(*arguments, quantiles="10,50,90,99"):
    """The result of `sheaf measure` as a page has it: one cell for each app, the first for all apps."""
    text = sheaf("measure", *arguments, "--quantiles", quantiles, "--format", "ndjson", "--quiet")
    lines = [json.loads(line) for line in text.splitlines()]
    cells = {}
    for line in lines:
        cell = cells.setdefault(line["app"], {"app": line["app"], "people": line["people"], "values": {}})
        values = cell["values"].setdefault(line["measure"], {})
        for name in ["zero", "sum", "max"] + ["p" + quantile for quantile in quantiles.split(",")]:
            values.setdefault(name, []).append(line[name])
    for cell in cells.values():
        cell["values"] = {name: values for name, values in cell["values"].items() if any(values["sum"])}
    ordered = [cells.pop(None), *cells.values()]
    instants = sorted({line["at"] for line in lines if "at" in line}) or [0]
    return {"quantiles": quantiles.split(","), "instants": instants, "cells": ordered, "per": "app", "leftOut": {}}


def writes_pages():
    """Whether the command has the format `html`."""
    sample = DATA / "samples/podcasts/log.ndjson"
    run = subprocess.run(
        [SHEAF, "replay", str(sample), "--format", "html", "--output", os.devnull, "--quiet"],
        capture_output=True,
        check=False,
    )
    return run.returncode == 0


# Data of pages


def line(**members):
    """A line of a snapshot, for a group of one notification unless `members` have something else."""
    leading = {
        "id": "1",
        "timestamp": 1_772_694_000_000,
        "title": None,
        "subtitle": None,
        "body": "Hello",
        "category": None,
        "source": "log.ndjson",
        "line": 1,
        **members.pop("leading", {}),
    }
    texts = {name: leading[name] for name in ("title", "subtitle", "body")}
    return {
        "app": "com.example.messages",
        "thread": "thread",
        "count": 1,
        "total": 1,
        "leading": leading,
        "summary": None,
        "arguments": [],
        "argumentsTruncated": False,
        "hidden": {"title": None, "subtitle": None, "body": "Notification"},
        "display": {**texts, "summary": None},
        "categories": [{"category": None, "count": 1, "weight": 1}],
        "first": leading["timestamp"],
        "last": leading["timestamp"],
        **members,
    }


def replayed(lines, locale="en", locked=False, **members):
    """The data of a page with one screen for each device in the lines, and an instant for each `at`."""
    instants = sorted({one["at"] for one in lines if "at" in one})
    screens = {"byDevice": any("device" in one for one in lines), "every": bool(instants), "lines": lines}
    if instants:
        screens["instants"] = instants
    return {
        "version": "0.1.0",
        "kind": "replay",
        "command": "sheaf replay log.ndjson -o report.html",
        "locale": locale,
        "profile": "ios12",
        "locked": locked,
        "timeZone": {"minutes": 0},
        "screens": {**screens, **members},
    }


@functools.cache
def generated(records=3000, seed=5, devices=12):
    """The path of a generated log."""
    path = pathlib.Path(folder()) / f"generated-{records}-{seed}-{devices}.ndjson"
    options = ["--records", records, "--seed", seed, "--devices", devices, "--refused", "0.05"]
    sheaf("generate", *options, "--output", path, "--quiet")
    return path


@functools.cache
def kinds():
    """The data of a page of each kind, with all sections that the kind has."""
    log, damaged = generated(), DATA / "damaged/rejects.ndjson"
    screens = snapshot(log, "--by-device", "--every", "1m", "--delivery")
    replay = replayed(screens, leftOut={"people": 2, "groups": 30})
    replay["statistics"] = statistics(log, "--by-device")
    measure = {"version": "0.1.0", "kind": "measure", "locale": "en", "profile": "ios12", "locked": False}
    measure["measures"] = measures(log, "--every", "10s")
    checked = {"version": "0.1.0", "kind": "check", "command": "sheaf check", "locale": "en"}
    checked["check"] = check(DATA / "check/log.ndjson", damaged)
    checked["statistics"] = statistics(damaged)
    threads = snapshot(log, "--top", "10")
    report = {**replay, **measure, **checked, "kind": "report", "threads": threads}
    report["statistics"] = replay["statistics"]
    return {"replay": replay, "measure": measure, "check": checked, "report": report, "compare": compared()}


def compared():
    """The data of a page that compares two designs of a generated log."""
    config = pathlib.Path(folder()) / "new.json"
    config.write_text(
        '{"apps":{"com.example.messages":{"grouping":"byApp"},"com.example.mail":{"grouping":"off"}}}', encoding="utf-8"
    )
    text = sheaf("compare", generated(), "--with", config, "--with-locale", "ar", "--measures", "--format", "json",
                 "--fail-if", "split > 0", "--quiet", expected=(0, 65))  # fmt: skip
    return {
        "version": "0.1.0",
        "kind": "compare",
        "command": "sheaf compare log.ndjson --with new.json",
        "locale": "en",
        "newLocale": "ar",
        "profile": "ios12",
        "locked": False,
        "timeZone": {"minutes": 0},
        "comparison": json.loads(text),
    }


def newest_first(lines):
    """Groups as they are on the screen. Tests with equal times compare without an order."""
    return sorted(lines, key=lambda one: -(one["leading"]["timestamp"] or 0))


def shown_texts(lines):
    """The texts of each card: title, subtitle, body and summary, without those that are absent."""
    names = ("title", "subtitle", "body", "summary")
    return [[one["display"][name] for name in names if one["display"][name]] for one in lines]


# The browser


@functools.cache
def folder():
    directory = tempfile.TemporaryDirectory(prefix="sheaf-browser-")
    atexit.register(directory.cleanup)
    return directory.name


@functools.cache
def driver():
    options = webdriver.ChromeOptions()
    options.binary_location = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    options.add_argument("--headless=new")
    # Containers have little shared memory.
    options.add_argument("--disable-dev-shm-usage")
    if os.geteuid() == 0:
        options.add_argument("--no-sandbox")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    service = webdriver.ChromeService(os.environ.get("CHROMEDRIVER", "/usr/bin/chromedriver"))
    started = webdriver.Chrome(options=options, service=service)
    atexit.register(started.quit)
    return started


class PageTests(unittest.TestCase):
    """Tests of pages in the browser. After each, there may be no message and no request but for the page."""

    def setUp(self):
        self.driver = driver()
        self.pages = set()
        self.emulate()
        self.driver.get("about:blank")
        self.messages()
        self.requests()

    def tearDown(self):
        self.assertEqual(self.messages(), [])
        self.assertEqual([url for url in self.requests() if url not in self.pages], [])

    def messages(self):
        """The messages of the console since the last call."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self):
        """The addresses of requests since the last call, except for those that the page's policy has blocked."""
        events = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        sent = {}
        for event in events:
            parameters = event["params"]
            if event["method"] == "Network.requestWillBeSent":
                sent[parameters["requestId"]] = parameters["request"]["url"]
            elif event["method"] == "Network.loadingFailed" and parameters.get("blockedReason") == "csp":
                sent.pop(parameters["requestId"], None)
        return [url for url in sent.values() if not url.startswith(("data:", "about:"))]

    def emulate(self, size=DESKTOP, scheme="light"):
        metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})

    def open_file(self, path):
        url = pathlib.Path(path).as_uri()
        self.pages.add(url)
        self.driver.get(url)

    def open_text(self, text):
        path = pathlib.Path(folder()) / "page.html"
        path.write_text(text, encoding="utf-8")
        self.open_file(path)

    def open(self, data):
        self.open_text(assemble.page(data))

    def run_script(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def find_all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def texts(self, selector):
        """The texts of all elements, including those that are scrolled out of sight."""
        return self.run_script("return [...document.querySelectorAll(arguments[0])].map((e) => e.textContent)", selector)

    def keys(self, *keys):
        for key in keys:
            ActionChains(self.driver).send_keys(key).perform()

    def set_slider(self, index):
        self.run_script(
            "const slider = document.getElementById('instant'); slider.value = arguments[0];"
            "slider.dispatchEvent(new Event('input'));",
            str(index),
        )

    def choose_person(self, name):
        self.run_script(
            "for (const label of document.querySelectorAll('.person'))"
            "  if (label.querySelector('.person-name').textContent === arguments[0]) label.click();",
            name,
        )

    def cards(self):
        """The texts of each card on the screen, as `shown_texts` has them."""
        return self.run_script(
            "return [...document.querySelectorAll('#groups .card')].map((card) =>"
            "  [...card.children].slice(1).map((text) => text.textContent))"
        )

    def assert_cards(self, lines, message=None):
        """The screen has these groups, newest first; the order of those with equal times is not compared."""
        expected, actual = shown_texts(newest_first(lines)), self.cards()
        if actual != expected:
            self.assertEqual(sorted(actual), sorted(expected), message)
            times = [one["leading"]["timestamp"] for one in lines]
            self.assertNotEqual(len(times), len(set(times)), message)

    def assert_fits(self, message=None):
        """Nothing makes the page scroll sideways."""
        widths = self.run_script("return [document.documentElement.scrollWidth, window.innerWidth]")
        self.assertLessEqual(widths[0], widths[1], message)
