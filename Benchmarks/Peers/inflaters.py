"""Measures inflating alone, in memory."""

import os
import statistics
from dataclasses import dataclass, field

from children import CommandFailed, call, say


@dataclass
class Inflater:
    """A program that inflates on one core, and its times in seconds, one for each pass."""

    name: str
    arguments: list
    environment: dict | None = None
    users: list = field(default_factory=list)
    walls: list = field(default_factory=list)
    inflated: int | None = None
    failure: str | None = None

    @property
    def user(self):
        return statistics.median(self.users) if self.users else None

    @property
    def wall(self):
        return statistics.median(self.walls) if self.walls else None

    @property
    def speed(self):
        """Inflated bytes per nanosecond of user time."""
        return self.inflated / self.user / 1e9 if self.user else None

    @property
    def best(self):
        return self.inflated / min(self.users) / 1e9 if self.user else None


class Inflaters:
    PASSES = 3

    def __init__(self, sheaf, libraries, with_choice):
        """With `with_choice`, Sheaf is also measured with zlib."""
        self.all = []
        self.sheaf = self.add("Sheaf", [sheaf])
        if with_choice:
            self.add("Sheaf, `SHEAF_INFLATER=zlib`", [sheaf], {**os.environ, "SHEAF_INFLATER": "zlib"})
        self.zlib = self.add("zlib", [libraries, "zlib"])
        self.libdeflate = self.add("libdeflate", [libraries, "libdeflate"])
        self.add("ISA-L", [libraries, "isal"])

    def add(self, *arguments):
        inflater = Inflater(*arguments)
        self.all.append(inflater)
        return inflater

    def run(self, file, folder, rounds):
        """Runs each program once per round, so that other load on the machine affects all of them."""
        for _ in range(rounds):
            for inflater in self.all:
                if not inflater.failure:
                    self.turn(inflater, file, folder / "inflated")
        found = {inflater.name: inflater.inflated for inflater in self.all if inflater.inflated is not None}
        if len(set(found.values())) > 1:
            raise CommandFailed(f"inflating alone: the programs found different numbers of bytes: {found}")

    def turn(self, inflater, file, printed):
        try:
            with open(printed, "wb") as written:
                call([*inflater.arguments, file, str(self.PASSES)], stdout=written, environment=inflater.environment)
        except CommandFailed as error:
            inflater.failure = "failed"
            say(f"{inflater.name}, inflating alone: {error}")
            return
        for line in printed.read_text().splitlines():
            # As in "1000 bytes, 200 us user, 201 us wall".
            inflated, _, user, _, _, wall, _, _ = line.split()
            inflater.inflated = int(inflated)
            inflater.users.append(int(user) / 1e6)
            inflater.walls.append(int(wall) / 1e6)
