import Synchronization

/// Traps when threads access an object at the same time, unless all of them only read it.
///
/// For objects that are handed from one job to the next, so that no single queue owns them. A job calls `begin` and
/// `end` around its use of the object: a few atomic operations per job, none per record. This finds overlapping uses,
/// not every mistake that could lead to one.
///
/// The operations are relaxed, so that they do not order the jobs' accesses: that is the job queue's task, and the
/// thread sanitizer reports if it does not do so.
package struct AccessCheck: ~Copyable {
    package enum Access {
        /// No other access at the same time.
        case exclusive
        /// Only other shared accesses at the same time.
        case shared
    }

    /// The number of shared accesses, or -1 during an exclusive one.
    private let accesses = Atomic<Int>(0)

    package func begin(_ access: Access = .exclusive) {
        switch access {
        case .exclusive:
            let (isFree, _) = accesses.compareExchange(expected: 0, desired: -1, ordering: .relaxed)
            precondition(isFree, "two threads use an object at the same time")
        case .shared:
            let before = accesses.add(1, ordering: .relaxed).oldValue
            precondition(before >= 0, "a thread reads an object that another one changes")
        }
    }

    /// Ends an access that began as `access`.
    package func end(_ access: Access = .exclusive) {
        switch access {
        case .exclusive: accesses.store(0, ordering: .relaxed)
        case .shared: accesses.subtract(1, ordering: .relaxed)
        }
    }

    package init() {}
}
