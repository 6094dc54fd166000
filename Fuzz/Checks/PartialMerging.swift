import SheafBytes
import SheafFlow
import SheafGroups
import TestSupport

/// A merged file is either reported as damaged, or a partial result that leads to the same snapshot in every way of
/// merging.
///
/// An input is merged unchanged, and with correct lengths and checksums in its frames.
package enum PartialMerging: FuzzCheck {
    private static let magic = FrameMagic("SHEAF", version: 2)
    /// The kinds of the frames of the header and the counts.
    private static let singles: Set<UInt8> = [1, 4]

    package static func violations(in file: [UInt8]) -> [String] {
        let framed = LooseFrames(file.dropFirst(LooseFrames.magicBytes), singles: singles).file(magic)
        let violations = Self.violations(merging: file).map { "unchanged: \($0)" }
        return framed == file
            ? violations : violations + Self.violations(merging: framed).map { "framed: \($0)" }
    }

    private static func violations(merging file: [UInt8]) -> [String] {
        do throws(MergeFailure) {
            let partial = try Merged([file], .partial)
            return violations(merging: file, result: partial)
        } catch {
            return error.violations(in: file)
        }
    }

    private static func violations(merging file: [UInt8], result partial: Merged) -> [String] {
        var choices = InputChoices(file)
        let plain = Merged.Mode.snapshot(order: choices.pick(ReplayOptions.Order.allCases))
        let other = Merged.Mode.snapshot(
            order: plain.order, threads: 2, spills: choices.pick([false, true]))
        let again = Merged.violations("again", merging: [partial.result], .partial, expecting: partial)
        do throws(MergeFailure) {
            let snapshot = try Merged([file], plain)
            return again
                + Merged.violations("its snapshot", merging: [partial.result], other, expecting: snapshot)
                + violations(mergingThree: file, result: partial, plain, other)
        } catch {
            return again + ["its snapshot: \(error)"]
        }
    }

    /// Merges the file with one and two copies of itself, at once and as trees. A copy counts as other sources, with
    /// other records of the same groups.
    private static func violations(
        mergingThree file: [UInt8], result partial: Merged, _ plain: Merged.Mode, _ other: Merged.Mode
    ) -> [String] {
        let two = try? Merged([file, file], .partial)
        do throws(MergeFailure) {
            let three = try Merged([file, file, file], .partial)
            guard let two else { return ["three copies can be merged, but two can't"] }
            let snapshot = try Merged([file, file, file], other)
            return Merged.violations("two, one", merging: [two.result, file], .partial, expecting: three)
                + Merged.violations(
                    "one, two", merging: [partial.result, two.result], .partial, expecting: three)
                + Merged.violations("snapshot of three", merging: [three.result], plain, expecting: snapshot)
        } catch {
            // Sums that overflow do so in any order.
            let trees = two.map { [[$0.result, file], [file, $0.result]] } ?? []
            return trees.contains { (try? Merged($0, .partial)) != nil }
                ? ["three copies can be merged as a tree, but not at once: \(error)"] : []
        }
    }

    package static var seeds: [[UInt8]] {
        let several = Samples.partial
        return [several, BlockedMember([several]).bytes] + replays
    }

    /// The partial results of replays of the logs.
    private static var replays: [[UInt8]] {
        [(false, Grouping.automatic), (true, .off), (false, .byApp)].map { byDevice, grouping in
            var options = ReplayOptions(sources: ["logs"])
            options.partial = "out"
            options.byDevice = byDevice
            options.maximumArguments = byDevice ? 1 : 16
            options.settings.apps["a1", default: AppSettings()].grouping = grouping
            options.chunkBytes = 100
            options.threads = 1
            options.maximumLine = 300
            let storage = MemoryStorage(files: StateLogs.files)
            do {
                _ = try Replay(options, storage: storage).run()
            } catch {
                fatalError("a seed could not be made: \(error)")
            }
            return storage["out"] ?? []
        }
    }

    package static var words: [[UInt8]] {
        // The kinds of frames with the zeros after them, and the largest numbers of the format.
        let kinds = (UInt8(0)...5).map { [$0, 0, 0, 0] }
        return kinds + StateWords.numbers + StateWords.names + [[0x53, 0x48, 0x45, 0x41, 0x46, 1, 13, 10]]
    }
}

/// The reason why files could not be merged, and the files that the attempt left behind.
private struct MergeFailure: Error, CustomStringConvertible {
    let error: ReplayError
    /// The names of new files.
    let left: [String]
    let openFiles: Int

    var description: String { "\(error)" }

    /// Reports outcomes that no contents of a single file may cause.
    func violations(in file: [UInt8]) -> [String] {
        var violations: [String] = []
        if case .damaged(Merged.name(0), _, let offset) = error {
            let isCompressed = file.starts(with: [0x1f, 0x8b])
            if !isCompressed, offset > file.count { violations.append("damaged past its end: \(error)") }
        } else if case .notPartial(Merged.name(0), _) = error {
            // A file that is not a partial result may be reported as any other format.
        } else {
            violations.append("not reported as damaged: \(error)")
        }
        if !left.isEmpty { violations.append("new files left: \(left)") }
        if openFiles > 0 { violations.append("\(openFiles) files left open") }
        return violations
    }
}

/// The result of merging files.
private struct Merged: Equatable {
    let result: [UInt8]
    /// The statistics that depend neither on the machine nor on how the work was divided.
    let statistics: String

    enum Mode {
        case partial
        case snapshot(order: ReplayOptions.Order, threads: Int = 1, spills: Bool = false)

        var order: ReplayOptions.Order {
            guard case .snapshot(let order, _, _) = self else { return .key }
            return order
        }
    }

    static func name(_ index: Int) -> String { "\(index).partial" }

    /// Merges `files` and reports differences from `expected`.
    static func violations(
        _ name: String, merging files: [[UInt8]], _ mode: Mode, expecting expected: Merged
    ) -> [String] {
        do throws(MergeFailure) {
            let merged = try Merged(files, mode)
            return merged == expected ? [] : ["\(name): \(merged), not \(expected)"]
        } catch {
            return ["\(name): \(error)"]
        }
    }

    init(_ files: [[UInt8]], _ mode: Mode) throws(MergeFailure) {
        var options = ReplayOptions(sources: files.indices.map(Self.name))
        switch mode {
        case .partial:
            options.partial = "out"
            options.threads = 1
        case .snapshot(let order, let threads, let spills):
            options.output = "out"
            options.order = order
            options.threads = threads
            options.spillsAlways = spills
        }
        options.chunkBytes = 1
        options.maximumLine = 1
        var contents: [String: [UInt8]] = [:]
        for (index, file) in files.enumerated() { contents[Self.name(index)] = file }
        let storage = MemoryStorage(files: contents, step: .max)
        do throws(ReplayError) {
            let statistics = try Merge(options, storage: storage).run()
            self.statistics = statistics.comparable
            result = storage["out"] ?? []
        } catch {
            throw MergeFailure(
                error: error, left: storage.files.keys.filter { contents[$0] == nil },
                openFiles: storage.openFiles)
        }
    }
}

extension Merged: CustomStringConvertible {
    var description: String { "\(result.shown) \(statistics)" }
}

extension Statistics {
    /// The statistics that depend neither on the machine nor on how the work was divided.
    var comparable: String {
        let text = String(decoding: json(), as: UTF8.self)
        return String(text[..<(text.firstRange(of: ",\"spilledBytes\"")?.lowerBound ?? text.endIndex)])
    }
}
