"""The screen: its texts, instants, people and details."""

import os
import pathlib
import random
import unittest

from selenium.webdriver.common.keys import Keys

import assemble
from support import DATA, PageTests, folder, generated, line, replayed, snapshot

# The number of generated logs.
LOGS = int(os.environ.get("SHEAF_BROWSER_LOGS", "20"))

HOUR = 3_600_000


def people_of(lines):
    """The name of each person on a page of these lines, with the person's lines."""
    people = {}
    for one in lines:
        people.setdefault(one["device"] if one["device"] is not None else "No device", []).append(one)
    return people


class TextTests(PageTests):
    def test_texts_are_those_of_the_snapshot_for_all_samples(self):
        for sample in sorted((DATA / "samples").iterdir()):
            lines = snapshot(sample / "log.ndjson.gz", "--config", sample / "config.json")
            with self.subTest(sample.name):
                self.open(replayed(lines))
                self.assertGreater(len(lines), 0)
                self.assert_cards(lines)

    def test_texts_are_those_of_the_snapshot_for_generated_logs(self):
        for seed in range(LOGS):
            chance = random.Random(seed)
            log = generated(200, seed, chance.choice([1, 3, 8]))
            options = ["--by-device", "--locale", chance.choice(["en", "de", "ar", "he", "ja", "zh_Hant_TW"])]
            options += chance.choice([[], ["--locked"], ["--profile", "ios15"], ["--delivery"]])
            with self.subTest(seed=seed):
                self.compare_people(log, options)
                self.compare_instants(log, options, chance)

    def compare_people(self, log, options):
        lines = snapshot(log, *options)
        self.open(replayed(lines, locale=options[2]))
        for name, groups in people_of(lines).items():
            self.choose_person(name)
            self.assert_cards(groups, name)

    def compare_instants(self, log, options, chance):
        """What the slider shows at an instant is the snapshot as of that instant."""
        data = replayed(snapshot(log, *options, "--every", "1s"), locale=options[2])
        instants = data["screens"]["instants"]
        self.open(data)
        for index in chance.sample(range(len(instants)), min(2, len(instants))):
            self.set_slider(index)
            until = people_of(snapshot(log, *options, "--until", str(instants[index])))
            for name in people_of(data["screens"]["lines"]):
                self.choose_person(name)
                self.assert_cards(until.get(name, []), name)

    def test_hidden_previews_show_no_text_of_the_notification(self):
        sample = DATA / "samples/vacation"
        lines = snapshot(sample / "log.ndjson.gz", "--config", sample / "config.json")
        self.open(replayed(lines))
        hidden = [one for one in lines if one["display"]["body"] == one["hidden"]["body"]]
        self.assertGreater(len(hidden), 0)
        shown = "\n".join(self.texts("#groups"))
        for one in hidden:
            if one["leading"]["body"]:
                self.assertNotIn(one["leading"]["body"], shown)

    def test_an_empty_screen_says_so(self):
        self.open(replayed([]))
        self.assertTrue(self.find("#empty").is_displayed())
        self.assertEqual(self.cards(), [])

    def test_a_stack_has_edges_only_if_it_has_several_notifications(self):
        self.open(replayed([line(thread="a"), line(thread="b", count=2, total=2)]))
        edges = self.run_script(
            "return [...document.querySelectorAll('.stack')].map((e) => getComputedStyle(e, '::after').content)"
        )
        self.assertEqual(edges, ["none", '""'])

    def test_cards_name_the_app_and_how_long_ago_it_was(self):
        newest = 1_772_694_000_000
        ages = {"now": 30_000, "5 min. ago": 5 * 60_000, "2 hr. ago": 2 * HOUR, "yesterday": 30 * HOUR}
        lines = [line(thread=name, leading={"timestamp": newest - age}) for name, age in ages.items()]
        lines.append(line(thread="long", leading={"timestamp": newest - 900 * HOUR}))
        lines.append(line(thread="none", leading={"timestamp": None}, first=None, last=None))
        self.open(replayed(lines, now=newest))
        self.assertEqual(self.texts(".when"), [*ages, "January 26, 2026"])
        self.assertEqual(set(self.texts(".app")), {"messages"})
        self.assertEqual(self.find(".app").get_attribute("title"), "com.example.messages")

    def test_a_locked_screen_has_a_padlock(self):
        self.open(replayed([line()], locked=True))
        self.assertTrue(self.find("#padlock").is_displayed())
        self.open(replayed([line()]))
        self.assertFalse(self.find("#padlock").is_displayed())

    def test_two_hundred_cards_are_shown_and_more_on_request(self):
        newest = 1_772_694_000_000
        lines = [line(thread=str(index), leading={"timestamp": newest - index}) for index in range(450)]
        self.open(replayed(lines))
        for count in (200, 400, 450):
            self.assertEqual(len(self.cards()), count)
            more = self.find("#more-groups")
            self.assertEqual(more.is_displayed(), count < 450)
            if count < 450:
                self.run_script("arguments[0].click()", more)
                focused = self.run_script("return [...document.querySelectorAll('.card')].indexOf(document.activeElement)")
                self.assertEqual(focused, count)

    def test_data_that_is_cut_off_is_reported(self):
        for text in ('{"version":"0.1.0","screens":{"lines":[', "", "[]", "null"):
            with self.subTest(text):
                self.open_text(assemble.page(text))
                self.assertIn("can’t be read", self.find("#problem").text)

    def test_times_are_in_the_time_zone(self):
        zones = [({"minutes": 0}, "08:00"), ({"minutes": -210}, "04:30"), ({"minutes": 60, "name": "Asia/Tokyo"}, "16:00"),
                 ({"minutes": 60, "name": "No/Such"}, "08:00")]
        start = 1_772_694_000_000  # 07:00 UTC
        for zone, expected in zones:
            with self.subTest(zone):
                data = replayed([line(at=start), line(at=start + HOUR, thread="b")])
                data["timeZone"] = zone
                self.open(data)
                self.set_slider(0 if "name" in zone else 1)
                self.assertTrue(self.find("#instant-text").text.endswith(expected), self.find("#instant-text").text)


class InstantTests(PageTests):
    def setUp(self):
        super().setUp()
        self.log = DATA / "day/log.ndjson"
        self.options = ["--config", DATA / "day/config.json", "--by-device", "--removals"]

    def test_each_instant_shows_the_snapshot_as_of_it(self):
        data = replayed(snapshot(self.log, *self.options, "--every", "15m"))
        self.open(data)
        for index, instant in enumerate(data["screens"]["instants"]):
            self.set_slider(index)
            self.assert_cards(snapshot(self.log, *self.options, "--until", str(instant)), index)

    def test_notifications_that_are_shown_alone_come_and_go_one_by_one(self):
        settings = '{"apps":{"com.example.shop":{"grouping":"off"},"com.example.messages":{"grouping":"off"}}}'
        config = self.write("off.json", settings)
        options = ["--config", config, "--by-device", "--removals"]
        lines = snapshot(self.log, *options, "--every", "15m")
        data = replayed(lines, alone=["com.example.shop", "com.example.messages"])
        self.open(data)
        for index, instant in enumerate(data["screens"]["instants"]):
            self.set_slider(index)
            self.assert_cards(snapshot(self.log, *options, "--until", str(instant)), index)

    def test_notifications_of_one_line_of_a_log_come_and_go_one_by_one(self):
        start = 1_772_694_000_000
        leading = {"timestamp": start, "source": "log.ndjson", "line": 7}
        lines = [line(at=start, leading={**leading, "body": body}) for body in ("a", "b", "c")]
        gone = {"at": start + HOUR, "app": lines[0]["app"], "thread": "thread", "count": 0, "leading": leading}
        data = replayed([*lines, gone, gone], alone=[lines[0]["app"]])
        self.open(data)
        self.assertEqual(len(self.cards()), 1)
        self.set_slider(0)
        self.assertEqual(len(self.cards()), 3)

    def write(self, name, text):
        path = pathlib.Path(folder()) / name
        path.write_text(text, encoding="utf-8")
        return path

    def test_the_slider_and_its_buttons_choose_an_instant(self):
        data = replayed(snapshot(self.log, *self.options, "--every", "1h"))
        last = len(data["screens"]["instants"]) - 1
        self.open(data)
        slider = self.find("#instant")
        self.assertEqual(slider.get_property("value"), str(last))
        self.find("#next").click()
        self.assertEqual(slider.get_property("value"), str(last))
        self.find("#previous").click()
        self.assertEqual(slider.get_property("value"), str(last - 1))
        slider.send_keys(Keys.HOME)
        self.assertEqual(slider.get_property("value"), "0")
        self.assertEqual(self.find("#previous").get_attribute("aria-disabled"), "true")
        self.assertEqual(slider.get_attribute("aria-valuetext"), self.find("#instant-text").text)
        slider.send_keys(Keys.ARROW_RIGHT)
        self.assertEqual(slider.get_property("value"), "1")

    def test_without_instants_there_is_no_slider(self):
        self.open(replayed(snapshot(self.log, *self.options)))
        self.assertFalse(self.find("#time").is_displayed())


class PeopleTests(PageTests):
    def setUp(self):
        super().setUp()
        lines = [
            line(device="ana", app="com.example.mail", leading={"body": "Train at noon"}),
            line(device="ben", app="com.example.shop", leading={"body": "Only TODAY"}),
            line(device="10", leading={"body": "חדשות"}),
            line(device=None, leading={"body": "No one's"}),
        ]
        chosen = [{"device": "10", "reason": "pushes"}, {"device": "ana", "reason": "sample"}]
        self.open(replayed(lines, chosen=chosen, leftOut={"people": 1, "groups": 1200}))

    def search(self, query):
        field = self.find("#query")
        field.clear()
        field.send_keys(query)
        return self.texts(".person-name")

    def test_people_are_searched_by_device_app_and_text(self):
        cases = {"": ["10", "ana", "ben", "No device"], "BEN": ["ben"], "example.mail": ["ana"], "today": ["ben"],
                 "חדש": ["10"], "nothing at all": []}
        for query, expected in cases.items():
            with self.subTest(query):
                self.assertEqual(self.search(query), expected)
        self.assertEqual(self.find("#matches").text, "0 people of 4")

    def test_a_chosen_person_s_screen_is_shown(self):
        self.assertEqual(self.cards(), [["חדשות"]])
        self.choose_person("ana")
        self.assertEqual(self.cards(), [["Train at noon"]])
        self.assertEqual(self.find("#screen-person").text, "ana")
        self.assertEqual(self.find("#screen-counts").text, "1 group, 1 notification")

    def test_the_page_tells_why_people_are_on_it_and_what_was_left_out(self):
        self.assertEqual(self.texts(".reason"), ["most pushes", "sample"])
        self.assertEqual(
            self.find("#screen-left-out").text, "Left out to limit the size of this page: 1 person and 1,200 groups."
        )

    def test_groups_may_be_left_out_without_a_number(self):
        self.open(replayed([line(device="ana")], leftOut={"more": True}))
        self.assertEqual(
            self.find("#screen-left-out").text, "Other groups were left out to limit the size of this page."
        )

    def test_a_hundred_people_are_listed_and_more_on_request(self):
        self.open(replayed([line(device=f"device-{index:03}") for index in range(120)]))
        self.assertEqual(len(self.texts(".person")), 100)
        self.run_script("document.querySelector('#people-list .more').click()")
        self.assertEqual(len(self.texts(".person")), 120)
        self.assertEqual(self.search("device-119"), ["device-119"])

    def test_one_screen_is_searched_by_group(self):
        self.open(replayed([line(thread="a"), line(thread="b", app="com.example.shop", leading={"body": "Sale"})]))
        self.assertFalse(self.find("#people").is_displayed())
        self.find("#query").send_keys("sale")
        self.assertEqual(self.cards(), [["Sale"]])
        self.find("#query").clear()
        self.find("#query").send_keys("x", Keys.BACKSPACE)
        self.assertEqual(len(self.cards()), 2)


class DetailTests(PageTests):
    def test_a_group_opens_into_its_details(self):
        group = line(
            device="ana", count=3, total=5, arguments=["Ben", "Cleo"], argumentsTruncated=True,
            categories=[{"category": None, "count": 1, "weight": 3}, {"category": "MESSAGE", "count": 2, "weight": 2}],
            first=1_772_690_000_000, delivery={"critical": 0, "timeSensitive": 2, "banners": 3, "sounds": 1},
            leading={"source": "logs/a.ndjson", "line": 17, "id": "F00"},
        )
        self.open(replayed([group]))
        card = self.find(".card")
        self.assertEqual(card.get_attribute("aria-expanded"), "false")
        card.click()
        self.assertEqual(card.get_attribute("aria-expanded"), "true")
        facts = dict(zip(self.texts(".details dt"), self.texts(".details dd")))
        without_isolates = {name: value.replace("\u2068", "").replace("\u2069", "") for name, value in facts.items()}
        self.assertEqual(without_isolates, {
            "App": "com.example.messages", "Thread": "thread", "Device": "ana", "Notifications": "3",
            "Total of their weights": "5", "First": "Mar 5, 2026, 05:53:20", "Last": "Mar 5, 2026, 07:00:00",
            "Categories": "none 1, MESSAGE 2", "Leading notification": "logs/a.ndjson:17", "Its identifier": "F00",
            "Summary arguments": "Ben, Cleo, and others", "Delivery": "time sensitive 2, banners 3, sounds 1",
        })
        card.click()
        self.assertFalse(self.find(".details").is_displayed())

    def test_open_groups_stay_open_when_the_time_changes(self):
        start = 1_772_694_000_000
        self.open(replayed([line(at=start), line(at=start + HOUR, thread="b", leading={"timestamp": start + HOUR})]))
        self.run_script("document.querySelectorAll('.card')[1].click()")
        self.set_slider(0)
        self.assertEqual(self.find(".card").get_attribute("aria-expanded"), "true")


if __name__ == "__main__":
    unittest.main()
