import SheafBytes
import SheafGroups
import SheafText

/// What a person, who is a device, got of an app on one day (UTC).
struct PersonDay: SampledValue {
    private(set) var app: UInt64
    private(set) var notifications: UInt32
    /// The number of notifications that were not passive.
    private(set) var interruptions: UInt32
    /// The first notification of the day in the log.
    private(set) var first: RecordPosition
    /// The threads with the smallest hashes, in no order: all of them if they are fewer than `capacity`. None for an
    /// app that is not grouped.
    ///
    /// Since a smaller hash never leaves, everything about a thread that is kept was recorded, as in a `HashSample`.
    private(set) var threads: [Thread] = []
    private let capacity: UInt8

    /// A thread of the person on the day.
    struct Thread: Sendable, BitwiseCopyable {
        let hash: UInt64
        /// The numbers of its urgent notifications, and of the others.
        fileprivate(set) var urgent: UInt32
        fileprivate(set) var others: UInt32
    }

    /// A notification as it counts for a person.
    struct Notification: Sendable {
        let app: UInt64
        /// The hash of its thread; nil for an app that is not grouped.
        let thread: UInt64?
        let interrupts: Bool
        /// Whether it is critical or time-sensitive.
        let isUrgent: Bool
        let position: RecordPosition
    }

    /// - Parameter capacity: the maximum number of threads that are kept, less than 256.
    init(_ notification: Notification, capacity: Int) {
        app = notification.app
        first = notification.position
        (notifications, interruptions) = (0, 0)
        self.capacity = UInt8(capacity)
        add(notification)
    }

    /// Adds a notification. O(number of kept threads).
    mutating func add(_ notification: Notification) {
        app = min(app, notification.app)
        first = min(first, notification.position)
        notifications = Self.sum(notifications, 1)
        if notification.interrupts { interruptions = Self.sum(interruptions, 1) }
        guard let hash = notification.thread else { return }
        add(Thread(hash: hash, urgent: notification.isUrgent ? 1 : 0, others: notification.isUrgent ? 0 : 1))
    }

    mutating func merge(_ other: PersonDay) {
        // Different only if the hashes of two people are equal; then the same in any order.
        app = min(app, other.app)
        first = min(first, other.first)
        notifications = Self.sum(notifications, other.notifications)
        interruptions = Self.sum(interruptions, other.interruptions)
        for thread in other.threads { add(thread) }
    }

    private mutating func add(_ thread: Thread) {
        var largest = 0
        for index in threads.indices {
            if threads[index].hash == thread.hash {
                threads[index].urgent = Self.sum(threads[index].urgent, thread.urgent)
                threads[index].others = Self.sum(threads[index].others, thread.others)
                return
            }
            if threads[index].hash > threads[largest].hash { largest = index }
        }
        if threads.count < Int(capacity) {
            threads.append(thread)
        } else if thread.hash < threads[largest].hash {
            threads[largest] = thread
        }
    }

    /// Associative, unlike a sum that wraps around at a limit.
    private static func sum(_ a: UInt32, _ b: UInt32) -> UInt32 {
        let (sum, overflow) = a.addingReportingOverflow(b)
        return overflow ? .max : sum
    }
}

// MARK: - Hashes

extension PersonDay {
    /// The bits of a hash that are the day: more than a log has.
    private static let dayBits: UInt64 = 1 << 20 - 1

    /// Returns the hash of a person's day. A sample of these has all days of the people in it, since the upper bits are
    /// those of the person.
    ///
    /// - Parameters:
    ///   - person: the hash of an app and a device.
    ///   - timestamp: a time on the day, in milliseconds since 1970.
    static func hash(_ person: UInt64, at timestamp: Int64) -> UInt64 {
        // Division rounds towards 0, which joins two days around 1970.
        self.person(person) | UInt64(bitPattern: timestamp / 86_400_000) & dayBits
    }

    /// Returns what the hashes of a person's days have in common.
    static func person(_ hash: UInt64) -> UInt64 { hash & ~dayBits }
}
