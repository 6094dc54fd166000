import SheafBytes

/// A JSON Pointer (RFC 6901), in which `*` stands for each element of an array.
package struct JSONPointer: Hashable, Sendable {
    package enum ReferenceToken: Hashable, Sendable {
        case key(String)
        /// Each element of an array.
        case each

        /// Keys are equal if their bytes are, as in JSON; texts are equal in more cases.
        package static func == (first: ReferenceToken, second: ReferenceToken) -> Bool {
            switch (first, second) {
            case (.key(let first), .key(let second)):
                first.utf8.count == second.utf8.count && first.utf8.elementsEqual(second.utf8)
            case (.each, .each): true
            default: false
            }
        }

        package func hash(into hasher: inout Hasher) {
            if case .key(let key) = self { for byte in key.utf8 { hasher.combine(byte) } }
        }
    }

    package let tokens: [ReferenceToken]

    /// The maximum number of tokens: nothing in a text that is nested deeper is ever read.
    static let maximumTokens = 32

    /// What the names of the locale replace.
    private static let mark = "{locale}"

    /// The pointer to the whole entry.
    static let entry = JSONPointer([])

    package init(_ tokens: [ReferenceToken]) { self.tokens = tokens }

    /// - Parameter keys: the keys from the top down, without escapes.
    package init(keys: [String]) { tokens = keys.map(ReferenceToken.key) }

    /// Parses a pointer.
    ///
    /// Stricter than RFC 6901: keys that are empty or look like another notation are refused, because nearly all of
    /// them are mistakes.
    package init(parsing text: String) throws(PointerError) {
        // Characters may combine a slash with marks that follow it, so scalars are compared.
        let scalars = Array(text.unicodeScalars)
        guard let first = scalars.first else {
            self = .entry
            return
        }
        guard first == "/" else { throw Self.missingSlash(text) }
        var tokens: [ReferenceToken] = []
        for part in scalars.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            tokens.append(try Self.token(part, in: scalars))
        }
        guard tokens.count <= Self.maximumTokens else {
            throw PointerError("a pointer has at most \(Self.maximumTokens) parts")
        }
        guard tokens.count(where: { $0 == .each }) <= 1 else {
            throw PointerError("a pointer has at most one '*': read the outer array with 'each'")
        }
        self.tokens = tokens
    }

    private static func token(
        _ part: ArraySlice<Unicode.Scalar>, in pointer: [Unicode.Scalar]
    ) throws(PointerError) -> ReferenceToken {
        let text = string(part)
        if text == "*" { return .each }
        guard let first = part.first, let last = part.last else { throw emptyKey(in: pointer) }
        if part.contains("*") {
            guard last == "]" || text == "**" else {
                throw PointerError("'*' is each element of an array, and not part of a key")
            }
            if text == "**" { throw PointerError("'**' is not supported: name every key down to the value") }
        }
        if last == "]", let bracket = part.lastIndex(of: "["), bracket > part.startIndex {
            let index = string(part[(bracket + 1)...].dropLast())
            if index == "*" || index.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
                throw PointerError(
                    "'\(text)' is not a key: write '\(string(part[..<bracket]))/\(index.isEmpty ? "*" : index)'"
                        + " for an element")
            }
        }
        guard !first.properties.isWhitespace, !last.properties.isWhitespace else {
            throw PointerError("remove the space before or after '\(text.trimmed)'")
        }
        let key = try key(part)
        if first == "{", last == "}", text.utf8.count <= 12, text != mark,
            ["locale", "lang", "language", "local", "loc"].contains(
                string(part.dropFirst().dropLast()).lowercased())
        {
            throw PointerError("the names of the locale replace '\(mark)', not '\(text)'")
        }
        return .key(key)
    }

    private static func string(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var text = ""
        text.unicodeScalars.append(contentsOf: scalars)
        return text
    }

    /// The error for a pointer in which two slashes follow each other, or that ends with one.
    private static func emptyKey(in pointer: [Unicode.Scalar]) -> PointerError {
        let keys = pointer.split(separator: "/").map { string($0) }
        if keys.isEmpty { return PointerError("an empty key: write '' for the entry itself, or name a key") }
        return PointerError("an empty key: write '\(keys.map { "/\($0)" }.joined())'")
    }

    /// The error for a text that does not begin with a slash, with the pointer that was probably meant.
    private static func missingSlash(_ text: String) -> PointerError {
        let text = MappingValue.shown(text)
        if text.contains("..") {
            return PointerError("'..' is not supported: name every key down to the value")
        }
        if text.hasPrefix("#/") {
            return PointerError("a pointer begins with '/': write '\(text.dropFirst())'")
        }
        if text.hasPrefix(" ") || text.hasPrefix("\t") {
            return PointerError("a pointer begins with '/': remove the space before it")
        }
        var path = text
        for prefix in ["$", "@", "."] where path.hasPrefix(prefix) { path.removeFirst() }
        // The notations of JSONPath and jq.
        let isPath = path.utf8.contains { [0x2e, 0x5b, 0x5c].contains($0) }
        if text.hasPrefix("$") || text.hasPrefix("@") || text.hasPrefix(".")
            || (isPath && !text.contains("/"))
        {
            let keys = path.replacingAll("[]", with: "/*").split { ".[]'\"\\/".contains($0) }
            guard !keys.isEmpty else {
                return PointerError("a pointer begins with '/': write '' for the entry itself")
            }
            let pointer = keys.map { "/\($0)" }.joined()
            let hasDots = path == text && !text.contains("[") && text.contains(".")
            return PointerError(
                "a pointer begins with '/': write '\(pointer)'"
                    + (hasDots ? ", or '/\(text)' if the dots are part of the key" : ""))
        }
        return PointerError("a pointer begins with '/': write '/\(text)'")
    }

    private static func key(_ part: ArraySlice<Unicode.Scalar>) throws(PointerError) -> String {
        var key = String.UnicodeScalarView()
        var scalars = part.makeIterator()
        while let scalar = scalars.next() {
            guard scalar == "~" else {
                key.append(scalar)
                continue
            }
            switch scalars.next() {
            case "0": key.append("~")
            case "1": key.append("/")
            default: throw PointerError("'~' is written as '~0', and '/' in a key as '~1'")
            }
        }
        return String(key)
    }

    /// The pointer to each element of the array that this one leads into; nil without `*`.
    var element: JSONPointer? {
        tokens.firstIndex(of: .each).map { JSONPointer(Array(tokens[...$0])) }
    }

    /// Whether another pointer leads to this value or to an object around it.
    func begins(with other: JSONPointer) -> Bool { tokens.starts(with: other.tokens) }

    func appending(_ keys: [String]) -> JSONPointer { JSONPointer(tokens + keys.map(ReferenceToken.key)) }

    /// The pointers with every `{locale}` in a key replaced by each of the names.
    func expanded(_ locales: [String]) -> [JSONPointer] {
        let mark = Self.mark
        let isLocalized = tokens.contains { if case .key(let key) = $0 { key.hasText(mark) } else { false } }
        guard isLocalized else { return [self] }
        return locales.map { locale in
            JSONPointer(
                tokens.map { token in
                    guard case .key(let key) = token else { return token }
                    return .key(
                        key.split(separator: mark, omittingEmptySubsequences: false).joined(separator: locale)
                    )
                })
        }
    }
}

extension JSONPointer: CustomStringConvertible {
    package var description: String {
        tokens.map { token in
            switch token {
            case .each: "/*"
            case .key(let key):
                "/" + key.replacingAll("~", with: "~0").replacingAll("/", with: "~1")
            }
        }.joined()
    }
}

/// The reason why a text is not a pointer.
package struct PointerError: Error {
    package let message: String

    init(_ message: String) { self.message = message }
}

extension String {
    /// Returns whether a text occurs in this one. Compares bytes, without the tables that `contains` makes for each search,
    /// which took half of the instructions that compile the shapes.
    func hasText(_ text: String) -> Bool { Array(utf8).span.contains(Array(text.utf8).span) }

    /// The text with every occurrence of one text replaced by another. Compares scalars.
    fileprivate func replacingAll(_ old: String, with new: String) -> String {
        var result = String.UnicodeScalarView()
        var rest = unicodeScalars[...]
        while let first = rest.first {
            if rest.starts(with: old.unicodeScalars) {
                result.append(contentsOf: new.unicodeScalars)
                rest = rest.dropFirst(old.unicodeScalars.count)
            } else {
                result.append(first)
                rest = rest.dropFirst()
            }
        }
        return String(result)
    }

    /// The text without white space at its ends.
    fileprivate var trimmed: String {
        let start = unicodeScalars.drop { $0.properties.isWhitespace }
        return String(String(start).reversed().drop { $0.isWhitespace }.reversed())
    }
}

// MARK: - Trees

/// The pointers of all mappings of a run, as one tree: pointers with the same beginning share its nodes.
///
///     entry ─┬─ "message" ─┬─ "apns" ── "payload" ── "aps" …
///            │             └─ "token"
///            └─ "tokens" ── each
///
/// The values of nodes are found by scanning an entry once. A text that holds JSON, or an element of an array, is
/// scanned on its own, with a plan for the part of the tree below its node.
struct PointerTree: Sendable {
    struct PointerNode: Sendable {
        let token: JSONPointer.ReferenceToken?
        let parent: Int
        var children: [Int] = []
        /// The node's key as an index, for a parent that is an array; nil if it is not a number.
        let index: Int?
        /// Whether the node is, or is below, each element of an array.
        let isInElement: Bool
    }

    /// The node of the whole entry.
    static let entry = 0
    /// The maximum number of keys of one object, which is a limit of field plans.
    static let maximumChildren = 251

    private(set) var nodes = [PointerNode(token: nil, parent: -1, index: nil, isInElement: false)]

    /// Adds a pointer and returns its node.
    mutating func add(_ pointer: JSONPointer, below start: Int = PointerTree.entry) -> Int {
        pointer.tokens.reduce(start) { node, token in
            if let child = child(of: node, token) { return child }
            let index: Int? =
                if case .key(let key) = token, let number = Int(key), String(number) == key { number } else {
                    nil
                }
            nodes.append(
                PointerNode(
                    token: token, parent: node, index: index,
                    isInElement: nodes[node].isInElement || token == .each))
            nodes[node].children.append(nodes.count - 1)
            return nodes.count - 1
        }
    }

    func child(of node: Int, _ token: JSONPointer.ReferenceToken) -> Int? {
        nodes[node].children.first { nodes[$0].token == token }
    }

    /// The pointer to a node.
    func pointer(to node: Int) -> JSONPointer {
        var tokens: [JSONPointer.ReferenceToken] = []
        var node = node
        while let token = nodes[node].token {
            tokens.append(token)
            node = nodes[node].parent
        }
        return JSONPointer(tokens.reversed())
    }

    /// The pointer to the object with the most keys, and their number.
    var largestObject: (pointer: JSONPointer, count: Int) {
        let counts = nodes.map { node in node.children.count { nodes[$0].token != .each } }
        let largest = counts.indices.max { counts[$0] < counts[$1] } ?? PointerTree.entry
        return (pointer(to: largest), counts[largest])
    }

    /// Returns the plan for the texts of a node's value, and the slot of each node in it. Nodes below elements of
    /// arrays have none.
    func plan(of root: Int) -> (plan: FieldPlan, slots: [FieldPlan.Slot?]) {
        var plan = FieldPlan()
        var slots = [FieldPlan.Slot?](repeating: nil, count: nodes.count)
        func add(_ node: Int, in parent: FieldPlan.Slot?) {
            for child in nodes[node].children {
                guard case .key(let key) = nodes[child].token else { continue }
                let slot = plan.field(key, in: parent)
                slots[child] = slot
                add(child, in: slot)
            }
        }
        add(root, in: nil)
        return (plan, slots)
    }
}
