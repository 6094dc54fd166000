import SheafBytes
import SheafGroups

/// What has happened to each person with each app until now.
///
/// Memory: about 160 bytes for each app of a person, and the names of devices and apps.
struct PersonCounts {
    private var devices = SymbolTable()
    private var apps = SymbolTable()
    /// By device and app: the row.
    private var rows: [UInt64: Int] = [:]
    /// By row: its app, and the counts of the measures of events.
    private var rowApps: [UInt32] = []
    private var counts: [UInt64] = []
    /// By device: its rows.
    private var rowsOfDevices: [[UInt32]] = [[]]

    /// The memory in use, in bytes.
    var heldBytes: Int {
        devices.heldBytes + apps.heldBytes + rows.capacity * 24 + rowApps.capacity * 4 + counts.capacity * 8
            + rowsOfDevices.capacity * 8 + rows.count * 8
    }

    /// Counts an event of a record's person and app; none of a record without a device. O(1) expected.
    mutating func add(
        _ measure: Measure, _ count: UInt64 = 1, of record: NotificationRecord, in bytes: Span<UInt8>
    ) {
        guard !record.device.isEmpty, count > 0 else { return }
        let device = devices.symbol(for: bytes[record.device])
        let key = UInt64(device) << 32 | UInt64(apps.symbol(for: bytes[record.app]))
        let row: Int
        if let found = rows[key] {
            row = found
        } else {
            row = rowApps.count
            rows[key] = row
            rowApps.append(UInt32(truncatingIfNeeded: key))
            counts += repeatElement(0, count: Measure.firstOfScreen)
            while rowsOfDevices.count <= Int(device) { rowsOfDevices.append([]) }
            rowsOfDevices[Int(device)].append(UInt32(row))
        }
        counts[row * Measure.firstOfScreen + measure.index] += count
    }

    /// The names of all devices, in byte order.
    var names: [[UInt8]] { devices.ordered.dropFirst().map { Array(copying: devices.text(of: $0)) } }

    /// Returns the counts of a device for each of its apps.
    func events(ofDevice device: Span<UInt8>) -> [(app: [UInt8], counts: [UInt64])] {
        guard let symbol = devices.find(device), symbol > 0, Int(symbol) < rowsOfDevices.count else {
            return []
        }
        return rowsOfDevices[Int(symbol)].map { row in
            let start = Int(row) * Measure.firstOfScreen
            return (
                Array(copying: apps.text(of: rowApps[Int(row)])),
                Array(counts[start..<start + Measure.firstOfScreen])
            )
        }
    }
}

/// What a person got of an app until now, and what is on screen of it (specification §19).
public struct PersonMeasures: Sendable {
    public let device: String
    /// nil for all apps together.
    public let app: String?
    /// In the order of `Measure`.
    private let values: [UInt64]

    init(device: String, app: String?, events: [UInt64], screen: PersonScreen.Values) {
        (self.device, self.app) = (device, app)
        values = events + screen.all
    }

    public subscript(measure: Measure) -> UInt64 { values[measure.index] }
}
