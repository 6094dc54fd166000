import SheafGroups
import TestSupport
import Testing

@testable import SheafFlow

/// The measures of live groups, compared with those of the model for the same records (specification §19).
@Suite struct LiveMeasureTests {
    /// Returns records in the order of their times: pushes, versions, refused pushes, removals and responses.
    private func lines(_ count: Int, _ random: inout SeededGenerator) -> [String] {
        var time = 1_700_000_000_000
        return (0..<count).map { number in
            time += 1 + random.below(1_000)
            let device = random.chance(85) ? ",\"device\":\"d\(random.below(3))\"" : ""
            let head = "\"app\":\"\(random.pick(["a", "b"]))\",\"ts\":\(time)\(device)"
            switch random.below(10) {
            case 0:
                let scope = random.pick([
                    "", ",\"thread\":\"t0\"", ",\"ids\":[\"c0\",\"i\(random.below(count))\"]",
                ])
                return "{\"event\":\"removed\",\(head)\(scope)}"
            case 1:
                let action = random.pick(["Default", "Dismiss", "Other"])
                return
                    "{\"event\":\"response\",\(head),\"action\":\"com.apple.UNNotification\(action)ActionIdentifier\"}"
            default:
                let members = [
                    random.chance(30) ? ",\"collapse-id\":\"c\(random.below(3))\"" : "",
                    random.chance(10) ? ",\"status\":410" : "",
                    ",\"aps\":{\"alert\":\"x\"", random.chance(50) ? ",\"sound\":\"default\"" : "",
                    random.chance(60) ? ",\"thread-id\":\"t\(random.below(6))\"" : "",
                    random.chance(20) ? ",\"interruption-level\":\"passive\"" : "",
                ]
                return "{\(head),\"id\":\"i\(number)\"\(members.joined())}}"
            }
        }
    }

    @Test(arguments: Seeds.several(8), [false, true])
    func theMeasuresAreThoseOfTheModel(_ seed: UInt64, _ tracksDelivery: Bool) throws {
        var random = SeededGenerator(seed: seed)
        let lines = lines(150, &random)
        var options = LiveOptions()
        (options.byDevice, options.measures, options.delivery) = (true, true, tracksDelivery)
        options.appliesRemovals = random.chance(70)
        options.profile = random.pick(Profile.allCases)
        var measures = MeasureOptions()
        measures.fold = random.pick([1, 4])
        let live = try LiveGroups(options)
        let source = try live.addSource(named: "log")
        for part in [lines[..<70], lines[70...]] {
            _ = try source.append(part.map { $0 + "\n" }.joined())
            var replay = options.replay
            replay.sources = ["log"]
            let read = lines[..<part.endIndex].map { $0 + "\n" }.joined()
            let model = MeasureModel(ReplayModel([("log", Array(read.utf8))], replay), measures, nil)
            let found = live.measures(fold: measures.fold).filter { $0.app != nil }.flatMap { person in
                let values = Measure.allCases.map { person[$0] }
                return values.allSatisfy { $0 == 0 }
                    ? [] : [[person.device, person.app!] + values.map { "\($0)" }]
            }
            #expect(found == model.appValues)
            for device in Set(found.map { $0[0] }) {
                let rows = live.measures(ofDevice: device, fold: measures.fold)
                for measure in Measure.allCases where measure != .largest {
                    #expect(rows[0].app == nil)
                    #expect(rows[0][measure] == rows.dropFirst().reduce(0) { $0 + $1[measure] })
                }
                #expect(rows[0][.largest] == rows.dropFirst().map { $0[.largest] }.max())
            }
        }
        #expect(live.measures(ofDevice: "unknown").isEmpty)
    }

    @Test func measuresNeedDevicesAndDecisions() {
        var options = LiveOptions()
        options.measures = true
        #expect(throws: ReplayError.self) { try LiveGroups(options) }
        options.byDevice = true
        options.unique = true
        #expect(throws: ReplayError.self) { try LiveGroups(options) }
        options.unique = false
        #expect(throws: Never.self) { try LiveGroups(options) }
    }

    @Test func nothingIsMeasuredByDefault() throws {
        var options = LiveOptions()
        options.byDevice = true
        let live = try LiveGroups(options)
        let source = try live.addSource(named: "log")
        _ = try source.append("{\"app\":\"a\",\"device\":\"d\",\"aps\":{\"alert\":\"x\"}}\n")
        #expect(live.measures().isEmpty)
        #expect(live.measures(ofDevice: "d").isEmpty)
    }
}
