/// The names and contents of a disk, as a program sees them and as a crash would leave them.
///
///     write, truncate                          visible immediately, durable when the file is synced
///     create, rename, remove, create folder    visible immediately, durable when the folder is synced
///
/// Either may become durable earlier: what a crash leaves of it is random.
///
/// A path is resolved if it has no `.`, no empty name and no link in it. The root of relative paths is the empty path.
struct MemoryDisk {
    /// A file or anything else that a name refers to, by its index in `nodes`.
    struct Node {
        enum Kind: Equatable {
            case file, folder, device, unreadable
            case link(String)
        }

        let kind: Kind
        var bytes: [UInt8]
        /// The bytes that no crash loses.
        fileprivate var durable: [UInt8]
        /// The changes since the last sync, in order.
        fileprivate var changes: [Change] = []
        var modified: Int64

        fileprivate enum Change {
            case append([UInt8])
            case truncate(Int)
        }

        /// Returns the bytes after `count` of the changes and the first `bytes` bytes of the next one.
        fileprivate func torn(after count: Int, and bytes: Int) -> [UInt8] {
            var content = durable
            for (index, change) in changes.prefix(count + 1).enumerated() {
                switch change {
                case .append(let text): content += index < count ? text[...] : text.prefix(bytes)
                case .truncate(let length): if index < count { content = Array(content.prefix(length)) }
                }
            }
            return content
        }
    }

    private struct NameChange {
        let folder: String
        var removed: String?
        var added: String?
        var node = 0

        func apply(to names: inout [String: Int]) {
            if let removed { names[removed] = nil }
            if let added { names[added] = node }
        }
    }

    /// Nodes are never removed, so that an open file can outlive its name.
    private(set) var nodes: [Node] = []
    /// The node of each resolved path.
    private(set) var names: [String: Int] = [:]
    private var durableNames: [String: Int] = [:]
    /// The changes of names since their folders were last synced, in order.
    private var nameChanges: [NameChange] = []
    /// Counts changes of files; the source of their modification times.
    private var clock: Int64 = 0

    /// Creates a disk with these nodes and the folders that contain them. All are durable.
    init(_ entries: [String: (kind: Node.Kind, bytes: [UInt8])]) {
        addFolders("")
        for (path, entry) in entries.sorted(by: { $0.key < $1.key }) {
            let path = resolved(path)
            addFolders(Self.folder(of: path))
            if entry.kind == .folder {
                addFolders(path)
            } else {
                clock += 1
                _ = add(entry.kind, entry.bytes, at: path)
            }
        }
        makeNamesDurable()
    }

    private mutating func addFolders(_ path: String) {
        guard names[path] == nil else { return }
        if !path.isEmpty { addFolders(Self.folder(of: path)) }
        _ = add(.folder, at: path)
    }

    /// Returns the folder of a resolved path.
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), path != "/" else { return "" }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Resolves a path.
    ///
    /// - Parameter followsLast: whether a link that the path itself names is followed.
    func resolved(_ path: String, followsLast: Bool = true) -> String {
        let parts = path.split(separator: "/").filter { $0 != "." }
        var resolved = path.hasPrefix("/") ? "/" : ""
        for (index, part) in parts.enumerated() {
            resolved += resolved.isEmpty || resolved == "/" ? String(part) : "/" + part
            guard followsLast || index < parts.count - 1 else { break }
            if case .link(let target)? = node(at: resolved)?.kind { resolved = self.resolved(target) }
        }
        return resolved
    }

    /// Returns the node at a resolved path.
    func node(at path: String) -> Node? { names[path].map { nodes[$0] } }

    /// Returns whether a resolved path is a folder.
    func isFolder(_ path: String) -> Bool { node(at: path)?.kind == .folder }

    /// Returns the names in the folder at a resolved path.
    func names(in folder: String) -> [String] {
        names.keys.filter { !$0.isEmpty && Self.folder(of: $0) == folder }
            .map { String($0.split(separator: "/").last ?? "") }
    }

    // MARK: Changes

    /// Adds a node with a name.
    mutating func add(_ kind: Node.Kind, _ bytes: [UInt8] = [], at path: String) -> Int {
        nodes.append(Node(kind: kind, bytes: bytes, durable: bytes, modified: clock))
        change(NameChange(folder: Self.folder(of: path), added: path, node: nodes.count - 1))
        return nodes.count - 1
    }

    mutating func rename(_ path: String, to target: String) {
        guard let node = names[path] else { return }
        change(NameChange(folder: Self.folder(of: target), removed: path, added: target, node: node))
    }

    mutating func remove(_ path: String) {
        change(NameChange(folder: Self.folder(of: path), removed: path))
    }

    private mutating func change(_ change: NameChange) {
        change.apply(to: &names)
        nameChanges.append(change)
    }

    mutating func append(_ bytes: [UInt8], to node: Int) {
        nodes[node].bytes += bytes
        note(.append(bytes), of: node)
    }

    mutating func truncate(_ node: Int, to count: Int) {
        nodes[node].bytes.removeLast(nodes[node].bytes.count - count)
        note(.truncate(count), of: node)
    }

    private mutating func note(_ change: Node.Change, of node: Int) {
        clock += 1
        nodes[node].modified = clock
        nodes[node].changes.append(change)
    }

    /// Makes the bytes of a file durable.
    mutating func sync(_ node: Int) {
        nodes[node].durable = nodes[node].bytes
        nodes[node].changes = []
    }

    /// Makes the names in the folder at a resolved path durable.
    mutating func syncNames(in folder: String) {
        for change in nameChanges where change.folder == folder { change.apply(to: &durableNames) }
        nameChanges.removeAll { $0.folder == folder }
    }

    private mutating func makeNamesDurable() {
        durableNames = names
        nameChanges = []
    }

    /// Replaces, adds or removes a file as another program would: this is durable immediately, as are all names.
    mutating func replace(_ path: String, with bytes: [UInt8]?) {
        if let bytes {
            let node = names[path] ?? add(.file, at: path)
            clock += 1
            nodes[node].modified = clock
            nodes[node].bytes = bytes
            sync(node)
        } else {
            names[path] = nil
        }
        makeNamesDurable()
    }

    // MARK: Crashes

    /// Returns the disk as a crash leaves it.
    func afterCrash(
        losing loss: MemoryStorage.Loss, _ random: inout some RandomNumberGenerator
    ) -> MemoryDisk {
        var left = self
        left.names = durableNames
        let count = Int.random(in: 0...nameChanges.count, using: &random)
        for (index, change) in nameChanges.enumerated() {
            let isKept =
                switch loss {
                case .nothing: true
                case .everything: false
                case .newest: index < count
                case .anything: Int.random(in: 0..<100, using: &random) < 50
                }
            if isKept { change.apply(to: &left.names) }
        }
        // Removing a folder removes its contents. A folder precedes them in the order of paths.
        for path in left.names.keys.sorted() where left.names[Self.folder(of: path)] == nil {
            left.names[path] = nil
        }
        for (_, number) in left.names.sorted(by: { $0.key < $1.key }) where nodes[number].kind == .file {
            switch loss {
            case .nothing: break
            case .everything: left.nodes[number].bytes = nodes[number].durable
            case .newest, .anything:
                let count = Int.random(in: 0...nodes[number].changes.count, using: &random)
                let bytes = Int.random(in: 0..<40, using: &random)
                left.nodes[number].bytes = nodes[number].torn(after: count, and: bytes)
            }
            left.sync(number)
        }
        left.makeNamesDurable()
        return left
    }
}
