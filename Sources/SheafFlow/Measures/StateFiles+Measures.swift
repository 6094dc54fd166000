import SheafBytes
import SheafGroups

extension StateFiles {
    /// Distributions that spill to the files' folder.
    var distributions: DistributionFiles {
        DistributionFiles(folder: folder, storage: storage, maximumFiles: mergedFiles)
    }

    /// A measurement that spills to the files' folder.
    func measurement(_ options: MeasureOptions) -> Measurement { Measurement(options, distributions) }

    /// Measures what people get in each interval of a timeline.
    ///
    /// - Parameters:
    ///   - shared: the groups that are in memory, and all events; nil if files have both.
    ///   - writeCell: receives each person's values; nil to find distributions.
    mutating func measure(
        _ timeline: Timeline, _ measurement: inout Measurement,
        shared: (groups: SortedShard, judge: Judge)? = nil,
        writeCell: ((PersonCell) throws(ReplayError) -> Void)? = nil
    ) throws(ReplayError) {
        if options.hasWaiting { try decide() }
        let clock = SnapshotClock(timeline, times)
        try check(clock, "intervals with measures")
        if files.contains(where: \.hasMeasures) {
            for file in files { try measurement.add(file, clock, of: self) }
            return
        }
        try reduce(to: 2)
        let versions = SnapshotClock(options.versions ?? timeline, times)
        let activity = Activity(clock, measurement.division)
        let all = try withSpans(versions, activity, shared?.judge)
        try activity.spill(to: folder)
        try measurement.measure(all, activity, clock, direct: shared?.groups, writeCell: writeCell)
        for file in activity.files + all.files { folder.remove(file.path) }
        files = []
    }

    /// Writes the measures of everyone in the files, which are removed.
    ///
    /// - Parameter continues: whether the result continues that of other people.
    mutating func writeMeasures(
        _ options: MeasureOptions, _ format: SnapshotFormat, continues: Bool = false,
        to files: inout ResultFiles
    ) throws(ReplayError) -> MeasuredPeople {
        let timeline = self.options.timeline ?? .whole
        var state = self
        defer { self = state }
        var measurement = measurement(options)
        try files.writeResult { output throws(ReplayError) in
            guard options.writesCells else {
                try state.measure(timeline, &measurement)
                return try measurement.write(options, format, timeline, to: output, check: state.check)
            }
            var writer = MeasureWriter(output, options, format, timeline, continues: continues)
            try state.measure(timeline, &measurement) { cell throws(ReplayError) in try writer.write(cell) }
            try writer.finish()
        }
        return measurement.people
    }
}

extension Measurement {
    /// Writes the distributions, and removes them.
    mutating func write(
        _ options: MeasureOptions, _ format: SnapshotFormat, _ timeline: Timeline, to output: any ByteOutput,
        check: () throws(ReplayError) -> Void
    ) throws(ReplayError) {
        var writer = MeasureWriter(output, options, format, timeline)
        try forEachRow(options.quantiles, check: check) { row throws(ReplayError) in
            options.receive?(row)
            try writer.write(row)
        }
        try writer.finish()
    }
}

/// The people of a measurement.
struct MeasuredPeople {
    /// The number of those who had a notification.
    var count: UInt64 = 0
    /// The number of pushes without a device, which belong to no person.
    var withoutDevice: UInt64 = 0

    func add(to statistics: inout Statistics) {
        (statistics.people, statistics.withoutDevice) = (count, withoutDevice)
        let pushes = statistics.grouped + statistics.updated
        if withoutDevice > 0 { statistics.warnings.insert(.withoutDevice(withoutDevice, of: pushes), at: 0) }
    }
}
