import Testing

@testable import SheafBytes

@Suite struct FieldPlanTests {
    /// Slots count up, and everything inside a field has the numbers that follow its own.
    @Test func numbering() {
        var plan = FieldPlan()
        #expect(plan.slotCount == 0)
        let first = plan.field("a")
        let inFirst = plan.field("b", in: first)
        let deep = plan.field("c", in: inFirst)
        let besideDeep = plan.field("d", in: inFirst)
        let besideInFirst = plan.field("e", in: first)
        let second = plan.field("f")
        let slots = [first, inFirst, deep, besideDeep, besideInFirst, second]
        #expect(slots.map(\.index) == Array(0..<6))
        #expect(plan.slotCount == 6)
        let keys = plan.nodes.flatMap(\.keys).sorted { $0.slot < $1.slot }
        #expect(keys.map(\.slotEnd) == [5, 4, 3, 4, 5, 6])
    }

    /// A plan is a value.
    @Test func copies() {
        var plan = FieldPlan()
        _ = plan.field("a")
        var copy = plan
        _ = copy.field("b")
        #expect(plan.slotCount == 1)
        #expect(copy.slotCount == 2)
    }

    @Test func insideAnEarlierField() async {
        await #expect(processExitsWith: .failure) {
            var plan = FieldPlan()
            let first = plan.field("a")
            _ = plan.field("b")
            _ = plan.field("c", in: first)
        }
    }

    @Test func insideAnEarlierFieldOfTheSameObject() async {
        await #expect(processExitsWith: .failure) {
            var plan = FieldPlan()
            let top = plan.field("a")
            let first = plan.field("b", in: top)
            _ = plan.field("c", in: top)
            _ = plan.field("d", in: first)
        }
    }

    @Test func tooManyInOneObject() async {
        await #expect(processExitsWith: .failure) {
            var plan = FieldPlan()
            for number in 0..<255 { _ = plan.field("\(number)") }
        }
    }

    @Test func slotOfAnotherPlan() async {
        await #expect(processExitsWith: .failure) {
            var plan = FieldPlan()
            let slot = plan.field("a")
            _ = FieldScanner(FieldPlan())[slot]
        }
    }
}
