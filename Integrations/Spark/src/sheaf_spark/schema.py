"""Snapshots as DataFrames."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .store import join

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.types import StructType


def schema() -> StructType:
    """Returns the schema of a snapshot's lines. Columns that depend on an option are null without it."""
    from pyspark.sql.types import ArrayType, BooleanType, DataType, LongType, StringType, StructType

    def record(**members: DataType) -> StructType:
        result = StructType()
        for name, kind in members.items():
            result.add(name, kind)
        return result

    text, number = StringType(), LongType()
    shown = {"title": text, "subtitle": text, "body": text}
    sums = {"count": number, "weight": number}
    levels = ("critical", "timeSensitive", "active", "passive", "banners", "sounds", "mutable")
    return record(
        at=number,
        device=text,
        app=text,
        thread=text,
        count=number,
        total=number,
        leading=record(id=text, timestamp=number, **shown, category=text, source=text, line=number),
        summary=record(more=number, text=text),
        arguments=ArrayType(text),
        argumentsTruncated=BooleanType(),
        hidden=record(**shown),
        display=record(**shown, summary=text),
        categories=ArrayType(record(category=text, **sums)),
        otherCategories=record(**sums),
        first=number,
        last=number,
        delivery=record(**{name: number for name in levels}),
    )


def read(spark: Any, output: str) -> DataFrame:
    """Reads the result of a replay with the format `ndjson`. Spark skips statistics and other names with `_`."""
    frame: DataFrame = spark.read.schema(schema()).json(join(output, "part-*.ndjson"))
    return frame
