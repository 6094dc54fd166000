"""Charts, tables, findings and statistics."""

import csv
import io
import unittest

from support import DATA, PageTests, check, generated, kinds, line, measures, replayed, snapshot, statistics


def number(text):
    return int(text.replace(",", ""))


class TableReader(PageTests):
    def table(self, title):
        """The rows of the table after a heading, without the row of names."""
        rows = self.run_script(
            "const heading = [...document.querySelectorAll('h2, h3')].find((e) => e.textContent === arguments[0]);"
            "if (!heading) return null;"
            "let next = heading; while (!next.querySelector('table')) next = next.nextElementSibling;"
            "return [...next.querySelectorAll('tr')].map((row) => [...row.cells].map((cell) => cell.textContent))",
            title,
        )
        return rows and rows[1:]


class ChartTests(TableReader):
    def open_measures(self, *arguments, **members):
        data = {"kind": "measure", "locale": "en", "measures": measures(*arguments), **members}
        self.open(data)
        return data["measures"]

    def test_the_table_of_time_has_the_sums_of_each_interval(self):
        result = self.open_measures(generated(), "--every", "10s")
        values = result["cells"][0]["values"]
        rows = self.table("Over time")
        self.assertEqual(len(rows), len(result["instants"]))
        for index, row in enumerate(rows):
            expected = [values[name]["sum"][index] for name in ("pushes", "banners", "sounds")]
            self.assertEqual([number(cell) for cell in row[1:]], expected)

    def test_one_interval_is_shown_as_bars(self):
        values = self.open_measures(generated())["cells"][0]["values"]
        rows = [[name, number(sum)] for name, sum in self.table("In all")]
        expected = [[name.capitalize(), values[name]["sum"][0]] for name in ("pushes", "banners", "sounds")]
        self.assertEqual(rows, expected)
        self.assertIsNone(self.table("Over time"))

    def test_people_by_groups_has_the_quantiles_of_the_last_interval(self):
        result = self.open_measures(generated())
        groups = result["cells"][0]["values"]["groups"]
        rows = {number(most): float(share) for most, share in self.table("People by number of groups on screen")}
        for quantile in result["quantiles"]:
            self.assertGreaterEqual(rows[groups["p" + quantile][0]], float(quantile))
        self.assertEqual(rows[groups["max"][0]], 100)

    def test_apps_are_ordered_by_the_sum_of_their_pushes(self):
        result = self.open_measures(generated(), "--every", "10s")
        sums = {cell["app"]: sum(cell["values"]["pushes"]["sum"]) for cell in result["cells"][1:] if cell["values"]}
        rows = [(app, number(pushes)) for app, pushes in self.table("Largest apps")]
        self.assertEqual(dict(rows), sums)
        self.assertEqual([pushes for _, pushes in rows], sorted(sums.values(), reverse=True))

    def test_the_total_of_an_app_includes_intervals_that_were_left_out(self):
        pushes = {"sum": [1, 2], "zero": [0, 0], "max": [1, 2]}
        cells = [{"app": app, "people": 1, "values": {"pushes": pushes}} for app in (None, "a.b")]
        cells[1]["total"] = {"pushes": 70}
        self.open({"measures": {"quantiles": [], "instants": [0, 1000], "cells": cells, "per": "app"}})
        self.assertEqual(self.table("Largest apps"), [["a.b", "70"]])

    def test_parts_of_an_app_are_added_up(self):
        def cell(app, part, pushes):
            return {"app": app, "part": part, "people": 1, "values": {"pushes": {"sum": pushes, "zero": [0, 0], "max": pushes}}}

        cells = [cell(None, None, [5, 9]), cell("a.b", "x", [1, 2]), cell("a.b", "y", [4, 7])]
        self.open({"measures": {"quantiles": [], "instants": [0, 1000], "cells": cells, "per": "category"}})
        self.assertEqual(self.table("Largest apps"), [["a.b", "14"]])

    def test_what_was_left_out_of_the_measures_is_told(self):
        data = measures(generated())
        data["leftOut"] = {"apps": 3, "intervals": 1}
        self.open({"measures": data})
        self.assertEqual(
            self.find("#measures .left-out").text, "Left out to limit the size of this page: 3 apps and 1 interval."
        )

    def test_threads_and_refusals_have_the_numbers_of_the_log(self):
        threads = snapshot(generated(), "--top", "5")
        counted = statistics(generated())
        self.open({"threads": threads, "statistics": counted})
        expected = [[one["app"], one["thread"] or "", str(one["count"])] for one in threads]
        self.assertEqual(self.table("Largest threads"), expected)
        rows = {reason: number(count) for reason, count in self.table("Pushes that the push service refused")}
        self.assertEqual(rows, {entry["reason"]: entry["count"] for entry in counted["refused"]["counts"]})

    def test_drawings_have_a_title_and_a_description(self):
        self.open(kinds()["report"])
        alternatives = self.run_script(
            "return [...document.querySelectorAll('.drawing > svg')].map((e) => [e.getAttribute('role'),"
            "  document.getElementById(e.getAttribute('aria-labelledby')).textContent,"
            "  document.getElementById(e.getAttribute('aria-describedby')).textContent])"
        )
        self.assertEqual(len(alternatives), 5)
        for role, title, description in alternatives:
            self.assertEqual(role, "img")
            self.assertGreater(len(title), 5)
            self.assertGreater(len(description), 20)
            self.assertNotIn("NaN", description)

    def test_marks_are_inside_their_drawing(self):
        self.open(kinds()["report"])
        outside = self.run_script(
            "const found = [];"
            "for (const drawing of document.querySelectorAll('.drawing > svg')) {"
            "  const box = drawing.getBoundingClientRect();"
            "  for (const mark of drawing.querySelectorAll(':scope > *:not(title):not(desc)')) {"
            "    const one = mark.getBoundingClientRect();"
            "    if (!(one.left >= box.left - 2 && one.right <= box.right + 2 && one.top >= box.top - 2"
            "      && one.bottom <= box.bottom + 2)) found.push(mark.outerHTML);"
            "  }"
            "}"
            "return found"
        )
        self.assertEqual(outside, [])

    def test_measures_of_zero_are_drawn(self):
        empty = {"sum": [0, 0], "zero": [2, 2], "max": [0, 0], "p50": [0, 0]}
        cells = [{"app": None, "people": 2, "values": {"pushes": empty, "groups": empty}}]
        self.open({"measures": {"quantiles": ["50"], "instants": [0, 1000], "cells": cells, "per": "none"}})
        self.assertEqual(self.table("People by number of groups on screen"), [["0", "100"]])
        marks = self.run_script("return document.querySelector('#measures').innerHTML")
        self.assertNotIn("NaN", marks)
        self.assertNotIn("Infinity", marks)


class TableTests(TableReader):
    def test_tables_are_copied_as_csv(self):
        threads = [line(app='a"b,c', thread="two\nlines", count=3), line(app="plain", thread=None)]
        self.open({"threads": threads})
        self.run_script("navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }")
        self.find(".copy button").click()
        rows = list(csv.reader(io.StringIO(self.run_script("return window.copied"), newline="")))
        self.assertEqual(rows, [["App", "Thread", "Notifications"], ['a"b,c', "two\nlines", "3"], ["plain", "", "1"]])
        self.assertEqual(self.find(".copy [role=status]").text, "Copied.")

    def test_without_a_clipboard_the_text_is_selected(self):
        refusing = "navigator.clipboard.writeText = () => Promise.reject(new Error())"
        absent = "Object.defineProperty(navigator, 'clipboard', { value: undefined })"
        for script in (refusing, absent):
            self.open({"threads": [line()]})
            self.run_script(script)
            self.find(".copy button").click()
            self.find(".copy button").click()
            selected = self.run_script(
                "const area = document.activeElement; return area.value.slice(area.selectionStart, area.selectionEnd)"
            )
            self.assertEqual(selected.splitlines()[0], "App,Thread,Notifications")
            self.assertEqual(len(self.find_all("textarea")), 1)
            self.assertIn("selected", self.find(".copy [role=status]").text)

    def test_long_tables_show_more_rows_on_request(self):
        self.open({"threads": [line(thread=str(index)) for index in range(450)]})
        for count in (200, 400, 450):
            self.assertEqual(len(self.texts("tbody tr")), count)
            self.run_script("for (const more of document.querySelectorAll('.table-box .more')) more.click()")
        self.assertEqual(len(self.texts("tbody tr")), 450)

    def test_findings_have_their_rule_position_and_number(self):
        result = check(DATA / "check/log.ndjson", DATA / "damaged/bad-crc.ndjson.gz")
        self.open({"check": result})
        rows = self.table("Findings")
        self.assertEqual(len(rows), len(result["findings"]))
        for row, finding in zip(rows, result["findings"]):
            first = finding["first"]
            place = str(first["line"]) if "line" in first else f"offset {first['offset']}"
            self.assertEqual(row[:2] + [number(row[2])] + row[3:4],
                             [finding["name"], finding["severity"], finding["count"], f"{first['source']}:{place}"])

    def test_findings_are_described(self):
        finding = {"name": "x", "severity": "error", "count": 1, "first": {"source": "s", "line": 1}}
        findings = [{**finding, "description": "A rule", "detail": "more"}, {**finding, "detail": "only this"}, finding]
        self.open({"check": {"records": 1, "errors": 3, "warnings": 0, "findings": findings}})
        self.assertEqual([row[4] for row in self.table("Findings")], ["A rule: more", "only this", ""])

    def test_rejected_lines_and_statistics_are_listed(self):
        counted = statistics(DATA / "damaged/rejects.ndjson")
        self.open({"statistics": counted})
        reasons = {reason: number(lines) for reason, lines in self.table("Rejected lines")}
        self.assertEqual(reasons, {name: count for name, count in counted["rejected"].items() if name != "total"})
        numbers = dict(self.table("Statistics"))
        self.assertEqual(number(numbers["Lines read"]), counted["linesRead"])
        self.assertEqual(number(numbers["Rejected lines"]), counted["rejected"]["total"])
        self.assertFalse([name for name, value in numbers.items() if not value])

    def test_damaged_sources_are_listed(self):
        counted = statistics(DATA / "damaged/bad-crc.ndjson.gz")
        self.open({"statistics": counted})
        error = counted["sourceErrors"][0]
        self.assertEqual(self.table("Damaged sources"), [[error["source"], error["reason"], str(error["offset"])]])

    def test_the_page_names_its_command_version_and_sections(self):
        self.open(kinds()["report"])
        self.assertEqual(self.find("#command code").text, kinds()["report"]["command"])
        self.assertEqual(self.find("#about").text, "Sheaf 0.1.0 · rules of iOS 12 to 14 · texts in en · times in UTC")
        self.assertEqual(self.texts("#contents a"), ["Screen", "Measures", "Findings", "Statistics"])

    def test_sections_without_data_are_not_shown(self):
        self.open(replayed([line()]))
        shown = [section.get_attribute("id") for section in self.find_all("main > section") if section.is_displayed()]
        self.assertEqual(shown, ["screen"])
        self.assertFalse(self.find("#contents").is_displayed())


if __name__ == "__main__":
    unittest.main()
