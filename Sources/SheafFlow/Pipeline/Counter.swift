/// A number among the counts of a run. Adding counts, encoding them, and checking encoded ones are loops over `all`.
///
/// To add one: a property of `RecordTally`, a row here, and a member of `Statistics`.
struct Counter {
    let path: WritableKeyPath<RunCounts, UInt64>
    let section: Section
    /// Whether a run that reads records like this can count it.
    var isPossible: (InputIdentity) -> Bool = { _ in true }

    /// Where encoded counts have it.
    enum Section: Equatable {
        /// At the start.
        case first
        /// After the first sections, with the others of the same number. Left out if all of these, and everything that
        /// follows, is 0, so that counts have exactly one encoding.
        case last(Int)
        /// With the others that have the same mark, and only if one of them is not 0. Marks differ from the numbers
        /// that badges begin with.
        case marked(UInt64)
    }

    /// The mark of the refused pushes, whose counts by reason follow.
    static var refusalsMark: UInt64 { 5 }

    /// In the order of the encoding.
    static var all: [Counter] {
        [
            Counter(path: \.bytesRead, section: .first),
            Counter(path: \.bytesInflated, section: .first),
            Counter(path: \.tally.lines, section: .first),
            Counter(path: \.tally.blank, section: .first),
            Counter(path: \.tally.silent, section: .first),
            Counter(path: \.tally.untimed, section: .first),
            Counter(path: \.tally.notifications, section: .first),
            Counter(path: \.updated, section: .first),
            Counter(path: \.tally.otherPlatform, section: .last(0)),
            Counter(path: \.tally.earlier, section: .last(1)) { $0.filter.since != nil },
            Counter(path: \.tally.later, section: .last(1)) { $0.filter.until != nil },
            Counter(path: \.tally.removals, section: .last(2)) { $0.appliesRemovals },
            Counter(path: \.tally.removalsIgnored, section: .last(2)) { !$0.appliesRemovals },
            Counter(path: \.tally.settings, section: .last(3)) { $0.tracksDelivery },
            Counter(path: \.tally.settingsIgnored, section: .last(3)) { !$0.tracksDelivery },
            Counter(path: \.tally.responses.total, section: .last(4)),
            Counter(path: \.tally.resultsApplied, section: .marked(2)) { $0.tracksDelivery },
            Counter(path: \.tally.expired, section: .marked(2)) { $0.tracksDelivery },
            Counter(path: \.tally.resultsIgnored, section: .marked(2)) { !$0.tracksDelivery },
            Counter(path: \.hidden.removed, section: .marked(3)),
            Counter(path: \.hidden.suppressed, section: .marked(3)),
            Counter(path: \.tally.unselected, section: .marked(4)) { $0.filter.selects },
            Counter(path: \.tally.refusals.total, section: .marked(refusalsMark)),
            Counter(path: \.tally.outcomes, section: .marked(6)) { $0.appliesOutcomes },
            Counter(path: \.tally.outcomesIgnored, section: .marked(6)) { !$0.appliesOutcomes },
            Counter(path: \.repeated, section: .marked(7)) { $0.isUnique },
            Counter(path: \.hidden.quiet, section: .marked(9)) { $0.tracksDelivery },
            Counter(path: \.hidden.banners, section: .marked(10)) { $0.tracksDelivery },
            Counter(path: \.hidden.sounds, section: .marked(10)) { $0.tracksDelivery },
            Counter(path: \.tally.openings, section: .marked(11)) { $0.tracksDelivery },
            Counter(path: \.tally.closings, section: .marked(11)) { $0.tracksDelivery },
        ]
    }

    static var lastSections: [[Counter]] {
        (0...4).map { number in all.filter { $0.section == .last(number) } }
    }

    /// In the order of `all`, in which the counters of a mark are consecutive.
    static var marks: [(mark: UInt64, counters: [Counter])] {
        var marks: [(mark: UInt64, counters: [Counter])] = []
        for counter in all {
            guard case .marked(let mark) = counter.section else { continue }
            if marks.last?.mark == mark {
                marks[marks.count - 1].counters.append(counter)
            } else {
                marks.append((mark, [counter]))
            }
        }
        return marks
    }
}

extension RunCounts {
    subscript(counter: Counter) -> UInt64 {
        get { self[keyPath: counter.path] }
        set { self[keyPath: counter.path] = newValue }
    }
}
