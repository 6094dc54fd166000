import SheafBytes
import TestTags
import Testing

@testable import SheafFlow

@Suite(.tags(.spilling)) struct NotificationWindowTests {
    @Test(arguments: [1, 2, 16])
    func eachItemHasItsTexts(capacity: Int) {
        var window = NotificationWindow<Int>(capacity: capacity)
        var found: [[UInt8]] = []
        // Short texts after longer ones, and longer ones after them.
        let texts = (0..<100).map { [UInt8](repeating: UInt8($0), count: 7 * $0 % 41) }
        func take() {
            window.forEach { item, bytes in
                found.append(Array(copying: bytes.extracting(first: texts[item].count)))
            }
            window.removeAll()
        }
        for index in texts.indices {
            window.append { bytes in
                if bytes.count < texts[index].count { bytes = texts[index] }
                bytes.replaceSubrange(..<texts[index].count, with: texts[index])
                return index
            }
            if window.isFull { take() }
        }
        take()
        #expect(found == texts)
    }

    @Test func aRemovedItemIsNotPassedOn() {
        var window = NotificationWindow<Int>(capacity: 3)
        for item in 0..<3 { window.append { _ in item } }
        #expect(window.isFull)
        window.removeLast()
        #expect(!window.isFull)
        var items: [Int] = []
        window.forEachItem { items.append($0) }
        #expect(items == [0, 1])
        window.removeAll()
        window.forEachItem { _ in Issue.record("the window is empty") }
    }
}
