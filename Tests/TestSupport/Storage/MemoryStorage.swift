import SheafBytes
import Synchronization

/// Files in memory. Only invalid operations fail; `InterceptedStorage` makes others fail, and records them.
///
/// A path is a file, a folder, a link or a device; `-` is standard input and output. The current folder and
/// `temporaryFolder` always exist. After a crash, `restarted` returns the storage as the next process finds it.
package final class MemoryStorage: Storage {
    /// What a path names.
    package enum Entry: Equatable, Sendable {
        case file([UInt8])
        case folder
        case link(String)
        /// Collects the bytes written to it.
        case device([UInt8])
        /// A file that is listed but can't be opened.
        case unreadable
    }

    /// The data that a crash loses.
    package enum Loss: CaseIterable, Sendable {
        /// Nothing: only the process ends.
        case nothing
        /// Everything that was not synced.
        case everything
        /// All changes of names after a random moment, and in each file all changes after another.
        case newest
        /// Random changes of names, and in each file all changes after a random moment.
        case anything
    }

    struct State {
        var disk: MemoryDisk
        /// The bytes written to standard output.
        var output: [UInt8] = []
        var openFiles = 0
        var bytesRead: [String: Int] = [:]
        /// The resolved paths of locked files.
        var locks: Set<String> = []
    }

    let state: Mutex<State>
    let input: [UInt8]
    /// The paths of the files that the standard streams are open on.
    let streams: [StandardStream: String]
    /// The maximum number of bytes of a read.
    let step: Int

    static let temporaryFolder = "temporary"

    private init(
        _ disk: consuming MemoryDisk, input: [UInt8], streams: [StandardStream: String], step: Int
    ) {
        state = Mutex(State(disk: disk))
        self.input = input
        self.streams = streams
        self.step = step
    }

    /// Creates a storage with these entries and the folders that contain them. All are on the disk.
    ///
    /// - Parameters:
    ///   - input: the bytes of standard input.
    ///   - streams: the paths of the files that the standard streams are open on.
    ///   - step: the maximum number of bytes of a read.
    package convenience init(
        _ entries: [String: Entry] = [:], input: [UInt8] = [], streams: [StandardStream: String] = [:],
        step: Int = 700
    ) {
        let entries = entries.merging([Self.temporaryFolder: .folder]) { given, _ in given }
        self.init(MemoryDisk(entries.mapValues(\.node)), input: input, streams: streams, step: step)
    }

    /// Creates a storage with these files, the folders that contain them, and others.
    package convenience init(files: [String: [UInt8]], folders: [String] = [], step: Int = 700) {
        let entries = files.mapValues { Entry.file($0) }
        self.init(entries.merging(folders.map { ($0, .folder) }) { file, _ in file }, step: step)
    }

    /// Returns the storage as the next process finds it after a crash. All locks are free, and this process can no
    /// longer change anything in it.
    package func restarted(
        losing loss: Loss, _ random: inout some RandomNumberGenerator
    ) -> MemoryStorage {
        let disk = state.withLock { $0.disk }
        return MemoryStorage(
            disk.afterCrash(losing: loss, &random), input: input, streams: streams, step: step)
    }

    /// Returns the storage as the next process finds it if no data is lost.
    package func restarted() -> MemoryStorage {
        var random = SystemRandomNumberGenerator()
        return restarted(losing: .nothing, &random)
    }

    // MARK: What a test sees

    /// All entries except the folders that always exist.
    package var entries: [String: Entry] {
        let disk = state.withLock { $0.disk }
        return disk.names.filter { $0.key != "" && $0.key != Self.temporaryFolder }
            .mapValues { Entry(disk.nodes[$0]) }
    }

    /// The bytes of all files.
    package var files: [String: [UInt8]] {
        let disk = state.withLock { $0.disk }
        return disk.names.mapValues { disk.nodes[$0] }.filter { $0.value.kind == .file }.mapValues(\.bytes)
    }

    /// The paths of all files, sorted.
    package var paths: [String] { files.keys.sorted() }

    /// The bytes of a file or a device; nil for other paths. Setting them is what another program does: the change is
    /// on the disk immediately, and so are all names.
    package subscript(path: String) -> [UInt8]? {
        get {
            guard let node = state.withLock({ $0.disk.node(at: path) }) else { return nil }
            return node.kind == .file || node.kind == .device ? node.bytes : nil
        }
        set { state.withLock { $0.disk.replace(path, with: newValue) } }
    }

    /// Updates the modification time of a file.
    package func touch(_ path: String) { self[path] = self[path] }

    /// The bytes written to standard output.
    package var output: [UInt8] { state.withLock { $0.output } }
    /// The number of files that are open now.
    package var openFiles: Int { state.withLock { $0.openFiles } }
    /// The number of bytes that were read from a file.
    package func bytesRead(of path: String) -> Int { state.withLock { $0.bytesRead[path, default: 0] } }
}

extension MemoryStorage.Entry {
    fileprivate init(_ node: MemoryDisk.Node) {
        switch node.kind {
        case .file: self = .file(node.bytes)
        case .folder: self = .folder
        case .link(let target): self = .link(target)
        case .device: self = .device(node.bytes)
        case .unreadable: self = .unreadable
        }
    }

    fileprivate var node: (kind: MemoryDisk.Node.Kind, bytes: [UInt8]) {
        switch self {
        case .file(let bytes): (.file, bytes)
        case .folder: (.folder, [])
        case .link(let target): (.link(target), [])
        case .device(let bytes): (.device, bytes)
        case .unreadable: (.unreadable, [])
        }
    }
}
