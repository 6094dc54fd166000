#!/usr/bin/env python3
"""Generates Sheaf's language tables from CLDR's data: plural rules, and how locales inherit from each other.

    python3 Data/make-cldr.py          generates Swift sources from Data/cldr
    python3 Data/make-cldr.py NODE     first takes the data in Data/cldr from the ICU in NODE, a Node.js executable

ICU is Unicode's own implementation of CLDR. Its data has the plural rules with their samples, word for word as in
CLDR's plurals.xml, and the parents of locales. Likely scripts, and the plural categories that the tests compare with
Sheaf's, are the results of ICU's functions. A build does not need this script: the sources are in the repository, and
tests compare them with Data/cldr.
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


def known_locales():
    """Returns the languages, and the languages in a script, that Sheaf knows from Foundation."""
    source = (SOURCES / "Locales" / "ListTables.swift").read_text()
    table = source.split('static let locales = """')[1].split('"""')[0].replace("\\\n", "")
    return {row.split()[0] for row in table.splitlines() if row.split()}


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


# Sources -------------------------------------------------------------------------------------------------------------


def table(pairs):
    """Yields rows of two columns for a Swift string literal. Long rows are continued on further lines."""
    for pair in pairs:
        lines = textwrap.wrap(" | ".join(pair), WIDTH, break_long_words=False, break_on_hyphens=False)
        yield " \\\n".join("        " + line for line in lines)


def heading(version, names):
    yield f"// Generated by Data/make-cldr.py from Unicode CLDR {version} ({names}). Do not edit by hand."
    yield ""


def write_plurals(version):
    locales = {}
    for element in tree.parse(STORED / "plurals.xml").iter("pluralRules"):
        rules = []
        for rule in element:
            condition = rule.text.split("@")[0].strip()
            if condition:
                rules.append(f"{rule.get('count')}: {condition}")
        locales.setdefault("; ".join(rules), []).extend(element.get("locales").split())
    lines = [
        *heading(version, "plurals.xml"),
        "/// The conditions of CLDR's cardinal plural categories, one row for each distinct set of conditions.",
        "enum CLDRPlurals {",
        f'    static let version = "{version}"',
        "",
        "    /// Conditions in the syntax of UTS #35, part 3 | locales. A number that meets none is `other`.",
        '    static let table = """',
        *table((rules or "none", " ".join(names)) for rules, names in locales.items()),
        '        """',
        "}",
        "",
    ]
    (SOURCES / "Plurals" / "CLDRPlurals.swift").write_text("\n".join(lines))


def write_locales(document, version):
    scripts = {}
    for element in document.iter("likelySubtag"):
        scripts.setdefault(element.get("to").split("_")[1], []).append(element.get("from"))
    parents = [(element.get("parent"), element.get("locales")) for element in document.iter("parentLocale")]
    lines = [
        *heading(version, "locales.xml"),
        "/// The scripts and parents of locales that do not follow from their names.",
        "enum CLDRLocales {",
        "    /// Script | locales whose language is written in this script there, and in another script elsewhere.",
        '    static let scripts = """',
        *table((script, " ".join(names)) for script, names in sorted(scripts.items())),
        '        """',
        "",
        "    /// Parent | locales that inherit from it instead of from their own name without its last part.",
        '    static let parents = """',
        *table(parents),
        '        """',
        "}",
        "",
    ]
    (SOURCES / "Locales" / "CLDRLocales.swift").write_text("\n".join(lines))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        store(shutil.which(sys.argv[1]) or sys.exit(f"{sys.argv[1]}: no such command"))
    locales = tree.parse(STORED / "locales.xml")
    version = locales.find("version").get("cldrVersion")
    write_plurals(version)
    write_locales(locales, version)
