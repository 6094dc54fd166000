"""Replays logs of push notifications with `sheaf` on many machines: on Spark, or in the threads of one machine."""

__version__ = "0.1.0"

from .api import replay
from .executor import Executor, LocalExecutor
from .failures import JobError, PermanentError, TransientError
from .job import JobOptions, JobResult
from .options import ReplayOptions
from .resources import Resources
from .stores import Stores

__all__ = [
    "Executor",
    "JobError",
    "JobOptions",
    "JobResult",
    "LocalExecutor",
    "PermanentError",
    "ReplayOptions",
    "Resources",
    "Stores",
    "TransientError",
    "replay",
]
