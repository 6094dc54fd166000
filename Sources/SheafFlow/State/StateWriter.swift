import SheafBytes

/// Writes sorted state as framed records, section by section.
///
/// Holds one frame. A frame ends with the record that reaches `Limits.frameBytes`, so equal records give equal files.
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

    /// The length of the longest frame payload so far, in bytes.
    private(set) var largestFrame = 0

    /// The number of bytes written so far, without the frame that is being filled.
    var byteCount: UInt64 { frames.byteCount }

    /// Adds a record. Sections must be in ascending order.
    mutating func add(_ record: Span<UInt8>, to section: StateSection) throws(ReplayError) {
        if section != self.section {
            precondition(section.rawValue > self.section.rawValue, "sections out of order")
            try flush()
            self.section = section
        }
        payload.appendText(record)
        if payload.count >= Limits.frameBytes { try flush() }
    }

    /// Writes the last frame and the end marker.
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
