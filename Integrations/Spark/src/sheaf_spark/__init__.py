"""Replays, measures and compares logs of push notifications with `sheaf` on many machines: on Spark, or in the threads of one machine."""

__version__ = "0.1.0"

from .api import check, compare, measure, replay
from .check import Finding, Report
from .dataframe import from_dataframe, with_positions
from .executor import Executor, LocalExecutor
from .failures import JobError, PermanentError, TransientError
from .job import JobOptions, JobResult
from .options import CompareOptions, MeasureOptions, ReplayOptions
from .resources import Resources
from .schema import read, schema, to_dataframe
from .stores import Stores

__all__ = [
    "CompareOptions",
    "Executor",
    "Finding",
    "JobError",
    "JobOptions",
    "JobResult",
    "LocalExecutor",
    "MeasureOptions",
    "PermanentError",
    "ReplayOptions",
    "Report",
    "Resources",
    "Stores",
    "TransientError",
    "check",
    "compare",
    "from_dataframe",
    "measure",
    "read",
    "replay",
    "schema",
    "to_dataframe",
    "with_positions",
]
