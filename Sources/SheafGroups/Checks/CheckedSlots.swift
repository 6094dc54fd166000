import SheafBytes

/// The scanner slots of the fields that checks read in a line: a record's fields and its priority.
struct CheckedSlots {
    typealias Slot = FieldPlan.Slot

    let record: EnvelopeSlots
    /// In order of precedence: the names of the line, that of `headers`, and those of other services.
    let priorities: [Slot]

    init(to plan: inout FieldPlan) {
        record = EnvelopeSlots(to: &plan)
        let headerPriority = plan.field(EnvelopeNames.headerPriority, in: record.headers)
        priorities =
            EnvelopeNames.priorities.map { plan.field($0) } + [headerPriority]
            + EnvelopeNames.Other.priorities.map { plan.field($0) }
    }
}
