import SheafBytes
import SheafGroups
import Synchronization

/// The names of apps, numbered for several results of a run.
final class AppNumbers: Sendable {
    private let names = Mutex(SymbolTable())

    /// Returns the number of an app, 0 for an empty name. O(1) expected.
    func number(of app: Span<UInt8>) -> UInt32 { names.withLock { $0.symbol(for: app) } }

    /// The names by number.
    var all: [[UInt8]] {
        names.withLock { names in (0...UInt32(names.count)).map { Array(copying: names.text(of: $0)) } }
    }
}

/// The notifications that a result shows, each with its group: which groups of two results have notifications in common.
///
///     source 3 bytes, line 5 | index 4, alone 1 bit, number of the app 31 bits | hash of the group's key 8
///
/// The hash of a notification that is alone in its group has its position. If other runs read the rows, it does not, but the
/// bit is set: sources are numbered again when rows of several runs are merged.
final class ShownNotifications: Sendable {
    let apps: AppNumbers
    /// Whether other runs read the rows, so that their hashes do not depend on this process.
    let areKept: Bool
    let isWanted: @Sendable (Span<UInt8>) -> Bool
    let receive: @Sendable (ContiguousArray<Row>) -> Void

    /// - Parameters:
    ///   - areKept: whether other runs read the rows.
    ///   - isWanted: returns whether the notifications of an app matter.
    ///   - receive: receives rows, on any thread.
    init(
        _ apps: AppNumbers, areKept: Bool, of isWanted: @escaping @Sendable (Span<UInt8>) -> Bool,
        receive: @escaping @Sendable (ContiguousArray<Row>) -> Void
    ) {
        (self.apps, self.areKept) = (apps, areKept)
        (self.isWanted, self.receive) = (isWanted, receive)
    }

    private static let aloneBit: UInt64 = 1 << 31
    private static let lineBits: UInt64 = 40

    static func row(
        source: Int, line: UInt64, index: UInt32, app: UInt32, isAlone: Bool, hash: UInt64
    ) -> Row {
        Row(
            high: UInt64(source) << lineBits | line,
            low: UInt64(index) << 32 | UInt64(app) | (isAlone ? aloneBit : 0), value: hash)
    }

    static func position(of row: Row) -> (source: Int, line: UInt64) {
        (Int(row.high >> lineBits), row.high & (1 << lineBits - 1))
    }

    /// Whether a row's notification is alone in its group, which its hash does not tell.
    static func isAlone(_ row: Row) -> Bool { row.low & aloneBit != 0 }

    static func app(of row: Row) -> Int { Int(row.low & (aloneBit - 1)) }

    /// Whether two rows are of the same notification.
    static func isSame(_ a: Row, _ b: Row) -> Bool { a.high == b.high && a.low >> 32 == b.low >> 32 }

    /// A number that distinguishes a row's group from others.
    static func group(of row: Row) -> UInt64 {
        guard isAlone(row) else { return row.value }
        let position = (row.high &+ (row.low >> 32) &* UInt64.goldenRatio) &* UInt64.goldenRatio
        return row.value ^ position
    }
}
