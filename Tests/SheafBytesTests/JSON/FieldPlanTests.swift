import Testing

@testable import SheafBytes

@Suite struct FieldPlanTests {
    /// Slots are numbered consecutively, and the fields inside a field have the numbers after its own.
    @Test func nestedFieldsFollowTheirParent() {
        var plan = FieldPlan()
        #expect(plan.slotCount == 0)
        let first = plan.field("a")
        let inFirst = plan.field("b", in: first)
        let deep = plan.field("c", in: inFirst)
        let deepSibling = plan.field("d", in: inFirst)
        let siblingInFirst = plan.field("e", in: first)
        let second = plan.field("f")
        let slots = [first, inFirst, deep, deepSibling, siblingInFirst, second]
        #expect(slots.map(\.index) == Array(0..<6))
        #expect(plan.slotCount == 6)
        #expect(plan.slotEnds == [5, 4, 3, 4, 5, 6])
    }

    @Test func copiesAreIndependent() {
        var plan = FieldPlan()
        _ = plan.field("a")
        var copy = plan
        _ = copy.field("b")
        #expect(plan.slotCount == 1)
        #expect(copy.slotCount == 2)
    }

    @Test func addingInsideAnEarlierFieldTraps() async {
        await #expect(processExitsWith: .failure) {
            var plan = FieldPlan()
            let first = plan.field("a")
            _ = plan.field("b")
            _ = plan.field("c", in: first)
        }
    }

    @Test func addingInsideAnEarlierSiblingTraps() async {
        await #expect(processExitsWith: .failure) {
            var plan = FieldPlan()
            let top = plan.field("a")
            let first = plan.field("b", in: top)
            _ = plan.field("c", in: top)
            _ = plan.field("d", in: first)
        }
    }

    @Test func tooManyFieldsInOneObjectTrap() async {
        await #expect(processExitsWith: .failure) {
            var plan = FieldPlan()
            for number in 0..<255 { _ = plan.field("\(number)") }
        }
    }

    @Test func slotOfAnotherPlanTraps() async {
        await #expect(processExitsWith: .failure) {
            var plan = FieldPlan()
            let slot = plan.field("a")
            _ = FieldScanner(FieldPlan())[slot]
        }
    }

    @Test func slotBeforeTheFirstTraps() async {
        await #expect(processExitsWith: .failure) {
            var plan = FieldPlan()
            let slot = plan.field("a")
            _ = FieldScanner(plan)[slot.advanced(by: -1)]
        }
        await #expect(processExitsWith: .failure) {
            var plan = FieldPlan()
            let slot = plan.field("a")
            _ = FieldScanner(plan).kind(of: slot.advanced(by: -1))
        }
        await #expect(processExitsWith: .failure) {
            var plan = FieldPlan()
            let slot = plan.field("a")
            _ = FieldScanner(plan).isMistyped(slot.advanced(by: -1))
        }
    }
}
