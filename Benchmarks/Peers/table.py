"""Formats the table: each run, then the ratios to compare with the targets."""

import os
import platform


def heading(versions, records, rounds, slow_rounds):
    return f"""\
{records:,} generated records, medians of {rounds} interleaved rounds ({slow_rounds} for Polars, jq and Miller). \
{os.cpu_count()} cores, {processor()}.
{versions}.
"""


HEADINGS = ["run", "log", "wall s", "user s", "CPU s", "peak MiB", "in comparison"]


def table(peers, inflaters, decoders, records):
    rows = [HEADINGS, ["---", "---", *["---:"] * 5]]
    rows += [entry_row(entry, peers) for entry in peers.contest.entries]
    rows += [inflater_row(inflater) for inflater in inflaters.all] if inflaters else []
    for name in decoders.speeds:
        speeds = [f"{figure:.2f}" for figure in (decoders.median(name), decoders.best(name)) if figure]
        compared = f"{speeds[0]} GB/s, best {speeds[1]}" if speeds else "failed"
        rows.append([f"{name}, decoding alone, one core", "a tenth, in memory", "", "", "", "", compared])
    rows += ratios(peers, inflaters, decoders, records)
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def entry_row(entry, peers):
    if entry.failure:
        return [entry.name, entry.log, entry.failure, "", "", "", ""]
    compared = ""
    sheaf = next((other for other in peers.contest.entries if other.name == "Sheaf" and other.log == entry.log), None)
    if entry is not sheaf:
        compared = times(entry.wall, sheaf and sheaf.wall, "Sheaf")
    figures = [f"{entry.wall:.2f}", f"{entry.user:.2f}", f"{entry.cpu:.2f}", f"{entry.peak:.0f}"]
    return [entry.name, entry.log, *figures, compared]


def inflater_row(inflater):
    run = [f"{inflater.name}, inflating alone, one core", "one gzip file, in memory"]
    if inflater.failure:
        return [*run, inflater.failure, "", "", "", ""]
    compared = f"{inflater.speed:.2f} GB/s, best {inflater.best:.2f}"
    return [*run, f"{inflater.wall:.2f}", f"{inflater.user:.2f}", "", "", compared]


def ratios(peers, inflaters, decoders, records):
    """Sheaf's targets. For times and memory, a ratio above 1 means that Sheaf takes more than the other tool."""
    fastest = min((entry for entry in (peers.duckdb_gzip, peers.clickhouse_gzip) if entry.wall),
                  key=lambda entry: entry.wall, default=None)

    def time(text, ours, theirs, of):
        return ratio(text, times(ours.wall, theirs and theirs.wall, of))

    def inflating(than):
        speeds = (inflaters.sheaf.speed, getattr(inflaters, than).speed) if inflaters else (None, None)
        return ratio("inflating alone, speed by user time", times(*speeds, than))

    def growth(text, smaller, larger):
        if not (smaller and larger and smaller.wall and larger.wall):
            return []
        taken = f"{larger.wall / smaller.wall:.1f} × the time, {larger.peak / smaller.peak:.2f} × the memory"
        return [ratio(text, taken)]

    tenth, large = f"{records // 10:,}", f"{5 * records:,}"
    rows = [inflating("zlib"), inflating("libdeflate")]
    if peers.sheaf_zlib:
        cpu = times(peers.sheaf_gzip.cpu, peers.sheaf_zlib.cpu, peers.sheaf_zlib.name)
        rows.append(ratio("CPU time, one gzip file", cpu))
    rows += [
        time("one gzip file", peers.sheaf_gzip, peers.pigz, "`pigz -dc`"),
        time("four gzip files", peers.sheaf_four, peers.pigz_four, "`pigz -dc`"),
        time("plain", peers.sheaf_plain, peers.duckdb_plain, "DuckDB"),
        *(time(f"30 days, {name}", entry, peers.month, "the last snapshot alone") for name, entry in (
            ("each day", peers.days), ("each hour", peers.hours), ("5 % removals", peers.removals),
            ("5 % removals, each day", peers.removal_days), ("by device", peers.devices))),
        time("one gzip file, the faster of DuckDB and ClickHouse", peers.sheaf_gzip, fastest,
             fastest.name if fastest else ""),
        ratio("CPU time, plain", seconds(peers.sheaf_plain.cpu)),
        ratio("decoding alone, speed", times(decoders.median("Sheaf"), decoders.median("simdjson"), "simdjson")),
        ratio(f"peak memory, {peers.sheaf_gzip.groups or 0:,} groups", mebibytes(peers.sheaf_gzip)),
        ratio(f"peak memory, {peers.few.groups or 0:,} groups", mebibytes(peers.few)),
    ]
    rows += growth(f"growth from {tenth} to {records:,} records, the same groups", peers.few_tenth, peers.few)
    rows += growth(f"growth from {records:,} to {large} records, the same groups", peers.few, peers.few_large)
    return rows


def ratio(text, compared):
    return [f"**{text}**", "", "", "", "", "", compared]


def times(ours, theirs, of):
    return f"{ours / theirs:.2f} × {of}" if ours and theirs else "not measured"


def seconds(time):
    return f"{time:.2f} s" if time else "not measured"


def mebibytes(entry):
    return f"{entry.peak:.0f} MiB" if entry.peak else "not measured"


def processor():
    """The processor's name: on Linux its model, elsewhere what Python knows."""
    try:
        with open("/proc/cpuinfo") as lines:
            return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()
