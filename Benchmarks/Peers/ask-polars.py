"""ask-polars.py LOG OUTPUT: summarizes the notifications of each app and thread with Polars."""

import sys

import polars as pl
from polars import col, lit, when

log, output = sys.argv[1:]

NAMES = ["timestamp", "ts", "app", "topic", "bundle-id", "Simulator Target Bundle", "apns-push-type", "push-type"]
# A text column accepts a payload that is an object as well as one that was logged as a string, which it decodes.
COLUMNS = {name: pl.String for name in NAMES + ["payload", "aps"]} | {
    "headers": pl.Struct({"apns-topic": pl.String, "apns-push-type": pl.String})
}
ALERT = pl.Struct(
    {"title": pl.String, "title-loc-key": pl.String, "summary-arg": pl.String, "summary-arg-count": pl.Int32}
)
PAYLOAD = pl.Struct({"aps": pl.Struct({"thread-id": pl.String, "alert": ALERT})})


def header(name):
    return col("headers").struct.field(name)


def milliseconds(time):
    date = time.str.to_datetime("%Y-%m-%dT%H:%M:%S%.f%#z", time_unit="ms", strict=False).dt.epoch("ms")
    seconds = (time.cast(pl.Float64, strict=False) * 1000).round().cast(pl.Int64)
    return (
        when(time.str.contains("-", literal=True)).then(date)
        .when(time.str.contains(".", literal=True)).then(seconds)
        .otherwise(time.cast(pl.Int64, strict=False))
    )


# A payload is decoded into a struct in a single pass, but only if the alert is an object: the few alerts that are plain
# texts can't become a struct. The pattern does not match inside a text, where the quotes would have backslashes.
has_fields = col("payload").str.contains(r'"alert"\s*:\s*\{')
aps = when(has_fields).then("payload").str.json_decode(PAYLOAD).struct.field("aps")
plain_thread = when(~has_fields).then("payload").str.json_path_match("$.aps['thread-id']")
alert = col("aps").struct.field("alert").struct

notifications = (
    pl.scan_ndjson(log, schema=COLUMNS)
    .filter(pl.coalesce("apns-push-type", "push-type", header("apns-push-type"), lit("alert")) == "alert")
    .select(
        pl.coalesce("app", "topic", "bundle-id", header("apns-topic"), "Simulator Target Bundle").alias("app"),
        milliseconds(pl.coalesce("timestamp", "ts")).alias("milliseconds"),
        pl.coalesce("payload", pl.concat_str(lit('{"aps":'), "aps", lit("}"))).alias("payload"),
    )
    .select("app", "milliseconds", aps.alias("aps"), plain_thread.alias("plain"))
    .select(
        "app", "milliseconds",
        pl.coalesce(col("aps").struct.field("thread-id"), "plain").alias("thread"),
        pl.coalesce(alert.field("title"), alert.field("title-loc-key")).alias("title"),
        alert.field("summary-arg").alias("argument"),
        alert.field("summary-arg-count").fill_null(1).alias("weight"),
    )
)
groups = notifications.group_by("app", "thread").agg(
    pl.len().alias("count"),
    col("weight").sum().alias("total"),
    col("title").get(col("milliseconds").arg_max()).alias("title"),
    col("argument").drop_nulls().unique().alias("arguments"),
)
groups.sink_ndjson(output)
