import SheafBytes
import SheafGroups

/// Finding groups on screen.
extension ScreenTable {
    /// All groups.
    var shownGroups: [Int] { groups.indices.filter { !groups[$0].isEmpty } }

    /// Returns the group with the key of a record whose app is grouped; nil if there is none.
    func shownGroup(of key: NotificationRecord, in bytes: Span<UInt8>, hash: UInt64) -> Int? {
        guard let index = groupIndex.find(hash, where: { store.matches(groups[$0].state, key, in: bytes) }),
            !groups[index].isEmpty
        else { return nil }
        return index
    }

    /// Returns the groups of an app.
    func shownGroups(ofApp app: Span<UInt8>) -> [Int] {
        guard let symbol = store.apps.find(app), Int(symbol) < groupsOfApps.count else { return [] }
        return groupsOfApps[Int(symbol)].map(Int.init).filter { !groups[$0].isEmpty }
    }

    /// Returns the first group of a device, which may have been emptied and leads to the others; nil if there is none.
    func firstGroup(ofDevice device: Span<UInt8>) -> Int? {
        groupsOfDevices.find(device.hash(seed: 0)) {
            store.device(of: groups[$0].state).isEqual(to: device)
        }
    }

    /// Returns the groups of a device; none if groups have no devices.
    func shownGroups(ofDevice device: Span<UInt8>) -> [Int] {
        guard let first = firstGroup(ofDevice: device) else { return [] }
        var indices: [Int] = []
        var next = UInt32(first + 1)
        while next > 0 {
            let index = Int(next) - 1
            if !groups[index].isEmpty { indices.append(index) }
            next = groups[index].nextOfDevice
        }
        return indices
    }
}
