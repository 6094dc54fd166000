#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// File names as text, and as the bytes by which the system knows them.
///
/// A file name is any bytes except NUL and `/`; it need not be UTF-8. Paths are `String`s everywhere else, so a byte that
/// is not part of valid UTF-8 becomes a private-use character on the way in, and that byte again on the way out:
///
///     caf\xe9.ndjson  ──text──▶  caf<U+10FFE9>.ndjson  ──bytes──▶  caf\xe9.ndjson
///                                     └──shown──▶  caf\xe9.ndjson, in four characters
///
/// Bytes of a real character from that range are treated alike, so that no two names become the same text.
public enum SystemPath {
    /// U+10FF80 to U+10FFFF are the bytes 80 to ff: every byte below is a character by itself.
    private static let firstScalar: UInt32 = 0x10ff00
    private static let scalars = (firstScalar + 0x80)...(firstScalar + 0xff)
    /// The first byte of a character from the last plane, which few names have.
    private static let leadOfLastPlane: UInt8 = 0xf4

    /// The path with these bytes. `bytes(_:)` returns them.
    public static func text(_ bytes: [UInt8]) -> String {
        if bytes.span.isValidUTF8, !bytes.contains(leadOfLastPlane) {
            return String(decoding: bytes, as: UTF8.self)
        }
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

    /// The path's bytes, as the system has them.
    public static func bytes(_ path: String) -> [UInt8] {
        guard path.utf8.contains(leadOfLastPlane) else { return Array(path.utf8) }
        var bytes: [UInt8] = []
        for scalar in path.unicodeScalars {
            if let byte = byte(scalar) { bytes.append(byte) } else { bytes += UTF8.encode(scalar)! }
        }
        return bytes
    }

    /// `text` with `\xe9` for each byte that is not UTF-8: for people, and for outputs, which are UTF-8.
    public static func shown(_ text: String) -> String {
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

    /// Whether `path` comes before `other` in byte order.
    public static func precedes(_ path: String, _ other: String) -> Bool {
        bytes(path).lexicographicallyPrecedes(bytes(other))
    }

    /// The path for a system call.
    static func cString(_ path: String) -> [CChar] { bytes(path).map { CChar(bitPattern: $0) } + [0] }

    /// The path that the system returned.
    @unsafe static func text(cString: UnsafePointer<CChar>) -> String {
        // Safety: the caller hands over a C string, which is read as far as its NUL and copied.
        let bytes = unsafe UnsafeBufferPointer(
            start: UnsafeRawPointer(cString).assumingMemoryBound(to: UInt8.self), count: strlen(cString))
        if unsafe memchr(cString, Int32(leadOfLastPlane), bytes.count) == nil,
            let path = unsafe String(validating: bytes, as: UTF8.self)
        {
            return path
        }
        return unsafe text(Array(bytes))
    }

    private static func byte(_ scalar: Unicode.Scalar) -> UInt8? {
        scalars.contains(scalar.value) ? UInt8(scalar.value - firstScalar) : nil
    }

    /// The character that starts at `offset`, and how many bytes it has; nil where the bytes are not a valid one.
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
