import SheafBytes
import SheafGroups

/// One source being read: opened at its first chunk, closed at its last. It may be read on from where another reader
/// left it.
///
/// This is where inflating happens: as many sources inflate at once as are open. Holds one file and the filler's
/// buffers, whatever the source's size.
final class SourceReader: @unchecked Sendable {
    // Unchecked because one thread at a time has it: a source fills one parcel at a time, which `FlowControl` sees to.
    let ordinal: Int
    private let source: Source
    private let storage: any Storage
    private let options: ReplayOptions
    private let start: SourcePosition
    private var opened: Opened?
    private var hasEnded = false
    private var nextSequence = 0

    /// What an open source holds.
    private final class Opened {
        let file: any ReadableFile
        let checksum = DeferredChecksum()
        var filler: ChunkFiller
        /// What the source is, where that is not a log: then nothing of it is read.
        let foreign: SourceDamage?

        init(
            _ opened: any ReadableFile, at position: SourcePosition, options: ReplayOptions
        ) throws(StorageError) {
            if position.isStart {
                let (head, ending) = SourceHead.read(opened)
                foreign = SourceHead.damage(head)
                file = HeadedFile(opened, head: head, ending: ending)
            } else {
                foreign = nil
                file = opened
            }
            filler = try ChunkFiller(
                resuming: file, at: position, checksum: checksum, targetBytes: options.chunkBytes,
                maximumLine: options.maximumLine)
        }
    }

    /// How a fill ended.
    struct Outcome {
        var hasLines: Bool
        var hasEnded: Bool
        var damage: SourceDamage?
        /// Bytes read and inflated since the last fill.
        var bytesRead: UInt64
        var bytesInflated: UInt64
    }

    /// - Parameter position: where the source is read on from.
    init(
        _ source: Source, ordinal: Int, storage: any Storage, options: ReplayOptions,
        at position: SourcePosition = .start
    ) {
        self.source = source
        start = position
        self.ordinal = ordinal
        self.storage = storage
        self.options = options
    }

    /// Right behind the last chunk; nil once the source has ended. Another reader goes on from there with what is
    /// counted up to it: `bytesRead` and `bytesInflated` of both together are those of one.
    var position: SourcePosition? {
        if hasEnded { return nil }
        return opened?.filler.position ?? start
    }

    /// How much was read and inflated beyond `position`, in bytes.
    var readAhead: (read: UInt64, inflated: UInt64) {
        guard let opened else { return (0, 0) }
        let position = opened.filler.position
        return (
            opened.filler.bytesRead - position.bytesRead, opened.filler.bytesInflated - position.bytesInflated
        )
    }

    /// Has the positions behind the coming chunks begin at a new restart point. A source that is not open yet stands
    /// where it is to begin and needs none.
    func requestRestartPoint() { opened?.filler.requestRestartPoint() }

    /// Fills the parcel's chunk with the source's next lines.
    func fill(_ parcel: Parcel) throws(ReplayError) -> Outcome {
        let opened = try open()
        if let damage = opened.foreign {
            parcel.chunk.clear()
            note(in: parcel, opened.checksum)
            close()
            return Outcome(hasLines: false, hasEnded: true, damage: damage, bytesRead: 0, bytesInflated: 0)
        }
        let read = opened.filler.bytesRead
        let inflated = opened.filler.bytesInflated
        let ending = opened.filler.fill(parcel.chunk)
        let lines = parcel.chunk.firstLine + UInt64(parcel.chunk.lineCount) - 1
        guard lines < OrderKey.maximumLines else {
            throw .source(
                path: source.path,
                reason: "has more than the \(OrderKey.maximumLines - 1) lines that can be told apart")
        }
        note(in: parcel, opened.checksum)
        var outcome = Outcome(
            hasLines: parcel.chunk.lineCount > 0, hasEnded: true, damage: nil,
            bytesRead: opened.filler.bytesRead - read,
            bytesInflated: opened.filler.bytesInflated - inflated)
        switch ending {
        case .more: outcome.hasEnded = false
        case .ended: break
        case .failed(.damaged(let damage)): outcome.damage = damage
        case .failed(.unreadable(let error, let offset)):
            throw .reading(path: source.path, offset: offset, error)
        }
        if outcome.hasEnded { close() }
        return outcome
    }

    /// Notes what the parcel is of.
    private func note(in parcel: Parcel, _ checksum: DeferredChecksum) {
        parcel.source = ordinal
        parcel.checksum = checksum
        parcel.sequence = nextSequence
        nextSequence += 1
    }

    /// The source as it is open; at the first call it is opened.
    private func open() throws(ReplayError) -> Opened {
        if let opened { return opened }
        do throws(StorageError) {
            let opened = try Opened(try storage.openForReading(source.path), at: start, options: options)
            self.opened = opened
            return opened
        } catch {
            if error.operation == .seek {
                throw .source(path: source.path, reason: "cannot be read on from inside: \(error.reason)")
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
