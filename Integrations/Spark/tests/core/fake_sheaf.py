"""Stands in for `sheaf` in tests of jobs: a record is a line, and the snapshot is all lines in their order.

SHEAF_FAKE names a folder. A file `COMMAND=STATUS=ANY` there is a fault: the next run of that command claims it and ends
with the status, or by the signal if it is negative. The fault `COMMAND=block=ANY` writes the process id to the FIFO
`started` and waits for a signal. The fault `COMMAND=note=ANY` reports a damaged source and a warning; the command goes on,
and a merge then ends with the status 65. If there is a file `calls`, each command adds a line with its arguments.
"""

import json
import os
import signal
import sys
from pathlib import Path


def claim(command):
    folder = os.environ.get("SHEAF_FAKE", "")
    for name in sorted(os.listdir(folder)) if folder else []:
        if name.startswith(command + "="):
            try:
                os.rename(f"{folder}/{name}", f"{folder}/claimed={name}={os.getpid()}")
            except FileNotFoundError:
                continue
            return name.split("=")[1]
    return None


def value(option):
    return sys.argv[sys.argv.index(option) + 1] if option in sys.argv else None


def inputs(start):
    """The arguments before the first option."""
    found = []
    for argument in sys.argv[start:]:
        if argument.startswith("-"):
            break
        found.append(argument)
    return found


def load(path):
    with open(path) as file:
        return json.load(file)


def save(path, content):
    with open(path, "w") as file:
        json.dump(content, file)


def records_of(paths):
    """The records of partial results, or the keys of samples."""
    return sorted(record for path in paths for record in load(path)["records"])


def fault(command):
    kind = claim(command)
    if kind is None:
        return False
    if kind == "block":
        with open(os.environ["SHEAF_FAKE"] + "/started", "w") as file:
            file.write(f"{os.getpid()}\n")
        signal.pause()
    if kind == "note":
        sys.stderr.write("sheaf: a source is damaged\nsheaf: warning: a note\n")
        return True
    status = int(kind)
    sys.stderr.write(f"sheaf: a fault: {'No space left on device' if status == 74 else status}\n")
    sys.stderr.flush()
    if status < 0:
        os.kill(os.getpid(), -status)
    sys.exit(status)


def note_call():
    path = os.environ.get("SHEAF_FAKE", "") + "/calls"
    if os.path.exists(path):
        with open(path, "a") as file:
            file.write(json.dumps(sys.argv[1:]) + "\n")


def read():
    fault(sys.argv[1])
    records = []
    if "--keyed" in sys.argv:
        for line in sys.stdin:
            ordinal, number, text = line.rstrip("\n").split("\t", 2)
            records.append([text, int(ordinal), int(number)])
        save(value("--partial"), {"range": None, "records": records})
        return
    for line in Path(value("--sources-from")).read_text().splitlines():
        source = json.loads(line)
        if not os.path.exists(source["path"]):
            sys.stderr.write(f"sheaf: {source['source']}: no such file or directory\n")
            sys.exit(66)
        for number, text in enumerate(Path(source["path"]).read_text().splitlines()):
            records.append([text, source["ordinal"], number])
    save(value("--partial"), {"range": None, "records": records})
    if value("--rejects"):
        with open(value("--rejects"), "w") as file:
            file.writelines(record[0] + "\n" for record in records if record[0].startswith("bad"))


def merge():
    is_damaged = fault("merge")
    records = records_of(inputs(2))
    if value("--partial"):
        save(value("--partial"), {"range": load(inputs(2)[0])["range"], "records": records})
        return
    with open(value("-o"), "w") as file:
        file.writelines(record[0] + "\n" for record in records)
    if not value("--stats"):
        return
    rejected = sum(record[0].startswith("bad") for record in records)
    save(
        value("--stats"),
        {
            "records": len(records),
            "rejected": {"total": rejected},
            "seconds": 1.5,
            "peakResidentBytes": len(records),
            "sourceErrors": [],
        },
    )
    sys.exit(65 if rejected or is_damaged else 0)


def partial():
    verb = sys.argv[2]
    fault(verb)
    records = records_of(inputs(3))
    if verb == "keys":
        keys = sorted({record[0] if isinstance(record, list) else record for record in records})
        count = int(value("--partitions") or 0)
        cuts = [keys[len(keys) * n // count] for n in range(1, count)] if count else None
        save(value("-o"), {"records": keys} if cuts is None else cuts)
        return
    if verb == "measure":
        save(value("-o"), {"range": None, "records": records})
        return
    cuts = load(value("--ranges"))
    folder, suffix = value("--partial-dir"), ".zst" if "--zstd" in sys.argv else ""
    for number in range(len(cuts) + 1):
        inside = [record for record in records if sum(cut <= record[0] for cut in cuts) == number]
        if verb == "split":
            for kind, odd in (("groups", 1), ("identities", 0)):
                some = [record for record in inside if record[1] % 2 == odd]
                save(f"{folder}/{kind}-{number:05}.partial{suffix}", {"range": number, "records": some})
        else:
            lowest = min(load(path)["range"] for path in inputs(3))
            save(f"{folder}/newest-{number:05}-{lowest:05}.partial{suffix}", {"range": number, "records": inside})


if __name__ == "__main__":
    if "--version" in sys.argv:
        print("0.0.0-fake")
    elif "--help" in sys.argv:
        print("--sources-from --keyed --partial\n  measure  Measure.\n  partial  Divide partial results.")
    elif sys.argv[2] == "-" and "--keyed" not in sys.argv:
        # A trial of the options, which reads nothing.
        pass
    else:
        note_call()
        compare = read if value("--sources-from") else merge
        {"replay": read, "measure": read, "compare": compare, "merge": merge, "partial": partial}[sys.argv[1]]()
