import SheafBytes

@testable import SheafFlow

extension GroupRenderer {
    /// Appends the line to an array, as most tests need it.
    mutating func append(
        _ index: Int, of groups: borrowing SortedGroups, shard: Int, to output: inout [UInt8]
    ) {
        var buffer = OutputBuffer()
        _ = append(index, of: groups, shard: shard, to: &buffer)
        output.append(buffer.bytes)
    }
}
