"""Runs the commands in turns, round by round, and checks their results."""

import json
import statistics
from dataclasses import dataclass, field

from children import CommandFailed, call, say


@dataclass
class Entry:
    """One command over one log, and its measurements."""

    name: str
    log: str
    arguments: list
    rounds: int
    # The command prints its result, so standard output is redirected to the result file.
    prints_result: bool = False
    # Entries with the same question must find the same groups; None if the command does not group.
    question: str | None = None
    # Sheaf's own statistics have the result; otherwise the result file is read.
    is_sheaf: bool = False
    # Whether older versions of notifications, which Sheaf's groups leave out, are counted.
    counts_versions: bool = True
    # Whether Sheaf's statistics have the answer; they have only the last one of several snapshots.
    has_statistics: bool = True
    walls: list = field(default_factory=list)
    users: list = field(default_factory=list)
    processor: list = field(default_factory=list)
    peaks: list = field(default_factory=list)
    failure: str | None = None
    groups: int | None = None

    @property
    def wall(self):
        return statistics.median(self.walls) if self.walls else None

    @property
    def user(self):
        """CPU time outside the kernel."""
        return statistics.median(self.users) if self.users else None

    @property
    def cpu(self):
        """CPU time of the process and of the kernel for it."""
        return statistics.median(self.processor) if self.processor else None

    @property
    def peak(self):
        """The highest peak memory of all runs, in MiB."""
        return max(self.peaks) / 1024 if self.peaks else None


@dataclass(frozen=True)
class Answer:
    """The numbers that must be equal in all results."""

    groups: int
    notifications: int


@dataclass(frozen=True)
class Sums:
    """The sums that must be equal in the peers' results. Sheaf leaves out older versions of notifications."""

    weights: int
    arguments: int


def read_result(path):
    groups = notifications = weights = arguments = 0
    with open(path, "rb") as lines:
        for line in lines:
            group = json.loads(line)
            groups += 1
            notifications += int(group["count"])
            # A query that shows only what has changed has no sums.
            weights += int(group.get("total", 0))
            arguments += len(group.get("arguments", []))
    return Answer(groups, notifications), Sums(weights, arguments)


class Contest:
    def __init__(self, folder, measure):
        self.result = folder / "result.ndjson"
        self.statistics = folder / "statistics.json"
        self.figures = folder / "figures"
        self.measure = measure
        self.entries = []
        # By question: Sheaf's answer, and the sums of its first peer.
        self.answers = {}
        self.sums = {}

    def add(self, *arguments, **options):
        entry = Entry(*arguments, **options)
        self.entries.append(entry)
        return entry

    def run(self):
        """Runs each entry once per round, so that other load on the machine affects all of them."""
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
        wall, user, system, peak = self.figures.read_text().split()
        entry.walls.append(float(wall))
        entry.users.append(float(user))
        entry.processor.append(float(user) + float(system))
        entry.peaks.append(int(peak))
        say(f"  {entry.name}, {entry.log}: {float(wall):.2f} s")
        if is_first and entry.question:
            self.check(entry)
        # The largest results are hundreds of MB, so they are not kept until the next run.
        self.result.unlink(missing_ok=True)

    def check(self, entry):
        """Checks a result. Sheaf is first for every question; its numbers are taken from its own statistics."""
        question = entry.question
        if entry.is_sheaf:
            found = json.loads(self.statistics.read_text())
            versions = found["updated"] if entry.counts_versions else 0
            answer, sums = Answer(found["groups"], found["grouped"] + versions), None
            if not entry.has_statistics:
                answer, _ = read_result(self.result)
            expected = self.answers.setdefault(question, answer)
        else:
            answer, sums = read_result(self.result)
            expected = self.answers.get(question)
        entry.groups = answer.groups
        if expected is None:
            raise CommandFailed(f"{entry.name}, {entry.log}: no result from Sheaf to compare with")
        if answer != expected:
            raise CommandFailed(f"{entry.name}, {entry.log}: found {answer}, but Sheaf found {expected}")
        if sums and sums != self.sums.setdefault(question, sums):
            raise CommandFailed(f"{entry.name}, {entry.log}: found {sums}, but others found {self.sums[question]}")
