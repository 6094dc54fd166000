"""Generates the logs to replay. They have the same bytes on every machine."""

import shutil

from children import CommandFailed, call, say

# Disk space per record in bytes: three plain logs, three compressed logs, and the largest result.
BYTES_PER_RECORD = 3_300
LARGE_BYTES_PER_RECORD = 5 * 140


class Logs:
    """The files of each log, in a folder that is renamed into place when all files are complete."""

    def __init__(self, sheaf, folder, records, with_large):
        self.records = records
        self.tenth = max(1, records // 10)
        self.sheaf = sheaf
        self.folder = folder / f"logs-{records}"
        self.make(self.folder, BYTES_PER_RECORD, self.make_usual)
        if with_large:
            self.make(folder / f"logs-{records}-large", LARGE_BYTES_PER_RECORD, self.make_large)
        in_folder = self.folder.joinpath
        self.gzip = [in_folder("log.ndjson.gz")]
        self.plain = [in_folder("log.ndjson")]
        self.four = [in_folder(f"four-{number}.ndjson.gz") for number in range(1, 5)]
        self.tenth_gzip = [in_folder("tenth.ndjson.gz")]
        self.tenth_plain = [in_folder("tenth.ndjson")]
        self.month = [in_folder("month.ndjson")]
        self.removals = [in_folder("removals.ndjson")]
        self.few = [in_folder("few.ndjson.gz")]
        self.few_tenth = [in_folder("few-tenth.ndjson.gz")]
        self.few_large = [folder / f"logs-{records}-large" / "few.ndjson.gz"] if with_large else None

    def make_usual(self, folder):
        self.generate(folder / "log.ndjson", self.records)
        self.generate(folder / "log.ndjson.gz", self.records)
        self.generate(folder / "four.ndjson.gz", self.records, "--files", "4")
        self.generate(folder / "month.ndjson", self.records, "--days", "30")
        self.generate(folder / "removals.ndjson", self.records, "--days", "30", "--removals", "0.05")
        # A shorter generated log is a prefix of a longer one.
        self.generate(folder / "tenth.ndjson", self.tenth)
        self.generate(folder / "tenth.ndjson.gz", self.tenth)
        self.generate(folder / "few.ndjson.gz", self.records, threads=0)
        self.generate(folder / "few-tenth.ndjson.gz", self.tenth, threads=0)

    def make_large(self, folder):
        self.generate(folder / "few.ndjson.gz", 5 * self.records, threads=0)

    def generate(self, path, records, *options, threads=50_000):
        call([self.sheaf, "generate", "--quiet", "--records", str(records), "--seed", "1", "--apps", "200",
              "--thread-ids", str(threads), *options, "-o", path])

    def make(self, folder, bytes_per_record, fill):
        if folder.exists():
            return
        check_space(folder.parent, self.records * bytes_per_record)
        say(f"generating {folder.name}")
        unfinished = folder.with_name(folder.name + ".unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir()
        fill(unfinished)
        unfinished.rename(folder)


def check_space(folder, needed):
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise CommandFailed(f"{folder}: {free >> 20} MiB free, but {needed >> 20} MiB needed: use another --folder")
