"""Runs `sheaf` on this machine, with results as Arrow tables: for notebooks, pandas, Polars and DuckDB.

For example:

    import sheaf

    groups = sheaf.replay("logs", by_device=True, until="2026-03-05")
    groups.to_pandas()
"""

from .functions import check, compare, measure, read_groups, read_measures, replay
from .running import SheafError

__all__ = ["SheafError", "check", "compare", "measure", "read_groups", "read_measures", "replay"]
