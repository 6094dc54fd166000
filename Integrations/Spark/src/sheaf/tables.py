"""The command's results as Arrow tables. Columns have the names of its JSON, and do not depend on the data."""

from __future__ import annotations

import json
from contextlib import AbstractContextManager
from typing import IO, Any, Callable, Iterable, Sequence

try:
    import pyarrow
    import pyarrow.json
except ImportError as error:
    raise ImportError(f"tables need pyarrow ({error}): pip install 'sheaf-spark[tables]'") from error

# Of no type: the stubs of pyarrow don't unite its types.
_TEXT: Any = pyarrow.string()
_NUMBER: Any = pyarrow.int64()
_REAL: Any = pyarrow.float64()
_TIME: Any = pyarrow.timestamp("ms", tz="UTC")

# A line must be shorter: most are below 1 KiB, and the arguments of a group are limited.
_BLOCK = 16 << 20

_SHOWN: list[Any] = [("title", _TEXT), ("subtitle", _TEXT), ("body", _TEXT)]
_SUMS: list[Any] = [("count", _NUMBER), ("weight", _NUMBER)]
_LEVELS = ("critical", "timeSensitive", "active", "passive", "banners", "sounds", "mutable")

GROUPS = pyarrow.schema(
    [
        ("at", _TIME),
        ("device", _TEXT),
        ("app", _TEXT),
        ("thread", _TEXT),
        ("count", _NUMBER),
        ("total", _NUMBER),
        ("leading", pyarrow.struct(
            [("id", _TEXT), ("timestamp", _TIME), *_SHOWN, ("category", _TEXT), ("source", _TEXT), ("line", _NUMBER)]
        )),
        ("summary", pyarrow.struct([("more", _NUMBER), ("text", _TEXT)])),
        ("arguments", pyarrow.list_(_TEXT)),
        ("argumentsTruncated", pyarrow.bool_()),
        ("hidden", pyarrow.struct(_SHOWN)),
        ("display", pyarrow.struct([*_SHOWN, ("summary", _TEXT)])),
        ("categories", pyarrow.list_(pyarrow.struct([("category", _TEXT), *_SUMS]))),
        ("otherCategories", pyarrow.struct(_SUMS)),
        ("first", _TIME),
        ("last", _TIME),
        ("delivery", pyarrow.struct([(name, _NUMBER) for name in _LEVELS])),
    ]
)  # fmt: skip

FINDINGS = pyarrow.schema(
    [
        ("name", _TEXT),
        ("severity", _TEXT),
        ("count", _NUMBER),
        ("first", pyarrow.struct([("source", _TEXT), ("line", _NUMBER), ("offset", _NUMBER)])),
        ("detail", _TEXT),
    ]
)

_SIDES: Any = pyarrow.struct([("now", _NUMBER), ("new", _NUMBER)])
_DISTRIBUTION: Any = pyarrow.struct(
    [("people", _NUMBER), ("zero", _NUMBER), ("sum", _NUMBER), ("mean", _REAL)]
    + [(name, _NUMBER) for name in ("p50", "p90", "p95", "p99", "max")]
)

DIFFERENCES = pyarrow.schema(
    [
        ("app", _TEXT),
        ("groups", _SIDES),
        ("notifications", _SIDES),
        ("kept", _NUMBER),
        ("split", _NUMBER),
        ("merged", _NUMBER),
        ("only", _SIDES),
        ("texts", pyarrow.struct([("leading", _NUMBER), ("summary", _NUMBER)])),
        ("measures", pyarrow.list_(
            pyarrow.struct([("measure", _TEXT), ("now", _DISTRIBUTION), ("new", _DISTRIBUTION)])
        )),
    ]
)  # fmt: skip

# Columns of measures that are not whole numbers.
_OF_MEASURES = {
    "at": _TIME, "mean": _REAL, **dict.fromkeys(("device", "app", "category", "level", "measure"), _TEXT),
}  # fmt: skip


def groups(lines: AbstractContextManager[IO[bytes]]) -> pyarrow.Table:
    """Reads a snapshot."""
    return _table(lines, lambda _: GROUPS)


def measures(lines: AbstractContextManager[IO[bytes]]) -> pyarrow.Table:
    """Reads measures, whose columns follow from the options that they were made with; every line has all of them."""
    return _table(lines, lambda names: pyarrow.schema([(name, _OF_MEASURES.get(name, _NUMBER)) for name in names]))


def findings(report: dict[str, Any]) -> pyarrow.Table:
    return _rows(report.get("findings", []), FINDINGS)


def differences(report: dict[str, Any]) -> pyarrow.Table:
    return _rows([*([report["all"]] if "all" in report else []), *report.get("apps", [])], DIFFERENCES)


def _rows(rows: Iterable[dict[str, Any]], schema: pyarrow.Schema) -> pyarrow.Table:
    return pyarrow.Table.from_pylist(list(rows), schema=schema)


def _table(
    lines: AbstractContextManager[IO[bytes]], schema_of: Callable[[Sequence[str]], pyarrow.Schema]
) -> pyarrow.Table:
    """Reads lines with the schema that the names of the first line's members lead to."""
    with lines as stream:
        first = stream.readline()
        schema = schema_of(list(json.loads(first)) if first else [])
        if not first:
            return schema.empty_table()
        rest: Any = _Rest(first, stream)
        parsed = pyarrow.json.read_json(
            rest,
            read_options=pyarrow.json.ReadOptions(block_size=_BLOCK),
            parse_options=pyarrow.json.ParseOptions(
                explicit_schema=pyarrow.schema([(field.name, _parsed(field.type)) for field in schema]),
                unexpected_field_behavior="error",
            ),
        )
    return pyarrow.table([_typed(parsed[field.name], field.type) for field in schema], schema=schema)


class _Rest:
    """A stream with its first line put back."""

    closed = False

    def __init__(self, first: bytes, stream: IO[bytes]) -> None:
        self._first = first
        self._stream = stream

    def read(self, size: int = -1) -> bytes:
        if not self._first:
            return self._stream.read(size)
        end = size if size >= 0 else len(self._first)
        first, self._first = self._first[:end], self._first[end:]
        return first + self._stream.read() if size < 0 else first

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        """Leaves the stream open: its owner closes it."""


def _parsed(kind: Any) -> Any:
    """The type of a column as it is in JSON, where a time is a number of milliseconds."""
    if pyarrow.types.is_timestamp(kind):
        return _NUMBER
    if pyarrow.types.is_struct(kind):
        return pyarrow.struct([(field.name, _parsed(field.type)) for field in kind])
    return kind


def _typed(column: Any, kind: Any) -> Any:
    if column.type == kind:
        return column
    return pyarrow.chunked_array([_typed_chunk(chunk, kind) for chunk in column.chunks], type=kind)


def _typed_chunk(array: Any, kind: Any) -> Any:
    if array.type == kind:
        return array
    if not pyarrow.types.is_struct(kind):
        return array.cast(pyarrow.timestamp("ms")).cast(kind)
    members = [_typed_chunk(array.field(index), field.type) for index, field in enumerate(kind)]
    return pyarrow.StructArray.from_arrays(members, fields=list(kind), mask=array.is_null())
