@testable import SheafBytes

/// A log that several fillers read, each one from where the one before left it.
struct Relay {
    /// What one filler is given.
    struct Leg {
        var sizes = Framing.Sizes()
        /// After so many chunks it leaves the log.
        var chunks = 1
        /// Before the chunk with this number, from 0, it asks for a restart point.
        var request: Int?
        /// How much of the log is read at once.
        var step = 1 << 16
        var defersChecksum = false
    }

    private(set) var framing = Framing()
    /// Where the fillers left the log.
    private(set) var positions: [SourcePosition] = []
    /// The last filler's counts.
    private(set) var bytesRead: UInt64 = 0
    private(set) var bytesInflated: UInt64 = 0

    /// - Parameter leg: by its number, from 0.
    init(_ log: [UInt8], _ leg: (Int) -> Leg) {
        while run(leg(positions.count), log, from: positions.last ?? .start) {}
    }

    var damage: SourceDamage? {
        guard case .damaged(let damage) = framing.failure else { return nil }
        return damage
    }

    /// True when the log was left before its end.
    private mutating func run(_ leg: Leg, _ log: [UInt8], from start: SourcePosition) -> Bool {
        let checksum = leg.defersChecksum ? DeferredChecksum() : nil
        let chunk = leg.sizes.chunk
        guard
            var filler = try? ChunkFiller(
                resuming: StoredLog(log, step: leg.step), at: start, bufferBytes: leg.sizes.buffer,
                checksum: checksum, targetBytes: leg.sizes.target, maximumLine: leg.sizes.maximumLine)
        else {
            framing.mistakes.append("not opened again")
            return false
        }
        if filler.position != start { framing.mistakes.append("begins elsewhere than \(start)") }
        for index in 0..<leg.chunks {
            if index == leg.request { filler.requestRestartPoint() }
            let goesOn = framing.readChunk(&filler, chunk)
            checksum?.settle()
            if !goesOn {
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
    /// The position by its numbers alone, as it comes from a stored form; nil when they are refused.
    var restored: SourcePosition? {
        var place = point.place
        if case .block(let block) = place {
            guard
                let restored = RestartPoint.Block(
                    restoring: block.unusedBits, bits: block.bits, window: block.window,
                    checksum: block.checksum, length: block.length)
            else { return nil }
            place = .block(restored)
        }
        return RestartPoint(restoring: place, offset: point.offset, bytesInflated: point.bytesInflated)
            .flatMap { SourcePosition(restoring: $0, bytesInflated: bytesInflated, nextLine: nextLine) }
    }
}
