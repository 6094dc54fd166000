import SheafBytes

/// The pointers of all mappings of a run, as one tree: pointers with the same beginning share its nodes.
///
///     entry ─┬─ "message" ─┬─ "apns" ── "payload" ── "aps" …
///            │             └─ "token"
///            └─ "tokens" ── each
///
/// The values of nodes are found by scanning an entry once. A text that holds JSON, or an element of an array, is
/// scanned on its own, with a plan for the part of the tree below its node.
struct PointerTree: Sendable {
    struct Node: Sendable {
        let token: JSONPointer.Token?
        let parent: Int
        var children: [Int] = []
        /// The index that the node's key is if its parent is an array; nil if it is none.
        let index: Int?
        /// Whether the node is, or is below, each element of an array.
        let isInElement: Bool
    }

    /// The node of the whole entry.
    static let entry = 0
    /// The maximum number of keys of one object, which is a limit of field plans.
    static let maximumChildren = 250

    private(set) var nodes = [Node(token: nil, parent: -1, index: nil, isInElement: false)]

    /// Adds a pointer and returns its node.
    mutating func add(_ pointer: JSONPointer, below start: Int = PointerTree.entry) -> Int {
        pointer.tokens.reduce(start) { node, token in
            if let child = child(of: node, token) { return child }
            let index: Int? =
                if case .key(let key) = token, let number = Int(key), String(number) == key { number } else {
                    nil
                }
            nodes.append(
                Node(
                    token: token, parent: node, index: index,
                    isInElement: nodes[node].isInElement || token == .each))
            nodes[node].children.append(nodes.count - 1)
            return nodes.count - 1
        }
    }

    func child(of node: Int, _ token: JSONPointer.Token) -> Int? {
        nodes[node].children.first { nodes[$0].token == token }
    }

    /// The pointer to a node.
    func pointer(to node: Int) -> JSONPointer {
        var tokens: [JSONPointer.Token] = []
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
