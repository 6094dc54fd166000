import Testing

@testable import SheafSynthesis

/// The bytes of a log never change, and it has the requested number of records.
@Suite struct SyntheticLogTests {
    typealias Shape = LogShape

    /// If these bytes change, every log does, and earlier measurements can no longer be compared with later ones.
    @Test func bytesArePinned() {
        let log = bytes(Shape(records: 1_000, seed: 1))
        let firstLine = String(decoding: log.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        #expect(firstLine == Self.firstLine)
        #expect(log.count == 612_537)
        #expect(fnv1a(log) == 0x599C_9777_917A_B63E)
    }

    struct Pin: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var shape: Shape
        var digest: UInt64
    }

    @Test(arguments: [
        Pin(
            testDescription: "another seed", shape: Shape(records: 200, seed: 2),
            digest: 0xC790_1553_87E4_B5B8),
        Pin(
            testDescription: "one app", shape: Shape(records: 200, seed: 1, apps: 1),
            digest: 0xF580_C38E_6501_016B),
        Pin(
            testDescription: "many apps", shape: Shape(records: 200, seed: 1, apps: 3_000),
            digest: 0x1DED_2207_3027_FD40),
        Pin(
            testDescription: "no threads", shape: Shape(records: 200, seed: 1, threads: 0),
            digest: 0x1869_D20E_F723_2CC8),
        Pin(
            testDescription: "no devices", shape: Shape(records: 200, seed: 1, devices: 0),
            digest: 0xB26E_2E3A_9285_2934),
    ])
    func digestIsPinned(_ pin: Pin) {
        #expect(fnv1a(bytes(pin.shape)) == pin.digest)
    }

    /// A share of refused pushes changes only their records.
    @Test func refusedPushesLeaveTheOthersAsTheyAre() {
        func lines(_ refused: Int) -> [[UInt8]] {
            bytes(Shape(records: 4_000, seed: 8, refused: refused)).split(separator: UInt8(ascii: "\n"))
                .map(Array.init)
        }
        let plain = lines(0)
        let some = lines(20_000)
        let isRefused = zip(plain, some).map { $0 != $1 }
        #expect((40...120).contains(isRefused.count { $0 }))
        for (line, isRefused) in zip(some, isRefused) where isRefused {
            let text = String(decoding: line, as: UTF8.self)
            #expect(
                text.contains(#""reason""#) || text.contains(#""error""#), "\(text)")
            #expect(text.contains(/"status": ?[45]|"status": ?"failed"|"success": ?false/), "\(text)")
        }
        #expect(
            lines(1_000_000).allSatisfy { line in
                String(decoding: line, as: UTF8.self).contains(/"(reason|error)": ?"[A-Z]/)
            })
    }

    @Test func refusedPushesArePinned() {
        let log = bytes(Shape(records: 200, seed: 2, refused: 100_000))
        #expect(fnv1a(log) == 0xC7EB_B95C_610C_A611)
    }

    /// A share of removals changes only their records, which name what was shown before.
    @Test func removalsLeaveTheOthersAsTheyAre() {
        func lines(_ removed: Int) -> [String] {
            bytes(Shape(records: 4_000, seed: 8, removed: removed)).split(separator: UInt8(ascii: "\n"))
                .map { String(decoding: $0, as: UTF8.self) }
        }
        let (plain, some) = (lines(0), lines(50_000))
        let isRemoval = zip(plain, some).map { $0 != $1 }
        #expect((150...250).contains(isRemoval.count { $0 }))
        var kinds: Set<Substring> = []
        for (number, line) in some.enumerated() where isRemoval[number] {
            guard let removal = line.firstMatch(of: /"event": ?"([a-z-]+)".*"app": ?"([^"]+)"/) else {
                Issue.record("\(line)")
                continue
            }
            kinds.insert(removal.1)
            guard let id = line.firstMatch(of: /"(?:collapse-)?id": ?"([^"]+)"/)?.1 else { continue }
            #expect(some[..<number].contains { $0.contains("\"\(id)\"") }, "\(line)")
        }
        #expect(kinds == ["opened", "dismissed", "app-opened"])
    }

    @Test func removalsArePinned() {
        let log = bytes(Shape(records: 2_000, seed: 2, removed: 50_000, days: 30))
        #expect(fnv1a(log) == 0x7E7D_58AA_1F57_A968)
    }

    /// The records are spread over the days.
    @Test(arguments: [1, 30, 365]) func aLogMayLastDays(_ days: Int) throws {
        let log = bytes(Shape(records: 1_000, seed: 3, days: days)).split(separator: UInt8(ascii: "\n"))
        let times = log.compactMap { line in
            String(decoding: line, as: UTF8.self).firstMatch(of: /"(?:ts|timestamp)": ?"?(1[0-9]{9})/)
                .flatMap { Int($0.1) }
        }
        let length = try #require(times.max()) - (try #require(times.min()))
        #expect((days * 86_400 * 9 / 10...days * 86_400 * 11 / 10).contains(length))
    }

    @Test(arguments: [0, 1, 2, 17])
    func appendsExactlyTheRequestedRecords(_ records: Int) {
        var log = SyntheticLog(Shape(records: records, seed: 3, apps: 2, threads: 1, devices: 1))
        var output: [UInt8] = []
        for _ in 0..<records {
            let before = output.count
            let wasAppended = log.appendRecord(to: &output)
            #expect(wasAppended && output.count > before && output.last == UInt8(ascii: "\n"))
        }
        let complete = output
        for _ in 0..<2 {
            let wasAppended = log.appendRecord(to: &output)
            #expect(!wasAppended)
        }
        #expect(output == complete, "A log that has ended appends nothing.")
        #expect(output.count { $0 == UInt8(ascii: "\n") } == records)
    }

    @Test func appendsToExistingBytes() {
        var log = SyntheticLog(Shape(records: 1, seed: 1))
        var output = Array("before".utf8)
        _ = log.appendRecord(to: &output)
        #expect(output == Array("before".utf8) + bytes(Shape(records: 1, seed: 1)))
    }

    @Test func copiesAreIndependent() {
        var log = SyntheticLog(Shape(records: 20, seed: 4))
        var output: [UInt8] = []
        _ = log.appendRecord(to: &output)
        var copy = log
        var original: [UInt8] = []
        var copied: [UInt8] = []
        while log.appendRecord(to: &original) {}
        while copy.appendRecord(to: &copied) {}
        #expect(original == copied)
    }

    @Test func aLongerLogBeginsWithTheShorterOne() {
        #expect(bytes(Shape(records: 40, seed: 5)).starts(with: bytes(Shape(records: 25, seed: 5))))
    }

    @Test func seedsYieldDifferentLogs() {
        let logs = (0..<8).map { fnv1a(bytes(Shape(records: 3, seed: $0))) }
        #expect(Set(logs).count == logs.count)
    }

    @Test func averageLineLengthIsRealistic() {
        let log = bytes(Shape(records: 5_000, seed: 6))
        #expect((560...640).contains(log.count / 5_000))
    }

    private static let firstLine = #"""
        {"ts":1767571200061,\#
        "device-token":"bd5d98d52bf189849897b3758d60a91c24935888a9b5b207b5dad712657c3a1e",\#
        "headers":{"apns-id":"EEBD114B-D872-46D1-B50C-3FF1E7D7E8A6","apns-topic":"com.example.mail",\#
        "apns-push-type":"alert","apns-priority":"10","apns-expiration":"1767661200"},\#
        "payload":{"aps":{"alert":{"title":"Leo Larkin","subtitle":"Notes from today",\#
        "body":"Hello, attached are the notes and the plan for Willowmere. Please have a look before 14:50.",\#
        "summary-arg":"Leo Larkin","summary-arg-count":1},"thread-id":"mailbox\/1753845952",\#
        "category":"MAIL_RECEIVED","sound":"default","badge":5}},"status":200}
        """#
}
