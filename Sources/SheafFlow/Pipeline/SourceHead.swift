import SheafBytes

/// Classifies a source by its first bytes: a log, or a file of another type.
enum SourceHead {
    /// Reads the first `SourceDamage.Reason.headBytes` bytes of a file; fewer if the file ends or reading fails before.
    /// Of zstd data, reads as much more as the first block may take, since no part of a block can be decoded.
    ///
    /// - Parameter endsEarly: whether a whole line is enough, so that it does not wait for others.
    /// - Returns: the bytes, and the reason why reading stopped.
    static func read(_ file: any ReadableFile, endsEarly: Bool = false) -> (bytes: [UInt8], ending: Ending) {
        var input: any ByteInput = file
        var head = [UInt8](repeating: 0, count: SourceDamage.Reason.headBytes)
        var count = 0
        var ending = Ending.more
        do {
            if endsEarly {
                let hasMore = try readLine(of: &input, into: &head, count: &count)
                if count < head.count { return (Array(head.prefix(count)), hasMore ? .more : .ended) }
            }
            try input.fill(&head, count: &count)
            if count == head.count, ZstdFrameHeader.isMagic(head) {
                head += [UInt8](repeating: 0, count: ZstdFrameHeader.maximumBlock)
                try input.fill(&head, count: &count)
            }
            if count < head.count { ending = .ended }
        } catch {
            ending = .failed(error)
        }
        return (Array(head.prefix(count)), ending)
    }

    /// Reads until there is a whole line, or `head` is full, or the file ends. Returns false at the end.
    private static func readLine(
        of input: inout any ByteInput, into head: inout [UInt8], count: inout Int
    ) throws(StorageError) -> Bool {
        while count < head.count, !head.prefix(count).contains(UInt8(ascii: "\n")) {
            var room = head.mutableSpan
            var rest = room._mutatingExtracting(count...)
            let read = try input.read(into: &rest)
            if read == 0 { return false }
            count += read
        }
        return true
    }

    /// What follows the first bytes of a file.
    enum Ending {
        case more
        case ended
        case failed(StorageError)
    }

    /// Returns the reason why the source is not a log; nil if it may be one.
    static func damage(_ head: [UInt8], _ inflater: Inflater = .standard) -> SourceDamage? {
        let isZstd = ZstdFrameHeader.isMagic(head)
        guard isZstd || isGzip(head) else {
            return reason(head).map { SourceDamage(reason: $0, offset: 0) }
        }
        let inner = inflated(MemoryInput(head), upTo: SourceDamage.Reason.headBytes, inflater)
        guard let reason = isGzip(inner) ? .gzip : reason(inner) else { return nil }
        let offset = isZstd ? SourceDamage.zstdContentOffset : SourceDamage.gzipContentOffset
        return SourceDamage(reason: reason, offset: offset)
    }

    /// Returns the first bytes of a source's text, inflated if it is compressed; fewer than `limit` if the source ends
    /// or is corrupt before.
    static func inflated(
        _ input: any ByteInput, upTo limit: Int, _ inflater: Inflater = .standard
    ) -> [UInt8] {
        var source = SourceInput(input, inflater: inflater)
        defer { source.close() }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: limit)
        while bytes.count < limit {
            var target = buffer.mutableSpan
            var room = target._mutatingExtracting(first: limit - bytes.count)
            guard let count = try? source.read(into: &room), count > 0 else { break }
            bytes += buffer[..<count]
        }
        return bytes
    }

    /// Whether a file, compressed or not, has a format.
    static func isOfFormat(_ magic: FrameMagic, _ path: String, _ storage: any Storage) -> Bool {
        guard let file = try? storage.openForReading(path) else { return false }
        defer { file.close() }
        return magic.matches(inflated(file, upTo: FrameMagic.byteCount))
    }

    private static func isGzip(_ head: [UInt8]) -> Bool { head.starts(with: GzipHeader.magic) }

    private static func reason(_ head: [UInt8]) -> SourceDamage.Reason? {
        for magic in [FrameMagic.partial, .comparison] where magic.matches(head) { return .partialResult }
        for magic in [FrameMagic.run, .dump, .checkpoint] where magic.matches(head) { return .runState }
        return isSnapshot(head) ? .snapshot : SourceDamage.Reason(head: head)
    }

    /// Whether a file begins like a snapshot in NDJSON, JSON, or CSV.
    ///
    /// No record has these members in this order without a payload among them.
    private static func isSnapshot(_ head: [UInt8]) -> Bool {
        for bits in 0..<8 {
            let header = CSVColumns.header(
                byDevice: bits & 1 != 0, hasInstants: bits & 2 != 0, hasDelivery: bits & 4 != 0)
            if head.starts(with: header) { return true }
        }
        var text = SnapshotStart(bytes: head[...])
        _ = text.take(UTF8.byteOrderMark)
        if text.take("[") { text.skipWhiteSpace() }
        guard text.take("{") else { return false }
        if text.take(#""at":"#) { guard text.takeDigits(), text.take(",") else { return false } }
        if text.take(#""device":"#) { guard text.takeTextOrNull(), text.take(",") else { return false } }
        return text.take(#""app":"#) && text.takeTextOrNull() && text.take(#","thread":"#)
            && text.takeTextOrNull() && text.take(#","count":"#) && text.takeDigits()
            && text.take(#","total":"#) && text.takeDigits() && text.take(#","leading":{"id":"#)
    }
}

/// A parser for the start of a JSON snapshot.
private struct SnapshotStart {
    var bytes: ArraySlice<UInt8>

    mutating func take(_ text: String) -> Bool { take(Array(text.utf8)) }

    mutating func take(_ wanted: [UInt8]) -> Bool {
        guard bytes.starts(with: wanted) else { return false }
        bytes = bytes.dropFirst(wanted.count)
        return true
    }

    mutating func skipWhiteSpace() {
        bytes = bytes.drop(while: \.isJSONWhiteSpace)
    }

    mutating func takeDigits() -> Bool {
        let rest = bytes.drop(while: \.isDigit)
        defer { bytes = rest }
        return rest.count < bytes.count
    }

    mutating func takeTextOrNull() -> Bool {
        if take("null") { return true }
        guard take("\"") else { return false }
        while let byte = bytes.popFirst() {
            if byte == UInt8(ascii: "\"") { return true }
            if byte == UInt8(ascii: "\\") { _ = bytes.popFirst() }
        }
        return false
    }
}

/// A file whose first bytes were already read. Returns these bytes first, then the end or the error that followed them:
/// at a terminal the user would have to enter end-of-file twice if it were read again.
final class PeekedFile: ReadableFile {
    private let file: any ReadableFile
    private var head: ArraySlice<UInt8>
    private var ending: SourceHead.Ending

    init(_ file: any ReadableFile, head: [UInt8], ending: SourceHead.Ending) {
        self.file = file
        self.head = head[...]
        self.ending = ending
    }

    func read(into buffer: inout MutableSpan<UInt8>) throws(StorageError) -> Int {
        if !head.isEmpty {
            let count = min(head.count, buffer.count)
            buffer.write(Array(head.prefix(count)).span, at: 0)
            head = head.dropFirst(count)
            return count
        }
        switch ending {
        case .ended: return 0
        case .failed(let error):
            ending = .more
            throw error
        case .more:
            var file: any ByteInput = file
            return try file.read(into: &buffer)
        }
    }

    func seek(to offset: UInt64) throws(StorageError) {
        (head, ending) = ([], .more)
        try file.seek(to: offset)
    }

    func close() { file.close() }
}
