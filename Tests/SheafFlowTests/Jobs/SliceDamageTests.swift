import SheafBytes
import SheafGroups
import TestSupport
import TestTags
import Testing

@testable import SheafFlow

/// Damaged partial results with named sources, slices and files of keys: the error names the file, and nothing is written.
@Suite(.tags(.extended, .spilling)) struct SliceDamageTests {
    private static let slices = [
        "s0/groups-00000.partial", "n0/newest-00000-00000.partial", "n0/newest-00000-00001.partial",
    ]

    private static func bytes(_ path: String) -> [UInt8] {
        guard case .file(let bytes) = NamedMergeTests.files[path] else {
            Issue.record("there is no \(path)")
            return []
        }
        return bytes
    }

    /// Runs what reads a file, with other bytes in its place.
    private static func run(_ path: String, _ bytes: [UInt8]) -> (error: ReplayError?, isUntouched: Bool) {
        var files = NamedMergeTests.files
        files[path] = .file(bytes)
        let storage = MemoryStorage(files)
        var error: ReplayError?
        do throws(ReplayError) {
            switch path {
            case "ranges":
                try PartialRun(
                    .split(ranges: path, folder: "new"), ReplayOptions(sources: ["p0"]), storage: storage
                ).run()
            case "s0/identities-00000.partial":
                try PartialRun(
                    .keepNewest(ranges: "ranges", folder: "new"), ReplayOptions(sources: [path]),
                    storage: storage
                ).run()
            default:
                var options = ReplayOptions(sources: slices.contains(path) ? slices : [path])
                options.output = "new"
                _ = try Merge(options, storage: storage).run()
            }
        } catch let found {
            error = found
        }
        #expect(storage.openFiles == 0)
        // The folder for slices may have been created.
        return (error, storage.entries.filter { $0.key != "new" || $0.value != .folder } == files)
    }

    static let paths = ["p12", "s0/identities-00000.partial", "ranges"] + slices

    @Test(arguments: paths) func everyChangedByteIsDetected(_ path: String) {
        let good = Self.bytes(path)
        #expect(Self.run(path, good).error == nil)
        for index in good.indices {
            var bytes = good
            bytes[index] ^= 0x10
            let (error, isUntouched) = Self.run(path, bytes)
            guard case .damaged(path, _, let offset) = error, isUntouched else {
                Issue.record("byte \(index): \(String(describing: error))")
                continue
            }
            #expect(offset <= UInt64(bytes.count))
        }
    }

    @Test(arguments: paths) func everyTruncationIsDetected(_ path: String) {
        let good = Self.bytes(path)
        for count in good.indices {
            let (error, isUntouched) = Self.run(path, Array(good[..<count]))
            // Without its first bytes, a file is not recognized.
            if count < 8, case .notPartial(path, _) = error { continue }
            guard case .damaged(path, _, _) = error, isUntouched else {
                Issue.record("\(count) bytes: \(String(describing: error))")
                continue
            }
        }
    }

    /// Changed records in intact frames are reported as damage, do not fit, or are merged. Nothing traps.
    @Test(arguments: paths) func changedRecordsNeverTrap(_ path: String) throws {
        var random = SeededGenerator(seed: 3)
        let magic: FrameMagic = path == "ranges" ? .keys : .partial
        let frames = try FrameFile.frames(Self.bytes(path), magic: magic).get()
        var damaged = 0
        for _ in 0..<300 {
            let changed = FrameFile.changed(frames, &random)
            let (error, isUntouched) = Self.run(path, try FrameFile.bytes(changed, magic: magic))
            switch error {
            case nil, .usage: break
            case .damaged(path, .content, _): damaged += 1
            case .some(let error): Issue.record("\(error)")
            }
            #expect(error == nil || isUntouched)
        }
        #expect(damaged > 50)
    }

    struct Header: NamedCase {
        let name: String
        let change: @Sendable (inout PartialFile) -> Void
    }

    static let headers = [
        Header(name: "positions in version 4", change: { $0.header.sources = SourceTable(paths: ["a"]) }),
        Header(
            name: "a slice over time",
            change: {
                $0.slice = Slice(.groups, digest: 1, count: 2, range: 1)
                $0.header.input.timeline = Timeline(step: 1, offset: 0)
            }),
        Header(
            name: "a range out of range", change: { $0.slice = Slice(.groups, digest: 1, count: 2, range: 2) }
        ),
        Header(
            name: "newest versions of no range",
            change: {
                $0.header.sources = SourceTable(named: [])
                $0.slice = Slice(.newest, digest: 1, count: 2, range: 1)
            }),
        Header(
            name: "newest versions of a range out of range",
            change: {
                $0.header.sources = SourceTable(named: [])
                $0.slice = Slice(.newest, digest: 1, count: 2, range: 1, covered: [0, 2])
            }),
        Header(
            name: "newest versions that list sources",
            change: { $0.slice = Slice(.newest, digest: 1, count: 2, range: 1, covered: [0]) }),
        Header(
            name: "too large an ordinal",
            change: { $0.header.sources = SourceTable(named: [.init(ordinal: 1 << 24, name: "a")]) }),
    ]

    @Test(arguments: headers) func invalidHeadersAreDamage(_ item: Header) throws {
        var frames = try FrameFile.frames(Self.bytes("p0"), magic: .partial).get()
        var file = try PartialFile.read("p0", storage: MemoryStorage(NamedMergeTests.files)).file
        item.change(&file)
        var record = OutputBuffer()
        var payload = OutputBuffer()
        file.header.append(to: &record) { Slice.append(file.slice, to: &$0) }
        payload.appendText(record.bytes)
        frames[0].payload = []
        frames[0].payload.append(payload.bytes)
        let (error, isUntouched) = Self.run("p0", try FrameFile.bytes(frames, magic: .partial))
        guard case .damaged("p0", .content, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(isUntouched)
    }

    /// Records of sources that the header does not list would have no name.
    @Test func recordsOfOtherSourcesAreDamage() throws {
        let other = Self.bytes("other1")
        var frames = try FrameFile.frames(Self.bytes("p0"), magic: .partial).get()
        frames[0] = try FrameFile.frames(other, magic: .partial).get()[0]
        let (error, _) = Self.run("p0", try FrameFile.bytes(frames, magic: .partial))
        guard case .damaged("p0", .content, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
