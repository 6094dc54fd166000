import SheafGroups

/// A record of a person whose screen is explained, whatever became of it.
///
/// Lines that are rejected, or are for other platforms, count as the person's if they contain the name of the device.
struct RecordTrace: Sendable {
    let outcome: RecordDecoder.Outcome
    /// The timestamp is 0 for a record that has none, and for one that was not read.
    var order: OrderKey
    /// The relation to the range of time.
    var position = RecordFilter.Position.inside
    /// The device, if it is not known whose records are traced.
    var device: [UInt8] = []
    var app: [UInt8] = []
    var thread: [UInt8] = []
    var identifier: [UInt8] = []
    var collapse: [UInt8] = []
    /// Of a response, the action.
    var title: [UInt8] = []
    var body: [UInt8] = []
    /// Why the push service refused it.
    var reason: [UInt8] = []

    init(_ outcome: RecordDecoder.Outcome, _ order: OrderKey) {
        (self.outcome, self.order) = (outcome, order)
    }

    /// The memory in use, in bytes.
    var heldBytes: Int {
        256 + app.count + thread.count + identifier.count + collapse.count + title.count + body.count
            + reason.count
    }
}
