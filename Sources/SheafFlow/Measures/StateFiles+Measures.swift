import SheafBytes
import SheafGroups

extension StateFiles {
    /// Writes the measures of everyone in the files, which are removed.
    ///
    mutating func writeMeasures(
        _ options: MeasureOptions, _ format: SnapshotFormat, to files: inout ResultFiles
    ) throws(ReplayError) -> MeasuredPeople {
        let timeline = self.options.timeline ?? .whole
        var state = self
        defer { self = state }
        var people = MeasuredPeople()
        try files.writeResult { output throws(ReplayError) in
            var writer = MeasureWriter(output, options, format, timeline)
            let distributions = DistributionFiles(
                folder: state.folder, storage: state.storage, maximumFiles: state.mergedFiles)
            var measurement = Measurement(options, distributions)
            if options.writesCells {
                try state.measure(timeline, &measurement) {
                    cell throws(ReplayError) in try writer.write(cell)
                }
            } else {
                try state.measure(timeline, &measurement)
                let check = state.check
                try measurement.forEachRow(options.quantiles, check: check) { row throws(ReplayError) in
                    options.receive?(row)
                    try writer.write(row)
                }
            }
            try writer.finish()
            people = measurement.people
        }
        return people
    }
}

/// The people of a measurement.
struct MeasuredPeople {
    /// The number of those who had a notification.
    var count: UInt64 = 0
    /// The number of pushes without a device, which are of nobody.
    var withoutDevice: UInt64 = 0

    func add(to statistics: inout Statistics) {
        (statistics.people, statistics.withoutDevice) = (count, withoutDevice)
        let pushes = statistics.grouped + statistics.updated
        if withoutDevice > 0 { statistics.warnings.insert(.withoutDevice(withoutDevice, of: pushes), at: 0) }
    }
}
