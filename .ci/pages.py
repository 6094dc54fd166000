"""Finds the files of the repository, and reads the links and headings of pages, for the scripts in this folder."""
import re, subprocess
from collections import namedtuple

# `start` and `end` are offsets in the text of the page; `target` is what the parentheses hold.
Link = namedtuple("Link", "text target start end line")

FENCED = re.compile(r"^ {0,3}(```+|~~~+)[^\n]*\n.*?(?:^ {0,3}\1[ \t]*$|\Z)", re.M | re.S)
INDENTED = re.compile(r"(?:\A|(?<=\n\n))(?: {4}[^\n]*\n|\n(?= {4}))+")
CODE = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.S)
LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^()\s]+)\)")
HEADING = re.compile(r"^(#{1,6}) +(.*?) *#* *$", re.M)

def blank(match):
    """Spaces in place of a match, so that the offsets of the remaining text stay the same."""
    return re.sub(r"[^\n]", " ", match.group())

def without_blocks(text): return INDENTED.sub(blank, FENCED.sub(blank, text))

def links(text):
    """Returns the links of a page, without those in code."""
    prose = CODE.sub(blank, without_blocks(text))
    # The text of a link may contain code, so it is taken from the page itself.
    return [Link(text[m.start(1):m.end(1)], m.group(2), m.start(), m.end(), text.count("\n", 0, m.start()) + 1)
            for m in LINK.finditer(prose)]

def headings(text):
    """Returns the headings of a page, as written."""
    return [m.group(2) for m in HEADING.finditer(without_blocks(text))]

def plain(heading): return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").replace("*", "")

def anchors(text):
    """Returns the anchor that GitHub gives each heading, with the heading as DocC names it in a link."""
    found, counts = {}, {}
    for heading in map(plain, headings(text)):
        slug = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        count = counts.get(slug, 0)
        counts[slug] = count + 1
        found[f"{slug}-{count}" if count else slug] = re.sub(r"\s+", "-", heading)
    return found

def tracked(root):
    """Returns the files that are tracked, or would be after `git add`."""
    # In a container, the checkout may belong to another user, which git refuses unless it is named as safe.
    command = ["git", "-c", f"safe.directory={root}", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=root, capture_output=True, check=True).stdout.decode().split("\0")
    return [path for path in (root / name for name in sorted(set(names)) if name) if path.is_file()]
