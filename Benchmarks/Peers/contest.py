"""The rounds in which commands take turns, and what is checked of their results."""

import json
import statistics
from dataclasses import dataclass, field

from children import CommandFailed, call, say


@dataclass
class Entry:
    """One command over one log, and what was measured of it."""

    name: str
    log: str
    arguments: list
    rounds: int
    # Standard output goes to the result's file: the command does not write it itself.
    prints_result: bool = False
    # Entries of one question have the same groups; none is asked where nothing is grouped.
    question: str | None = None
    walls: list = field(default_factory=list)
    processor: list = field(default_factory=list)
    peaks: list = field(default_factory=list)
    failure: str | None = None
    groups: int | None = None

    @property
    def wall(self):
        return statistics.median(self.walls) if self.walls else None

    @property
    def cpu(self):
        return statistics.median(self.processor) if self.processor else None

    @property
    def peak(self):
        """The highest of all runs, in MiB."""
        return max(self.peaks) / 1024 if self.peaks else None


@dataclass(frozen=True)
class Answer:
    """What must agree of all results."""

    groups: int
    notifications: int


@dataclass(frozen=True)
class Sums:
    """What must agree of the peers' results: Sheaf leaves out the older versions of a notification."""

    weights: int
    arguments: int


def read_result(path):
    groups = notifications = weights = arguments = 0
    with open(path, "rb") as lines:
        for line in lines:
            group = json.loads(line)
            groups += 1
            notifications += int(group["count"])
            weights += int(group["total"])
            arguments += len(group["arguments"])
    return Answer(groups, notifications), Sums(weights, arguments)


class Contest:
    def __init__(self, folder, measure):
        self.result = folder / "result.ndjson"
        self.statistics = folder / "statistics.json"
        self.figures = folder / "figures"
        self.measure = measure
        self.entries = []
        # By question: what Sheaf found, and what its first peer did.
        self.answers = {}
        self.sums = {}

    def add(self, *arguments, **options):
        entry = Entry(*arguments, **options)
        self.entries.append(entry)
        return entry

    def run(self):
        """One run of each, then the next round: what else the machine does meets all of them."""
        for number in range(max(entry.rounds for entry in self.entries)):
            say(f"round {number + 1}")
            for entry in self.entries:
                if number < entry.rounds and not entry.failure:
                    self.turn(entry, number == 0)

    def turn(self, entry, is_first):
        self.result.unlink(missing_ok=True)
        try:
            with open(self.result if entry.prints_result else "/dev/null", "wb") as written:
                call([self.measure, self.figures, *entry.arguments], stdout=written, name="it")
        except CommandFailed as error:
            entry.failure = "failed"
            say(f"{entry.name}, {entry.log}: {error}")
            return
        wall, processor, peak = self.figures.read_text().split()
        entry.walls.append(float(wall))
        entry.processor.append(float(processor))
        entry.peaks.append(int(peak))
        say(f"  {entry.name}, {entry.log}: {float(wall):.2f} s")
        if is_first and entry.question:
            self.check(entry)
        # Not kept until the next run: the largest are hundreds of MB.
        self.result.unlink(missing_ok=True)

    def check(self, entry):
        """Sheaf comes first in every question. It says itself what it found; its peers' results are read."""
        question = entry.question
        if entry.name == "Sheaf":
            found = json.loads(self.statistics.read_text())
            # Notifications that were updated in place are in no group of Sheaf's, but the queries count them.
            answer, sums = Answer(found["groups"], found["grouped"] + found["updated"]), None
            expected = self.answers.setdefault(question, answer)
        else:
            answer, sums = read_result(self.result)
            expected = self.answers.get(question)
        entry.groups = answer.groups
        if expected is None:
            raise CommandFailed(f"{entry.name}, {entry.log}: there is no result of Sheaf's to compare with")
        if answer != expected:
            raise CommandFailed(f"{entry.name}, {entry.log}: found {answer}, but Sheaf {expected}")
        if sums and sums != self.sums.setdefault(question, sums):
            raise CommandFailed(f"{entry.name}, {entry.log}: found {sums}, but others {self.sums[question]}")
