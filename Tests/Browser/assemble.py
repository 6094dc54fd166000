#!/usr/bin/env python3
"""Makes a report from a data object, in the same way as the command does.

    assemble.py DATA.json PAGE.html

Tests use it for data that no log leads to. `page` takes the data as an object, or as the text between the tags.
"""

import base64
import hashlib
import html
import json
import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "Sources/CPage/page"


def source(name):
    return (FOLDER / name).read_text(encoding="utf-8")


def encoded(data):
    """The data as JSON that can't end the element that contains it."""
    return json.dumps(data, ensure_ascii=True, separators=(",", ":")).replace("<", "\\u003c")


def digest(text):
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def page(data, title="Report", lang="en"):
    style, script = source("page.css"), source("page.js")
    values = {
        "lang": lang,
        "title": html.escape(title),
        "styleHash": digest(style),
        "scriptHash": digest(script),
        "style": style,
        "script": script,
        "data": data if isinstance(data, str) else encoded(data),
    }
    # In one pass, so that no value is searched for placeholders.
    return re.sub(r"\{\{(\w+)\}\}", lambda match: values[match[1]], source("page.html"))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: assemble.py DATA.json PAGE.html")
    with open(sys.argv[1], encoding="utf-8") as file:
        made = page(json.load(file))
    pathlib.Path(sys.argv[2]).write_text(made, encoding="utf-8")
