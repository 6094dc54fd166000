/// A stream of random blocks, matches and codes, and what it stands for, derived from its elements.
package struct RandomDeflate {
    package private(set) var content: [UInt8] = []
    package private(set) var stream: [UInt8] = []

    private typealias Element = DeflateWriter.Element

    /// - Parameter length: the number of elements, roughly.
    package init(_ random: inout some RandomNumberGenerator, length: Int) {
        var writer = DeflateWriter()
        var left = length
        while left > 0 {
            let count = Int.random(
                in: 0...min(left, [3, 40, 400].randomElement(using: &random)!), using: &random)
            left -= count + 1
            writeBlock(count, to: &writer, &random)
        }
        writer.fixed([.end], isLast: true)
        stream = writer.bytes
    }

    private mutating func writeBlock(
        _ count: Int, to writer: inout DeflateWriter, _ random: inout some RandomNumberGenerator
    ) {
        if Int.random(in: 0..<6, using: &random) == 0 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            writer.stored(bytes)
            content += bytes
            return
        }
        let elements = elements(count, &random)
        content += DeflateWriter.content(of: elements, after: content)
        if Int.random(in: 0..<3, using: &random) == 0 {
            writer.fixed(elements + [.end])
        } else {
            writer.dynamic(Self.codes(for: elements, &random), elements + [.end])
        }
    }

    /// Returns elements with distances up to the start of the content.
    private func elements(_ count: Int, _ random: inout some RandomNumberGenerator) -> [Element] {
        // Few different literals or many, and few matches or many.
        let literals = UInt8.random(in: 0...255, using: &random)
        let matches = Int.random(in: 0...100, using: &random)
        var (elements, available): ([Element], Int) = ([], content.count)
        for _ in 0..<count {
            if available > 0, Int.random(in: 0..<100, using: &random) < matches {
                let length = Int.random(in: 3...[5, 20, 258].randomElement(using: &random)!, using: &random)
                let farthest = min(available, [1, 20, 1_000, 32_768].randomElement(using: &random)!)
                let distance = Int.random(in: 1...farthest, using: &random)
                elements.append(
                    .match(
                        length: length,
                        distance: Int.random(in: 0..<8, using: &random) == 0 ? farthest : distance))
                available += length
            } else {
                elements.append(.literal(UInt8.random(in: 0...literals, using: &random)))
                available += 1
            }
        }
        return elements
    }

    // MARK: - Codes

    /// Returns random codes for the symbols of `elements`, and for others.
    private static func codes(
        for elements: [Element], _ random: inout some RandomNumberGenerator
    ) -> DeflateWriter.Codes {
        var (literals, distances): (Set<Int>, Set<Int>) = ([DeflateWriter.endOfBlock], [])
        for element in elements {
            switch element {
            case .literal(let byte): literals.insert(Int(byte))
            case .match(let length, let distance):
                literals.insert(DeflateWriter.lengthSymbol(length).symbol)
                distances.insert(DeflateWriter.distanceSymbol(distance).symbol)
            case .symbol, .distanceSymbol, .bits: continue
            }
        }
        for _ in 0..<Int.random(in: 0..<30, using: &random) {
            literals.insert(.random(in: 0..<286, using: &random))
        }
        for _ in 0..<Int.random(in: 0..<5, using: &random) {
            distances.insert(.random(in: 0..<30, using: &random))
        }
        var codes = DeflateWriter.Codes(
            literals: lengths(literals.sorted(), &random), distances: lengths(distances.sorted(), &random))
        codes.literals += [Int](
            repeating: 0, count: .random(in: 0...(286 - codes.literals.count), using: &random))
        codes.runs = runs(codes.literals + codes.distances, &random)
        return codes
    }

    /// Returns the lengths of a random complete code; one bit for a single symbol.
    private static func lengths(
        _ symbols: [Int], _ random: inout some RandomNumberGenerator
    ) -> [Int: Int] {
        guard symbols.count > 1 else { return Dictionary(uniqueKeysWithValues: symbols.map { ($0, 1) }) }
        // Splits random leaves of a tree, or the deepest ones, until there are as many as symbols.
        let isDeep = Bool.random(using: &random)
        var leaves = [1, 1]
        while leaves.count < symbols.count {
            let candidates = leaves.indices.filter { leaves[$0] < 15 }
            let index =
                isDeep && Int.random(in: 0..<4, using: &random) > 0
                ? candidates.max { leaves[$0] < leaves[$1] }! : candidates.randomElement(using: &random)!
            leaves[index] += 1
            leaves.append(leaves[index])
        }
        leaves.shuffle(using: &random)
        return Dictionary(uniqueKeysWithValues: zip(symbols, leaves))
    }

    /// Returns symbols for the lengths of codes, with repetitions of random lengths where lengths repeat.
    private static func runs(
        _ lengths: [Int], _ random: inout some RandomNumberGenerator
    ) -> [DeflateWriter.Run] {
        var (runs, index): ([DeflateWriter.Run], Int) = ([], 0)
        while index < lengths.count {
            let same = lengths[index...].prefix { $0 == lengths[index] }.count
            let count = Int.random(in: 1...same, using: &random)
            if lengths[index] == 0, count >= 11 {
                runs.append(.manyZeros(min(count, 138)))
                index += min(count, 138)
            } else if lengths[index] == 0, count >= 3 {
                runs.append(.zeros(min(count, 10)))
                index += min(count, 10)
            } else if count >= 3, index > 0, lengths[index - 1] == lengths[index] {
                runs.append(.previous(min(count, 6)))
                index += min(count, 6)
            } else {
                runs.append(.length(lengths[index]))
                index += 1
            }
        }
        return runs
    }
}
