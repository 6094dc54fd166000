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
    /// The nodes with slots in the scanners, level after level, each right before those below it.
    private var places: [Place] = []
    /// By level: where its places are. One array of all, because each use of an array in another one counts references.
    private var levelPlaces: [Range<Int>] = []
    /// By level: the indices of the slots with a value in its scanner, and so of their places among those of the level.
    private var found: [[Int]] = []
    /// By node: `presenceUnit` times the number of the last listing by which it may have a value, plus the level that has
    /// it, counted from 1; plus 0 if no listing found it, but it may be in an array or a text.
    private var presence: [UInt64]
    /// What an element of `presence` is at least if its node may have a value.
    private var leastPresence: UInt64 = Self.presenceUnit
    private static let presenceUnit: UInt64 = 256
    /// The nodes that were found, each followed by the kind of its value in the three lowest bits: those of the entry,
    /// then those of the current element. A text that was scanned and holds an object is there a second time, as that.
    private(set) var present: [Int32] = []
    /// The number of those of the entry.
    private var entryCount = 0
    /// Places that may have values, in arrays and in texts that may hold objects.
    private var unknown: [Range<Int>] = []
    /// The number of those of the entry.
    private var unknownCount = 0
    /// Whether `present` has all nodes with values: whether no text or array has to be read to know.
    var isFlat: Bool { unknown.isEmpty }
    /// Whether only texts have to be read to know.
    private var hasUnknownArray = false
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
    /// By node: whether its value may be that of a field, so that the text must not change if a text in it is decoded.
    private let isValue: [Bool]
    /// By node: whether texts in its text are decoded into the annex.
    private var decodesApart: [Bool]
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

    /// - Parameter isValue: by node: whether its value may be that of a field.
    init(_ tree: PointerTree, isValue: [Bool]) {
        self.tree = tree
        self.isValue = isValue
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
        decodesApart = Array(repeating: false, count: tree.nodes.count)
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
        region = text
        isChanged = false
        sharedTexts.removeAll(keepingCapacity: true)
        isOverfull = false
        let outcome = scan(text, of: PointerTree.entry, in: chunk)
        let start = chunk.bytes.endOfJSONSpace(from: Int(text.start))
        let kind: FieldScanner.Kind
        switch outcome {
        case .object: kind = .object
        case .notObject where chunk.bytes[start] == UInt8(ascii: "["): kind = .array
        default: kind = .absent
        }
        entry = Value(kind: kind, text: TextRange(start..<start + 1), hasEscapes: false)
        holders[PointerTree.entry] = (serial, kind == .object ? PointerTree.entry : -1)
        beginListing()
        let level = levels[PointerTree.entry]
        switch kind {
        case .object: list(level, in: chunk)
        case .array:
            hasUnknownArray = true
            addUnknown(levelPlaces[level])
        default: break
        }
        endListing()
        return outcome
    }

    private mutating func beginListing() {
        leastPresence += Self.presenceUnit
        present.removeAll(keepingCapacity: true)
        unknown.removeAll(keepingCapacity: true)
        hasUnknownArray = false
    }

    private mutating func endListing() { (entryCount, unknownCount) = (present.count, unknown.count) }

    /// Lists where the text of a level has values, and where it may have some: most records have few of the many fields that
    /// mappings look for.
    ///
    /// - Parameter opensTexts: whether texts that may hold objects are decoded and scanned, too, except for those in the text of
    ///   a field.
    private mutating func list(_ level: Int, opensTexts: Bool = false, in chunk: Chunk) {
        let mark = leastPresence + (level < 255 ? UInt64(level) + 1 : 0)
        let first = levelPlaces[level].lowerBound
        for index in found[level] {
            let place = places[first + index]
            let value = scanners[level][place.slot]
            presence[place.node] = mark
            present.append(Self.entry(place.node, value.kind))
            let below = first + index + 1..<place.end
            guard !below.isEmpty else { continue }
            switch value.kind {
            case .array:
                hasUnknownArray = true
                addUnknown(below)
            case .string where chunk.bytes(of: value.text).mayHoldObject:
                guard opensTexts else {
                    addUnknown(below)
                    continue
                }
                guard holder(ofChildrenOf: place.node, in: chunk) >= 0 else { continue }
                present.append(Self.entry(place.node, .object))
                list(levels[place.node], opensTexts: !isValue[place.node], in: chunk)
            case .string, .absent, .null, .bool, .number, .object: continue
            }
        }
    }

    /// Adds places that may have values which no scan has found.
    private mutating func addUnknown(_ range: Range<Int>) {
        unknown.append(range)
        for index in range { presence[places[index].node] = leastPresence }
    }

    /// Decodes and scans the texts of the entry that hold objects, so that it is known where they have values. Does nothing
    /// if there may be values in arrays, too. O(length of the entry).
    mutating func openTexts(in chunk: Chunk) {
        guard !isFlat, !hasUnknownArray, !keepsText, elementNode < 0 else { return }
        beginListing()
        list(levels[PointerTree.entry], opensTexts: true, in: chunk)
        endListing()
    }

    /// Calls a function with each node that may have a value in the entry.
    @inline(__always)
    func forEachPossibleNode(_ body: (Int) -> Void) {
        for index in 0..<entryCount { body(Self.node(of: present[index])) }
        for range in unknown[..<unknownCount] {
            for index in range { body(places[index].node) }
        }
    }

    private static func entry(_ node: Int, _ kind: FieldScanner.Kind) -> Int32 {
        Int32(truncatingIfNeeded: node << 3 | Int(kind.rawValue))
    }

    private static func node(of entry: Int32) -> Int { Int(entry >> 3) }

    private mutating func addPlaces(below node: Int, _ slots: [FieldPlan.Slot?]) {
        for child in tree.nodes[node].children {
            guard let slot = slots[child] else { continue }
            let index = places.count
            places.append(Place(node: child, slot: slot))
            addPlaces(below: child, slots)
            places[index].end = places.count
        }
    }

    /// Whether a node may have a value in the current entry or element. O(1).
    @inline(__always)
    func mayHave(_ node: Int) -> Bool { presence[node] >= leastPresence || node == PointerTree.entry }

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
        listElement(in: chunk)
    }

    /// Lists where the current element has values, and forgets those of the previous element.
    private mutating func listElement(in chunk: Chunk) {
        for entry in present[entryCount...] { presence[Self.node(of: entry)] = 0 }
        present.removeLast(present.count - entryCount)
        for range in unknown[unknownCount...] {
            for index in range { presence[places[index].node] = 0 }
        }
        unknown.removeLast(unknown.count - unknownCount)
        presence[elementNode] = leastPresence
        present.append(Self.entry(elementNode, element.kind))
        guard !tree.nodes[elementNode].children.isEmpty else { return }
        let level = level(of: elementNode)
        switch element.kind {
        case .object:
            decodesApart[elementNode] = true
            let isObject = scanners[level].scan(element.text, of: chunk, listing: &found[level]) == .object
            holders[elementNode] = (serial, isObject ? elementNode : -1)
            if isObject { list(level, in: chunk) }
        case .string where !chunk.bytes(of: element.text).mayHoldObject: break
        case .string, .array: addUnknown(levelPlaces[level])
        case .absent, .null, .bool, .number: break
        }
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
        guard presence[node] > leastPresence else {
            return mayHave(node) ? findValue(of: node, in: chunk) : .absent
        }
        let level = Int(presence[node] &- leastPresence) &- 1
        if let slot = slots[level * nodes.count + node] { return scanners[level][slot] }
        return .absent
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
                    isEntry || !(keepsText || decodesApart[holder])
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

    /// Decodes a text that was written as JSON twice: a decoded string whose content is a JSON string that holds an object.
    ///
    /// - Returns: the range of the object; nil for any other text, which stays as it is: it may be for people.
    private func unquoted(_ text: TextRange, in chunk: Chunk) -> TextRange? {
        let start = chunk.bytes.endOfJSONSpace(from: Int(text.start))
        guard start < text.range.upperBound, chunk.bytes[start] == UInt8(ascii: "\"") else { return nil }
        let end = chunk.bytes.endOfJSONValue(from: start)
        let content = TextRange(start + 1..<end - 1)
        guard chunk.bytes(of: content).mayHoldObject,
            JSONLeaves.isObject(chunk.bytes.extracting(start..<end).jsonText)
        else { return nil }
        return chunk.decodeEscapes(content)
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

    /// Returns the level of a node's texts.
    private mutating func level(of node: Int) -> Int {
        if levels[node] >= 0 { return levels[node] }
        let (plan, newSlots) = tree.plan(of: node)
        levels[node] = scanners.count
        scanners.append(ScannerReference(plan))
        slots += newSlots
        let first = places.count
        addPlaces(below: node, newSlots)
        levelPlaces.append(first..<places.count)
        found.append([])
        return levels[node]
    }

    /// Scans a text as that of a node, and lists where it has values.
    private mutating func scan(_ text: TextRange, of node: Int, in chunk: Chunk) -> FieldScanner.Outcome {
        let level = level(of: node)
        return scanners[level].scan(text, of: chunk, listing: &found[level])
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
            decodesApart[node] = true
            return scan(TextRange(start..<end), of: node, in: chunk) == .object ? node : -1
        case .string:
            guard chunk.bytes(of: value.text).mayHoldObject else { return -1 }
            let text = decodedValue(of: node, in: chunk).text
            decodesApart[node] = isValue[node]
            switch scan(text, of: node, in: chunk) {
            case .object: return node
            case .notObject:
                guard let text = unquoted(text, in: chunk) else { return -1 }
                setDecoded(Value(kind: .string, text: text, hasEscapes: false), of: node, in: chunk)
                return scan(text, of: node, in: chunk) == .object ? node : -1
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
