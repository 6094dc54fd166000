/// The logs whose state is checked: small ones with every part of a state, in every kind of source.
enum StateLogs {
    /// The logs by path. In order of paths: plain, compressed in blocks, two gzip members, damaged.
    static let files: [String: [UInt8]] = {
        let middle = lines.count / 2
        let cut = BlockedMember([joined(lines)]).bytes
        return [
            "logs/a": joined(lines[..<middle]) + [UInt8]("not JSON\n\n{}\n"),
            "logs/b.gz": BlockedMember(lines.map { $0 + [UInt8(ascii: "\n")] }).bytes,
            "logs/c.gz": BlockedMember([joined(lines[middle...])]).bytes + BlockedMember([lines[0]]).bytes,
            "logs/d.gz": Array(cut.dropLast(12)),
        ]
    }()

    /// Lines of two apps, threads, categories and devices; all have an argument, and some replace others.
    private static let lines: [[UInt8]] = [
        line(0, "a0", collapse: "c0"), line(1, "a0"), line(2, "a1", collapse: "c1"),
        line(3, "a1", collapse: "c2"),
        line(0, "a0", collapse: "c0"), line(4, "a1", timestamp: false), line(5, "a1", thread: "t1"),
        line(6, "a0", device: "d1"),
    ]

    private static func line(
        _ number: Int, _ app: String, device: String = "d0", thread: String = "t0", collapse: String? = nil,
        timestamp: Bool = true
    ) -> [UInt8] {
        let collapse = collapse.map { #","apns-collapse-id":"\#($0)""# } ?? ""
        let time = timestamp ? #","ts":\#(1_700_000_000 - 7 * (number % 4))"# : ""
        return [UInt8](
            #"{"app":"\#(app)","device":"\#(device)"\#(time)\#(collapse),"payload":{"aps":{"alert":"#
                + #"{"title":"T","body":"B\#(number)","summary-arg":"x\#(number % 3)","summary-arg-count":\#(number + 1)},"#
                + #""thread-id":"\#(thread)","category":"k\#(number % 2)"}}}"#)
    }

    private static func joined(_ lines: some Sequence<[UInt8]>) -> [UInt8] {
        lines.reduce(into: []) { $0 += $1 + [UInt8(ascii: "\n")] }
    }
}
