import SheafBytes

/// How text shows the devices of a single snapshot: a long identifier by its first characters, as many as no other device
/// of the snapshot begins with.
///
///     740f4707bebcf74f9b7c25d48e3358945f6aa01da5ddb387462c7eaf61bb78ad    740f4707…
///     740f4707ce19a1d3c2f0b6cb5f9d1be4aa0e2d7c4f53a8917cd02e64b1f8a905    740f4707c…
///     customer-00000000123                                                whole, if others are as similar
///
/// A function of the set of devices alone, whatever their order. Memory: the identifiers, whose total size is limited;
/// more of them are all shown whole.
struct DeviceNames: Sendable {
    private var devices = SymbolTable()
    private var heldBytes = 0
    /// The number of bytes that are shown of each device, by symbol; all of them where it is its length.
    private var shownBytes: [Int] = []

    /// The length from which an identifier is long, and the least number of its characters that are shown.
    private static let longBytes = 17
    private static let minimumBytes = 8
    /// The memory that a device takes besides its text, about.
    private static let entryBytes = 32

    /// Whether the devices take too much memory, so that all are shown whole.
    private var isFull: Bool { heldBytes > Limits.shownDeviceBytes }

    /// Adds a device, unless it has none.
    ///
    /// - Returns: whether more of them can be added.
    mutating func add(_ device: Span<UInt8>) -> Bool {
        let count = devices.count
        if Int(devices.symbol(for: device)) > count { heldBytes += device.count + Self.entryBytes }
        return !isFull
    }

    /// Decides how much is shown of each device, once all have been added. O(n log n).
    mutating func finish() {
        guard !isFull else { return devices = SymbolTable() }
        let sorted = devices.ordered
        var shown = [Int](repeating: 0, count: sorted.count)
        var common = 0
        for (index, symbol) in sorted.enumerated() {
            let device = devices.text(of: symbol)
            // In byte order, the devices that have the most bytes in common with this one are next to it.
            let next = index + 1 < sorted.count ? sorted[index + 1] : 0
            let commonWithNext = device.commonPrefixCount(with: devices.text(of: next))
            let distinct = max(common, commonWithNext) + 1
            shown[Int(symbol)] = Self.shownBytes(of: device, distinct: max(distinct, Self.minimumBytes))
            common = commonWithNext
        }
        shownBytes = shown
    }

    /// - Parameter distinct: the number of bytes that no other device begins with.
    private static func shownBytes(of device: Span<UInt8>, distinct: Int) -> Int {
        guard device.count >= longBytes, distinct + 1 < device.count else { return device.count }
        // A character of several bytes must not be cut.
        for index in 0..<distinct where device[index] >= 0x80 { return device.count }
        return distinct
    }

    /// Appends what is shown of a device.
    func append(_ device: Span<UInt8>, to output: inout [UInt8]) {
        guard let symbol = devices.find(device), Int(symbol) < shownBytes.count,
            shownBytes[Int(symbol)] < device.count
        else { return output.append(device) }
        output.append(device.extracting(first: shownBytes[Int(symbol)]))
        output.append("…")
    }
}

extension Span<UInt8> {
    /// Returns the number of bytes at the start that are the same in both.
    fileprivate func commonPrefixCount(with other: Span<UInt8>) -> Int {
        let count = Swift.min(count, other.count)
        for index in 0..<count where self[index] != other[index] { return index }
        return count
    }
}
