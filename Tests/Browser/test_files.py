"""The page's files: format, lint, size, and what they may not contain."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

import assemble

# `eslint` of Debian finds its modules only here if another Node.js is installed.
ENVIRONMENT = {**os.environ, "NODE_PATH": "/usr/share/nodejs"}

RULES = {
    "no-undef": 2,
    "no-unused-vars": 2,
    "no-var": 2,
    "no-shadow": 2,
    "no-eval": 2,
    "no-implied-eval": 2,
    "no-console": 2,
    "no-param-reassign": 2,
    "prefer-const": 2,
    "eqeqeq": 2,
    "strict": [2, "global"],
    "max-len": [2, 100],
    "complexity": [2, 10],
    "max-depth": [2, 3],
    "max-params": [2, 4],
    "max-lines-per-function": [2, 45],
    "no-use-before-define": [2, "nofunc"],
}


class FileTests(unittest.TestCase):
    def test_the_three_files_have_at_most_60_kilobytes(self):
        sizes = [len(assemble.source(name).encode()) for name in ("page.html", "page.css", "page.js")]
        self.assertLessEqual(sum(sizes), 68_000, sizes)

    def test_each_placeholder_occurs_once_in_the_template(self):
        names = ["lang", "title", "styleHash", "scriptHash", "style", "script", "data"]
        self.assertEqual(re.findall(r"\{\{(\w+)\}\}", assemble.source("page.html")), [
            "lang", "scriptHash", "styleHash", "title", "style", "data", "script",
        ])
        for name in ("page.css", "page.js"):
            for placeholder in names:
                self.assertNotIn("{{" + placeholder + "}}", assemble.source(name))

    def test_style_and_script_do_not_end_their_elements(self):
        for name in ("page.css", "page.js"):
            self.assertNotRegex(assemble.source(name).lower(), r"</style|</script|<!--|<script")

    def test_the_script_makes_no_markup_and_no_requests(self):
        forbidden = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment|" \
            r"fetch\(|XMLHttpRequest|WebSocket|EventSource|sendBeacon|import\(|localStorage|sessionStorage|\beval\b"
        self.assertNotRegex(assemble.source("page.js"), forbidden)

    def test_the_markup_has_no_styles_handlers_or_addresses(self):
        markup = assemble.source("page.html")
        self.assertNotRegex(markup, r"\sstyle=|\son\w+=|https?:|//")
        self.assertNotRegex(assemble.source("page.css"), r"url\(|@import|@font-face")

    def test_files_are_formatted(self):
        try:
            import cssbeautifier
            import jsbeautifier
        except ImportError:
            self.skipTest("jsbeautifier and cssbeautifier are not installed")
        for name, module in (("page.js", jsbeautifier), ("page.css", cssbeautifier)):
            options = module.default_options()
            options.indent_size = 2
            options.wrap_line_length = 100
            options.end_with_newline = True
            text = assemble.source(name)
            self.assertEqual(module.beautify(text, options), text, name)

    @unittest.skipUnless(shutil.which("eslint"), "eslint is not installed")
    def test_the_script_has_no_lint(self):
        run = subprocess.run(
            ["eslint", "--no-eslintrc", "--parser-options=ecmaVersion:2020", "--env", "browser,es2020", "--rule",
             json.dumps(RULES),
             "page.js"],
            capture_output=True, encoding="utf-8", cwd=assemble.FOLDER, env=ENVIRONMENT, check=False,
        )
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    @unittest.skipUnless(shutil.which("tidy"), "tidy is not installed")
    def test_the_page_is_valid_html(self):
        with tempfile.NamedTemporaryFile("w", suffix=".html", encoding="utf-8") as file:
            file.write(assemble.page({}))
            file.flush()
            run = subprocess.run(
                ["tidy", "-quiet", "-errors", "--drop-empty-elements", "no", file.name],
                capture_output=True, encoding="utf-8", check=False,
            )
        self.assertEqual((run.returncode, run.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
