@testable import SheafBytes

/// A log read by several fillers in turn, each of which resumes where the previous one stopped.
struct Relay {
    /// The settings of one filler.
    struct Leg {
        var sizes = Framing.Sizes()
        /// The number of chunks after which it stops.
        var chunks = 1
        /// The index of the chunk before which it requests a restart point.
        var request: Int?
        /// The largest number of bytes that one read of the log returns.
        var step = 1 << 16
        var defersChecksum = false
        var inflater = Inflater.standard
    }

    private(set) var framing = Framing()
    /// Where each filler stopped.
    private(set) var positions: [SourcePosition] = []
    /// The last filler's counts.
    private(set) var bytesRead: UInt64 = 0
    private(set) var bytesInflated: UInt64 = 0

    /// - Parameter leg: returns the settings of the filler with the given index.
    init(_ log: [UInt8], _ leg: (Int) -> Leg) {
        while run(leg(positions.count), log, from: positions.last ?? .start) {}
    }

    var damage: SourceDamage? {
        guard case .damaged(let damage) = framing.failure else { return nil }
        return damage
    }

    /// Runs one filler, and returns whether it stopped before the end of the log.
    private mutating func run(_ leg: Leg, _ log: [UInt8], from start: SourcePosition) -> Bool {
        let checksum = leg.defersChecksum ? DeferredChecksum() : nil
        let chunk = leg.sizes.chunk
        guard
            let input = try? SourceInput(
                resuming: StoredLog(log, step: leg.step), at: start.point, dropping: start.bytesToDrop,
                bufferBytes: leg.sizes.buffer, checksum: checksum, inflater: leg.inflater)
        else {
            framing.violations.append("could not be reopened")
            return false
        }
        var filler = ChunkFiller(
            input, from: start, targetBytes: leg.sizes.target, maximumLine: leg.sizes.maximumLine)
        if filler.position != start { framing.violations.append("does not begin at \(start)") }
        for index in 0..<leg.chunks {
            if index == leg.request { filler.requestRestartPoint() }
            let continues = framing.readChunk(&filler, chunk)
            checksum?.settle()
            if !continues {
                bytesRead = filler.bytesRead
                bytesInflated = filler.bytesInflated
                return false
            }
        }
        positions.append(filler.position)
        filler.close()
        return true
    }
}

extension SourcePosition {
    /// The position rebuilt from its stored numbers; nil when they are rejected.
    var restored: SourcePosition? {
        var kind = point.kind
        if case .block(let block) = kind {
            guard
                let restored = RestartPoint.Block(
                    restoring: block.unusedBits, bits: block.bits, window: block.window,
                    checksum: block.checksum, length: block.length)
            else { return nil }
            kind = .block(restored)
        }
        return RestartPoint(restoring: kind, offset: point.offset, bytesInflated: point.bytesInflated)
            .flatMap { SourcePosition(restoring: $0, bytesInflated: bytesInflated, nextLine: nextLine) }
    }
}
