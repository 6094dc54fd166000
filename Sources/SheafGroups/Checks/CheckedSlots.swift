import SheafBytes

/// The scanner slots of the fields that checks read in a line: a record's fields and its priority.
struct CheckedSlots {
    typealias Slot = FieldPlan.Slot

    let record: EnvelopeSlots
    /// In order of precedence, with that of `headers` last.
    let priorities: (Slot, Slot, Slot)

    init(to plan: inout FieldPlan) {
        record = EnvelopeSlots(to: &plan)
        let headerPriority = plan.field(EnvelopeNames.headerPriority, in: record.headers)
        let plain = EnvelopeNames.priorities.map { plan.field($0) }
        priorities = (plain[0], plain[1], headerPriority)
    }
}
