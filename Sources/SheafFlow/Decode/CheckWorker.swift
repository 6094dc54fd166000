import SheafBytes
import SheafGroups

/// Checks one parcel at a time; what it found goes on from parcel to parcel.
final class CheckWorker: @unchecked Sendable {
    // Unchecked because a worker is taken from the check's list of idle ones by one job at a time.
    private var checking: ChunkChecking

    /// - Parameter known: what all workers have in common.
    init(_ options: CheckOptions, _ known: KnownCategories) { checking = ChunkChecking(options, known) }

    var tally: CheckTally { checking.tally }

    /// Checks all lines of the parcel's chunk.
    func check(_ parcel: Parcel) {
        // Decoding changes the bytes in place: what their member's checksum needs of them comes first.
        parcel.checksum?.settle()
        checking.check(parcel.chunk, source: parcel.source)
    }
}

/// Lines to findings. A structure apart from the worker, as in `DecodeWorker`.
private struct ChunkChecking: ~Copyable {
    private var checks: PayloadChecks
    private var decoder: RecordDecoder
    private(set) var tally = CheckTally()

    init(_ options: CheckOptions, _ known: KnownCategories) {
        checks = PayloadChecks(known)
        decoder = RecordDecoder(keepsRejectedText: false, profile: options.profile)
    }

    mutating func check(_ chunk: Chunk, source: Int) {
        var cursor = LineCursor(chunk)
        while let line = cursor.next(in: chunk) {
            tally.lines += 1
            let place = CheckPlace(source: source, position: line.number)
            switch line.shape {
            case .blank: tally.blank += 1
            case .tooLong: tally.note(.rejected(.lineTooLong), at: place)
            case .content:
                // Before decoding, which puts texts in the place of their escapes.
                let problems = checks.check(line.text, of: chunk)
                switch decoder.decode(line.text, of: chunk, source: source, line: line.number) {
                case .rejected(let reason): tally.note(.rejected(reason), at: place)
                case .silent, .notification:
                    tally.note(decoder.findings, problems, isUntimed: decoder.isUntimed, at: place)
                }
            }
        }
    }
}
