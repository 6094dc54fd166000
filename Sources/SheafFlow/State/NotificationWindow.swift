import SheafBytes

/// A few notifications with copies of their texts, so that what each of them needs can be prefetched before the first one
/// is added.
struct NotificationWindow<Item> {
    private var elements: [(item: Item, bytes: [UInt8])] = []
    /// The number of first elements that are in use. The others keep the memory of their texts.
    private var count = 0
    private var buffer: [UInt8] = []
    private let capacity: Int

    /// - Parameter capacity: the number of notifications that make the window full, at least 1.
    init(capacity: Int = Limits.prefetchedRecords) { self.capacity = capacity }

    var isFull: Bool { count == capacity }

    /// Adds a notification; the window must not be full.
    ///
    /// - Parameter make: writes the texts to the start of a buffer, which may be longer.
    mutating func append(_ make: (inout [UInt8]) -> Item) {
        if count < elements.count { swap(&buffer, &elements[count].bytes) }
        let item = make(&buffer)
        if count == elements.count { elements.append((item, [])) }
        elements[count].item = item
        swap(&buffer, &elements[count].bytes)
        count += 1
    }

    mutating func removeLast() { count -= 1 }

    mutating func removeAll() { count = 0 }

    func forEachItem(_ body: (Item) -> Void) {
        for index in 0..<count { body(elements[index].item) }
    }

    /// Calls `body` with each notification and the buffer of its texts.
    @inline(__always)
    mutating func forEach<Failure>(_ body: (Item, Span<UInt8>) throws(Failure) -> Void) throws(Failure) {
        for index in 0..<count {
            swap(&buffer, &elements[index].bytes)
            defer { swap(&buffer, &elements[index].bytes) }
            try body(elements[index].item, buffer.span)
        }
    }
}
