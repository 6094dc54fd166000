import TestSupport
import Testing

@testable import SheafBytes

@Suite struct ByteArenaTests {
    static let sizes = [
        0, 1, 14, 15, 16, 17, 31, 32, 255, 510, 511, 512, 513, 574, 575, 576, 1000, 1023, 1024, 4095, 4096,
        40_000, 65_534,
        65_535, 65_536, 65_537, 73_727, 73_728, 100_000, 1 << 20,
    ]

    @Test(arguments: sizes)
    func capacityExceedsTheSizeByAtMostAnEighth(_ count: Int) {
        var arena = ByteArena()
        let block = arena.allocate(count)
        let capacity = arena.capacity(of: block)
        #expect(!block.isNone)
        #expect(capacity >= count)
        #expect(
            capacity - count <= max(15 - count, 8, count / 8 + 8), "at most an eighth or 8 bytes are wasted")
        #expect(arena.bytes(of: block).count == capacity)
        arena.edit(block) { bytes in
            for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: index) }
        }
        let content = [UInt8](copying: arena.bytes(of: block))
        #expect(content == (0..<capacity).map { UInt8(truncatingIfNeeded: $0) })
        #expect(arena.capacity(of: block) == capacity, "filling a block does not change its capacity")
    }

    @Test func noneBlockIsEmpty() {
        var arena = ByteArena()
        #expect(ByteArena.Block.none.isNone)
        #expect(arena.capacity(of: .none) == 0)
        #expect(arena.bytes(of: .none).count == 0)
        arena.free(.none)
        #expect(arena.allocatedBytes == 0)
    }

    /// Freed blocks are reused before the arena grows.
    @Test func freedBlocksAreReused() {
        var arena = ByteArena()
        let blocks = (0..<1000).map { _ in arena.allocate(40) }
        let taken = arena.allocatedBytes
        for block in blocks { arena.free(block) }
        var again: [ByteArena.Block] = []
        for _ in 0..<1000 { again.append(arena.allocate(47)) }
        #expect(Set(again.map(Self.name)) == Set(blocks.map(Self.name)))
        #expect(arena.allocatedBytes == taken)
        let large = arena.allocate(1 << 20)
        let withLarge = arena.allocatedBytes
        arena.free(large)
        #expect(arena.allocate(1 << 20) == large)
        #expect(arena.allocatedBytes == withLarge)
    }

    /// A large block gets its own segment; small blocks continue to fill the current one.
    @Test func largeBlocksGetTheirOwnSegment() {
        var arena = ByteArena()
        _ = arena.allocate(1)
        let afterFirst = arena.allocatedBytes
        let large = arena.allocate(200_000)
        let afterLarge = arena.allocatedBytes
        for _ in 0..<100 { _ = arena.allocate(1) }
        #expect(afterFirst == 1 << 16)
        #expect((afterFirst + 200_000...afterFirst + 226_000).contains(afterLarge))
        #expect(arena.allocatedBytes == afterLarge)
        #expect(arena.capacity(of: large) >= 200_000)
    }

    /// Random operations compared with a model: writing to one block never changes another.
    @Test(arguments: Seeds.several(4))
    func behavesLikeADictionary(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var arena = ByteArena()
        var model: [(block: ByteArena.Block, content: [UInt8])] = []
        for round in 0..<1500 {
            switch random.below(5) {
            case 0:
                let size = random.oneIn(40) ? random.pick(Self.sizes) : random.number(0...300)
                let content = random.bytes(min(size, 50)) + Self.filler(max(0, size - 50))
                let block = arena.allocate(copyOf: content.span)
                try #require(!model.contains { $0.block == block }, "round \(round)")
                model.append((block, content))
            case 1 where !model.isEmpty:
                let source = random.pick(model)
                let start = random.number(0...source.content.count)
                let range = start..<random.number(start...source.content.count)
                let block = arena.allocate(copyOf: range, of: source.block)
                try #require(!model.contains { $0.block == block }, "round \(round)")
                model.append((block, [UInt8](source.content[range])))
            case 2 where !model.isEmpty:
                let removed = model.remove(at: random.below(model.count))
                if random.oneIn(2) {
                    arena.free(removed.block)
                } else {
                    arena.free(removed.block, allocatedFor: removed.content.count)
                }
            case 3 where !model.isEmpty:
                let index = random.below(model.count)
                let written = random.bytes(random.number(0...min(model[index].content.count, 40)))
                Self.write(written, to: model[index].block, of: &arena)
                model[index].content.replaceSubrange(..<written.count, with: written)
            default: continue
            }
            if round % 50 == 0 { try expectContents(arena, model, "round \(round)") }
        }
        try expectContents(arena, model, "at the end")
    }

    private static func filler(_ count: Int) -> [UInt8] {
        [UInt8](repeating: UInt8(ascii: "Z"), count: count)
    }

    private static func write(_ text: [UInt8], to block: ByteArena.Block, of arena: inout ByteArena) {
        arena.edit(block) { $0.write(text.span, at: 0) }
    }

    private func expectContents(
        _ arena: ByteArena, _ model: [(block: ByteArena.Block, content: [UInt8])], _ message: String
    ) throws {
        for (block, content) in model {
            let isEqual = arena.bytes(of: block).extracting(first: content.count).isEqual(to: content.span)
            try #require(isEqual, "\(message): \(block)")
        }
    }

    /// An arena is a value type: changes to one copy are not visible in the other.
    @Test func copiesAreIndependent() {
        var arena = ByteArena()
        let block = arena.allocate(copyOf: [UInt8]("left").span)
        var copy = arena
        Self.write([UInt8]("copy"), to: block, of: &copy)
        let added = copy.allocate(copyOf: [UInt8]("more").span)
        let addedHere = arena.allocate(copyOf: 0..<4, of: block)
        Self.write([UInt8]("here"), to: addedHere, of: &arena)
        #expect(arena.bytes(of: block).extracting(first: 4).string == "left")
        #expect(copy.bytes(of: block).extracting(first: 4).string == "copy")
        #expect(arena.bytes(of: addedHere).extracting(first: 4).string == "here")
        #expect(copy.bytes(of: added).extracting(first: 4).string == "more")
        copy.free(block)
        #expect(arena.allocate(4) != block)
    }

    @Test func writingPastABlockTraps() async {
        await #expect(processExitsWith: .failure) {
            var arena = ByteArena()
            let block = arena.allocate(10)
            ByteArenaTests.write(ByteArenaTests.filler(16), to: block, of: &arena)
        }
    }

    @Test func writingToTheNoneBlockTraps() async {
        await #expect(processExitsWith: .failure) {
            var arena = ByteArena()
            ByteArenaTests.write([1], to: .none, of: &arena)
        }
    }

    /// An arena and blocks of other arenas that it must not use.
    private struct Foreign {
        var arena = ByteArena()
        let own: ByteArena.Block
        /// In a segment that the arena does not have.
        let inMissingSegment: ByteArena.Block
        /// In a segment of the arena, but after the segment's end.
        let pastSegment: ByteArena.Block
        /// In a block of the arena, where a byte is the class of a block that would end after the segment.
        let insideBlock: ByteArena.Block

        init() {
            var other = ByteArena()
            _ = other.allocate(10)
            insideBlock = other.allocate(10)
            _ = other.allocate(60_000)
            _ = other.allocate(60_000)
            pastSegment = other.allocate(10)
            while other.allocatedBytes < 2 << 20 { _ = other.allocate(60_000) }
            inMissingSegment = other.allocate(65_000)
            // A block larger than 64 KiB has a segment of its own.
            own = arena.allocate(70_000)
            arena.edit(own) { bytes in
                for index in bytes.indices { bytes[index] = 0xff }
            }
        }
    }

    @Test func foreignBlockCannotBeRead() async {
        await #expect(processExitsWith: .failure) {
            let foreign = Foreign()
            _ = foreign.arena.bytes(of: foreign.inMissingSegment)
        }
        await #expect(processExitsWith: .failure) {
            let foreign = Foreign()
            _ = foreign.arena.bytes(of: foreign.pastSegment)
        }
        await #expect(processExitsWith: .failure) {
            let foreign = Foreign()
            _ = foreign.arena.bytes(of: foreign.insideBlock)
        }
        await #expect(processExitsWith: .failure) {
            let foreign = Foreign()
            _ = foreign.arena.capacity(of: foreign.pastSegment)
        }
    }

    /// A block that was freed with the wrong count is reused as if it had that many bytes, but never past its segment.
    @Test func wrongCountCannotCauseAWritePastTheSegment() async {
        await #expect(processExitsWith: .failure) {
            var foreign = Foreign()
            foreign.arena.free(foreign.pastSegment, allocatedFor: 500)
            _ = foreign.arena.allocate(copyOf: ByteArenaTests.filler(500).span)
        }
        await #expect(processExitsWith: .failure) {
            var foreign = Foreign()
            foreign.arena.free(foreign.inMissingSegment, allocatedFor: 8)
            _ = foreign.arena.allocate(copyOf: ByteArenaTests.filler(8).span)
        }
    }

    @Test func copyingARangeOutsideItsBlockTraps() async {
        await #expect(processExitsWith: .failure) {
            var arena = ByteArena()
            let block = arena.allocate(10)
            _ = arena.allocate(copyOf: 0..<16, of: block)
        }
        await #expect(processExitsWith: .failure) {
            var foreign = Foreign()
            _ = foreign.arena.allocate(copyOf: 0..<8, of: foreign.insideBlock)
        }
        await #expect(processExitsWith: .failure) {
            var arena = ByteArena()
            _ = arena.allocate(copyOf: 0..<1, of: .none)
        }
    }

    @Test func foreignBlockCannotBeWritten() async {
        await #expect(processExitsWith: .failure) {
            var foreign = Foreign()
            foreign.arena.edit(foreign.pastSegment) { _ in }
        }
        await #expect(processExitsWith: .failure) {
            var foreign = Foreign()
            foreign.arena.edit(foreign.insideBlock) { _ in }
        }
        await #expect(processExitsWith: .failure) {
            var foreign = Foreign()
            foreign.arena.free(foreign.pastSegment)
        }
        await #expect(processExitsWith: .failure) {
            var foreign = Foreign()
            foreign.arena.free(foreign.pastSegment, allocatedFor: 600)
        }
    }

    /// A block of another arena that happens to be inside a block of this one has that block's bytes.
    @Test func foreignBlockMayHaveOtherBytes() {
        var foreign = Foreign()
        foreign.arena.edit(foreign.own) { bytes in
            for index in bytes.indices { bytes[index] = 3 }
        }
        let bytes = [UInt8](copying: foreign.arena.bytes(of: foreign.insideBlock))
        #expect(bytes == [UInt8](repeating: 3, count: 39))
    }

    @Test func emptyTextHasABlock() {
        var arena = ByteArena()
        let text: [UInt8] = []
        #expect(!arena.allocate(copyOf: text.span).isNone)
        #expect(!arena.allocate(copyOf: 0..<0, of: .none).isNone)
    }

    private static func name(_ block: ByteArena.Block) -> String { "\(block)" }
}

@Suite struct SizeClassTests {
    /// Up to 2^32 bytes, so that an index fits a byte.
    private static let all = (0...246).map { SizeClass(index: $0) }

    @Test func sizesGrow() {
        let sizes = Self.all.map(\.bytes)
        #expect(sizes.first == 16)
        #expect(sizes.last == 1 << 32)
        #expect(zip(sizes, sizes.dropFirst()).allSatisfy { $0 < $1 })
        #expect(sizes.allSatisfy { $0 % 8 == 0 })
    }

    /// Every count is assigned the smallest class that fits it.
    @Test func smallestClassIsChosen() {
        for (index, sizeClass) in Self.all.enumerated() {
            let before = index == 0 ? 0 : Self.all[index - 1].bytes
            #expect(SizeClass(holding: sizeClass.bytes) == sizeClass)
            #expect(SizeClass(holding: before + 1) == sizeClass)
            #expect(SizeClass(holding: (before + 1 + sizeClass.bytes) / 2) == sizeClass)
        }
    }

    @Test func smallCountsWasteAtMostAnEighth() {
        for count in 1...5000 {
            let sizeClass = SizeClass(holding: count)
            #expect(sizeClass.bytes >= count)
            #expect(
                sizeClass.bytes - count < max(17 - count, 8, count / 8 + 1), "\(count) in \(sizeClass.bytes)")
        }
    }

    @Test func countsOutOfRangeTrap() async {
        await #expect(processExitsWith: .failure) { _ = SizeClass(holding: 0) }
        await #expect(processExitsWith: .failure) { _ = SizeClass(holding: 1 << 32 + 1) }
    }
}
