import SheafBytes

/// Checks that no output replaces a source or the configuration, and that no two outputs are the same file, so that a
/// typo never destroys a log.
///
/// Existing files are compared by device and inode, and files that don't exist yet by their folder's device and inode
/// and by name, so different paths to the same file are detected. Redirected standard input and output are included.
package enum OutputCheck {
    package typealias Output = (name: OptionMessage, path: String)

    /// - Throws: `ReplayError.usage` that names both files.
    package static func check(
        _ files: RunFiles, _ sources: [Source], storage: any Storage
    ) throws(ReplayError) {
        let outputs: [Output] = [
            (files.resultName, files.result), (files.rejectsName, files.rejects ?? ""),
            (files.statisticsName, files.statistics ?? ""),
        ].filter { !$0.1.isEmpty }
        try check(outputs, sources, files.configuration, storage)
        guard let folder = files.checkpoint else { return }
        let location = try Location(folder, .output, storage)
        for output in outputs where try Location(output.path, .output, storage).isSame(as: location) {
            throw .usage("\(.checkpoint) and \(output.name) would both be at '\(folder)'")
        }
        for path in sources.map(\.path) + files.configuration + outputs.map(\.path)
        where try isUsedByCheckpoint(path, in: folder, storage) {
            throw .usage("'\(path)' has a name that \(.checkpoint) reserves in '\(folder)'")
        }
    }

    /// - Parameter configuration: the files that the settings were read from.
    package static func check(
        _ outputs: [Output], _ sources: [Source], _ configuration: [String], _ storage: any Storage
    ) throws(ReplayError) {
        var locations: [Location] = []
        for (index, output) in outputs.enumerated() {
            let location = try Location(output.path, .output, storage)
            locations.append(location)
            // Devices accept several writers, and are never replaced.
            if location.isDevice { continue }
            for (earlier, other) in zip(outputs[..<index], locations) where other.isSame(as: location) {
                let path = output.path == "-" ? earlier.path : output.path
                throw .usage("\(output.name) and \(earlier.name) would both be written to '\(path)'")
            }
            for source in sources {
                if try Location(source, storage).isSame(as: location) { throw clash(output, source.path) }
                guard isTemporary(source.path, of: output.path, storage) else { continue }
                throw .usage(
                    "'\(source.path)' is left over from a run writing '\(output.path)': "
                        + "\(output.name) would remove it; rename it")
            }
            for path in configuration where try Location(path, .input, storage).isSame(as: location) {
                throw .usage(
                    output.path == "-"
                        ? "standard output is '\(path)', a configuration file: \(output.name) would be written to it"
                        : "'\(output.path)' is a configuration file: \(output.name) would replace it"
                )
            }
        }
    }

    private static func clash(_ output: Output, _ source: String) -> ReplayError {
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

    /// Whether the run could mistake a file for a temporary file of an output that a killed run left.
    private static func isTemporary(_ path: String, of output: String, _ storage: any Storage) -> Bool {
        guard output != "-", let name = path.split(separator: "/").last,
            TemporaryNames.isReserved(String(name))
        else { return false }
        let target = storage.isSymbolicLink(output) ? (try? storage.resolvingLinks(output)) ?? output : output
        guard (try? TemporaryNames(target))?.isTarget(of: String(name)) == true else { return false }
        let folders = [path, target].map { try? storage.status(of: storage.folder(of: $0))?.identity }
        return folders[0] == folders[1]
    }

    /// Whether the run could mistake a file for one of its checkpoint files.
    private static func isUsedByCheckpoint(
        _ path: String, in folder: String, _ storage: any Storage
    ) throws(ReplayError) -> Bool {
        // Outputs are written through symbolic links, so the target's name matters too.
        let paths = [path, storage.isSymbolicLink(path) ? try? storage.resolvingLinks(path) : nil]
        for path in paths.compactMap({ $0 }) {
            guard let name = path.split(separator: "/").last, CheckpointNames.isUsed(String(name)) else {
                continue
            }
            let other = storage.folder(of: path)
            do {
                // The folder may not exist yet.
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

/// The location of an input or output, independent of the spelling of its path.
private struct Location {
    private let path: String
    /// The stream for the path `-`; nil for other paths.
    private let stream: StandardStream?
    private let status: FileStatus?
    /// The folder of a file that does not exist yet.
    private let folder: FileIdentity?

    /// The location of a source, from the identity that was found when sources were listed.
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

    /// - Parameter stream: the stream for the path `-`.
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

    /// Whether this is a device or a pipe, which accepts several writers and is never replaced.
    var isDevice: Bool { stream == nil && status?.kind == .other }

    func isSame(as other: Location) -> Bool {
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
