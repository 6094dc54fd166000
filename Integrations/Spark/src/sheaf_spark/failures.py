"""The errors of a job, divided by whether another attempt can help."""

from __future__ import annotations

# Exit statuses of the command. The first two come with a complete result.
SUCCESS = 0
REJECTED = 65
RESULTS = frozenset({SUCCESS, REJECTED})

USAGE = 64
MISSING_INPUT = 66
INTERNAL = 70
CANNOT_CREATE = 73
INPUT_OUTPUT = 74
CONFIGURATION = 78

# The same command with the same files fails again with these.
PERMANENT = frozenset({USAGE, MISSING_INPUT, CONFIGURATION})


class JobError(Exception):
    """An error that a caller can show as it is. `status` is the exit status that a command reports for it."""

    def __init__(self, message: str, status: int = INTERNAL) -> None:
        super().__init__(message, status)
        self.message = message
        self.status = status

    def __str__(self) -> str:
        return self.message


class PermanentError(JobError):
    """Another attempt would fail in the same way: it ends the job. Executors must not retry it."""


class TransientError(JobError):
    """Another attempt may succeed, perhaps on another machine. Executors retry it."""
