import SheafBytes
import SheafGroups

/// The newest badge of each app, or of each app on each device (specification §16).
///
/// Those with the smallest device and app in byte order are kept, so that merging badges in any order gives the same
/// result.
struct NewestBadges: Equatable, Sendable {
    /// By device and app.
    var table = BoundedTable<Badge>(limit: Limits.badges, texts: 2)

    struct Badge: Equatable, Sendable {
        var order: OrderKey
        let number: UInt64
    }

    var isEmpty: Bool { table.isEmpty }

    /// - Parameters:
    ///   - device: the device, with an app in `bytes`; none if badges are not separated by device.
    ///   - number: the badge, at most `RecordDecoder.maximumBadge`.
    mutating func record(
        _ number: UInt64, device: TextRange, app: TextRange, _ order: OrderKey, in bytes: Span<UInt8>
    ) {
        let badge = Badge(order: order, number: number)
        table.update(bytes[device], bytes[app], Span(), badge) { if $0.order < order { $0 = badge } }
    }

    /// Adds the badges of another run.
    ///
    /// - Parameter sourceOffset: the number of sources that precede those of the other run.
    mutating func add(_ other: NewestBadges, sourceOffset: Int = 0) {
        var other = other
        if sourceOffset > 0 { other.table.updateValues { $0.order = $0.order.moved(by: sourceOffset) } }
        table.formUnion(other.table) { if $0.order < $1.order { $0 = $1 } }
    }

    /// Appends the badges: 1 if some are not kept, else 0; their number, and for each: device | app | badge | order.
    func append(to output: inout OutputBuffer) {
        output.appendNumber(table.isCut ? 1 : 0)
        table.append(to: &output) { badge, output in
            output.appendNumber(badge.number)
            output.append(badge.order)
        }
    }

    /// Decodes badges.
    ///
    /// - Returns: false if there are none, if one has no app, or if one is of a source that does not exist.
    mutating func read(_ reader: inout ByteReader, in bytes: Span<UInt8>, sources: OrdinalSet) -> Bool {
        let isCut = reader.number(upTo: 1) == 1
        table.read(&reader, in: bytes) { reader in
            let number = reader.number(upTo: RecordDecoder.maximumBadge)
            return Badge(order: reader.orderKey(sourceOffset: 0), number: number)
        }
        if isCut { table.cut() }
        return !isEmpty
            && table.entries.allSatisfy {
                !$0.texts.second.isEmpty && sources.contains($0.value.order.source)
            }
    }
}
