import CSheaf
import TestSupport
import Testing

/// Selected bytes are moved next to each other, with and without vectors, and no other byte is changed.
@Suite struct SelectionTests {
    @Test(arguments: [false, true], Seeds.several(4))
    func selectedBytesAreMoved(_ hasVectors: Bool, _ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for round in 0..<3000 {
            let bytes = random.bytes(80)
            let source = random.number(0...40)
            let target = random.number(0...source)
            let count = random.number(0...32)
            var selected = random.next() & ~(UInt64.max << UInt64(count))
            if random.oneIn(2) { selected &= random.next() }
            let kept = (0..<count).filter { selected >> UInt64($0) & 1 != 0 }.map { bytes[source + $0] }
            var moved = bytes
            let number = unsafe moved.withUnsafeMutableBufferPointer { buffer in
                let from = unsafe buffer.baseAddress! + source
                let to = unsafe buffer.baseAddress! + target
                return hasVectors
                    ? unsafe sheaf_select(from, UInt32(count), UInt32(selected), to)
                    : unsafe sheaf_select_in_turn(from, UInt32(count), UInt32(selected), to)
            }
            try #require(Int(number) == kept.count, "round \(round)")
            try #require(Array(moved[target..<target + kept.count]) == kept, "round \(round)")
            try #require(moved[..<target] == bytes[..<target], "round \(round)")
            try #require(moved[(source + count)...] == bytes[(source + count)...], "round \(round)")
        }
    }
}
