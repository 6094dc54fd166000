import SheafBytes
import SheafGroups

extension GroupTable {
    /// Adds complete groups without indexing them.
    mutating func append(_ groups: borrowing EncodedGroups) {
        var start = 0
        while start < groups.end {
            states.append(groups.group(at: start, in: &store).state)
            start = groups.end(ofGroupAt: start)
        }
    }

    /// Adds an encoded state to its group.
    mutating func add(_ group: EncodedGroup, in bytes: Span<UInt8>, hash: UInt64) {
        if group.isAlone {
            states.append(store.start(group, in: bytes))
            return
        }
        let hash = self.hash(hash, at: group.leading.order.timestamp)
        if let found = index.find(hash, where: { matches(states[$0], group.leading, in: bytes) }) {
            store.merge(group, in: bytes, into: &states[found])
        } else {
            index.insert(states.count, hash: hash)
            states.append(store.start(group, in: bytes))
        }
    }
}
