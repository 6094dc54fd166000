#!/usr/bin/env python3
"""Generates Data/damaged: small logs with one error or oddity each, and expected.json, the results of replaying them.

    python3 Data/make-damaged.py

The expected results follow from how each file is made, never from a replay of it: from the offsets of its fields, the
lines that are complete before the damage, and the threads of these lines. Nothing here is random. Another version of
zlib may compress the same logs to other bytes with other offsets; expected.json always matches the files written with
it.
"""

import hashlib
import json
import pathlib
import zlib

FOLDER = pathlib.Path(__file__).resolve().parent / "damaged"
APP = "com.example.ferry"
THREADS = 9
MAXIMUM_LINE = 1 << 20
MAXIMUM_DEPTH = 128

expected = {}


# Records -------------------------------------------------------------------------------------------------------------


def digest(number):
    return hashlib.sha256(f"record {number}".encode()).hexdigest()


def record(number, **changes):
    """Returns a good record as a dictionary. `changes` replace its members; None removes a member."""
    fields = {
        "timestamp": 1772784000000 + number * 61_000,
        "topic": APP,
        "device-token": hashlib.sha256(b"the device").hexdigest(),
        "apns-id": digest(number)[:32],
        "apns-push-type": "alert",
        "payload": {
            "aps": {
                "alert": {"title": f"Line {number % THREADS + 1}", "body": f"Departure {number + 1} is on time"},
                "thread-id": f"line/{number % THREADS + 1}",
            }
        },
    }
    fields.update({name.replace("_", "-"): value for name, value in changes.items()})
    return {name: value for name, value in fields.items() if value is not None}


def line(fields):
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode()


def good(*numbers):
    """Returns good lines, each with its LF."""
    return b"".join(line(record(number)) + b"\n" for number in numbers)


def padded(number, length):
    """Returns a good line of exactly `length` bytes."""
    fields = record(number)
    alert = fields["payload"]["aps"]["alert"]
    alert["body"] += " " + "…and so on " * 5
    alert["body"] += "." * (length - len(line(fields)))
    assert len(line(fields)) == length
    return line(fields)


def nested(number, depth):
    """Returns a line with `depth` levels, including those of the record and its payload."""
    fields = record(number)
    fields["payload"]["route"] = "HERE"
    lists = depth - 2
    return line(fields).replace(b'"HERE"', b"[" * lists + b"]" * lists)


# gzip members (RFC 1952) ---------------------------------------------------------------------------------------------

HEADER = bytes.fromhex("1f8b 08 00 00000000 00 ff")
TRAILER_BYTES = 8


def deflated(text):
    compressor = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return compressor.compress(text) + compressor.flush()


def trailer(text):
    return zlib.crc32(text).to_bytes(4, "little") + (len(text) & 0xFFFFFFFF).to_bytes(4, "little")


def member(text, header=HEADER):
    return header + deflated(text) + trailer(text)


def full_header():
    """Returns a header with every optional field: extra field, name, comment and header checksum."""
    flags = 0x02 | 0x04 | 0x08 | 0x10
    header = bytes.fromhex("1f8b 08") + bytes([flags]) + bytes.fromhex("00000000 00 ff")
    header += (6).to_bytes(2, "little") + b"Fy\x02\x00\x1f\x8b" + b"push.ndjson\0" + b"the second half\0"
    return header + (zlib.crc32(header) & 0xFFFF).to_bytes(2, "little")


# zstd frames (RFC 8878) ----------------------------------------------------------------------------------------------

MAGIC = bytes.fromhex("28b52ffd")
# A window of 1 MiB and a checksum.
FLAGS, WINDOW = 0x04, 10 << 3
FRAME_HEADER_BYTES, BLOCK_HEADER_BYTES = 6, 3


def xxh64(text):
    """Returns the hash whose lower half is a frame's checksum (github.com/Cyan4973/xxHash, doc/xxhash_spec.md)."""
    mask = (1 << 64) - 1
    p1, p2, p3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
    p4, p5 = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5

    def rotated(word, count):
        return (word << count | word >> 64 - count) & mask

    def round(lane, word):
        return rotated((lane + word * p2) & mask, 31) * p1 & mask

    def words(start, end, size):
        return [int.from_bytes(text[index : index + size], "little") for index in range(start, end, size)]

    stripes = len(text) & ~31
    if stripes:
        lanes = [(p1 + p2) & mask, p2, 0, -p1 & mask]
        for index, word in enumerate(words(0, stripes, 8)):
            lanes[index % 4] = round(lanes[index % 4], word)
        hash = sum(rotated(lane, count) for lane, count in zip(lanes, (1, 7, 12, 18))) & mask
        for lane in lanes:
            hash = ((hash ^ round(0, lane)) * p1 + p4) & mask
    else:
        hash = p5
    hash = (hash + len(text)) & mask
    rest = stripes
    for word in words(rest, len(text) & ~7, 8):
        hash = (rotated(hash ^ round(0, word), 27) * p1 + p4) & mask
        rest += 8
    for word in words(rest, len(text) & ~3, 4):
        hash = (rotated(hash ^ word * p1 & mask, 23) * p2 + p3) & mask
        rest += 4
    for byte in text[rest:]:
        hash = rotated(hash ^ byte * p5 & mask, 11) * p1 & mask
    for shift, factor in ((33, p2), (29, p3), (32, 1)):
        hash = (hash ^ hash >> shift) * factor & mask
    return hash


def block(text, last=False, kind=0):
    return (int(last) | kind << 1 | len(text) << 3).to_bytes(BLOCK_HEADER_BYTES, "little") + text


def frame(*texts, flags=FLAGS, window=WINDOW):
    """Returns a frame with a raw block for each text."""
    blocks = b"".join(block(text, index == len(texts) - 1) for index, text in enumerate(texts))
    return MAGIC + bytes([flags, window]) + blocks + (xxh64(b"".join(texts)) & 0xFFFFFFFF).to_bytes(4, "little")


def skippable(content):
    return bytes.fromhex("502a4d18") + len(content).to_bytes(4, "little") + content


# Files ---------------------------------------------------------------------------------------------------------------


def file(name, content, text, error=None, rejected=(), maximum_line=None):
    """Writes a file and adds its expected results.

    `text` is the text that a replay reads from it, cut after the last line that counts; `error` is (reason, offset);
    `rejected` has (line number, reason) pairs in the order of lines.
    """
    (FOLDER / name).write_bytes(content)
    lines = text.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    if not lines[-1]:
        lines.pop()
    bad = {number for number, _ in rejected}
    blank = [text.strip(b" \t\r") == b"" for text in lines]
    threads = {
        json.loads(text)["payload"]["aps"]["thread-id"]
        for number, text in enumerate(lines, 1)
        if number not in bad and not blank[number - 1]
    }
    counts = {}
    for _, reason in rejected:
        counts[reason] = counts.get(reason, 0) + 1
    expected[name] = {
        "exitStatus": 65 if error or rejected else 0,
        "sourceError": {"reason": error[0], "offset": error[1]} if error else None,
        "lines": len(lines),
        "blank": sum(blank),
        "groups": len(threads),
        "rejected": counts,
        "rejectedLines": [{"line": number, "reason": reason} for number, reason in rejected],
    }
    if maximum_line:
        expected[name]["maximumLine"] = maximum_line


def truncated():
    """Cut in the middle of the compressed data: the partial line at the end is dropped."""
    whole = member(good(*range(30)))
    content = whole[: len(HEADER) + (len(whole) - len(HEADER) - TRAILER_BYTES) // 2]
    text = zlib.decompressobj(-zlib.MAX_WBITS).decompress(content[len(HEADER) :])
    lines, half = text.rsplit(b"\n", 1)
    assert half, "the cut should leave a partial line"
    file("truncated.ndjson.gz", content, lines, ("gzip.truncated", len(content)))


def truncated_trailer():
    """Cut inside the checksum: all data is present, and the last line is complete."""
    text = good(*range(4))
    content = member(text)[:-6]
    file("truncated-trailer.ndjson.gz", content, text, ("gzip.truncated", len(content)))


def bad_trailers():
    """One file with a wrong bit in the checksum, one with a wrong bit in the length."""
    text = good(*range(5))
    content = bytearray(member(text))
    checksum, length = len(content) - 8, len(content) - 4
    content[checksum + 2] ^= 0x10
    file("bad-crc.ndjson.gz", content, text, ("gzip.crc", checksum))
    content[checksum + 2] ^= 0x10
    content[length + 1] ^= 0x01
    file("bad-length.ndjson.gz", content, text, ("gzip.length", length))


def corrupt_block():
    """A flush in the middle of a line is followed by a block of the type that DEFLATE reserves.

    The error's offset is where decoding stops: after the byte with the block type.
    """
    text = good(*range(10))
    cut = len(good(*range(6))) + 40
    compressor = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    start = HEADER + compressor.compress(text[:cut]) + compressor.flush(zlib.Z_FULL_FLUSH)
    reserved_type = b"\x07"
    content = start + reserved_type + compressor.compress(text[cut:]) + compressor.flush() + trailer(text)
    file("corrupt-block.ndjson.gz", content, good(*range(6)), ("gzip.corrupt", len(start) + 1))


def garbage_after():
    """A text file is appended. The last line before it has no LF and is complete."""
    text = good(*range(7)).removesuffix(b"\n")
    content = member(text)
    file("garbage-after.ndjson.gz", content + b"-- rotated --\n", text, ("gzip.garbage", len(content)))


def bad_header():
    """The second member's header has a reserved flag."""
    text = good(*range(3))
    first = member(text)
    second = bytearray(member(good(3, 4)))
    flags = 3
    second[flags] |= 0x20
    file("bad-header.ndjson.gz", first + second, text, ("gzip.header", len(first) + flags))


def zero_padded():
    """Padded with zeros to the end of a block, as on tapes and disks."""
    text = good(*range(6))
    content = member(text)
    file("zero-padded.ndjson.gz", content.ljust(2048, b"\0"), text)


def two_members():
    """Two members that meet in the middle of a line; the second header has every optional field."""
    text = good(*range(8))
    cut = len(good(*range(4))) + 100
    file("two-members.ndjson.gz", member(text[:cut]) + member(text[cut:], full_header()), text)


def zstd_truncated():
    """Cut inside the second block. The first one ends in the middle of a line, which is dropped."""
    text, cut = good(*range(10)), len(good(*range(6))) + 40
    content = frame(text[:cut], text[cut:])[: FRAME_HEADER_BYTES + 2 * BLOCK_HEADER_BYTES + cut + 50]
    file("truncated.ndjson.zst", content, good(*range(6)), ("zstd.truncated", len(content)))


def zstd_corrupt():
    """The second block has the type that zstd reserves. The first one ends in the middle of a line."""
    text, cut = good(*range(10)), len(good(*range(6))) + 40
    start = MAGIC + bytes([FLAGS, WINDOW]) + block(text[:cut])
    content = start + block(text[cut:], last=True, kind=3) + bytes(4)
    file("corrupt-block.ndjson.zst", content, good(*range(6)), ("zstd.corrupt", len(start)))


def zstd_checksum():
    """A wrong bit in the checksum."""
    text = good(*range(5))
    content = bytearray(frame(text))
    content[-2] ^= 0x10
    file("bad-checksum.ndjson.zst", content, text, ("zstd.checksum", len(content) - 4))


def zstd_refused():
    """The second frame has a window of 2 GiB in one file, and a dictionary in another."""
    text = good(*range(3))
    first = frame(text)
    large = frame(good(3, 4), window=21 << 3)
    file("large-window.ndjson.zst", first + large, text, ("zstd.window", len(first)))
    named = MAGIC + bytes([FLAGS | 1, WINDOW, 7]) + frame(good(3, 4))[FRAME_HEADER_BYTES:]
    file("dictionary.ndjson.zst", first + named, text, ("zstd.dictionary", len(first)))


def zstd_garbage():
    """A text file is appended. The last line before it has no LF and is complete."""
    text = good(*range(7)).removesuffix(b"\n")
    content = frame(text)
    file("garbage-after.ndjson.zst", content + b"-- rotated --\n", text, ("zstd.garbage", len(content)))


def zstd_frames():
    """Frames that meet in the middle of a line, with skippable frames around them and zeros at the end."""
    text = good(*range(8))
    cut = len(good(*range(4))) + 100
    content = skippable(b"") + frame(text[:cut]) + skippable(b"the second half") + frame(text[cut:], b"")
    file("frames.ndjson.zst", content + bytes(100), text)


def bom_and_crlf():
    """A byte order mark, CR LF, an empty line, one of spaces and tabs, and no LF at the end."""
    lines = [line(record(0)), b"", line(record(1)), b" \t ", line(record(2))]
    text = b"\xef\xbb\xbf" + b"\r\n".join(lines)
    file("bom-and-crlf.ndjson", text, text)


def rejects():
    """One line for each reject reason, in the order in which they are checked, between good lines."""
    maximum = 2048
    app_missing = record(8, topic=None, timestamp=False)
    lines = [
        (line(record(0)), None),
        (padded(1, maximum), None),
        (padded(2, maximum + 1), "line.too-long"),
        (nested(3, MAXIMUM_DEPTH), None),
        (nested(3, MAXIMUM_DEPTH + 1), "json.too-deep"),
        (line(record(4))[:-20], "json.invalid"),
        (b'["' + APP.encode() + b'"]', "json.not-object"),
        (line(record(5, payload=None)), "payload.missing"),
        (line(record(6, payload='{"aps":{"alert":')), "payload.invalid"),
        (line(record(7, payload={"alert": "outside of aps"})), "aps.missing"),
        (line(app_missing), "app.missing"),
        (line(record(9, timestamp="yesterday")), "timestamp.invalid"),
        (line(record(18)), None),
    ]
    text = b"".join(content + b"\n" for content, _ in lines)
    rejected = [(number, reason) for number, (_, reason) in enumerate(lines, 1) if reason]
    file("rejects.ndjson", text, text, rejected=rejected, maximum_line=maximum)


def long_line():
    """A line of the maximum length and one that is a byte longer, between good lines."""
    text = good(0) + padded(1, MAXIMUM_LINE) + b"\n" + padded(2, MAXIMUM_LINE + 1) + b"\n" + good(3, 10)
    file("long-line.ndjson.gz", member(text), text, rejected=[(3, "line.too-long")])


FOLDER.mkdir(exist_ok=True)
truncated()
truncated_trailer()
bad_trailers()
corrupt_block()
garbage_after()
bad_header()
zero_padded()
two_members()
zstd_truncated()
zstd_corrupt()
zstd_checksum()
zstd_refused()
zstd_garbage()
zstd_frames()
bom_and_crlf()
rejects()
long_line()
(FOLDER / "expected.json").write_text(json.dumps(expected, indent=2) + "\n")
