#!/usr/bin/env python3
"""Generates Sheaf's language tables from CLDR's data: plural rules, how locales inherit from each other, and times.

    python3 Data/make-cldr.py          generates Swift sources from Data/cldr
    python3 Data/make-cldr.py NODE     first takes the data in Data/cldr from the ICU in NODE, a Node.js executable

ICU is Unicode's own implementation of CLDR. Its data has the plural rules with their samples, word for word as in
CLDR's plurals.xml, the parents of locales and the hour cycles of regions. Likely scripts, the parts of times, and the
plural categories and times that the tests compare with Sheaf's, are the results of ICU's functions. A build does not
need this script: the sources are in the repository, and tests compare them with Data/cldr.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import textwrap
import xml.etree.ElementTree as tree
from xml.sax.saxutils import escape

sys.dont_write_bytecode = True
import icu

ROOT = pathlib.Path(__file__).resolve().parent.parent
STORED = ROOT / "Data" / "cldr"
SOURCES = ROOT / "Sources" / "SheafText"
# The maximum length of a row's line: the sources' 110 columns without the indentation and a continuation.
WIDTH = 100


# Data/cldr -----------------------------------------------------------------------------------------------------------

CATEGORIES = ["zero", "one", "two", "few", "many", "other"]

# The counts of the samples: every small one, those on both sides of a power of ten or an exception, and round numbers.
COUNTS = [*range(31), *range(40, 100, 10), 71, 91, *range(99, 113), 120, *range(199, 203), 999, 1000, 1001, 1100, 10000,
          100000, 120000, 1000000, 1000001, 2000000, 10000000, 123456789, 1000000000]

# Reads languages and locales from the standard input, and writes the results of ICU's functions.
SCRIPT = """
    const input = JSON.parse(require("fs").readFileSync(0, "utf8"))
    const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" })
    const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
    const regions = letters.flatMap((a) => letters.map((b) => a + b))
        .filter((region) => names.of(region) && Intl.getCanonicalLocales("en-" + region)[0] === "en-" + region)
    const script = (name) => new Intl.Locale(name).maximize().script
    const scripts = {}
    for (const language of input.languages) {
        if (Intl.getCanonicalLocales(language)[0] !== language) continue
        scripts[language] = script(language)
        for (const region of regions) scripts[language + "_" + region] = script(language + "-" + region)
    }
    const categories = {}
    for (const locale of input.locales) {
        const tag = locale.replace("_", "-")
        const rules = new Intl.PluralRules(tag)
        // Deprecated codes are resolved to those that replaced them.
        if (rules.resolvedOptions().locale !== Intl.getCanonicalLocales(tag)[0]) continue
        categories[locale] = input.counts.map((count) => rules.select(count))
    }
    console.log(JSON.stringify({ node: process.versions.node, scripts, categories }))
"""

# The numbers of minutes and hours, and the times of a day, of the samples.
MINUTES = [1, 2, 3, 5, 10, 11, 21, 22, 59]
HOURS = [1, 2, 3, 5, 10, 11, 21, 22, 23]
TIMES = [[0, 0], [9, 41], [12, 5], [23, 59]]

# Reads locales from the standard input, and writes the parts of their times, and samples of whole times.
TIMES_SCRIPT = """
    const input = JSON.parse(require("fs").readFileSync(0, "utf8"))
    // A line of a screen is not broken, so all spaces are alike.
    const plain = (text) => text.replace(/[\\u00a0\\u202f]/g, " ")
    const date = (month, day, hour = 0, minute = 0) => new Date(Date.UTC(2026, month - 1, day, hour, minute))
    const joined = (parts, name) =>
        plain(parts.map(({ type, value }) => type === "literal" ? value : name(type, value)).join(""))
    const times = {}, samples = {}
    for (const locale of input.locales) {
        const name = locale.replaceAll("_", "-")
        const tag = name + "-u-ca-gregory-nu-latn"
        if (Intl.DateTimeFormat.supportedLocalesOf(name).length === 0) continue
        if (new Intl.DateTimeFormat(name).resolvedOptions().locale !== Intl.getCanonicalLocales(name)[0]) continue
        const format = (options) => new Intl.DateTimeFormat(tag, { timeZone: "UTC", ...options })
        const style = locale.split("_")[0] === "en" ? "narrow" : "short"
        const relative = new Intl.RelativeTimeFormat(tag, { style })
        const automatic = new Intl.RelativeTimeFormat(tag, { numeric: "auto" })
        const rules = new Intl.PluralRules(name)

        const ago = (unit, count) => {
            const forms = {}
            for (let number = 1; number < count; number++) {
                const parts = relative.formatToParts(-number, unit)
                const form = plain(parts.map(({ type, value }) => type === "integer" ? "%u" : value).join(""))
                const category = rules.select(number)
                if (forms[category] !== undefined && forms[category] !== form) throw Error(locale + ": " + form)
                forms[category] = form
            }
            return forms
        }
        const field = (type, value) => ({
            month: "{M}", year: "{y}", weekday: "{E}", dayPeriod: "{a}", minute: "{mm}",
            day: value.length === 1 ? "{d}" : "{dd}", hour: value.length === 1 ? "{h}" : "{hh}",
        })[type]
        const pattern = (options) => joined(format(options).formatToParts(date(1, 5, 9, 41)), field)
        const part = (options, type, when) =>
            plain(format(options).formatToParts(when).filter((part) => part.type === type)[0].value)
        const [monthDay, full] = [{ month: "long", day: "numeric" }, { year: "numeric", month: "long", day: "numeric" }]
        const months = (options) => Array.from({ length: 12 }, (_, index) => part(options, "month", date(index + 1, 5)))
        if (months(monthDay).join() !== months(full).join()) throw Error(locale + ": months")

        // "5 Jan 2026, 09:41": what is between the date and the time, without the last characters of the date.
        const both = format({ dateStyle: "medium", timeStyle: "short" }).formatToParts(date(1, 5, 9, 41))
        const alone = format({ dateStyle: "medium" }).formatToParts(date(1, 5)).at(-1)
        const isTime = ({ type }) => ["hour", "minute", "dayPeriod"].includes(type)
        const first = both.findIndex(isTime)
        if (both.slice(0, first - 1).some(isTime)) throw Error(locale + ": date after time")
        const between = both[first - 1].value
        const joint = alone.type === "literal" ? between.slice(alone.value.length) : between
        const clock = { hour: "numeric", minute: "numeric" }
        const twelve = { ...clock, hourCycle: "h12" }
        times[locale] = {
            now: plain(automatic.format(0, "second")),
            minutes: ago("minute", 60),
            hours: ago("hour", 24),
            yesterday: plain(automatic.format(-1, "day")),
            joint: plain(joint),
            // 4 January 2026 is a Sunday.
            weekdays: Array.from({ length: 7 }, (_, index) => plain(format({ weekday: "long" }).format(date(1, 4 + index)))),
            months: months(full),
            monthDay: pattern(monthDay),
            date: pattern(full),
            twentyFour: pattern({ ...clock, hourCycle: "h23" }),
        }
        // ICU leaves out the half of the day for French in Cameroon, where a day has 24 hours.
        if (pattern(twelve).includes("{a}")) {
            times[locale].twelve = pattern(twelve)
            times[locale].periods = [9, 21].map((hour) => part(twelve, "dayPeriod", date(1, 5, hour)))
        }
        const days = [date(1, 5), date(2, 28), date(3, 1), date(12, 31)]
        samples[locale] = [
            automatic.format(0, "second"),
            ...input.minutes.map((number) => relative.format(-number, "minute")),
            ...input.hours.map((number) => relative.format(-number, "hour")),
            automatic.format(-1, "day"),
            ...times[locale].weekdays,
            ...input.times.map(([hour, minute]) => format(clock).format(date(1, 5, hour, minute))),
            ...days.map((day) => format(monthDay).format(day)),
            ...days.map((day) => format(full).format(day)),
        ].map(plain)
    }
    console.log(JSON.stringify({ times, samples }))
"""


def language(locale):
    return locale.split("_")[0]


def with_several_scripts(numbers):
    """Returns the languages with several scripts in ICU's table of likely subtags, whose rows are packed numbers."""
    scripts = {}
    for number in numbers:
        # The upper byte is the region.
        script, name = divmod(number & 0xFFFFFF, 27**3)
        letters = [name % 27, name // 27 % 27, name // 27**2]
        scripts.setdefault("".join(chr(ord("a") - 1 + letter) for letter in letters if letter), set()).add(script)
    return {name for name, found in scripts.items() if len(found) > 1}


def swift_table(path, name):
    """Returns the rows of a table in a Swift source."""
    source = (SOURCES / path).read_text()
    table = source.split(f'static let {name} = """')[1].split('"""')[0].replace("\\\n", "")
    return [row for row in table.splitlines() if row.strip()]


def locale_rows():
    """Returns the languages, and the languages in a script, that Sheaf knows from Foundation, with their regions."""
    return [row.split() for row in swift_table("Locales/ListTables.swift", "locales")]


def known_locales():
    return {row[0] for row in locale_rows()}


def locales_with_sentences(parent):
    """Returns the known locales that Sheaf has sentences for. Hindi in Latin script inherits from English."""
    languages = {language(locale) for row in swift_table("Texts/DefaultTexts.swift", "placeholderForOne")
                 for locale in row.rpartition("|")[2].split()}
    locales = set()
    for name, *parts in locale_rows():
        if language(name) in languages and language(parent.get(name, "root")) in ("root", language(name)):
            locales |= {name} | {f"{name}_{part}" for part in parts if len(part) < 4}
    return sorted(locales)


def store(node):
    package = icu.Package(pathlib.Path(node).resolve())
    plurals = package.bundle("plurals")
    supplemental = package.bundle("supplementalData")
    versions = package.bundle("icuver")
    version = versions["CLDRVersion"]
    parents = {
        parent: [children] if isinstance(children, str) else children
        for parent, children in supplemental["parentLocales"].items()
    }

    known = known_locales() | set(package.bundle("res_index")["InstalledLocales"]) | set(plurals["locales"]) - {"root"}
    languages = {language(locale) for locale in known}
    languages |= with_several_scripts(package.bundle("langInfo")["likely"]["lsrnum"])
    query = {"languages": sorted(languages), "locales": sorted(set(plurals["locales"]) - {"root"}), "counts": COUNTS}
    answer = json.loads(subprocess.check_output([node, "-e", SCRIPT], input=json.dumps(query), text=True))
    source = f"ICU {versions['ICUVersion'].removesuffix('.0.0')} in Node.js {answer['node']}"

    store_plurals(plurals, version, source)
    store_locales(answer["scripts"], parents, known, version, source)
    # Intl replaces the deprecated `sh` by Serbian in Latin script before it looks for rules.
    unanswered = set(plurals["locales"]) - set(answer["categories"])
    store_samples(answer["categories"], parents, known - unanswered, version, source)
    store_times(node, supplemental["timeData"], parents, version, source)


def document(lines, version, source):
    return "\n".join([
        '<?xml version="1.0" encoding="UTF-8" ?>',
        f"<!-- Compiled by Data/make-cldr.py from {source}. See LICENSE for the terms of use. -->",
        "<supplementalData>",
        f'    <version cldrVersion="{version}"/>',
        *lines,
        "</supplementalData>",
        "",
    ])


def store_plurals(plurals, version, source):
    locales = {}
    for locale, name in plurals["locales"].items():
        locales.setdefault(name, []).append(locale)
    lines = ['    <plurals type="cardinal">']
    # ICU numbers the sets of rules in CLDR's order. Those of ordinal numbers have no locale here.
    for name in sorted(locales, key=lambda name: int(name.removeprefix("set"))):
        rules = plurals["rules"][name]
        lines.append(f'        <pluralRules locales="{" ".join(sorted(locales[name]))}">')
        for category in sorted(rules, key=CATEGORIES.index):
            lines.append(f'            <pluralRule count="{category}">{escape(rules[category])}</pluralRule>')
        lines.append("        </pluralRules>")
    lines.append("    </plurals>")
    (STORED / "plurals.xml").write_text(document(lines, version, source))


def store_locales(scripts, parents, known, version, source):
    regional = {
        locale: script for locale, script in scripts.items()
        if "_" in locale and scripts[language(locale)] not in (None, script)
    }
    lines = ["    <!-- Regions where a language is written in another script than elsewhere. -->", "    <likelySubtags>"]
    for locale, script in sorted(regional.items()):
        lines.append(f'        <likelySubtag from="{locale}" to="{locale.replace("_", f"_{script}_")}"/>')
    lines += ["    </likelySubtags>", "    <parentLocales>"]

    # CLDR has no list of these, but a rule: a language in a script that is not its likely one inherits from root.
    # Aran is the Nastaliq style of the Arabic script, so Urdu in it is still Urdu in its likely script.
    in_script = {locale for locale in known if re.fullmatch("[a-z]+_[A-Z][a-z]{3}", locale)}
    in_script |= {f"{language(locale)}_{script}" for locale, script in regional.items()}
    in_script -= {child for children in parents.values() for child in children}
    root = [
        locale for locale in in_script
        if scripts.get(language(locale)) not in (None, locale.split("_")[1].replace("Aran", "Arab"))
    ]
    for parent, children in [("root", root), *sorted(parents.items())]:
        lines.append(f'        <parentLocale parent="{parent}" locales="{" ".join(sorted(children))}"/>')
    lines.append("    </parentLocales>")
    (STORED / "locales.xml").write_text(document(lines, version, source))


def store_samples(categories, parents, known, version, source):
    parent = {child: name for name, children in parents.items() for child in children}

    def ruling(locale):
        """Returns the closest locale of the same language with rules of its own."""
        ancestor = locale
        while ancestor not in categories:
            above = parent.get(ancestor, "")
            if language(above) != language(locale):
                above = ancestor.rpartition("_")[0] if language(above) == "" else language(locale)
            if above in ("", ancestor):
                return None
            ancestor = above
        return ancestor

    rows = {}
    for locale in sorted(known | set(categories)):
        found = categories.get(ruling(locale), ["other"] * len(COUNTS))
        rows.setdefault(" ".join(found), []).append(locale)
    content = {
        "version": version,
        "source": source,
        "counts": COUNTS,
        "rows": [{"locales": " ".join(locales), "categories": found} for found, locales in rows.items()],
    }
    (STORED / "plural-samples.json").write_text(json.dumps(content, indent=1) + "\n")


def store_times(node, cycles, parents, version, source):
    parent = {child: name for name, children in parents.items() for child in children}
    query = {"locales": locales_with_sentences(parent), "minutes": MINUTES, "hours": HOURS, "times": TIMES}
    answer = json.loads(subprocess.check_output([node, "-e", TIMES_SCRIPT], input=json.dumps(query), text=True))
    rows = {}
    for locale, found in answer["samples"].items():
        rows.setdefault(json.dumps(found, ensure_ascii=False), []).append(locale)
    content = {"version": version, "source": source, "minutes": MINUTES, "hours": HOURS, "times": TIMES}
    store_rows("time-samples.json", content, [
        {"locales": " ".join(locales), "texts": json.loads(found)} for found, locales in rows.items()
    ])

    # What a locale has in common with the one that it inherits from is left out.
    times = answer["times"]

    def inherited(locale, field):
        while True:
            # As in Sheaf, whose tables of Traditional Chinese fall back to those of Chinese.
            above = parent.get(locale) if locale in parent and locale != "zh_Hant" else locale.rpartition("_")[0]
            if above in ("", "root"):
                return None
            if field in times.get(above, {}):
                return times[above][field]
            locale = above

    own = [
        {"locale": locale, **{field: value for field, value in fields.items() if inherited(locale, field) != value}}
        for locale, fields in times.items()
    ]
    twenty_four = sorted(place for place, found in cycles.items() if found["preferred"] == "H")
    twelve = sorted(place for place, found in cycles.items() if found["preferred"] == "h")
    assert len(twenty_four) + len(twelve) == len(cycles), "another hour cycle"
    content = {"version": version, "source": source, "hours24": " ".join(twenty_four), "hours12": " ".join(twelve)}
    store_rows("times.json", content, [row for row in own if len(row) > 1])


def store_rows(name, content, rows):
    """Writes a file with each of the rows on a line."""
    head = [f' "{key}": {json.dumps(value)},' for key, value in content.items()]
    lines = ",\n".join("  " + json.dumps(row, ensure_ascii=False) for row in rows)
    (STORED / name).write_text("\n".join(["{", *head, ' "rows": [', lines, " ]", "}", ""]))


# Sources -------------------------------------------------------------------------------------------------------------


def table(pairs):
    """Yields rows of two columns for a Swift string literal. Long rows are continued on further lines."""
    for pair in pairs:
        lines = textwrap.wrap(" | ".join(pair), WIDTH, break_long_words=False, break_on_hyphens=False)
        yield " \\\n".join("        " + line for line in lines)


def literal(name, comment, pairs):
    """Yields the declaration of a table, after a blank line."""
    yield from ["", f"    /// {comment} | locales.", f'    static let {name} = """', *table(pairs), '        """']


def plural_tables():
    locales = {}
    for element in tree.parse(STORED / "plurals.xml").iter("pluralRules"):
        rules = []
        for rule in element:
            condition = rule.text.split("@")[0].strip()
            if condition:
                rules.append(f"{rule.get('count')}: {condition}")
        locales.setdefault("; ".join(rules), []).extend(element.get("locales").split())
    yield from literal(
        "plurals",
        "The conditions of cardinal plural categories, in the syntax of UTS #35, part 3; none for `other`",
        ((rules or "none", " ".join(names)) for rules, names in locales.items()))


def locale_tables(document):
    scripts = {}
    for element in document.iter("likelySubtag"):
        scripts.setdefault(element.get("to").split("_")[1], []).append(element.get("from"))
    parents = [(element.get("parent"), element.get("locales")) for element in document.iter("parentLocale")]
    yield from literal(
        "scripts", "The script of a language in regions where it differs from the language's usual script",
        ((script, " ".join(names)) for script, names in sorted(scripts.items())))
    yield from literal(
        "parents", "The parent, unless it is the locale without its last part", parents)


# The tables of times: the field in times.json, the name in Swift, and its comment.
TIME_TABLES = [
    ("now", "now", "Less than a minute ago"),
    ("minutes", "minutes", "Minutes ago: a form for each plural category"),
    ("hours", "hours", "Hours ago: a form for each plural category"),
    ("yesterday", "yesterday", "The day before"),
    ("joint", "joints", "What is between a day and a time of day, in quotation marks"),
    ("weekdays", "weekdays", "The days of the week from Sunday on"),
    ("months", "months", "The months of a date"),
    ("monthDay", "monthDays", "A date without a year"),
    ("date", "dates", "A date"),
    ("twelve", "twelveHours", "A time of day with 12 hours"),
    ("twentyFour", "twentyFourHours", "A time of day with 24 hours"),
    ("periods", "periods", "The halves of a day"),
]


def time_value(field, value):
    match value:
        case dict():
            return "; ".join(f"{name}: {value[name]}" for name in CATEGORIES if name in value)
        case list():
            assert not any(";" in name for name in value), field
            return "; ".join(value)
        case _:
            return f'"{value}"' if field == "joint" else value


def time_tables(data):
    for field, name, comment in TIME_TABLES:
        rows = {}
        for row in data["rows"]:
            if field in row:
                rows.setdefault(time_value(field, row[field]), []).append(row["locale"])
        yield from literal(name, comment, ((value, " ".join(locales)) for value, locales in rows.items()))
    yield from literal(
        "hourCycles", "The hours of a day on a clock, 24 or 12, in regions and of languages in a region",
        [("24", data["hours24"]), ("12", data["hours12"])])


def write_tables():
    locales = tree.parse(STORED / "locales.xml")
    times = json.loads((STORED / "times.json").read_text())
    version = times["version"]
    lines = [
        f"// Generated by Data/make-cldr.py from Unicode CLDR {version} in Data/cldr. Do not edit by hand.",
        "",
        "/// The scripts and parents of locales, plural rules, the parts of times, and the regions' hour cycles.",
        "///",
        "/// Each table has the values of locales, as read by `LocaleTable`. In the tables of times, a locale without a row",
        "/// uses the row of the locale that it inherits from; in a pattern, `{d}` is the day of the month, `{M}` the month's",
        "/// name, `{y}` the year, `{h}` the hour, `{mm}` the minute and `{a}` the half of the day; `{dd}` and `{hh}` have two",
        "/// digits.",
        "enum CLDRTables {",
        f'    static let version = "{version}"',
        *locale_tables(locales),
        *plural_tables(),
        *time_tables(times),
        "}",
        "",
    ]
    (SOURCES / "Locales" / "CLDRTables.swift").write_text("\n".join(lines))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        store(shutil.which(sys.argv[1]) or sys.exit(f"{sys.argv[1]}: no such command"))
    write_tables()
