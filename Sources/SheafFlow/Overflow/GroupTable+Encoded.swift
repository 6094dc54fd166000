import SheafGroups

extension GroupTable {
    /// Adds groups that no notification is added to any more: the index does not know them.
    mutating func append(_ groups: borrowing EncodedGroups) {
        var place = 0
        while place < groups.end {
            states.append(groups.group(at: place, in: &store).state)
            place = groups.end(ofGroupAt: place)
        }
    }
}
