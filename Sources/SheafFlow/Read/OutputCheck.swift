import SheafBytes

/// No output may replace a source or the configuration, and no two outputs may be one file: a log is never lost to a slip
/// of the hand.
///
/// Files are compared by device and inode, and files that don't exist yet by those of their folder and by name, so that
/// the spelling of a path does not matter. Files that standard input and output are redirected to count too.
enum OutputCheck {
    static func check(
        _ options: ReplayOptions, _ sources: [Source], storage: any Storage
    ) throws(ReplayError) {
        let outputs = [
            (options.partial == nil ? "the snapshot" : "--partial", options.partial ?? options.output),
            ("--rejects", options.rejects ?? ""),
            ("--stats", options.statistics ?? ""),
        ].filter { !$0.1.isEmpty }
        try check(outputs, sources, configuration: options.configurationFiles, storage: storage)
        guard let folder = options.checkpoint else { return }
        let place = try Place(folder, .output, storage)
        for output in outputs where try Place(output.1, .output, storage).isSame(as: place) {
            throw .usage("--checkpoint and \(output.0) would both be at '\(folder)'")
        }
        for path in sources.map(\.path) + options.configurationFiles + outputs.map(\.1)
        where try isUsedByCheckpoint(path, in: folder, storage) {
            throw .usage("'\(path)' has a name that --checkpoint keeps for files of its own in '\(folder)'")
        }
    }

    /// - Parameters:
    ///   - outputs: what each one is, for messages, and its path.
    ///   - configuration: the files that the settings were read from.
    static func check(
        _ outputs: [(name: String, path: String)], _ sources: [Source], configuration: [String] = [],
        storage: any Storage
    ) throws(ReplayError) {
        var places: [Place] = []
        for (index, output) in outputs.enumerated() {
            let place = try Place(output.path, .output, storage)
            places.append(place)
            // A device takes everything.
            if place.isDevice { continue }
            for (earlier, other) in zip(outputs[..<index], places) where other.isSame(as: place) {
                let path = output.path == "-" ? earlier.path : output.path
                throw .usage("\(output.name) and \(earlier.name) would both be written to '\(path)'")
            }
            for source in sources {
                if try Place(source, storage).isSame(as: place) { throw clash(output, source.path) }
                guard isTemporary(source.path, of: output.path, storage) else { continue }
                throw .usage(
                    "'\(source.path)' is left of a run that was writing '\(output.path)': "
                        + "\(output.name) would remove it; rename it")
            }
            for path in configuration where try Place(path, .input, storage).isSame(as: place) {
                throw .usage(
                    output.path == "-"
                        ? "standard output is '\(path)', which the configuration is read from: "
                            + "\(output.name) would be written to it"
                        : "'\(output.path)' is what the configuration is read from: \(output.name) would replace it"
                )
            }
        }
    }

    private static func clash(_ output: (name: String, path: String), _ source: String) -> ReplayError {
        let name = source == "-" ? "standard input" : "'\(source)'"
        if output.path == "-" {
            return .usage("standard output is \(name), a source: \(output.name) would be written to it")
        }
        if source == "-" {
            return .usage(
                "'\(output.path)' is standard input, a source: \(output.name) would replace it")
        }
        return .usage("'\(output.path)' is a source: \(output.name) would replace it")
    }

    /// Whether the run could take a file for an output's temporary file that a killed run left.
    private static func isTemporary(_ path: String, of output: String, _ storage: any Storage) -> Bool {
        guard output != "-", let name = path.split(separator: "/").last, TemporaryNames.isUsed(String(name))
        else { return false }
        let target = storage.isSymbolicLink(output) ? (try? storage.resolvingLinks(output)) ?? output : output
        guard (try? TemporaryNames(target))?.isTarget(of: String(name)) == true else { return false }
        let folders = [path, target].map { try? storage.status(of: storage.folder(of: $0))?.identity }
        return folders[0] == folders[1]
    }

    /// Whether the run could take a file for one of its checkpoint's.
    private static func isUsedByCheckpoint(
        _ path: String, in folder: String, _ storage: any Storage
    ) throws(ReplayError) -> Bool {
        // A link is written through: its target's name counts too.
        let paths = [path, storage.isSymbolicLink(path) ? try? storage.resolvingLinks(path) : nil]
        for path in paths.compactMap({ $0 }) {
            guard let name = path.split(separator: "/").last, CheckpointNames.isUsed(String(name)) else {
                continue
            }
            let other = storage.folder(of: path)
            do {
                // It need not be there yet.
                guard let status = try storage.status(of: folder) else {
                    if other == storage.folder(of: "\(folder)/\(name)") { return true }
                    continue
                }
                if try storage.status(of: other)?.identity == status.identity { return true }
            } catch {
                throw .output(error)
            }
        }
        return false
    }
}

/// The location of an input or output, whatever its path.
private struct Place {
    private let path: String
    /// The stream that the path `-` is; nil for other paths.
    private let stream: StandardStream?
    private let status: FileStatus?
    /// The folder of a file that does not exist yet.
    private let folder: FileIdentity?

    /// A source, which was looked at when sources were listed.
    init(_ source: Source, _ storage: any Storage) throws(ReplayError) {
        guard let identity = source.identity else {
            try self.init(source.path, .input, storage)
            return
        }
        self.init(
            path: source.path, stream: nil,
            status: FileStatus(kind: .file, size: 0, identity: identity), folder: nil)
    }

    private init(path: String, stream: StandardStream?, status: FileStatus?, folder: FileIdentity?) {
        self.path = path
        self.stream = stream
        self.status = status
        self.folder = folder
    }

    /// - Parameter stream: what the path `-` is.
    init(_ path: String, _ stream: StandardStream, _ storage: any Storage) throws(ReplayError) {
        if path == "-" {
            self.init(path: path, stream: stream, status: storage.status(of: stream), folder: nil)
            return
        }
        do {
            let status = try storage.status(of: path)
            let folder = status == nil ? try storage.status(of: storage.folder(of: path))?.identity : nil
            self.init(path: path, stream: nil, status: status, folder: folder)
        } catch {
            throw .output(error)
        }
    }

    /// Whether it is a device or a pipe, which many can write to, and which is never replaced.
    var isDevice: Bool { stream == nil && status?.kind == .other }

    func isSame(as other: Place) -> Bool {
        if let stream, stream == other.stream { return true }
        if let status, let found = other.status {
            return status.kind != .other && status.identity == found.identity
        }
        guard stream == nil, other.stream == nil, status == nil, other.status == nil else { return false }
        if path == other.path { return true }
        return folder != nil && folder == other.folder
            && path.split(separator: "/").last == other.path.split(separator: "/").last
    }
}
