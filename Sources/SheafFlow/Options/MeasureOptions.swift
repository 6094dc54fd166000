import SheafBytes
import SheafGroups

/// What a measurement finds, and how it is divided (specification §19).
///
/// ```swift
/// var replay = ReplayOptions(sources: ["logs"])
/// replay.every = Timeline(step: 86_400_000)
/// var options = MeasureOptions()
/// options.quantiles = [Quantile("50"), Quantile("99.9")].compactMap { $0 }
/// for row in try Measures(replay, options).run().rows where row.measure == .banners {
///     print(row.at, row.app ?? "all apps", row.quantiles)
/// }
/// ```
public struct MeasureOptions: Sendable {
    /// How what a person gets is divided. Each division has its own measures, and those of all of it together.
    public enum Division: String, Sendable, CaseIterable {
        /// By app.
        case app
        /// By app and category.
        case category
        /// By app and interruption level.
        case level
        /// Not at all.
        case none
    }

    public var division = Division.app
    /// The quantiles of each measure.
    public var quantiles = MeasureOptions.standardQuantiles
    /// The number of groups at the top of the screen whose notifications are not buried, at least 1.
    public var fold = MeasureOptions.standardFold
    /// Whether the values of each person are written instead of their distributions.
    public var writesCells = false
    /// Receives each distribution that is written; nil if only the output needs it.
    var receive: (@Sendable (MeasureRow) -> Void)?
    /// Receives each person, on any thread and in any order: the device, and by measure the sum of the events of all
    /// intervals, and what is on screen at the end; nil if nothing needs them.
    package var receivePerson: (@Sendable ([UInt8], [UInt64]) -> Void)?

    public static let standardQuantiles = ["50", "90", "95", "99"].compactMap { Quantile($0) }

    public static let standardFold = 4

    public init() {}
}

extension ReplayOptions {
    /// Measures what people get instead of writing snapshots.
    package mutating func measure(_ options: MeasureOptions) {
        measures = options
        byDevice = true
    }
}

extension MeasureOptions.Division {
    /// Whether the notifications of a group are divided.
    var hasParts: Bool { self == .category || self == .level }

    /// The name of the part in results; nil for divisions without parts.
    var partName: StaticString? {
        switch self {
        case .category: "category"
        case .level: "level"
        case .app, .none: nil
        }
    }

    /// Returns a notification whose thread has its part, so that each part of a group is a group of its own.
    ///
    ///     thread │ part │ the part's length in four bytes
    ///
    /// - Parameter buffer: becomes the buffer of the notification's texts.
    func divided(
        _ record: NotificationRecord, in bytes: Span<UInt8>, into buffer: inout [UInt8]
    ) -> NotificationRecord {
        buffer.removeAll(keepingCapacity: true)
        var record = record
        var whole = record
        (whole.thread, whole.category) = (.none, .none)
        whole.moveTexts { buffer.appendText(bytes[$0]) }
        let start = buffer.count
        buffer.append(bytes[record.thread])
        let part = buffer.count
        switch self {
        case .category: buffer.append(bytes[record.category])
        case .level: buffer.append(contentsOf: record.effect.level.name.utf8)
        case .app, .none: break
        }
        let length = UInt32(buffer.count - part)
        for shift in stride(from: UInt32(24), through: 0, by: -8) {
            buffer.append(UInt8(truncatingIfNeeded: length >> shift))
        }
        record = whole
        record.thread = TextRange(start..<buffer.count)
        return record
    }

    /// Returns the number of bytes of a divided thread before its part, and the range of the part.
    static func parts(of thread: Span<UInt8>) -> (base: Int, part: Range<Int>)? {
        let end = thread.count - 4
        guard end >= 0 else { return nil }
        var length = 0
        for index in end..<thread.count { length = length << 8 | Int(thread[index]) }
        guard length <= end else { return nil }
        return (end - length, end - length..<end)
    }
}
