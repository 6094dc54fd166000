"""Defines which tool runs which command over which log."""

from tools import HERE, has_option

# The middle of the logs of 30 days, in milliseconds since 1970.
MIDDLE = 1_768_867_200_000


class Peers:
    """The entries of the table, in the order in which they run."""

    def __init__(self, contest, sheaf, python, logs, rounds, slow_rounds):
        self.contest, self.logs = contest, logs
        result, statistics_ = contest.result, contest.statistics

        def replay(label, sources, question, rounds=rounds, name="Sheaf", options=(), **checks):
            arguments = [sheaf, "replay", "--quiet", *options, "-o", result, "--stats", statistics_, *sources]
            return contest.add(name, label, arguments, rounds, question=question, is_sheaf=True, **checks)

        def inflate(label, sources, program="pigz", options="-dc"):
            return contest.add(f"`{program} {options}`", label, [program, options, *sources], rounds)

        def ask(name, script, label, source, rounds=rounds, mode=None):
            # Without -I, Python would search the folder of the queries before the installed modules.
            arguments = [python, "-I", HERE / script, source, result, *([mode] if mode else [])]
            return contest.add(name, label, arguments, rounds, question=mode or "threads")

        def compare(label, mode, options, **checks):
            entry = replay(label, logs.month, mode, options=options, **checks)
            ask("DuckDB", "ask-duckdb.py", label, logs.month[0], mode=mode)
            ask("ClickHouse", "ask-clickhouse.py", label, logs.month[0], slow_rounds, mode=mode)
            return entry

        def pipe(name, label, command, source):
            arguments = ["bash", "-c", "set -o pipefail; " + command, "-", source, HERE]
            return contest.add(name, label, arguments, slow_rounds, prints_result=True, question="tenth")

        plain, gzip, four = "plain", "one gzip file", "four gzip files"
        self.sheaf_gzip = replay(gzip, logs.gzip, "threads")
        self.sheaf_zlib = None
        if has_option(sheaf, "--inflater"):
            options = ["--inflater", "zlib"]
            self.sheaf_zlib = replay(gzip, logs.gzip, "threads", name="Sheaf, `--inflater zlib`", options=options)
        self.pigz = inflate(gzip, logs.gzip)
        inflate(gzip, logs.gzip, "gzip")
        inflate(gzip, logs.gzip, "igzip")
        inflate(gzip, logs.gzip, "libdeflate-gunzip", "-c")
        self.sheaf_four = replay(four, logs.four, "threads")
        self.pigz_four = inflate(four, logs.four)
        self.sheaf_plain = replay(plain, logs.plain, "threads")
        self.duckdb_plain = ask("DuckDB", "ask-duckdb.py", plain, logs.plain[0])
        self.clickhouse_plain = ask("ClickHouse", "ask-clickhouse.py", plain, logs.plain[0])
        self.polars_plain = ask("Polars", "ask-polars.py", plain, logs.plain[0], slow_rounds)
        self.duckdb_gzip = ask("DuckDB", "ask-duckdb.py", gzip, logs.gzip[0])
        self.clickhouse_gzip = ask("ClickHouse", "ask-clickhouse.py", gzip, logs.gzip[0])
        self.polars_gzip = ask("Polars", "ask-polars.py", gzip, logs.gzip[0], slow_rounds)

        self.month = replay("30 days", logs.month, "month")
        compare("30 days, as of the 15th", f"until={MIDDLE}", ["--until", str(MIDDLE)])
        compare("30 days, newest versions", "updates", [], counts_versions=False)
        self.days = compare("30 days, each day", "days", ["--every", "1d"], has_statistics=False)
        self.hours = replay("30 days, each hour", logs.month, "hours", options=["--every", "1h"])
        self.removals = replay("30 days, 5 % removals", logs.removals, "removals", options=["--removals"])
        options = ["--removals", "--every", "1d"]
        self.removal_days = replay("30 days, 5 % removals, each day", logs.removals, "removals", options=options)
        self.devices = replay("30 days, by device", logs.month, "devices", options=["--by-device"])

        plain, gzip = "a tenth, plain", "a tenth, gzip"
        self.sheaf_tenth_plain = replay(plain, logs.tenth_plain, "tenth")
        self.sheaf_tenth_gzip = replay(gzip, logs.tenth_gzip, "tenth")
        jq = 'jq -nc -f "$2/ask.jq"'
        miller = 'mlr --ijsonl --ojsonl json-parse -f payload then put -q -f "$2/ask.mlr"'
        self.jq_plain = pipe("jq", plain, jq + ' "$1"', logs.tenth_plain[0])
        self.jq_gzip = pipe("jq", gzip, 'pigz -dc "$1" | ' + jq, logs.tenth_gzip[0])
        self.miller_plain = pipe("Miller", plain, miller + ' "$1"', logs.tenth_plain[0])
        self.miller_gzip = pipe("Miller", gzip, 'pigz -dc "$1" | ' + miller, logs.tenth_gzip[0])

        self.few_tenth = replay("a tenth, 200 groups, gzip", logs.few_tenth, "few, a tenth")
        self.few = replay("200 groups, gzip", logs.few, "few")
        self.few_large = None
        if logs.few_large:
            self.few_large = replay("five times, 200 groups, gzip", logs.few_large, "few, five times", slow_rounds)
