import SheafBytes

/// The order of the parts of a date or a time of day, and the text between them: `{d} de {M} de {y}`.
///
/// Parsed once, so that appending only copies bytes.
struct TimePattern: Sendable {
    /// A part, as it is named in `CLDRTimes`.
    enum Part: String {
        case day = "d"
        case dayWithTwoDigits = "dd"
        case month = "M"
        case year = "y"
        case hour = "h"
        case hourWithTwoDigits = "hh"
        case minute = "mm"
        case period = "a"
    }

    private enum Piece {
        case text([UInt8])
        case part(Part)
    }

    private let pieces: [Piece]

    /// - Parameter pattern: a pattern of `CLDRTimes`.
    init(_ pattern: Substring) {
        var pieces: [Piece] = []
        var remainder = pattern
        while let start = remainder.firstIndex(of: "{"), let end = remainder.firstIndex(of: "}") {
            guard let part = Part(rawValue: String(remainder[remainder.index(after: start)..<end])) else {
                preconditionFailure("unknown part in the pattern '\(pattern)'")
            }
            if start > remainder.startIndex { pieces.append(.text(Array(remainder[..<start].utf8))) }
            pieces.append(.part(part))
            remainder = remainder[remainder.index(after: end)...]
        }
        if !remainder.isEmpty { pieces.append(.text(Array(remainder.utf8))) }
        self.pieces = pieces
    }

    /// Appends the text.
    ///
    /// - Parameter part: appends a part.
    func append(part: (Part, inout [UInt8]) -> Void, to output: inout [UInt8]) {
        for piece in pieces {
            switch piece {
            case .text(let text): output.append(text.span)
            case .part(let name): part(name, &output)
            }
        }
    }
}
