/// Converts file names between text and the bytes that the system uses.
///
/// A file name can have any bytes except NUL and `/`; it need not be UTF-8. Paths are `String`s everywhere else, so a
/// byte that is not part of valid UTF-8 becomes a private-use character on the way in, and that byte again on the way
/// out:
///
///     caf\xe9.ndjson  ──text──▶  caf<U+10FFE9>.ndjson  ──bytes──▶  caf\xe9.ndjson
///                                     └──shown──▶  caf\xe9.ndjson, in four characters
///
/// The bytes of real characters from that range are converted, too, so that no two names become the same text.
package enum SystemPath {
    /// U+10FF80 to U+10FFFF represent the bytes 80 to ff. Every byte below is a character by itself.
    private static let firstScalar: UInt32 = 0x10ff00
    private static let scalars = (firstScalar + 0x80)...(firstScalar + 0xff)
    /// The first byte of a character from the last plane, which few names contain.
    private static let leadOfLastPlane: UInt8 = 0xf4

    /// Returns the path with these bytes. `bytes(_:)` is the inverse.
    package static func text(_ bytes: [UInt8]) -> String {
        if let text = plainText(bytes) { return text }
        var text = String.UnicodeScalarView()
        var offset = 0
        while offset < bytes.count {
            if let (scalar, count) = scalar(in: bytes, at: offset), scalar.value < firstScalar {
                text.append(scalar)
                offset += count
            } else {
                text.append(Unicode.Scalar(firstScalar + UInt32(bytes[offset]))!)
                offset += 1
            }
        }
        return String(text)
    }

    /// Returns the path's bytes as the system uses them.
    package static func bytes(_ path: String) -> [UInt8] {
        guard path.utf8.contains(leadOfLastPlane) else { return Array(path.utf8) }
        var bytes: [UInt8] = []
        for scalar in path.unicodeScalars {
            if let byte = byte(scalar) { bytes.append(byte) } else { bytes += UTF8.encode(scalar)! }
        }
        return bytes
    }

    /// Returns `text` with `\xe9` for each byte that is not UTF-8, for messages and for outputs, which are UTF-8.
    package static func shown(_ text: String) -> String {
        guard text.utf8.contains(leadOfLastPlane) else { return text }
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if let byte = byte(scalar) {
                shown.append(contentsOf: "\\x\(String(byte, radix: 16))".unicodeScalars)
            } else {
                shown.append(scalar)
            }
        }
        return String(shown)
    }

    /// Returns whether `path` comes before `other` in byte order.
    package static func precedes(_ path: String, _ other: String) -> Bool {
        bytes(path).lexicographicallyPrecedes(bytes(other))
    }

    /// Returns the path as a C string for a system call.
    static func cString(_ path: String) -> [CChar] { bytes(path).map { CChar(bitPattern: $0) } + [0] }

    /// Returns the path that the system returned as a C string.
    @unsafe static func text(cString: UnsafePointer<CChar>) -> String {
        // Safety: the caller passes a valid C string, which is read up to its NUL and copied.
        let bytes = unsafe UnsafeBufferPointer(
            start: UnsafeRawPointer(cString).assumingMemoryBound(to: UInt8.self), count: strlen(cString))
        return unsafe plainText(bytes) ?? text(Array(bytes))
    }

    /// Returns the path if it has only characters that represent themselves, as nearly every path does.
    private static func plainText(_ bytes: some Collection<UInt8>) -> String? {
        bytes.contains(leadOfLastPlane) ? nil : String(validating: bytes, as: UTF8.self)
    }

    private static func byte(_ scalar: Unicode.Scalar) -> UInt8? {
        scalars.contains(scalar.value) ? UInt8(scalar.value - firstScalar) : nil
    }

    /// Returns the character at `offset` and its number of bytes, or nil if the bytes there are not a valid
    /// character.
    private static func scalar(in bytes: [UInt8], at offset: Int) -> (Unicode.Scalar, Int)? {
        let count =
            switch bytes[offset] {
            case ..<0x80: 1
            case ..<0xe0: 2
            case ..<0xf0: 3
            default: 4
            }
        guard offset + count <= bytes.count else { return nil }
        let character = bytes[offset..<(offset + count)]
        guard Array(character).span.isValidUTF8 else { return nil }
        return String(decoding: character, as: UTF8.self).unicodeScalars.first.map { ($0, count) }
    }
}
