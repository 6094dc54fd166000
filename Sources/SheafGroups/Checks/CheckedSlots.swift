import SheafBytes

/// Where the scanner puts what checks look at in a line: a record's fields, and how urgent it is.
struct CheckedSlots {
    typealias Slot = FieldPlan.Slot

    let record: EnvelopeSlots
    /// In the order in which they are looked at, `headers` last.
    let priorities: (Slot, Slot, Slot)

    init(to plan: inout FieldPlan) {
        record = EnvelopeSlots(to: &plan)
        let headerPriority = plan.field(EnvelopeNames.headerPriority, in: record.headers)
        let plain = EnvelopeNames.priorities.map { plan.field($0) }
        priorities = (plain[0], plain[1], headerPriority)
    }
}
