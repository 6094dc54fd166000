import TestSupport
import Testing

@testable import SheafGroups

/// The sources of a thread identifier (specification §2, Payload).
@Suite struct ThreadTests {
    struct Case: NamedCase {
        let name: String
        let aps: String
        let thread: String
        let findings: [Finding]

        init(_ name: String, _ aps: String, _ thread: String, _ findings: [Finding] = []) {
            self.name = name
            self.aps = aps
            self.thread = thread
            self.findings = findings
        }
    }

    @Test(arguments: [
        Case("in aps", #""alert":"x","thread-id":"t""#, "t"),
        Case("no thread identifier", #""alert":"x""#, ""),
        Case("empty", #""alert":"x","thread-id":"""#, ""),
        Case("null", #""alert":"x","thread-id":null"#, ""),
        Case("in the alert", #""alert":{"body":"x","thread-id":"t"}"#, "t", [.threadMisplaced]),
        Case(
            "in the alert, escaped", #""alert":{"body":"x","thread-id":"\u0074"}"#, "t", [.threadMisplaced]),
        Case("in both", #""alert":{"body":"x","thread-id":"no"},"thread-id":"t""#, "t"),
        Case(
            "empty in aps, in the alert", #""thread-id":"","alert":{"body":"x","thread-id":"t"}"#, "t",
            [.threadMisplaced]),
        Case(
            "wrong type in aps, in the alert", #""thread-id":5,"alert":{"body":"x","thread-id":"t"}"#, "t",
            [.threadMisplaced, .threadType]),
        Case("wrong type in aps", #""thread-id":5,"alert":"x""#, "", [.threadType]),
        Case("wrong type in the alert", #""alert":{"body":"x","thread-id":{}}"#, "", [.threadType]),
        Case("empty in the alert", #""alert":{"body":"x","thread-id":""}"#, ""),
        Case("null in the alert", #""alert":{"body":"x","thread-id":null}"#, ""),
        Case("wrong type in the alert, in aps", #""thread-id":"t","alert":{"body":"x","thread-id":5}"#, "t"),
        Case("wrong type in both", #""thread-id":[],"alert":{"body":"x","thread-id":5}"#, "", [.threadType]),
    ])
    func threadIsReadFromApsThenFromTheAlert(_ item: Case) {
        let decoded = DecodedLine.aps(item.aps)
        #expect(decoded.outcome == .notification)
        #expect(decoded.thread == item.thread)
        #expect(decoded.findings == item.findings)
    }

    @Test func threadOutsideApsIsIgnored() {
        let decoded = DecodedLine(
            #"{"app":"a","thread-id":"no","payload":{"thread-id":"no","aps":{"alert":"x"}}}"#)
        #expect(decoded.thread == "")
        #expect(decoded.findings.isEmpty)
    }
}
