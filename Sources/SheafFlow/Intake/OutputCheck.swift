import SheafBytes

/// No output may replace a source, and no two outputs may be one file: a log is never lost to a slip of the hand.
enum OutputCheck {
    static func check(
        _ options: ReplayOptions, _ sources: [Source], storage: any Storage
    ) throws(ReplayError) {
        let outputs = [
            (options.partial == nil ? "the snapshot" : "--partial", options.partial ?? options.output),
            ("--rejects", options.rejects ?? ""),
            ("--stats", options.statistics ?? ""),
        ].filter { !$0.1.isEmpty }
        var identities: [FileIdentity?] = []
        for (index, output) in outputs.enumerated() {
            let status: FileStatus?
            do {
                status = output.1 == "-" ? nil : try storage.status(of: output.1)
            } catch {
                throw .output(error)
            }
            identities.append(status?.identity)
            // A device takes everything.
            if status?.kind == .other { continue }
            for (earlier, identity) in zip(outputs[..<index], identities)
            where earlier.1 == output.1 || identity != nil && identity == status?.identity {
                throw .usage("\(output.0) and \(earlier.0) would both be written to '\(output.1)'")
            }
            guard let status else { continue }
            for source in sources where source.identity == status.identity {
                throw .usage("'\(output.1)' is a source: \(output.0) would replace it")
            }
        }
        guard let folder = options.checkpoint else { return }
        for path in sources.map(\.path) + outputs.map(\.1)
        where try isUsedByCheckpoint(path, in: folder, storage) {
            throw .usage("'\(path)' has a name that --checkpoint keeps for files of its own in '\(folder)'")
        }
    }

    /// Whether the run could take a file for one of its checkpoint's.
    private static func isUsedByCheckpoint(
        _ path: String, in folder: String, _ storage: any Storage
    ) throws(ReplayError) -> Bool {
        guard let name = path.split(separator: "/").last, CheckpointNames.isUsed(String(name)) else {
            return false
        }
        let other = storage.folder(of: path)
        do {
            // It need not be there yet.
            guard let status = try storage.status(of: folder) else {
                return other == storage.folder(of: "\(folder)/\(name)")
            }
            return try storage.status(of: other)?.identity == status.identity
        } catch {
            throw .output(error)
        }
    }
}
