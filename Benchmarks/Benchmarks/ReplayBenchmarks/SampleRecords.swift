import SheafBytes
import SheafFlow
import SheafGroups

/// Decoded records of any number of equally likely groups, in a fixed order that caches cannot predict.
struct SampleRecords {
    let records: [NotificationRecord]
    /// The buffer that holds the records' texts.
    let bytes: [UInt8]
    private let groups: [Int]

    init(count: Int, groups groupCount: Int) {
        var bytes: [UInt8] = []
        func text(_ string: String) -> TextRange {
            let start = UInt32(bytes.count)
            bytes.append(contentsOf: string.utf8)
            return TextRange(start: start, count: UInt32(bytes.count) - start)
        }
        let apps = (0..<200).map { text("com.example.app-\($0)") }
        let threads = (0..<groupCount).map { text("thread-\(1_000_000_000 + $0)") }
        let arguments = (0..<500).map { text("Sender \($0)") }
        let identifier = text("EEBD114B-D872-46D1-B50C-3FF1E7D7E8A6")
        let body = text("Hello, attached are the notes and the plan. Please have a look before 14:50.")
        let category = text("MESSAGE")
        var state: UInt64 = 1
        var records: [NotificationRecord] = []
        var groups: [Int] = []
        for line in 0..<count {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let group = Int(state >> 33) % groupCount
            var record = NotificationRecord()
            record.order = OrderKey(timestamp: Int64(line) * 10, source: 0, line: UInt64(line + 1))
            record.app = apps[group % apps.count]
            record.thread = threads[group]
            record.identifier = identifier
            record.title = arguments[Int(state >> 40) % arguments.count]
            record.body = body
            record.category = category
            record.argument = record.title
            records.append(record)
            groups.append(group)
        }
        self.records = records
        self.groups = groups
        self.bytes = bytes
    }

    /// Adds the records in `range`.
    func add(_ range: Range<Int>, to groups: inout MeasuredGroups) {
        var start = range.lowerBound
        while start < range.upperBound {
            let end = min(start + 16, range.upperBound)
            groups.add(records[start..<end], in: bytes.span)
            start = end
        }
    }

    /// Returns one state for each group, of the records in `range`.
    func states(_ range: Range<Int>, groups count: Int, in store: inout GroupStore) -> [GroupState] {
        var states: [GroupState?] = Array(repeating: nil, count: count)
        let bytes = bytes.span
        for index in range {
            let group = groups[index]
            if var state = states[group] {
                store.add(records[index], in: bytes, to: &state)
                states[group] = state
            } else {
                states[group] = store.start(records[index], in: bytes)
            }
        }
        for group in 0..<count where states[group] == nil {
            states[group] = store.start(records[range.lowerBound], in: bytes)
        }
        return states.compactMap { $0 }
    }
}
