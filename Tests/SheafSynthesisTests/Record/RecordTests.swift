import Foundation
import Testing

@testable import SheafSynthesis

/// The records of a log, as an independent reader decodes them.
@Suite struct RecordTests {
    typealias Shape = LogShape

    /// The log that all tests of frequencies share.
    static let log = Result { try DecodedRecord.all(Shape(records: 5_000, seed: 7)) }

    struct Share: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// The valid numbers of records in 1,000.
        var band: ClosedRange<Int>
        var ofNotifications = true
        var holds: @Sendable (DecodedRecord) -> Bool
    }

    @Test(arguments: [
        Share(testDescription: "silent", band: 55...85, ofNotifications: false) { !$0.isNotification },
        Share(testDescription: "calls", band: 1...8, ofNotifications: false) { $0.app.hasSuffix(".voip") },
        Share(testDescription: "payload as text", band: 13...27, ofNotifications: false) {
            $0.form == .payloadAsText
        },
        Share(testDescription: "bare", band: 5...17, ofNotifications: false) { $0.form == .bare },
        Share(testDescription: "identifier", band: 800...930, ofNotifications: false) { $0.id != nil },
        Share(testDescription: "text as time", band: 20...130, ofNotifications: false) {
            $0.timestamp.text != nil
        },
        Share(testDescription: "collapse identifier", band: 70...110) { $0.collapseID != nil },
        Share(testDescription: "thread identifier", band: 900...940) { $0.thread != nil },
        Share(testDescription: "category", band: 660...760) { $0.aps["category"] != nil },
        Share(testDescription: "summary argument", band: 360...440) { $0.argument != nil },
        Share(testDescription: "summary argument count", band: 320...400) { $0.argumentCount != nil },
        Share(testDescription: "alert is a string", band: 25...55) { $0.aps["alert"]?.text != nil },
        Share(testDescription: "localization key", band: 40...75) { $0.alert["loc-key"] != nil },
        Share(testDescription: "subtitle", band: 150...500) { $0.alert["subtitle"] != nil },
        Share(testDescription: "badge", band: 300...700) { $0.aps["badge"] != nil },
        Share(testDescription: "sound", band: 750...990) { $0.aps["sound"] != nil },
        Share(testDescription: "mutable content", band: 200...600) { $0.aps["mutable-content"] != nil },
        Share(testDescription: "interruption level", band: 300...700) { $0.aps["interruption-level"] != nil },
        Share(testDescription: "relevance score", band: 80...300) { $0.aps["relevance-score"] != nil },
        Share(testDescription: "own data", band: 600...850) { !$0.dataNames.isEmpty },
        Share(testDescription: "outside ASCII", band: 350...750) { !$0.line.utf8.allSatisfy { $0 < 0x80 } },
        Share(testDescription: "escaped scalar", band: 30...200) { $0.line.contains(#"\u"#) },
        Share(testDescription: "escaped slash", band: 100...350) { $0.line.contains(#"\/"#) },
        Share(testDescription: "escaped line feed", band: 20...200) { $0.line.contains(#"\n"#) },
        Share(testDescription: "escaped quotation mark", band: 20...250) { $0.line.contains(#"\""#) },
        Share(testDescription: "space between tokens", band: 15...120) { $0.line.contains(#", ""#) },
    ])
    func sharesAreRealistic(_ share: Share) throws {
        let records = try Self.log.get().filter { !share.ofNotifications || $0.isNotification }
        let perMille = records.count(where: share.holds) * 1_000 / records.count
        #expect(share.band.contains(perMille))
    }

    /// Every record has a valid form, and fields of the right types.
    @Test(arguments: [
        Shape(records: 5_000, seed: 8),
        Shape(records: 1_500, seed: 9, apps: 1),
        Shape(records: 1_500, seed: 10, apps: 2_500, threads: 1, devices: 1),
    ])
    func everyRecordIsValid(_ shape: Shape) throws {
        let records = try DecodedRecord.all(shape)
        #expect(records.count == shape.records)
        for record in records {
            #expect(!record.app.isEmpty)
            if record.isNotification {
                let texts = [record.aps["alert"], record.alert["title"], record.alert["loc-key"]]
                #expect(texts.contains { $0?.text?.isEmpty == false }, "\(record.line)")
                #expect(record.alert["summary-arg"] == nil || record.argument?.isEmpty == false)
                #expect([1, 2, 3, 4, 5].contains(record.argumentCount ?? 1))
            } else {
                #expect(record.aps["content-available"] == .number(1) && record.collapseID == nil)
            }
            #expect(record.form == .bare || record.device?.utf8.count == 64)
            #expect(record.id.map { UUID(uuidString: $0)?.uuidString == $0 } ?? true)
        }
    }

    @Test func timesIncreaseExceptForLateRecords() throws {
        var latest = 0
        var late = 0
        let records = try Self.log.get()
        for record in records {
            let time = try #require(record.milliseconds, "\(record.line)")
            #expect(time > latest - Rates.lateness)
            late += time < latest ? 1 : 0
            latest = max(latest, time)
        }
        #expect((50...200).contains(late * 1_000 / records.count))
    }

    @Test func everyAppHasOneTimestampFormat() throws {
        var forms: [String: Set<String>] = [:]
        for record in try Self.log.get() {
            let app = record.app.hasSuffix(".voip") ? String(record.app.dropLast(5)) : record.app
            let form =
                switch record.timestamp {
                case .text(let text): text.hasSuffix("Z") ? "UTC" : "offset"
                case .number(let number): number < 1e11 ? "seconds" : "milliseconds"
                default: "none"
                }
            forms[app, default: []].insert(form)
        }
        #expect(forms.values.allSatisfy { $0.count == 1 })
        #expect(
            forms.values.reduce(into: Set()) { $0.formUnion($1) } == [
                "UTC", "offset", "seconds", "milliseconds",
            ])
    }

    /// Some notifications are updated several times on the same device.
    @Test func eventsAreUpdated() throws {
        var versions: [[String]: Int] = [:]
        var threads: [[String]: Set<String>] = [:]
        for record in try Self.log.get() {
            guard let event = record.collapseID, let device = record.device else { continue }
            versions[[record.app, event, device], default: 0] += 1
            threads[[record.app, event], default: []].insert(record.thread ?? "")
        }
        #expect(versions.values.max() ?? 0 >= 3)
        #expect(threads.values.allSatisfy { $0.count == 1 }, "All versions of an event are in one thread.")
    }

    @Test func eachAppHasDozensToHundredsOfArguments() throws {
        var arguments: [String: Set<String>] = [:]
        for record in try DecodedRecord.all(Shape(records: 5_000, seed: 12, apps: 2)) {
            guard let argument = record.argument else { continue }
            arguments[record.app, default: []].insert(argument)
        }
        for names in arguments.values {
            #expect((24...600).contains(names.count))
        }
        #expect(arguments.count == 2)
    }

    @Test(arguments: [(0, 0), (0, 10), (10, 0), (1, 1)])
    func threadsAndDevicesCanBeOmittedIndependently(_ threads: Int, _ devices: Int) throws {
        let shape = Shape(records: 500, seed: 13, threads: threads, devices: devices)
        let records = try DecodedRecord.all(shape)
        #expect(records.contains { $0.thread != nil } == (threads > 0))
        #expect(records.contains { $0.device != nil } == (devices > 0))
        #expect(Set(records.compactMap(\.device)).count <= devices)
        let groups = Set(records.filter(\.isNotification).map { [$0.app, $0.thread ?? ""] })
        let apps = Set(records.filter(\.isNotification).map(\.app))
        if threads == 0 {
            #expect(groups.count == apps.count)
        }
    }

    /// In every app, threads have the shares of Zipf's law.
    @Test func appsAndThreadsAreIndependent() throws {
        let shape = Shape(records: 8_000, seed: 14, apps: 3, threads: 3)
        let notifications = try DecodedRecord.all(shape).filter { $0.isNotification && $0.thread != nil }
        var pairs: [String: [String: Int]] = [:]
        for record in notifications {
            let number = String(try #require(record.thread).drop { !$0.isNumber })
            pairs[record.app, default: [:]][number, default: 0] += 1
        }
        #expect(pairs.count == 3)
        let expected = [6, 3, 2].map { Double($0) / 11 }
        for threads in pairs.values {
            let total = Double(threads.values.reduce(0, +))
            let shares = threads.values.sorted(by: >).map { Double($0) / total }
            #expect(zip(shares, expected).allSatisfy { abs($0 - $1) < 0.06 }, "\(shares)")
        }
    }
}
