import SheafBytes
import SheafGroups
import TestSupport
import Testing

@testable import SheafFlow

/// Long identifiers of devices in text: shortened to as many characters as tell them apart.
@Suite struct DeviceNamesTests {
    /// Returns what is shown of each device.
    private static func shown(_ devices: some Sequence<String>) -> [String] {
        var names = DeviceNames()
        for device in devices where !names.add(Array(device.utf8).span) { break }
        names.finish()
        return devices.map { device in
            var output: [UInt8] = []
            names.append(Array(device.utf8).span, to: &output)
            return String(decoding: output, as: UTF8.self)
        }
    }

    struct Case: NamedCase {
        let name: String
        let devices: [String]
        let shown: [String]
    }

    private static let cases: [Case] = [
        Case(name: "a long one", devices: ["740f4707bebcf74f9"], shown: ["740f4707…"]),
        Case(name: "16 characters", devices: ["740f4707bebcf74f"], shown: ["740f4707bebcf74f"]),
        Case(
            name: "others begin alike",
            devices: ["740f4707bebcf74f9", "740f4707ce19a1d3c", "740f4708ce19a1d3c"],
            shown: ["740f4707b…", "740f4707c…", "740f4708…"]),
        Case(
            name: "the last characters differ", devices: ["customer-00000123", "customer-00000124"],
            shown: ["customer-00000123", "customer-00000124"]),
        Case(
            name: "the last but two differ", devices: ["customer-00000123x", "customer-00001124x"],
            shown: ["customer-00000…", "customer-00001…"]),
        Case(
            name: "a short one is the beginning", devices: ["740f4707", "740f4707bebcf74f9"],
            shown: ["740f4707", "740f4707b…"]),
        Case(
            name: "a long one is the beginning", devices: ["740f4707bebcf74f9", "740f4707bebcf74f9a5be8"],
            shown: ["740f4707bebcf74f9", "740f4707bebcf74f9a…"]),
        Case(
            name: "one looks like a shortened one", devices: ["740f4707…", "740f4707bebcf74f9"],
            shown: ["740f4707…", "740f4707b…"]),
        Case(
            name: "several bytes each", devices: ["Zoë's phone, the second", "Zoe's phone, the second"],
            shown: ["Zoë's phone, the second", "Zoe's ph…"]),
        Case(
            name: "several bytes after what is shown", devices: ["Annie's phone, the zweite für mich"],
            shown: ["Annie's …"]),
        Case(name: "none", devices: [""], shown: [""]),
    ]

    @Test(arguments: cases) func longIdentifiersAreShortened(_ item: Case) {
        #expect(Self.shown(item.devices) == item.shown)
        #expect(Self.shown(item.devices.reversed()) == item.shown.reversed())
    }

    /// Random devices with few different characters: each is shown by the least beginning that it has alone.
    @Test(arguments: Seeds.several(40)) func theModelShowsTheSame(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let devices = (0..<Int.random(in: 1...60, using: &random)).map { _ in
            let head = Bool.random(using: &random) ? "aaaaaaa" : "aaaaaaaaaaaa"
            return head
                + (0..<Int.random(in: 0...24, using: &random)).map { _ in
                    "abé".randomElement(using: &random) ?? "a"
                }
                .map(String.init).joined()
        }
        let shown = Self.shown(devices)
        for (device, text) in zip(devices, shown) { #expect(text == Self.model(device, among: devices)) }
        #expect(Set(shown).count == Set(devices).count)
    }

    private static func model(_ device: String, among devices: [String]) -> String {
        let bytes = Array(device.utf8)
        guard bytes.count > 16 else { return device }
        let others = devices.filter { $0 != device }.map { Array($0.utf8) }
        let least = (8...bytes.count).first { count in
            !others.contains { $0.starts(with: bytes.prefix(count)) }
        }
        guard let least, least + 1 < bytes.count, bytes.prefix(least).allSatisfy({ $0 < 0x80 }) else {
            return device
        }
        return String(decoding: bytes.prefix(least), as: UTF8.self) + "…"
    }

    @Test func tooManyDevicesAreShownWhole() {
        let count = Limits.shownDeviceBytes / (64 + 32)
        let devices = (0...count).map { index in
            let number = String(UInt32(truncatingIfNeeded: index) &* 2_654_435_761, radix: 16) + "x"
            return number + String(repeating: "0", count: 64 - number.count)
        }
        let areShortened = Self.shown(devices.dropLast()).allSatisfy { $0.utf8.count < 64 }
        let areWhole = Self.shown(devices) == devices
        #expect(areShortened && areWhole)
    }
}

// MARK: - In snapshots

extension DeviceNamesTests {
    private static let devices = [
        "740f4707bebcf74f9b7c25d4", "740f4707ce19a1d3c2f0b6cb", "0a1b2c3d4e5f60718293a4b5",
    ]

    enum Way: String, CaseIterable { case inMemory, spilled, merged }

    private static func lines(_ way: Way, _ change: (inout ReplayOptions) -> Void) async throws -> [String] {
        let log = devices.enumerated().map { index, device in
            #"{"ts":\#(1000 + index),"app":"A","device":"\#(device)","payload":{"aps":{"alert":"b"}}}"#
        }
        func adjust(_ options: inout ReplayOptions) {
            (options.output, options.byDevice, options.format) = ("out", true, .text(TextStyle()))
            change(&options)
        }
        let storage: MemoryStorage
        if way == .merged {
            var entries: [String: MemoryStorage.Entry] = [:]
            for (index, line) in log.enumerated() {
                let part = MergedParts.partial([line]) { options in
                    (options.byDevice, options.sources) = (true, ["log"])
                    var all = options
                    adjust(&all)
                    options.every = all.every
                }
                entries["part\(index)"] = .file(part)
            }
            storage = MemoryStorage(entries)
            var options = ReplayOptions(sources: entries.keys.sorted())
            adjust(&options)
            (options.byDevice, options.every) = (false, nil)
            _ = try await merge(options, on: storage).get()
        } else {
            storage = MemoryStorage(["log": .file(Array(log.map { $0 + "\n" }.joined().utf8))])
            var options = ReplayOptions(sources: ["log"])
            adjust(&options)
            options.spillsAlways = way == .spilled
            _ = try await run(options, on: storage).get()
        }
        return String(decoding: try #require(storage["out"]), as: UTF8.self)
            .split(separator: "\n").map(String.init).filter { $0.hasPrefix("A") }.map {
                $0.replacing("  now", with: "")
            }
    }

    struct Snapshot: NamedCase {
        let name: String
        var change: @Sendable (inout ReplayOptions) -> Void = { _ in }
        let names: [String]
    }

    private static let snapshots: [Snapshot] = [
        Snapshot(name: "by recency", names: ["0a1b2c3d…", "740f4707c…", "740f4707b…"]),
        Snapshot(
            name: "by key", change: { $0.order = .key }, names: ["0a1b2c3d…", "740f4707b…", "740f4707c…"]),
        Snapshot(name: "the first two", change: { $0.top = 2 }, names: ["0a1b2c3d…", "740f4707…"]),
        Snapshot(
            name: "over time", change: { $0.every = Timeline(step: 86_400_000) },
            names: [devices[2], devices[1], devices[0]]),
    ]

    @Test(arguments: snapshots, Way.allCases)
    func snapshotsShortenDevices(_ item: Snapshot, _ way: Way) async throws {
        let lines = try await Self.lines(way) {
            $0.order = .recent
            item.change(&$0)
        }
        #expect(lines == item.names.map { "A · \($0)" })
    }
}
