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
        try check(outputs, sources, storage: storage)
        guard let folder = options.checkpoint else { return }
        for path in sources.map(\.path) + outputs.map(\.1)
        where try isUsedByCheckpoint(path, in: folder, storage) {
            throw .usage("'\(path)' has a name that --checkpoint keeps for files of its own in '\(folder)'")
        }
    }

    /// - Parameter outputs: what each one is, for messages, and its path.
    static func check(
        _ outputs: [(name: String, path: String)], _ sources: [Source], storage: any Storage
    ) throws(ReplayError) {
        var identities: [FileIdentity?] = []
        for (index, output) in outputs.enumerated() {
            let status: FileStatus?
            do {
                status = output.path == "-" ? nil : try storage.status(of: output.path)
            } catch {
                throw .output(error)
            }
            identities.append(status?.identity)
            // A device takes everything.
            if status?.kind == .other { continue }
            for (earlier, identity) in zip(outputs[..<index], identities)
            where earlier.path == output.path || identity != nil && identity == status?.identity {
                throw .usage("\(output.name) and \(earlier.name) would both be written to '\(output.path)'")
            }
            guard let status else { continue }
            for source in sources where source.identity == status.identity {
                throw .usage("'\(output.path)' is a source: \(output.name) would replace it")
            }
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
