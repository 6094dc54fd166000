"""Measures decoding alone."""

import statistics

from children import CommandFailed, call


class Decoders:
    """Two single-threaded programs. Each prints the speed and the results of every pass."""

    PASSES = 3

    def __init__(self):
        self.speeds = {"Sheaf": [], "simdjson": []}

    def run(self, sheaf, simdjson, log, folder, rounds):
        printed = folder / "decoded"
        found = {}
        for _ in range(rounds):
            for name, program in (("Sheaf", sheaf), ("simdjson", simdjson)):
                with open(printed, "wb") as written:
                    call([program, log, str(self.PASSES)], stdout=written)
                for line in printed.read_text().splitlines():
                    work, speed = line.rsplit(", ", 1)
                    found[name] = work
                    self.speeds[name].append(float(speed.split()[0]))
        if len(set(found.values())) != 1:
            raise CommandFailed(f"the decoders have different results: {found}")

    def median(self, name):
        return statistics.median(self.speeds[name]) if self.speeds[name] else None

    def best(self, name):
        return max(self.speeds[name], default=None)
