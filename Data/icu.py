"""Reads the resource bundles of ICU's data, which programs such as Node.js contain.

The formats are described in ICU's sources: a package of files in `icu4c/source/common/ucmndata.h`, a resource bundle in
`icu4c/source/common/uresdata.h`. Only what ICU's own bundles of plural rules and supplemental data contain is read:
format version 2 in little-endian order, without a pool of shared keys and strings.
"""

import re
import struct


class Package:
    """The files in ICU's data, found by its header: in a file of its own, or anywhere in an executable."""

    def __init__(self, path):
        self.bytes = path.read_bytes()
        starts = [match.start() - 12 for match in re.finditer(rb"CmnD\x01", self.bytes)]
        starts = [start for start in starts if self.bytes[start + 2 : start + 4] == b"\xda\x27"]
        if len(starts) != 1:
            raise SystemExit(f"{path}: contains {len(starts)} packages of ICU data instead of one")
        base = starts[0] + self.number("<H", starts[0])
        # The offsets of each file's name and content.
        table = [struct.unpack_from("<II", self.bytes, base + 4 + 8 * i) for i in range(self.number("<I", base))]
        self.offsets = {}
        for name, content in table:
            end = self.bytes.index(b"\0", base + name)
            # Names begin with that of the package: "icudt78l/plurals.res".
            self.offsets[self.bytes[base + name : end].decode().split("/", 1)[1]] = base + content

    def number(self, kind, offset):
        return struct.unpack_from(kind, self.bytes, offset)[0]

    def bundle(self, name):
        """Returns the content of a resource bundle as dictionaries, lists, strings and numbers."""
        start = self.offsets[f"{name}.res"]
        if self.bytes[start + 12 : start + 17] != b"ResB\x02":
            raise SystemExit(f"{name}: not a resource bundle of format version 2")
        return Bundle(self.bytes, start + self.number("<H", start)).root


class Bundle:
    def __init__(self, data, start):
        self.bytes = data
        self.start = start
        _, keys_end, *_, attributes = (self.at("I", 4 + 4 * i) for i in range(6))
        if attributes & 6:
            raise SystemExit("a resource bundle with a pool is not supported")
        # The 16-bit units with strings and small containers follow the keys.
        self.units = 4 * keys_end

    @property
    def root(self):
        return self.value(self.at("I", 0))

    def at(self, kind, offset):
        return struct.unpack_from("<" + kind, self.bytes, self.start + offset)[0]

    def several(self, kind, count, offset):
        return struct.unpack_from(f"<{count}{kind}", self.bytes, self.start + offset)

    def key(self, offset):
        start = self.start + offset
        return self.bytes[start : self.bytes.index(b"\0", start)].decode()

    def text(self, unit):
        """Returns the string at a 16-bit unit. Long strings have their length before them, others end with 0."""
        offset = self.units + 2 * unit
        first = self.at("H", offset)
        if first & 0xFC00 != 0xDC00:
            count = 0
            while self.at("H", offset + 2 * count):
                count += 1
        elif first < 0xDFEF:
            offset, count = offset + 2, first & 0x3FF
        elif first < 0xDFFF:
            offset, count = offset + 4, (first - 0xDFEF) << 16 | self.at("H", offset + 2)
        else:
            offset, count = offset + 6, self.at("H", offset + 2) << 16 | self.at("H", offset + 4)
        start = self.start + offset
        return self.bytes[start : start + 2 * count].decode("utf-16-le")

    def value(self, resource):
        kind, position = resource >> 28, resource & 0xFFFFFFF
        offset = 4 * position
        match kind:
            case 2:  # a table with 16-bit keys
                count = self.at("H", offset) if position else 0
                keys = self.several("H", count, offset + 2) if count else ()
                values = self.several("I", count, offset + 4 * (count // 2 + 1))
                return {self.key(key): self.value(item) for key, item in zip(keys, values)}
            case 4:  # a table with 32-bit keys
                count = self.at("I", offset) if position else 0
                keys = self.several("I", count, offset + 4)
                values = self.several("I", count, offset + 4 + 4 * count)
                return {self.key(key): self.value(item) for key, item in zip(keys, values)}
            case 5:  # a table of strings
                offset = self.units + 2 * position
                count = self.at("H", offset)
                keys = self.several("H", count, offset + 2)
                values = self.several("H", count, offset + 2 + 2 * count)
                return {self.key(key): self.text(item) for key, item in zip(keys, values)}
            case 6:
                return self.text(position)
            case 7:
                return position
            case 8:
                count = self.at("I", offset) if position else 0
                return [self.value(item) for item in self.several("I", count, offset + 4)]
            case 9:  # an array of strings
                offset = self.units + 2 * position
                return [self.text(item) for item in self.several("H", self.at("H", offset), offset + 2)]
            case 14:
                return list(self.several("I", self.at("I", offset), offset + 4)) if position else []
        # Aliases and binary data are not needed.
        return None
