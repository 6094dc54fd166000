"""Layout, directions, accessibility and keyboard."""

import unittest

from axe_selenium_python import Axe
from selenium.webdriver.common.keys import Keys

from support import DATA, DESKTOP, PHONE, PageTests, kinds, line, replayed, snapshot

WIDTHS = (360, 390, 768, 1024, 1440)

LANGUAGES = DATA / "languages"


def in_language(locale, **members):
    lines = snapshot(LANGUAGES / "log.ndjson", "--config", LANGUAGES / "config.json", "--locale", locale)
    return replayed(lines, locale=locale, **members)


class WidthTests(PageTests):
    def test_no_page_scrolls_sideways(self):
        long = "W" * 3000
        wide = replayed([
            line(device=long, app=long, thread=long, count=2, arguments=[long],
                 leading={"title": long, "subtitle": long, "body": long, "source": long, "id": long}),
            line(device="b"),
        ])
        wide["threads"] = wide["screens"]["lines"]
        wide["command"] = long
        for name, data in {**kinds(), "long texts": wide, "ar": in_language("ar"), "he": in_language("he")}.items():
            for width in WIDTHS:
                with self.subTest(name, width=width):
                    self.emulate((width, 800))
                    self.open(data)
                    self.run_script("document.querySelectorAll('.card').forEach((card, i) => i < 20 && card.click())")
                    self.assert_fits()

    def test_headings_are_in_order_and_landmarks_are_there(self):
        for name, data in kinds().items():
            with self.subTest(name):
                self.open(data)
                levels = self.run_script(
                    "return [...document.querySelectorAll('h1, h2, h3')].filter((e) => e.offsetParent)"
                    "  .map((e) => Number(e.tagName[1]))"
                )
                self.assertEqual(levels[:2], [1, 2])
                self.assertTrue(all(after <= before + 1 for before, after in zip(levels, levels[1:])), levels)
                for landmark in ("header", "main", "footer"):
                    self.assertEqual(len(self.find_all(landmark)), 1)

    def test_long_texts_are_clamped(self):
        self.open(replayed([line(leading={"title": "title " * 200, "body": "body\n" * 800})]))
        height = self.run_script("return document.querySelector('.card').getBoundingClientRect().height")
        self.assertLess(height, 250)


class ColorTests(PageTests):
    def test_colors_follow_the_system(self):
        backgrounds = {}
        for scheme in ("light", "dark"):
            self.emulate(scheme=scheme)
            self.open(replayed([line()]))
            backgrounds[scheme] = self.run_script(
                "return ['body', '.card', 'main > section'].map((selector) => {"
                "  const color = getComputedStyle(document.querySelector(selector)).backgroundColor;"
                "  return color.match(/[0-9]+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0); })"
            )
        self.assertGreater(min(backgrounds["light"]), 3 * 200)
        self.assertLess(max(backgrounds["dark"]), 3 * 60)

    def test_nothing_moves_if_motion_is_reduced(self):
        feature = {"name": "prefers-reduced-motion", "value": "reduce"}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
        self.open(replayed([line()]))
        moving = self.run_script(
            "return [...document.querySelectorAll('*')].filter((e) =>"
            "  getComputedStyle(e).transitionDuration !== '0s' || getComputedStyle(e).animationName !== 'none').length"
        )
        self.assertEqual(moving, 0)


class DirectionTests(PageTests):
    def test_the_screen_is_mirrored_for_languages_from_right_to_left(self):
        for locale, direction in {"en": "ltr", "ar": "rtl", "he": "rtl", "fa_IR": "rtl", "ur": "rtl", "az_Arab": "rtl",
                                  "zh_Hant_TW": "ltr", "not a locale": "ltr"}.items():
            with self.subTest(locale):
                self.open(replayed([line()], locale=locale))
                self.assertEqual(self.find("#device").get_attribute("dir"), direction)
                icon, when = (self.find(selector).rect["x"] for selector in (".icon", ".when"))
                self.assertEqual(icon > when, direction == "rtl")
                self.assertNotEqual(self.find("html").get_attribute("dir"), "rtl")

    def test_texts_in_arabic_and_hebrew_are_those_of_the_snapshot(self):
        for locale in ("ar", "he"):
            data = in_language(locale)
            self.open(data)
            self.assertEqual(self.find("#device").get_attribute("lang"), locale)
            self.assert_cards(data["screens"]["lines"])

    def test_each_text_has_its_own_direction(self):
        texts = {"title": "שלום", "subtitle": "Hello", "body": "مرحبا"}
        for locale in ("en", "ar"):
            self.open(replayed([line(leading=texts)], locale=locale))
            directions = self.run_script(
                "return ['title', 'subtitle', 'body'].map((name) =>"
                "  getComputedStyle(document.querySelector('.' + name)).direction)"
            )
            self.assertEqual(directions, ["rtl", "ltr", "rtl"])

    def test_an_override_does_not_reach_other_texts(self):
        plain = [line(thread="a", leading={"title": "Title", "body": "Body"})]
        hostile = [line(thread="a", leading={"title": "Title", "subtitle": "\u202e\u2067\u2066\u202d", "body": "Body"})]
        places = []
        for lines in (plain, hostile):
            self.open(replayed(lines))
            places.append([self.text_box(name)["x"] for name in ("app", "when", "title", "body")])
        self.assertEqual(places[0], places[1])

    def text_box(self, name):
        return self.run_script(
            "const range = document.createRange(); range.selectNodeContents(document.querySelector('.' + arguments[0]));"
            "const box = range.getBoundingClientRect(); return {x: box.x, width: box.width}", name
        )


class AccessibilityTests(PageTests):
    def test_axe_finds_no_violation(self):
        pages = {**kinds(), "ar": in_language("ar", locked=True), "empty": replayed([])}
        for name, data in pages.items():
            for scheme, size in (("light", PHONE), ("dark", DESKTOP), ("light", DESKTOP)):
                with self.subTest(name, scheme=scheme, size=size):
                    self.emulate(size, scheme)
                    self.open(data)
                    self.run_script("document.querySelectorAll('.card').forEach((card, i) => i < 3 && card.click())")
                    axe = Axe(self.driver)
                    axe.inject()
                    violations = axe.run()["violations"]
                    found = [(one["id"], [node["html"][:200] for node in one["nodes"][:3]]) for one in violations]
                    self.assertEqual(found, [])

    def test_texts_on_the_wallpaper_have_contrast(self):
        """Axe does not know colors on gradients: white has 4.5:1 on each color that the wallpapers have."""
        for scheme in ("light", "dark"):
            self.emulate(scheme=scheme)
            for locked in (False, True):
                self.open(replayed([], locked=locked))
                image = self.run_script("return getComputedStyle(document.getElementById('device')).backgroundImage")
                colors = [part.split(")")[0] for part in image.split("rgb(")[1:]]
                self.assertEqual(len(colors), 3)
                for color in colors:
                    channels = [int(channel) / 255 for channel in color.split(",")]
                    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
                    luminance = sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear))
                    self.assertGreaterEqual(1.05 / (luminance + 0.05), 4.5, color)


class KeyboardTests(PageTests):
    """The page by keyboard alone, from its first element to its last."""

    def focused(self):
        """The focused element, described by its id, class or name."""
        return self.run_script(
            "const e = document.activeElement;"
            "return e.id || e.className || (e.name ? e.name : e.tagName.toLowerCase())"
        )

    def focus_is_visible(self):
        return self.run_script(
            "const visible = (e) => { const style = getComputedStyle(e);"
            "  return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2; };"
            "const e = document.activeElement; return visible(e) || (e.closest('label') && visible(e.closest('label')))"
        )

    def tab_to(self, name, limit=40):
        for _ in range(limit):
            self.keys(Keys.TAB)
            self.assertTrue(self.focus_is_visible(), self.focused())
            if self.focused() == name:
                return
        self.fail(f"{name} can't be reached, only {self.focused()}")

    def test_everything_can_be_reached_and_used(self):
        start = 1_772_694_000_000
        lines = [
            line(at=start, device="ana", leading={"body": "One"}),
            line(at=start, device="ben", leading={"body": "Two"}),
            line(at=start + 1000, device="ana", thread="b", leading={"body": "Three", "timestamp": start + 500}),
        ]
        data = replayed(lines)
        data["threads"] = lines
        self.open(data)
        self.keys(Keys.TAB)
        self.assertEqual(self.focused(), "skip")
        self.assertGreaterEqual(self.find(".skip").rect["y"], 0)
        self.keys(Keys.ENTER)
        self.assertEqual(self.focused(), "content")
        self.tab_to("previous")
        self.keys(Keys.ENTER)
        self.assertEqual(self.cards(), [["One"]])
        self.tab_to("instant")
        self.keys(Keys.ARROW_RIGHT)
        self.assertEqual(self.cards(), [["Three"], ["One"]])
        self.tab_to("query")
        self.keys("two")
        self.assertEqual(self.texts(".person-name"), ["ben"])
        self.tab_to("person")
        self.keys(Keys.SPACE)
        self.assertEqual(self.cards(), [["Two"]])
        self.tab_to("card")
        self.keys(Keys.ENTER)
        self.assertTrue(self.find(".details").is_displayed())
        self.keys(Keys.SPACE)
        self.assertFalse(self.find(".details").is_displayed())
        self.tab_to("table-box")
        self.keys(Keys.TAB)
        self.assertEqual(self.run_script("return document.activeElement.firstChild.data"), "Copy as CSV")
        self.assertTrue(self.focus_is_visible())

    def test_arrow_keys_choose_the_person(self):
        self.open(replayed([line(device=name, leading={"body": name}) for name in ("ana", "ben", "cleo")]))
        self.tab_to("person")
        self.keys(Keys.ARROW_DOWN)
        self.assertEqual(self.cards(), [["ben"]])
        self.keys(Keys.ARROW_DOWN)
        self.assertEqual(self.cards(), [["cleo"]])


if __name__ == "__main__":
    unittest.main()
