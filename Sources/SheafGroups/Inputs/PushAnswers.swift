import SheafBytes

/// The push service's answers to the pushes of an entry, in an array next to them (specification §18).
///
///     pushes   "tokens":["a","b"]       in their order, or      "tokens":["a","b"]
///     answers  "results":[{…},{…}]      with their devices      "failed":[{"token":"b",…}]
///
/// A class, because the entries of an array share it. Memory: one value for each answer with a device.
final class PushAnswers {
    let array: InputPlan.AnswerArray
    /// The index of the record that the first answer is for.
    private let first: UInt32
    /// The answers from that for the record `next` on.
    private var rest: JSONMembers
    private var next: UInt32
    /// The answer before `rest`.
    private var last: FieldScanner.Value?
    /// The first answer for each device; nil if the answers are in the order of the pushes.
    private let byDevice: [[UInt8]: FieldScanner.Value]?

    /// - Parameters:
    ///   - value: the array.
    ///   - first: the index in its line of the first record that an answer is for.
    ///   - scan: a scan that is not used for anything else meanwhile.
    init(
        _ array: InputPlan.AnswerArray, _ value: FieldScanner.Value, first: UInt32, _ scan: inout EntryScan,
        in chunk: Chunk
    ) {
        self.array = array
        self.first = first
        next = first
        rest = JSONMembers(of: value)
        guard !array.devices.isEmpty else {
            byDevice = nil
            return
        }
        var elements = rest
        var found: [[UInt8]: FieldScanner.Value] = [:]
        while let element = elements.nextElement(in: chunk) {
            scan.begin(element: element, at: array.element, in: chunk)
            for node in array.devices {
                guard let device = scan.text(of: node, in: chunk) else { continue }
                if found[device] == nil { found[device] = element }
                break
            }
        }
        byDevice = found
    }

    /// Returns the answer to a push; nil if there is none. Records are asked for in their order.
    ///
    /// - Parameters:
    ///   - record: the index of the record in its line.
    ///   - device: the device of the record.
    func answer(to record: UInt32, device: TextRange, in chunk: Chunk) -> FieldScanner.Value? {
        if let byDevice {
            var key: [UInt8] = []
            key.append(chunk.bytes(of: device))
            return byDevice[key]
        }
        guard record >= first else { return nil }
        while next <= record {
            guard let element = rest.nextElement(in: chunk) else { return nil }
            last = element
            next += 1
        }
        return next == record + 1 ? last : nil
    }
}
