"""Makes the pictures of the documentation: pages that the command writes, as a browser shows them.

    gallery.py    writes Documentation/images/*.png
"""

import pathlib
import tempfile

from selenium.webdriver.common.by import By

import support

IMAGES = support.ROOT / "Documentation/images"
DAY = ["Data/day/log.ndjson", "--config", "Data/day/config.json", "--removals", "--delivery"]

# The name of the picture, the command, the element, and the color scheme.
PICTURES = [
    ("podcasts", ["replay", *"Data/samples/podcasts/log.ndjson --config Data/samples/podcasts/config.json".split()],
     "device", "light"),
    ("vacation", ["replay", *"Data/samples/vacation/log.ndjson.gz --config Data/samples/vacation/config.json".split()],
     "device", "dark"),
    ("arabic", ["replay", *"Data/languages/log.ndjson --config Data/languages/config.json --locale ar".split()],
     "device", "light"),
    ("day", ["report", *DAY, "--every", "1h"], "screen", "light"),
    ("measures", ["report", *DAY, "--every", "1h"], "measures", "dark"),
    ("comparison", ["compare", *DAY, "--with", "Data/day/new.json"], "comparison", "light"),
]  # fmt: skip


def main():
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder) / "page.html"
        browser = support.driver()
        for name, arguments, element, scheme in PICTURES:
            support.sheaf(*arguments, "-o", page, "--quiet", expected=(0, 65))
            browser.execute_cdp_cmd(
                "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
            )
            browser.set_window_size(*(support.PHONE if element == "device" else (1000, 900)))
            browser.get(page.as_uri())
            found = browser.find_element(By.ID, element)
            browser.set_window_size(browser.get_window_size()["width"], found.rect["y"] + found.rect["height"] + 200)
            (IMAGES / f"{name}.png").write_bytes(found.screenshot_as_png)
            print(f"{name}: {' '.join(arguments)}")


if __name__ == "__main__":
    main()
