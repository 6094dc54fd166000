import SheafBytes

/// Finds the values that the pointers of a tree lead to in one entry, an object in a chunk.
///
///     entry ──scan──▶ {"message":"{\"apns\":…}","tokens":["a","b"]}
///                      └ a text: decoded in place and scanned when a pointer leads into it
///
/// A value is decoded at most once, because decoding replaces escapes in place: the decoded range replaces the scanned
/// one. Texts in elements of arrays are decoded into the chunk's annex instead: in place, their quotes would end them
/// too soon when the array is read again. So are those of a wrapper, which may be in the text of
/// the entry that it wraps.
///
/// Owns a scanner for each node whose texts have been scanned on their own, created when it is first needed, at most
/// one per node with children.
struct EntryScan: ~Copyable {
    typealias Value = FieldScanner.Value

    private let tree: PointerTree
    /// The nodes of the tree, without what is needed only to compile it.
    private let nodes: [(parent: Int, isEach: Bool, isIndex: Bool, isInElement: Bool)]
    /// By node: the level of the node's texts, as an index of `scanners`; -1 for none.
    private var levels: [Int]
    /// By level: the scanner for its texts.
    private var scanners: [ScannerReference] = []
    /// By level, then by node: where the level's scanner has the value of the node.
    private var slots: [FieldPlan.Slot?] = []
    /// The entry's own scanner, once there was an entry.
    private var entryScanner: ScannerReference?
    /// By level: the nodes with slots in its scanner, each right before those below it. Empty for the texts of nodes that
    /// are neither the entry nor an element.
    private var places: [[Place]] = []
    /// The indices of the slots with a value in the scanner of the entry or element, and so of their places.
    private var found: [Int] = []
    /// By node: its slot in it.
    private var entrySlots: [FieldPlan.Slot?] = []
    /// By node: twice the serial of the last entry that may have a value there, plus 1 if it is in the entry's own scanner.
    private var presence: [UInt64]
    /// The nodes that the current element may have a value at.
    private var presentInElement: [Int] = []
    /// The nodes that the current entry may have a value at, except for those in elements of arrays, each followed by the
    /// kind of its value in the three lowest bits.
    private(set) var present: [Int32] = []
    /// Whether these are all nodes with values: whether no text or array has to be read to know.
    private(set) var isFlat = true
    /// By node: the level in which the node's children are found, -1 for none, if it was found after `serial`.
    private var holders: [(serial: UInt64, level: Int)]
    /// The number of the current entry or element; holders of earlier ones are stale.
    private var serial: UInt64 = 1
    private var entrySerial: UInt64 = 1
    private var elementSerial: UInt64 = 1
    private var entry = Value.absent
    private var element = Value.absent
    /// The node that the element belongs to.
    private var elementNode = -1
    /// By node: the value of a node that is not in a level, if it was found after `serial`.
    private var elements: [(serial: UInt64, value: Value)]
    /// By level: whether its text is in an array.
    private var isInArray: [Bool]
    /// The text that is being read: the entry, or the element.
    private var region = TextRange.none
    /// The region before anything in it was decoded in place, if it is changed.
    private var original: [UInt8] = []
    private var isChanged = false
    /// Whether values are decoded into the annex.
    var keepsText = false
    /// The texts in the annex that the records of the current entry share.
    private var sharedTexts: [TextRange] = []
    /// The number of bytes that may still be added to the annex for the current line.
    private var annexRoom = 0
    /// Whether a text of the current entry did not fit into the annex.
    private(set) var isOverfull = false

    /// A node in the order of the tree, which has what is below a node right after it. So has the scanner its slots.
    private struct Place {
        let node: Int
        let slot: FieldPlan.Slot
        /// The index of the place after those below the node.
        var end = 0
    }

    init(_ tree: PointerTree) {
        self.tree = tree
        nodes = tree.nodes.map {
            (
                parent: $0.parent, isEach: $0.token == .each, isIndex: $0.index != nil,
                isInElement: $0.isInElement
            )
        }
        levels = Array(repeating: -1, count: tree.nodes.count)
        presence = Array(repeating: 0, count: tree.nodes.count)
        holders = Array(repeating: (0, -1), count: tree.nodes.count)
        elements = Array(repeating: (0, .absent), count: tree.nodes.count)
        isInArray = Array(repeating: false, count: tree.nodes.count)
    }

    /// Begins a line. The texts that its entries add to the annex take at most as many bytes as the line, so that
    /// whether one fits does not depend on the chunk.
    mutating func begin(line: TextRange) { annexRoom = Int(line.count) }

    /// Takes over the room that another scan of the line has left in the annex, until `returnRoom`.
    mutating func takeRoom(of other: inout EntryScan) {
        isOverfull = false
        annexRoom = other.annexRoom
    }

    /// Leaves the rest of the room to the scan that it was taken from.
    mutating func returnRoom(to other: inout EntryScan) {
        other.annexRoom = annexRoom
        if isOverfull { other.isOverfull = true }
    }

    /// Scans an entry. Everything found in the previous one is forgotten.
    ///
    /// - Returns: how the scan of the text ended. Pointers lead somewhere only in an object.
    mutating func begin(_ text: TextRange, of chunk: Chunk) -> FieldScanner.Outcome {
        serial += 1
        entrySerial = serial
        elementSerial = serial
        elementNode = -1
        element = .absent
        presentInElement.removeAll(keepingCapacity: true)
        region = text
        isChanged = false
        sharedTexts.removeAll(keepingCapacity: true)
        isOverfull = false
        let outcome = scanner(of: PointerTree.entry).scan(text, of: chunk, listing: &found)
        let start = chunk.bytes.endOfJSONSpace(from: Int(text.start))
        let kind: FieldScanner.Kind
        switch outcome {
        case .object: kind = .object
        case .notObject where chunk.bytes[start] == UInt8(ascii: "["): kind = .array
        default: kind = .absent
        }
        entry = Value(kind: kind, text: TextRange(start..<start + 1), hasEscapes: false)
        holders[PointerTree.entry] = (serial, kind == .object ? PointerTree.entry : -1)
        if kind != .absent { findPresence(isArray: kind == .array, in: chunk) }
        return outcome
    }

    /// Finds where the entry may have values: most records have few of the many fields that mappings look for.
    private mutating func findPresence(isArray: Bool, in chunk: Chunk) {
        let scanner = scanner(of: PointerTree.entry)
        let level = levels[PointerTree.entry]
        if entryScanner == nil {
            entryScanner = scanner
            entrySlots = tree.nodes.indices.map { slot(of: $0, in: PointerTree.entry) }
        }
        present.removeAll(keepingCapacity: true)
        isFlat = true
        guard !isArray else { return addUnknown(places[level].indices) }
        for index in found {
            let place = places[level][index]
            let value = scanner[place.slot]
            presence[place.node] = serial * 2 + 1
            present.append(Self.entry(place.node, value.kind))
            let below = index + 1..<place.end
            if !below.isEmpty, Self.mayHaveMore(value, in: chunk) { addUnknown(below) }
        }
    }

    /// Whether there may be values below a node's value that the scan has not found: in an array, or a text that may hold
    /// an object.
    private static func mayHaveMore(_ value: Value, in chunk: Chunk) -> Bool {
        switch value.kind {
        case .array: true
        case .string: chunk.bytes(of: value.text).mayHoldObject
        case .absent, .null, .bool, .number, .object: false
        }
    }

    /// Adds places of the entry that may have values that the scan has not found.
    private mutating func addUnknown(_ range: Range<Int>) {
        isFlat = false
        for place in places[levels[PointerTree.entry]][range] {
            presence[place.node] = serial * 2
            present.append(Self.entry(place.node, .absent))
        }
    }

    /// Finds where the current element may have values. An object is scanned.
    private mutating func findPresenceInElement(in chunk: Chunk) {
        for node in presentInElement { presence[node] = 0 }
        presentInElement.removeAll(keepingCapacity: true)
        addToElement(elementNode)
        guard tree.nodes[elementNode].children.count > 0 else { return }
        let scanner = scanner(of: elementNode)
        let level = levels[elementNode]
        guard element.kind == .object else {
            guard Self.mayHaveMore(element, in: chunk) else { return }
            for place in places[level] { addToElement(place.node) }
            return
        }
        isInArray[elementNode] = true
        let isObject = scanner.scan(element.text, of: chunk, listing: &found) == .object
        holders[elementNode] = (serial, isObject ? elementNode : -1)
        guard isObject else { return }
        for index in found {
            let place = places[level][index]
            addToElement(place.node)
            let below = index + 1..<place.end
            guard !below.isEmpty, Self.mayHaveMore(scanner[place.slot], in: chunk) else { continue }
            for place in places[level][below] { addToElement(place.node) }
        }
    }

    private mutating func addToElement(_ node: Int) {
        presence[node] = entrySerial * 2
        presentInElement.append(node)
    }

    private static func entry(_ node: Int, _ kind: FieldScanner.Kind) -> Int32 {
        Int32(truncatingIfNeeded: node << 3 | Int(kind.rawValue))
    }

    /// Returns the node of an element of `present`.
    static func node(of entry: Int32) -> Int { Int(entry >> 3) }

    private func addPlaces(below node: Int, _ slots: [FieldPlan.Slot?], to places: inout [Place]) {
        for child in tree.nodes[node].children {
            guard let slot = slots[child] else { continue }
            let index = places.count
            places.append(Place(node: child, slot: slot))
            addPlaces(below: child, slots, to: &places)
            places[index].end = places.count
        }
    }

    /// Whether a node may have a value in the current entry or element. O(1).
    @inline(__always)
    func mayHave(_ node: Int) -> Bool { presence[node] >= entrySerial * 2 || node == PointerTree.entry }

    /// Sets the current element of an array. O(length of the element) if it is an object.
    ///
    /// - Parameter node: the node of each element of the array.
    mutating func begin(element value: Value, at node: Int, in chunk: Chunk) {
        serial += 1
        elementSerial = serial
        elementNode = node
        element = value
        region = value.text
        isChanged = false
        findPresenceInElement(in: chunk)
    }

    /// Undoes what was decoded in place in the current entry or element, so that its JSON can be read again. Values
    /// that were found before are stale.
    mutating func restore(_ chunk: Chunk) {
        guard isChanged else { return }
        _ = chunk.replace(region, with: original.span)
        if elementNode >= 0 {
            begin(element: element, at: elementNode, in: chunk)
        } else {
            _ = begin(region, of: chunk)
        }
    }

    /// Adds a text to the chunk's annex.
    ///
    /// - Returns: nil if it does not fit, which `isOverfull` remembers.
    mutating func annex(_ text: Span<UInt8>, of chunk: Chunk) -> TextRange? {
        guard text.count <= annexRoom, let range = chunk.append(text) else {
            isOverfull = true
            return nil
        }
        annexRoom -= text.count
        return range
    }

    /// Adds a text to the chunk's annex, unless an earlier record of the entry added it: all of them share a payload.
    ///
    /// - Returns: nil if it does not fit, which `isOverfull` remembers.
    mutating func annexOnce(_ text: Span<UInt8>, of chunk: Chunk) -> TextRange? {
        for range in sharedTexts where chunk.bytes(of: range).isEqual(to: text) { return range }
        guard let range = annex(text, of: chunk) else { return nil }
        sharedTexts.append(range)
        return range
    }

    /// Returns the value of a node in the current entry and element.
    @inline(__always)
    mutating func value(of node: Int, in chunk: Chunk) -> Value {
        if presence[node] == entrySerial * 2 + 1, let slot = entrySlots[node], let entryScanner {
            return entryScanner[slot]
        }
        return mayHave(node) ? findValue(of: node, in: chunk) : .absent
    }

    private mutating func findValue(of node: Int, in chunk: Chunk) -> Value {
        guard node != PointerTree.entry else { return entry }
        guard !nodes[node].isEach else { return elementValue(of: node) }
        let holder = holder(ofChildrenOf: nodes[node].parent, in: chunk)
        if let slot = slot(of: node, in: holder) { return scanners[levels[holder]][slot] }
        guard nodes[node].isIndex else { return .absent }
        if elements[node].serial < current(node) {
            readIndices(ofChildrenOf: nodes[node].parent, in: chunk)
        }
        return elements[node].value
    }

    /// Returns the value of a node; a string is decoded.
    ///
    /// - Parameter isEntry: whether the text is an entry, which is decoded in place even in an array: only
    ///   entries of the array are read after it.
    mutating func decodedValue(of node: Int, in chunk: Chunk, isEntry: Bool = false) -> Value {
        let value = value(of: node, in: chunk)
        guard value.kind == .string, value.hasEscapes else { return value }
        if node != PointerTree.entry, !nodes[node].isEach {
            let holder = holder(ofChildrenOf: nodes[node].parent, in: chunk)
            if slot(of: node, in: holder) != nil {
                let decoded =
                    isEntry || !(keepsText || isInArray[holder])
                    ? decodedInPlace(value, in: chunk) : decodedInAnnex(value, in: chunk)
                setDecoded(decoded, of: node, in: chunk)
                return decoded
            }
        }
        let decoded = decodedInAnnex(value, in: chunk)
        setDecoded(decoded, of: node, in: chunk)
        return decoded
    }

    private mutating func setDecoded(_ value: Value, of node: Int, in chunk: Chunk) {
        if node != PointerTree.entry, !nodes[node].isEach {
            let holder = holder(ofChildrenOf: nodes[node].parent, in: chunk)
            if let slot = slot(of: node, in: holder) {
                return scanners[levels[holder]].set(value, for: slot)
            }
        }
        elements[node] = (serial, value)
    }

    /// Decodes a text that was written as JSON twice: a decoded string whose content is a valid JSON string again.
    ///
    /// - Returns: the range of its content; nil for another JSON value.
    private func unquoted(_ text: TextRange, in chunk: Chunk) -> TextRange? {
        let start = chunk.bytes.endOfJSONSpace(from: Int(text.start))
        guard start < text.range.upperBound, chunk.bytes[start] == UInt8(ascii: "\"") else { return nil }
        let end = chunk.bytes.endOfJSONValue(from: start)
        return chunk.decodeEscapes(TextRange(start + 1..<end - 1))
    }

    private mutating func decodedInPlace(_ value: Value, in chunk: Chunk) -> Value {
        if !isChanged {
            isChanged = true
            original.removeAll(keepingCapacity: true)
            original.append(chunk.bytes(of: region))
        }
        return Value(kind: .string, text: chunk.decodeEscapes(value.text), hasEscapes: false)
    }

    private mutating func decodedInAnnex(_ value: Value, in chunk: Chunk) -> Value {
        let quoted = Int(value.text.start) - 1..<value.text.range.upperBound + 1
        let text = chunk.bytes.extracting(quoted).jsonText
        return annex(text.span, of: chunk).map { Value(kind: .string, text: $0, hasEscapes: false) }
            ?? .absent
    }

    private func elementValue(of node: Int) -> Value {
        guard node == elementNode else { return .absent }
        return elements[node].serial >= elementSerial ? elements[node].value : element
    }

    /// The number from which on what was found for a node is valid.
    private func current(_ node: Int) -> UInt64 {
        nodes[node].isInElement ? elementSerial : entrySerial
    }

    /// Returns whether a node's value is an object, or a text that holds one.
    mutating func holdsObject(_ node: Int, in chunk: Chunk) -> Bool {
        holder(ofChildrenOf: node, in: chunk) >= 0
    }

    // MARK: - Levels

    private mutating func scanner(of node: Int) -> ScannerReference {
        if levels[node] >= 0 { return scanners[levels[node]] }
        let (plan, found) = tree.plan(of: node)
        levels[node] = scanners.count
        let scanner = ScannerReference(plan)
        scanners.append(scanner)
        slots += found
        var below: [Place] = []
        if node == PointerTree.entry || nodes[node].isEach { addPlaces(below: node, found, to: &below) }
        places.append(below)
        return scanner
    }

    /// Returns where the level of a holder has a node's value; nil if the holder is -1 or the level does not have it.
    private func slot(of node: Int, in holder: Int) -> FieldPlan.Slot? {
        guard holder >= 0, levels[holder] >= 0 else { return nil }
        return slots[levels[holder] * nodes.count + node]
    }

    /// Returns the level that has the children of a node's value; -1 if the value has none.
    private mutating func holder(ofChildrenOf node: Int, in chunk: Chunk) -> Int {
        if holders[node].serial >= current(node) { return holders[node].level }
        let level = findHolder(ofChildrenOf: node, in: chunk)
        holders[node] = (serial, level)
        return level
    }

    private mutating func findHolder(ofChildrenOf node: Int, in chunk: Chunk) -> Int {
        let value = value(of: node, in: chunk)
        switch value.kind {
        case .object:
            let parent = nodes[node].parent
            if parent >= 0, !nodes[node].isEach {
                let holder = holder(ofChildrenOf: parent, in: chunk)
                if slot(of: node, in: holder) != nil { return holder }
            }
            // An element of an array.
            let start = Int(value.text.start)
            let end = chunk.bytes.endOfJSONValue(from: start)
            isInArray[node] = true
            return scanner(of: node).scan(TextRange(start..<end), of: chunk) == .object ? node : -1
        case .string:
            guard chunk.bytes(of: value.text).mayHoldObject else { return -1 }
            let text = decodedValue(of: node, in: chunk).text
            isInArray[node] = false
            let scanner = scanner(of: node)
            switch scanner.scan(text, of: chunk) {
            case .object: return node
            case .notObject:
                guard let text = unquoted(text, in: chunk) else { return -1 }
                setDecoded(Value(kind: .string, text: text, hasEscapes: false), of: node, in: chunk)
                return scanner.scan(text, of: chunk) == .object ? node : -1
            case .invalid, .tooDeep: return -1
            }
        default: return -1
        }
    }

    /// Finds the values of all nodes below a node whose keys are indices in an array: the array is read once.
    private mutating func readIndices(ofChildrenOf node: Int, in chunk: Chunk) {
        let array = value(of: node, in: chunk)
        let wanted = tree.nodes[node].children.filter { tree.nodes[$0].index != nil }
        for child in wanted { elements[child] = (serial, .absent) }
        guard array.kind == .array else { return }
        var rest = JSONMembers(of: array)
        var index = 0
        for child in wanted.sorted(by: { tree.nodes[$0].index ?? 0 < tree.nodes[$1].index ?? 0 }) {
            var value: Value?
            repeat {
                value = rest.nextElement(in: chunk)
                index += 1
            } while value != nil && index <= tree.nodes[child].index ?? 0
            guard let value else { return }
            elements[child].value = value
        }
    }
}

extension JSONMembers {
    /// - Parameter array: the value of an array.
    init(of array: FieldScanner.Value) { self.init(at: Int(array.text.start)) }

    /// Returns the next element of an array; nil after the last one. O(length of the element).
    ///
    /// The end of an element is found before it is returned, so its texts may be decoded in place before the next one is
    /// read.
    mutating func nextElement(in chunk: Chunk) -> FieldScanner.Value? {
        nextElement(in: chunk.bytes).map { FieldScanner.Value($0, in: chunk.bytes) }
    }
}

/// What the text of a string may hold, by its first byte, so that other texts are not decoded. An escape may be a space.
extension Span where Element == UInt8 {
    var mayHoldObject: Bool { firstAfterSpace == UInt8(ascii: "{") || firstAfterSpace == UInt8(ascii: "\\") }

    /// Whether the text may hold an object or an array.
    var mayHoldEntry: Bool { mayHoldObject || firstAfterSpace == UInt8(ascii: "[") }

    private var firstAfterSpace: UInt8? {
        let start = endOfJSONSpace(from: 0)
        return start < count ? self[start] : nil
    }
}

// MARK: - Conditions

extension EntryScan {
    /// Returns whether a condition holds in the current entry and element. Does not decode the
    /// value.
    mutating func holds(_ condition: InputPlan.Condition, in chunk: Chunk) -> Bool {
        let value = value(of: condition.location, in: chunk)
        switch condition.test {
        case .present: return value.kind != .absent && value.kind != .null
        case .equals(let literals):
            // Not in the loop: the value may be long.
            let text = Self.text(value, in: chunk)
            let digits = value.kind == .number ? Double(chunk.bytes(of: value.text).string) : nil
            return literals.contains { literal in
                switch literal {
                case .null: value.kind == .null
                case .text(let literal): text.map { $0.elementsEqual(literal.utf8) } ?? false
                case .number(let number): digits == number
                case .bool(let bool):
                    value.kind == .bool
                        && (chunk.bytes[Int(value.text.start)] == UInt8(ascii: "t")) == bool
                }
            }
        case .contains(let part): return Self.text(value, in: chunk)?.contains(Array(part.utf8)) ?? false
        }
    }

    /// Returns the text of a node's value without changing the chunk, that of a number as its digits; nil for any other
    /// value.
    mutating func text(of node: Int, in chunk: Chunk) -> [UInt8]? {
        var value = value(of: node, in: chunk)
        if value.kind == .number { value = Value(kind: .string, text: value.text, hasEscapes: false) }
        return Self.text(value, in: chunk)
    }

    /// Returns whether a node has a value other than `null`.
    mutating func isPresent(_ node: Int, in chunk: Chunk) -> Bool {
        holds(InputPlan.Condition(location: node, test: .present), in: chunk)
    }

    /// Returns how a value differs from what a condition needs, for reports.
    mutating func misfit(_ condition: InputPlan.Condition, in chunk: Chunk) -> String {
        let value = value(of: condition.location, in: chunk)
        guard value.kind != .absent else { return "absent" }
        switch condition.test {
        case .present: return "null"
        case .equals(let literals):
            let texts = literals.map { literal in
                switch literal {
                case .text(let text): MappingValue.shown(text)
                case .number(let number): number == number.rounded() ? "\(Int(number))" : "\(number)"
                case .bool(let bool): "\(bool)"
                case .null: "null"
                }
            }
            return "does not equal \(texts.joined(separator: " or "))"
        case .contains(let part): return "does not contain \(MappingValue.shown(part))"
        }
    }

    /// Returns what the value of a node is, for reports.
    mutating func shownKind(of node: Int, in chunk: Chunk) -> String {
        let value = value(of: node, in: chunk)
        switch value.kind {
        case .absent: return "absent"
        case .null: return "null"
        case .string: return holdsObject(node, in: chunk) ? "an object in a text" : "a text without an object"
        case .number: return "a number"
        case .bool: return "true or false"
        case .object: return "an object"
        case .array: return "an array"
        }
    }

    /// Returns the text of a string without changing the chunk; nil for any other value.
    private static func text(_ value: FieldScanner.Value, in chunk: Chunk) -> [UInt8]? {
        guard value.kind == .string else { return nil }
        let range = value.text.range
        guard value.hasEscapes else {
            var text: [UInt8] = []
            text.append(chunk.bytes(of: value.text))
            return text
        }
        return chunk.bytes.extracting(range.lowerBound - 1..<range.upperBound + 1).jsonText
    }
}
