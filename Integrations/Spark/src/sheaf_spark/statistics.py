"""Adds up the statistics of the parts of a snapshot."""

from __future__ import annotations

from typing import Any, Sequence

# A fact about a process, not about the log: the largest is kept.
_MAXIMA = frozenset({"peakResidentBytes"})

# Lists are in the order of these members of their elements, with null first.
_ORDERS = {"badges": ("device", "app"), "counts": ("app", "category", "action")}


def add(parts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Returns the statistics of the whole: counts are added, lists joined, flags are set if they are in any part."""
    total: dict[str, Any] = {}
    for part in parts:
        _add(total, part)
    return total


def _add(total: dict[str, Any], part: dict[str, Any]) -> None:
    for key, value in part.items():
        if key not in total:
            total[key] = _copy(value)
        elif isinstance(value, bool):
            total[key] = total[key] or value
        elif isinstance(value, (int, float)):
            total[key] = max(total[key], value) if key in _MAXIMA else total[key] + value
        elif isinstance(value, dict):
            _add(total[key], value)
        elif isinstance(value, list):
            total[key] += _copy(value)
            if key in _ORDERS:
                total[key].sort(key=lambda element: _sort_key(element, _ORDERS[key]))


def _copy(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _copy(member) for key, member in value.items()}
    return list(value) if isinstance(value, list) else value


def _sort_key(element: dict[str, Any], members: Sequence[str]) -> tuple[bytes, ...]:
    return tuple((element.get(member) or "").encode("utf-8") for member in members)
