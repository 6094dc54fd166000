"""Pages with hostile texts, and what the page may load and run."""

import json
import random
import unittest

import assemble
from support import PageTests, kinds, line, newest_first, replayed, shown_texts

# Hostile texts: markup, script ends, entities, templates, controls of direction, other characters that do harm.
FRAGMENTS = [
    "<script>window.ran=1</script>",
    "</script><script>window.ran=1</script>",
    "<!--<script>",
    "-->",
    "]]>",
    "<img src=x onerror=window.ran=1>",
    "<svg onload=window.ran=1>",
    "<svg><script>window.ran=1</script></svg>",
    "<math><mtext><style><img src=x onerror=window.ran=1>",
    '" onmouseover="window.ran=1',
    "' autofocus onfocus='window.ran=1",
    "\" style=\"position:fixed;inset:0;background:red\" x=\"",
    "<style>*{display:none}</style>",
    "</style></head></html>",
    "<base href=https://example.com/>",
    "<meta http-equiv=refresh content='0;url=https://example.com/'>",
    "<iframe src=https://example.com/></iframe>",
    "<link rel=stylesheet href=https://example.com/x.css>",
    "<form action=https://example.com/><button>",
    "javascript:window.ran=1",
    "data:text/html,<script>window.ran=1</script>",
    "&lt;b&gt;&#60;script&#62;&amp;&nbsp;&quot;",
    "\\u003cscript\\u003e",
    "{{script}}{{data}}{{title}}",
    "${window.ran=1}",
    "__proto__",
    "constructor",
    "toString",
    "\u202e\u202d\u202a\u202b",
    "\u2066\u2067\u2068",
    "\u202c\u2069\u2069",
    "\u200e\u200f\u061c",
    "\u2028\u2029",
    "\u0000\u0001\u001b[31m\u007f",
    "\ud800",
    "\udc00\ud800",
    "\ufeff\ufffe\uffff",
    "e" + "\u0301" * 60,
    "\U0001f468\u200d\U0001f469\u200d\U0001f467" * 20,
    "\u0e2a\u0e35\u0e48" * 100,
    "W" * 600,
    "مرحبا שלום",
    "\r\n\t\v\f" * 30,
    "\u00ad\u200b" * 100,
    "=1+1",
]

PAGES = 25
CARDS = 200

# Compares in the page, because lone surrogates do not survive the way out of the browser.
DIFFERENCES = """
const expected = JSON.parse(arguments[0]);
const cards = [...document.querySelectorAll('#groups .card')];
const actual = cards.map((card) => [...card.children].slice(1).map((text) => text.textContent));
return [cards.length, expected.filter((texts, i) => JSON.stringify(texts) !== JSON.stringify(actual[i])).length];
"""

# What is not as the page makes it: foreign elements, attributes, or boxes outside of their card.
BROKEN = """
const names = 'ol li div button span dl dt dd p bdi'.split(' ');
const found = [];
for (const e of document.querySelectorAll('#device *')) {
  if (e.closest('#padlock')) continue;
  if (!names.includes(e.tagName.toLowerCase())) found.push(e.tagName);
  for (const a of e.attributes) if (/^on|^style$|^src|^href/.test(a.name)) found.push(a.name);
}
for (const e of document.querySelectorAll('script, style, iframe, img, link, base, form, object, embed')) {
  if (!e.matches('head > style, body > script, head > link[rel=icon]')) found.push(e.outerHTML);
}
if (document.scripts.length !== 2) found.push('scripts');
const device = document.getElementById('device').getBoundingClientRect();
for (const item of document.querySelectorAll('#groups > li')) {
  const box = item.getBoundingClientRect();
  if (box.left < device.left || box.right > device.right || box.height > 1500) found.push('box');
  const app = item.querySelector('.app').getBoundingClientRect();
  const when = item.querySelector('.when').getBoundingClientRect();
  if (app.right > when.left + 1 || when.right > box.right) found.push('header');
}
return found;
"""


class HostileTests(PageTests):
    def tearDown(self):
        self.assertIsNone(self.run_script("return window.ran || null"))
        self.assertEqual(self.run_script("return document.title"), "Report")
        super().tearDown()

    def test_five_thousand_hostile_texts_are_only_texts(self):
        chance = random.Random(7)
        for page in range(PAGES):
            lines = [self.hostile_line(chance, page * CARDS + index) for index in range(CARDS)]
            with self.subTest(page=page):
                self.open(self.hostile_data(lines, chance))
                expected = json.dumps(shown_texts(newest_first(lines)))
                self.assertEqual(self.run_script(DIFFERENCES, expected), [CARDS, 0])
                self.run_script("document.querySelectorAll('.card').forEach((card) => card.click())")
                self.assertEqual(self.run_script(BROKEN), [])
                self.assertIsNone(self.run_script("return window.ran || null"))
                self.assert_fits()

    def hostile_text(self, chance):
        return "".join(chance.choice(FRAGMENTS) for _ in range(chance.randint(1, 4)))

    def hostile_line(self, chance, index):
        def text():
            return self.hostile_text(chance)

        leading = {
            "timestamp": 1_772_694_000_000 - index, "id": text(), "title": text(), "subtitle": text(), "body": text(),
            "category": text(), "source": text(), "line": index,
        }
        count = chance.choice([1, 2, 70])
        summary = text() if count > 1 else None
        texts = {name: leading[name] for name in ("title", "subtitle", "body")}
        return line(
            app=text(), thread=text(), count=count, total=count, leading=leading, arguments=[text(), text()],
            summary={"more": count - 1, "text": summary} if summary else None, display={**texts, "summary": summary},
            categories=[{"category": text(), "count": count, "weight": count}],
        )

    def hostile_data(self, lines, chance):
        """A page with hostile texts in all sections."""
        data = replayed(lines, chosen=[{"device": "__proto__", "reason": "constructor"}])
        findings = [
            {"name": self.hostile_text(chance), "severity": "error", "count": 1, "detail": self.hostile_text(chance),
             "first": {"source": self.hostile_text(chance), "line": 1}} for _ in range(20)
        ]
        refused = [{"reason": self.hostile_text(chance), "count": 3} for _ in range(5)]
        data["threads"] = lines[:20]
        data["check"] = {"records": 1, "errors": 1, "warnings": 0, "findings": findings}
        data["statistics"] = {
            "records": 1, "rejected": {"total": 1, self.hostile_text(chance): 1}, "__proto__": 1,
            "refused": {"total": 15, "counts": refused, "others": 1}, self.hostile_text(chance): 1,
        }
        data["command"] = self.hostile_text(chance)
        return data

    def test_hostile_people_are_only_texts(self):
        chance = random.Random(8)
        names = [self.hostile_text(chance) + str(index) for index in range(90)]
        self.open(replayed([line(device=name) for name in names]))
        expected = json.dumps(names)
        same = "return JSON.stringify([...document.querySelectorAll('.person-name')].map((e) => e.textContent)) ==="
        self.assertTrue(self.run_script(same + " JSON.stringify(JSON.parse(arguments[0]))", expected))
        for query in ("<script>", "\\", "(", "[", "\u202e"):
            self.run_script(
                "const field = document.getElementById('query'); field.value = arguments[0];"
                "field.dispatchEvent(new Event('input'));", query
            )
        self.assert_fits()

    def test_a_text_of_a_million_characters_is_cut_off(self):
        for character in ("x", "x ", "\U0001f600", "\u202e", "\n", "א"):
            with self.subTest(character):
                text = character * (1_000_000 // len(character))
                self.open(replayed([line(app=text, thread=text, device=text, leading={"title": text, "body": text})]))
                self.run_script("document.querySelector('.card').click()")
                body = self.run_script("return document.querySelector('.body').textContent")
                self.assertTrue(text.startswith(body[:-1]) and body.endswith("…"))
                self.assertIn(len(body.encode("utf-16-le")) // 2, (10_000, 10_001))
                self.assertEqual(self.run_script(BROKEN), [])
                self.assert_fits()

    def test_times_and_numbers_out_of_range_are_shown_somehow(self):
        extremes = [None, 0, -1, 8.64e15, 9e15, -9e15, 1e308, 1.5]
        lines = [
            line(at=0, thread=str(index), count=2**53, total=2**53, leading={"timestamp": time}, first=time, last=time)
            for index, time in enumerate(extremes)
        ]
        self.open(replayed(lines))
        self.run_script("document.querySelectorAll('.card').forEach((card) => card.click())")
        self.assertEqual(len(self.cards()), len(extremes))
        self.assert_fits()


class PolicyTests(PageTests):
    def test_a_planted_script_does_not_run(self):
        planted = {
            "an element": "<script>window.planted=1</script>",
            "a handler": "<img src=data:, onerror=window.planted=1>",
            "a data address": "<script src='data:text/javascript,window.planted=1'></script>",
            "an address": "<script src='https://example.com/x.js'></script>",
            "a frame": "<iframe srcdoc='<script>parent.planted=1</script>'></iframe>",
        }
        for name, markup in planted.items():
            with self.subTest(name):
                self.open_text(assemble.page(replayed([line()])).replace("<footer>", markup + "<footer>"))
                self.assertIsNone(self.run_script("return window.planted || null"))
                self.assertTrue([message for message in self.messages() if "Content Security Policy" in message])
                self.assertEqual(len(self.cards()), 1)

    def test_what_a_script_plants_does_not_run_either(self):
        self.open(replayed([line()]))
        attempts = [
            "const e = document.createElement('script'); e.textContent = 'window.planted = 1'; document.body.append(e);",
            "const e = document.createElement('button'); e.setAttribute('onclick', 'window.planted = 1');"
            "document.body.append(e); e.click();",
            "const e = document.createElement('a'); e.href = 'javascript:window.planted=1'; document.body.append(e); e.click();",
        ]
        for attempt in attempts:
            self.run_script(attempt)
            self.assertIsNone(self.run_script("return window.planted || null"))
            self.assertTrue(self.messages())

    def test_the_page_can_not_send_anything(self):
        self.open(replayed([line()]))
        refused = self.driver.execute_async_script(
            "const done = arguments[0];"
            "fetch('https://example.com/').then(() => done('sent'), () => done('refused'));"
        )
        self.assertEqual(refused, "refused")
        self.run_script("new Image().src = 'https://example.com/x.png'; navigator.sendBeacon('https://example.com/', 'x')")
        self.assertEqual([url for url in self.requests() if url not in self.pages], [])
        self.assertTrue(self.messages())

    def test_styles_in_markup_have_no_effect(self):
        self.open_text(assemble.page(replayed([line()])).replace("<footer>", '<footer style="display:none">'))
        self.assertTrue(self.find("footer").is_displayed())
        self.assertTrue(self.messages())

    def test_pages_of_all_kinds_request_nothing_and_report_nothing(self):
        for name, data in kinds().items():
            with self.subTest(name):
                self.open(data)
                self.run_script("document.querySelectorAll('button').forEach((one) => one.offsetParent && one.click())")
                self.assertEqual(self.messages(), [])


if __name__ == "__main__":
    unittest.main()
