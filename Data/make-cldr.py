#!/usr/bin/env python3
"""Makes what Sheaf knows of languages out of CLDR's data: plural rules, and which locale stands for which.

    python3 Data/make-cldr.py             Data/cldr to Swift sources
    python3 Data/make-cldr.py FOLDER      first CLDR's `common` folder to Data/cldr, then the same

FOLDER is where a CLDR release was unpacked, or /usr/share/unicode/cldr/common of Debian's unicode-cldr-core.
plurals.xml is copied as it is. Of likelySubtags.xml and supplementalData.xml, which are large, locales.xml has the few
elements that are used. A build needs none of this: the sources are in the repository, and a test compares them with
Data/cldr.
"""

import pathlib
import re
import sys
import textwrap
import xml.etree.ElementTree as tree

ROOT = pathlib.Path(__file__).resolve().parent.parent
STORED = ROOT / "Data" / "cldr"
SOURCES = ROOT / "Sources" / "SheafText"
# Of a row's line: the sources' 110 without the indentation and a continuation.
WIDTH = 100


# Data/cldr -----------------------------------------------------------------------------------------------------------


def store(common):
    supplemental = common / "supplemental"
    (STORED / "plurals.xml").write_bytes((supplemental / "plurals.xml").read_bytes())
    definition = (common / "dtd" / "ldmlSupplemental.dtd").read_text()
    version = re.search(r'<!ATTLIST version cldrVersion CDATA #FIXED "([^"]+)"', definition).group(1)

    likely = {
        element.get("from"): element.get("to")
        for element in tree.parse(supplemental / "likelySubtags.xml").iter("likelySubtag")
    }

    def script(locale):
        return likely[locale].split("_")[1] if locale in likely else None

    def is_other_script(locale):
        language, *rest = locale.split("_")
        is_region = len(rest) == 1 and len(rest[0]) < 4
        return language != "und" and is_region and script(language) not in (None, script(locale))

    lines = ['<?xml version="1.0" encoding="UTF-8" ?>', "<supplementalData>"]
    lines.append(f'    <version cldrVersion="{version}"/>')
    lines.append("    <!-- Regions where a language is written in another script than elsewhere. -->")
    lines.append("    <likelySubtags>")
    for locale in sorted(filter(is_other_script, likely)):
        lines.append(f'        <likelySubtag from="{locale}" to="{likely[locale]}"/>')
    lines += ["    </likelySubtags>", "    <parentLocales>"]
    for element in tree.parse(supplemental / "supplementalData.xml").find("parentLocales"):
        lines.append(
            f'        <parentLocale parent="{element.get("parent")}" locales="{element.get("locales")}"/>')
    lines += ["    </parentLocales>", "</supplementalData>", ""]
    (STORED / "locales.xml").write_text("\n".join(lines))


# Sources -------------------------------------------------------------------------------------------------------------


def table(pairs):
    """Rows of two columns as one Swift string, a long row over several lines."""
    for pair in pairs:
        lines = textwrap.wrap(" | ".join(pair), WIDTH, break_long_words=False, break_on_hyphens=False)
        yield " \\\n".join("        " + line for line in lines)


def heading(version, names):
    yield f"// Made by Data/make-cldr.py from Unicode CLDR {version}: {names}. Not to be edited by hand."
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
        "/// The conditions of CLDR's cardinal plural categories, one row for each distinct set of them.",
        "enum CLDRPlurals {",
        f'    static let version = "{version}"',
        "",
        "    /// Conditions, in the syntax of Unicode's report 35, part 3, | locales. What none holds for is `other`.",
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
        *heading(version, "likelySubtags.xml, supplementalData.xml"),
        "/// Which locales are written in which script, and inherit from which locale, where their names don't say it.",
        "enum CLDRLocales {",
        "    /// Script | regions where a language is written in it, and elsewhere in another.",
        '    static let scripts = """',
        *table((script, " ".join(names)) for script, names in sorted(scripts.items())),
        '        """',
        "",
        "    /// Parent | locales that inherit from it, and not from what is left without their last part.",
        '    static let parents = """',
        *table(parents),
        '        """',
        "}",
        "",
    ]
    (SOURCES / "Locales" / "CLDRLocales.swift").write_text("\n".join(lines))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        store(pathlib.Path(sys.argv[1]))
    document = tree.parse(STORED / "locales.xml")
    version = document.find("version").get("cldrVersion")
    write_plurals(version)
    write_locales(document, version)
