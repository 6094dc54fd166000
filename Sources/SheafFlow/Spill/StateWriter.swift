import SheafBytes

/// Writes sorted state as framed records, section by section.
///
/// Holds one frame: `Limits.frameBytes`, and the one record that went beyond it. Frames end where that many bytes are
/// reached, so that equal records make equal files.
struct StateWriter: ~Copyable {
    private var frames: FrameWriter
    private var payload = OutputBuffer()
    private var section = StateSection.header

    init(_ output: any ByteOutput, magic: FrameMagic) throws(ReplayError) {
        do {
            frames = try FrameWriter(output, magic: magic)
        } catch {
            throw .writing(error)
        }
    }

    /// The longest frame's payload so far, in bytes.
    private(set) var largestFrame = 0

    /// All bytes so far, but for those of the frame that is being filled.
    var byteCount: UInt64 { frames.byteCount }

    /// Adds a record. Sections come in their order.
    mutating func add(_ record: Span<UInt8>, to section: StateSection) throws(ReplayError) {
        if section != self.section {
            precondition(section.rawValue > self.section.rawValue, "sections out of order")
            try flush()
            self.section = section
        }
        payload.appendText(record)
        if payload.count >= Limits.frameBytes { try flush() }
    }

    /// Writes what is left and the file's end.
    mutating func end() throws(ReplayError) {
        try flush()
        do {
            try frames.end()
        } catch {
            throw .writing(error)
        }
    }

    private mutating func flush() throws(ReplayError) {
        guard payload.count > 0 else { return }
        largestFrame = max(largestFrame, payload.count)
        try Self.write(payload, kind: section, to: &frames)
        payload.removeAll()
    }

    private static func write(
        _ payload: borrowing OutputBuffer, kind: StateSection, to frames: inout FrameWriter
    ) throws(ReplayError) {
        do {
            try frames.write(payload.bytes, kind: kind.rawValue)
        } catch {
            throw .writing(error)
        }
    }
}
