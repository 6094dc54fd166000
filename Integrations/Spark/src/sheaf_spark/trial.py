"""Tries the options of a job before it reads or writes anything."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from typing import Callable, Optional

from . import bundle
from .command import Command, MissingCommand
from .executor import Executor
from .options import CommandOptions
from .resources import Resources
from .scratch import Scratch

Arguments = Callable[[CommandOptions], list[str]]


@dataclass(frozen=True)
class Trial:
    """Runs the command with the options of a job, but without records: it finds their errors."""

    command: Command
    options: CommandOptions
    arguments: Arguments
    """Returns a command and the arguments for some options. It can be pickled."""
    resources: Resources
    packed: Optional[bytes] = field(default=None, repr=False)
    """The files of the driver, for another machine."""

    def __call__(self, _: int = 0) -> None:
        """Raises `PermanentError` for an error in the options, and `MissingCommand` without a command."""
        if self.packed is None:
            self._run(self.options)
        else:
            with Scratch(self.resources.folders) as scratch:
                self._run(bundle.unpack(self.packed, scratch.path / "bundle", self.options))

    def _run(self, options: CommandOptions) -> None:
        self.command.run([*self.arguments(options), *self.resources.limits(), "--quiet", "-o", os.devnull])


def succeeds_here(trial: Trial) -> bool:
    """Runs a trial on this machine. Returns false if it has no command, so that another machine must run it."""
    try:
        trial()
    except MissingCommand:
        return False
    return True


def run_trial(executor: Executor, trial: Trial, packed: Optional[bundle.Bundle]) -> None:
    """Runs a trial here, or on a machine of the executor. Raises what `Trial` raises."""
    if not succeeds_here(trial):
        executor.map(replace(trial, packed=None if packed is None else packed.content), [0])
