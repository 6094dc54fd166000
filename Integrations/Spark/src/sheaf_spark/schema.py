"""Snapshots, measures and comparisons as DataFrames."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from .failures import USAGE, PermanentError
from .options import CommandOptions, CompareOptions, MeasureOptions, ReplayOptions
from .store import AnyPath, join, name_of
from .workspace import TABLE

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.types import DataType, StructType


# Those that Spark has, and that other packages are known for. Spark may have more of them.
_TABLE_FORMATS = ("parquet", "orc", "json", "csv", "text", "avro", "delta", "iceberg", "hudi")

# In the order in which `sheaf measure --cells` writes them.
_MEASURES = (
    "pushes", "updates", "removed", "suppressed", "refused", "banners", "sounds", "opened", "dismissed", "actions",
    "groups", "notifications", "largest", "buried",
)  # fmt: skip


def schema(options: CommandOptions = ReplayOptions()) -> StructType:
    """Returns the schema of the lines that a job with these options writes.

    A snapshot has the same columns whatever the options are; those that depend on one are null without it. The columns
    of measures follow from `per`, `quantiles` and `cells`. Raises `PermanentError` for wrong quantiles. A comparison has a
    row for all apps, without a name, and one for each app that differs.
    """
    if isinstance(options, CompareOptions):
        return _of_comparison()
    return _of_measures(options) if isinstance(options, MeasureOptions) else _of_snapshot()


def _of_measures(options: MeasureOptions) -> StructType:
    from pyspark.sql.types import DoubleType, LongType, StringType

    text, number = StringType(), LongType()
    part = {options.per: text} if options.per in ("category", "level") else {}
    if options.cells:
        return _record(at=number, device=text, app=text, **part, **dict.fromkeys(_MEASURES, number))
    sums = {"people": number, "zero": number, "sum": number, "mean": DoubleType()}
    quantiles = dict.fromkeys(options.quantile_names(), number)
    return _record(at=number, app=text, **part, measure=text, **sums, **quantiles, max=number)


def _of_comparison() -> StructType:
    from pyspark.sql.types import ArrayType, DoubleType, LongType, StringType

    text, number = StringType(), LongType()
    sides = _record(now=number, new=number)
    quantiles = dict.fromkeys(("p50", "p90", "p95", "p99"), number)
    values = _record(people=number, zero=number, sum=number, mean=DoubleType(), **quantiles, max=number)
    difference = _record(people=number, sum=number, **quantiles, max=number)
    return _record(
        app=text,
        groups=sides,
        notifications=sides,
        kept=number,
        split=number,
        merged=number,
        only=sides,
        texts=_record(leading=number, summary=number),
        measures=ArrayType(_record(measure=text, now=values, new=values, difference=difference)),
    )


def _of_snapshot() -> StructType:
    from pyspark.sql.types import ArrayType, BooleanType, LongType, StringType

    text, number = StringType(), LongType()
    shown = {"title": text, "subtitle": text, "body": text}
    sums = {"count": number, "weight": number}
    levels = ("critical", "timeSensitive", "active", "passive", "banners", "sounds", "mutable")
    return _record(
        at=number,
        device=text,
        app=text,
        thread=text,
        count=number,
        total=number,
        leading=_record(id=text, timestamp=number, **shown, category=text, source=text, line=number),
        summary=_record(more=number, text=text),
        arguments=ArrayType(text),
        argumentsTruncated=BooleanType(),
        hidden=_record(**shown),
        display=_record(**shown, summary=text),
        categories=ArrayType(_record(category=text, **sums)),
        otherCategories=_record(**sums),
        first=number,
        last=number,
        delivery=_record(**dict.fromkeys(levels, number)),
    )


def _record(**members: DataType) -> StructType:
    from pyspark.sql.types import StructType

    result = StructType()
    for name, kind in members.items():
        result.add(name, kind)
    return result


def read(spark: Any, output: AnyPath, options: CommandOptions = ReplayOptions()) -> DataFrame:
    """Reads the result of a job with these options and the format `ndjson`, or `json` for a comparison.

    Spark skips statistics and other names with `_`. Raises what `schema` raises.
    """
    if isinstance(options, CompareOptions):
        from pyspark.sql import functions
        from pyspark.sql.types import ArrayType

        row = schema(options)
        report = spark.read.schema(_record(all=row, apps=ArrayType(row))).json(join(name_of(output), "part-*.json"))
        rows = report.select(functions.explode(functions.expr("concat(array(`all`), apps)")).alias("row"))
        compared: DataFrame = rows.select("row.*")
        return compared
    frame: DataFrame = spark.read.schema(schema(options)).json(join(name_of(output), "part-*.ndjson"))
    return frame


def to_dataframe(spark: Any, output: AnyPath, options: CommandOptions = ReplayOptions()) -> DataFrame:
    """Reads the result like `read`, with times as timestamps instead of milliseconds since 1970.

    Whatever Spark writes can be made of it: `to_dataframe(spark, "groups").write.parquet("table")`.
    """
    from pyspark.sql import functions

    frame = read(spark, output, options)

    def time(name: str) -> Any:
        return functions.expr(f"timestamp_millis({name})")

    for name in ("at", "first", "last"):
        if name in frame.columns:
            frame = frame.withColumn(name, time(name))
    if "leading" in frame.columns:
        leading = functions.col("leading").withField("timestamp", time("leading.timestamp"))
        frame = frame.withColumn("leading", leading)
    return frame


def check_table_options(table: str, options: CommandOptions) -> None:
    """Checks the format of a table without Spark, which takes a while to start.

    Raises `PermanentError` if it is nearly that of a known one, or the result is not in lines that Spark can read.
    """
    readable = "json" if isinstance(options, CompareOptions) else "ndjson"
    if options.format != readable:
        raise PermanentError(f"--table reads the parts as {readable}: leave out --format {options.format}", USAGE)
    if table.lower() not in _TABLE_FORMATS:
        for near in get_close_matches(table.lower(), _TABLE_FORMATS, 1, cutoff=0.75):
            raise PermanentError(f"--table {table}: Spark has no such format, did you mean {near}?", USAGE)


def check_table(spark: Any, table: str, options: CommandOptions) -> None:
    """Raises `PermanentError` for what `check_table_options` finds, and if Spark has no such format."""
    check_table_options(table, options)
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException

    sources = spark._jvm.org.apache.spark.sql.execution.datasources.DataSource
    try:
        sources.lookupDataSource(table, spark._jsparkSession.sessionState().conf())
    except (Py4JJavaError, PySparkException) as error:
        raise PermanentError(
            f"--table {table}: Spark has no such format: parquet and orc are built in, others come with --packages",
            USAGE,
        ) from error


def write_table(spark: Any, output: str, table: str, options: CommandOptions) -> None:
    """Writes the result of a job as a table next to its parts, in place of an earlier one."""
    to_dataframe(spark, output, options).write.mode("overwrite").format(table).save(join(output, TABLE))
