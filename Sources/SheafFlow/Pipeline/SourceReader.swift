import SheafBytes
import SheafGroups

/// Reads one source into chunks. Opens the source for the first chunk, closes it after the last one, and can resume at
/// the position of an earlier reader.
///
/// Sources are inflated here, all open ones in parallel. A reader holds one file and the filler's buffers, whatever the
/// source's size.
final class SourceReader: @unchecked Sendable {
    // Unchecked because one thread at a time uses it, which `access` checks: `FlowControl` ensures that a source fills
    // one work unit at a time.
    let access = AccessCheck()
    let ordinal: Int
    private let source: Source
    private let storage: any Storage
    private let chunks: ChunkSizes
    private let start: SourcePosition
    private let windows: WindowMemory?
    private let inflater: Inflater
    private var opened: Opened?
    private var hasEnded = false
    private var nextSequence = 0

    /// The state of an open source.
    private final class Opened {
        let file: any ReadableFile
        let checksum = DeferredChecksum()
        var filler: ChunkFiller
        /// The error to report for a source that is not a log, which is not read; nil for a log.
        let foreign: SourceDamage?

        init(
            _ opened: any ReadableFile, at position: SourcePosition, chunks: ChunkSizes,
            windows: WindowMemory?, inflater: Inflater
        ) throws(StorageError) {
            if position.isStart {
                let (head, ending) = SourceHead.read(opened, endsEarly: chunks.endEarly)
                foreign = SourceHead.damage(head, inflater)
                file = PeekedFile(opened, head: head, ending: ending)
            } else {
                foreign = nil
                file = opened
            }
            let input = try SourceInput(
                resuming: file, at: position.point, dropping: position.bytesToDrop, checksum: checksum,
                windows: windows, inflater: inflater)
            filler = ChunkFiller(
                input, from: position, targetBytes: chunks.targetBytes, maximumLine: chunks.maximumRead)
            filler.endsEarly = chunks.endEarly
        }
    }

    /// The result of filling a chunk.
    struct Outcome {
        var hasLines: Bool
        var hasEnded: Bool
        var damage: SourceDamage?
        /// The number of bytes read and inflated since the last fill.
        var bytesRead: UInt64
        var bytesInflated: UInt64
    }

    /// - Parameters:
    ///   - position: the position at which reading starts.
    ///   - windows: the limit on the memory for zstd frames; nil for none.
    ///   - inflater: the decoder of gzip data.
    init(
        _ source: Source, ordinal: Int, storage: any Storage, chunks: ChunkSizes,
        at position: SourcePosition = .start, windows: WindowMemory? = nil, inflater: Inflater = .standard
    ) {
        self.inflater = inflater
        self.windows = windows
        self.source = source
        start = position
        self.ordinal = ordinal
        self.storage = storage
        self.chunks = chunks
    }

    /// The position after the last chunk; nil once the source has ended. Another reader can resume there; the counts
    /// `bytesRead` and `bytesInflated` of both readers then add up to those of a single reader.
    var position: SourcePosition? {
        access.begin()
        defer { access.end() }
        if hasEnded { return nil }
        return opened?.filler.position ?? start
    }

    /// The number of bytes read and inflated beyond `position`.
    var readAhead: (read: UInt64, inflated: UInt64) {
        access.begin()
        defer { access.end() }
        guard let opened else { return (0, 0) }
        let position = opened.filler.position
        return (
            opened.filler.bytesRead - position.bytesRead, opened.filler.bytesInflated - position.bytesInflated
        )
    }

    /// Requests a new restart point for the positions after subsequent chunks. A source that is not open yet needs
    /// none: its position is its start.
    func requestRestartPoint() {
        access.begin()
        defer { access.end() }
        opened?.filler.requestRestartPoint()
    }

    /// Fills the work unit's chunk with the source's next lines.
    func fill(_ unit: WorkUnit) throws(ReplayError) -> Outcome {
        access.begin()
        defer { access.end() }
        unit.access.begin()
        defer { unit.access.end() }
        let opened = try open()
        if let damage = opened.foreign {
            unit.chunk.clear()
            prepare(unit, opened.checksum)
            close()
            return Outcome(hasLines: false, hasEnded: true, damage: damage, bytesRead: 0, bytesInflated: 0)
        }
        let read = opened.filler.bytesRead
        let inflated = opened.filler.bytesInflated
        let ending = opened.filler.fill(unit.chunk)
        let lines = unit.chunk.firstLine + UInt64(unit.chunk.lineCount) - 1
        guard lines < OrderKey.maximumLines else {
            throw .source(
                path: source.path,
                reason: "has more than the maximum of \(OrderKey.maximumLines - 1) lines")
        }
        prepare(unit, opened.checksum)
        var outcome = Outcome(
            hasLines: unit.chunk.lineCount > 0, hasEnded: true, damage: nil,
            bytesRead: opened.filler.bytesRead - read,
            bytesInflated: opened.filler.bytesInflated - inflated)
        switch ending {
        case .more: outcome.hasEnded = false
        case .ended: break
        case .failed(.damaged(let damage)): outcome.damage = damage
        case .failed(.unreadable(let error, let offset)):
            throw .reading(path: source.path, offset: offset, error)
        case .failed(.tooLarge(let bytes, let offset)):
            throw .usage(
                "\(source.path): the window of the zstd frame at byte \(offset) takes "
                    + "\(Self.mebibytes(bytes)) MiB, but each source can take only \((windows?.limit ?? 0) >> 20) MiB: "
                    + "use more memory or fewer threads")
        }
        if outcome.hasEnded { close() }
        return outcome
    }

    private static func mebibytes(_ bytes: Int) -> Int { (bytes + (1 << 20) - 1) >> 20 }

    /// Sets the work unit's source, sequence number and checksum.
    private func prepare(_ unit: WorkUnit, _ checksum: DeferredChecksum) {
        unit.source = ordinal
        unit.ordinal = source.named?.ordinal ?? ordinal
        unit.checksum = checksum
        unit.sequence = nextSequence
        nextSequence += 1
    }

    /// Returns the open source. Opens it on the first call.
    private func open() throws(ReplayError) -> Opened {
        if let opened { return opened }
        do throws(StorageError) {
            let opened = try Opened(
                try storage.openForReading(source.path), at: start, chunks: chunks, windows: windows,
                inflater: inflater)
            self.opened = opened
            return opened
        } catch {
            if error.operation == .seek {
                throw .source(path: source.path, reason: "cannot be resumed: \(error.reason)")
            }
            throw .source(path: source.path, reason: "cannot be opened: \(error.reason)")
        }
    }

    private func close() {
        opened?.filler.close()
        opened?.file.close()
        opened = nil
        hasEnded = true
    }
}
