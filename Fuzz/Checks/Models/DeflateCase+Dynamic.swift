extension DeflateCase {
    /// Codes for a, b and the end, and for distances 1 and 2.
    private static let small = Codes(
        literals: [Int(a): 2, Int(b): 2, 256: 2, 257: 2], distances: [0: 1, 1: 1])

    /// Returns `small` with changes.
    private static func small(_ change: (inout Codes) -> Void) -> Codes {
        var codes = small
        change(&codes)
        return codes
    }

    // MARK: - Headers

    private static let tooMany = "too many length or distance symbols"
    private static let repeats = "invalid bit length repeat"

    /// The header of a block with its own codes (section 3.2.7).
    static let headers: [DeflateCase] =
        [
            .valid("header: 257 to 286 lengths", yields: (257...286).flatMap { _ in [a, b] }) { writer in
                for count in 257...286 {
                    var codes = Codes(literals: [Int(a): 2, Int(b): 2, 256: 1], distances: [0: 1])
                    codes.literals += [Int](repeating: 0, count: count - 257)
                    writer.dynamic(codes, [.literal(a), .literal(b), .end])
                }
                writer.stored([], isLast: true)
            },
            .valid("header: 1 to 30 distances", yields: (1...30).flatMap { _ in [a, a, a, a] }) { writer in
                for count in 1...30 {
                    let codes = small { $0.distances = [1] + [Int](repeating: 0, count: count - 1) }
                    writer.dynamic(codes, [.literal(a), .match(length: 3, distance: 1), .end])
                }
                writer.stored([], isLast: true)
            },
            .cut("header: half of the numbers") {
                $0.beginBlock(type: 2, isLast: true)
                $0.write(31, bits: 5)
                $0.write(31, bits: 5)
            },
            .cut("header: no lengths") { $0.dynamic(small { $0.runs = [] }, []) },
            .cut("header: half of the lengths") {
                $0.dynamic(small { $0.runs = [.manyZeros(97), .length(2)] }, [])
            },
        ] + badNumbers + [fewest] + lengthCodeCounts + runs + endlessRuns + longRuns + lostRuns

    private static let badNumbers: [DeflateCase] =
        ([(287, 1), (288, 1), (257, 31), (257, 32), (286, 31), (288, 32)] as [(Int, Int)]).map {
            literals, distances in
            .invalid("header: \(literals) lengths and \(distances) distances", tooMany) {
                $0.beginBlock(type: 2, isLast: true)
                $0.write(literals - 257, bits: 5)
                $0.write(distances - 1, bits: 5)
                $0.write(15, bits: 4)
            }
        }

    /// The fewest lengths of codes for lengths leave codes for zeros alone.
    private static let fewest = DeflateCase.invalid("header: 4 lengths of codes for lengths", noEnd) {
        let codes = small {
            $0.lengthCodes = [1] + [Int](repeating: 0, count: 17) + [1]
            $0.lengthCodeCount = 4
            $0.runs = [.manyZeros(138), .manyZeros(120), .length(0), .length(0)]
        }
        $0.dynamic(codes, [])
    }

    /// Headers with each number of lengths of the codes for lengths. The last of them has a code that is used, so that
    /// the set needs codes of exactly these lengths.
    private static let lengthCodeCounts: [DeflateCase] =
        ([
            (5, [8: 256]), (6, [7: 128]), (7, [8: 226, 9: 60]), (8, [6: 64]), (9, [8: 255, 10: 4]),
            (10, [5: 32]),
            (11, [8: 255, 11: 8]), (12, [4: 16]), (13, [8: 255, 12: 16]), (14, [3: 8]),
            (15, [4: 15, 8: 15, 12: 15, 13: 2]), (16, [2: 4]), (17, [4: 15, 8: 15, 12: 15, 14: 4]),
            (18, [1: 2]),
            (19, [4: 15, 8: 15, 12: 15, 15: 8]),
        ] as [(Int, [Int: Int])]).map { count, set in
            let lengths = set.sorted { $0.key < $1.key }.flatMap { [Int](repeating: $0.key, count: $0.value) }
            // The last symbol is the one that ends the block, unless there are more codes than literals.
            let first = max(0, 257 - lengths.count)
            var codes = Codes(
                literals: [Int](repeating: 0, count: first) + lengths,
                distances: [Int](repeating: 0, count: 1))
            codes.lengthCodeCount = count
            codes.lengthCodes = [Int](repeating: 0, count: 19)
            for (symbol, length) in chain([0] + set.keys.sorted()) { codes.lengthCodes[symbol] = length }
            let content = (first..<256).map { UInt8($0) }
            return .valid("header: \(count) lengths of codes for lengths", yields: content) { [codes] in
                $0.dynamic(codes, literals(content) + [.end], isLast: true)
            }
        }

    private static let runs: [DeflateCase] =
        [
            .valid(
                "header: a repeated length from literals to distances",
                yields: [a, UInt8(254), 255] + repeatElement(255, count: 12)
            ) {
                var codes = Codes(
                    literals: [Int(a): 3, 254: 3, 255: 3, 256: 3, 257: 3, 258: 3, 259: 3, 260: 3],
                    distances: [0: 3, 1: 3, 2: 3, 3: 3, 4: 3, 5: 3, 6: 3, 7: 3])
                codes.runs = [
                    .manyZeros(97), .length(3), .manyZeros(138), .manyZeros(18), .length(3), .previous(3),
                    .previous(6), .previous(5),
                ]
                let matches = [3, 4, 5].map { Element.match(length: $0, distance: 1) }
                $0.dynamic(codes, literals([a, 254, 255]) + matches + [.end], isLast: true)
            },
            .valid("header: zeros from literals to distances", yields: [a]) {
                var codes = Codes(literals: [Int(a): 1, 256: 1], distances: [3: 0])
                codes.literals += [0, 0, 0]
                codes.runs = zerosBetween + [.zeros(7)]
                $0.dynamic(codes, [.literal(a), .end], isLast: true)
            },
            .valid("header: many zeros from literals to distances", yields: [a]) {
                var codes = Codes(literals: [Int(a): 1, 256: 1], distances: [29: 0])
                codes.literals += [Int](repeating: 0, count: 29)
                codes.runs = zerosBetween + [.manyZeros(59)]
                $0.dynamic(codes, [.literal(a), .end], isLast: true)
            },
            .valid("header: each number of repetitions", yields: []) { writer in
                for count in 3...6 { writer.dynamic(zeros([.length(0), .previous(count)]), [.end]) }
                for count in 3...6 { writer.dynamic(zeros([.zeros(3), .previous(count)]), [.end]) }
                for count in 3...6 { writer.dynamic(zeros([.manyZeros(11), .previous(count)]), [.end]) }
                for count in 3...10 { writer.dynamic(zeros([.zeros(count)]), [.end]) }
                for count in stride(from: 11, through: 138, by: 1) {
                    writer.dynamic(zeros([.manyZeros(count)]), [.end])
                }
                writer.stored([], isLast: true)
            },
        ]

    /// Repetitions of lengths that the header does not announce, or that end with the last one.
    private static let endlessRuns: [DeflateCase] =
        ([
            (.previous(3), 2), (.previous(6), 1), (.zeros(3), 2), (.zeros(10), 9), (.manyZeros(11), 10),
            (.manyZeros(138), 137), (.previous(3), 3), (.zeros(9), 9), (.manyZeros(138), 138),
        ] as [(DeflateWriter.Run, Int)]).map { run, rest in
            let codes = small { codes in
                let count = codes.literals.count + codes.distances.count
                codes.runs = [DeflateWriter.Run](repeating: .length(0), count: count - rest) + [run]
            }
            // If the number is valid, the end has no code because all lengths are 0.
            let complaint = Self.count(run) > rest ? repeats : noEnd
            return .invalid("header: \(run) for \(rest) lengths", complaint) { $0.dynamic(codes, []) }
        }

    /// Repetitions that go past the last length of codes that would be valid otherwise.
    private static let longRuns: [DeflateCase] =
        ([(.zeros(4), 3), (.zeros(10), 3), (.manyZeros(11), 3), (.manyZeros(138), 3)]
        as [(DeflateWriter.Run, Int)]).map { run, rest in
            longRun(run, rest, small { $0.distances = [1, 1, 0, 0, 0] })
        }
        + ([(.previous(3), 2), (.previous(6), 5), (.previous(6), 1)] as [(DeflateWriter.Run, Int)]).map {
            run, rest in
            longRun(run, rest, small { $0.distances = [Int](repeating: 3, count: 8) })
        }

    private static func longRun(_ run: DeflateWriter.Run, _ rest: Int, _ valid: Codes) -> DeflateCase {
        var codes = valid
        codes.runs = (codes.literals + codes.distances).dropLast(rest).map { .length($0) } + [run]
        return .invalid("header: \(run) for the last \(rest) lengths", repeats) {
            [codes] in
            $0.dynamic(codes, [])
        }
    }

    /// Repetitions of a length before the first one.
    private static let lostRuns: [DeflateCase] = [3, 6].map { count in
        .invalid("header: \(count) repetitions of nothing", repeats) {
            $0.dynamic(small { $0.runs = [.previous(count)] }, [])
        }
    }

    /// The lengths of codes for a and the end alone.
    private static let zerosBetween: [DeflateWriter.Run] = [
        .manyZeros(97), .length(1), .manyZeros(138), .manyZeros(20), .length(1),
    ]

    /// Returns the number of lengths that a symbol stands for.
    private static func count(_ run: DeflateWriter.Run) -> Int {
        switch run {
        case .length: 1
        case .previous(let count), .zeros(let count), .manyZeros(let count): count
        }
    }

    /// Returns codes for the end and a literal, and runs that begin with some for zeros.
    private static func zeros(_ start: [DeflateWriter.Run]) -> Codes {
        let count = start.reduce(0) { $0 + Self.count($1) }
        var codes = Codes(literals: [count: 1, 256: 1], distances: [0: 0])
        codes.runs = start + (codes.literals[count...] + codes.distances).map { .length($0) }
        return codes
    }

    // MARK: - Sets of codes

    private static let noEnd = "invalid code -- missing end-of-block"
    private static let badDistance = "invalid distance code"
    private static let badSymbol = "invalid literal/length code"

    /// Complete, incomplete and over-subscribed sets of codes, as zlib judges them.
    static let codeSets = lengthSets + emptyLengthSets + badSets + oddSets + unusedDistances

    /// Codes for lengths that zlib refuses. It accepts no incomplete set of them.
    private static let lengthSets: [DeflateCase] =
        ([
            ("over-subscribed", [1, 1, 1]), ("over-subscribed by one", [1, 2, 3, 3, 7]),
            ("incomplete", [1, 2]), ("incomplete by one", [1, 2, 3, 4, 5, 6, 7]), ("a single code", [1]),
            ("a single long code", [7]),
        ] as [(String, [Int])]).map { name, lengths in
            let codes = small {
                $0.lengthCodes = lengths + [Int](repeating: 0, count: 19 - lengths.count)
                $0.runs = []
            }
            return .invalid("codes for lengths, \(name)", "invalid code lengths set") {
                $0.dynamic(codes, [])
            }
        }

    /// zlib accepts a header without codes for lengths: it reads a bit for each length, which is 0.
    private static let emptyLengthSets: [DeflateCase] = [0, 1].map { bit in
        .invalid("codes for lengths, none, \(bit)", noEnd) {
            let codes = small {
                $0.lengthCodes = [Int](repeating: 0, count: 19)
                $0.runs = []
            }
            $0.dynamic(codes, [])
            for _ in 0..<(codes.literals.count + codes.distances.count) { $0.write(bit, bits: 1) }
        }
    }

    /// A set of literals and lengths, and one of distances, that zlib refuses.
    private struct BadSet {
        let name: String
        let complaint: String
        let codes: Codes

        init(_ name: String, _ complaint: String, _ literals: [Int: Int], _ distances: [Int: Int] = [0: 1]) {
            self.name = name
            self.complaint = complaint
            codes = Codes(literals: literals, distances: distances)
        }

        static func literals(_ name: String, _ literals: [Int: Int]) -> BadSet {
            BadSet("literals, \(name)", "invalid literal/lengths set", literals)
        }

        static func distances(_ name: String, _ distances: [Int: Int]) -> BadSet {
            BadSet("distances, \(name)", "invalid distances set", [97: 1, 256: 1], distances)
        }

        static func noEnd(_ name: String, _ literals: [Int: Int]) -> BadSet {
            BadSet("literals, no end, \(name)", DeflateCase.noEnd, literals)
        }
    }

    private static let badSets: [DeflateCase] = [
        BadSet.literals("over-subscribed", [97: 1, 98: 1, 256: 1]),
        BadSet.literals("over-subscribed by one", [97: 1, 98: 2, 99: 2, 256: 15]),
        BadSet.literals("incomplete", [97: 1, 256: 2]),
        BadSet.literals("incomplete by one", chain([1] + (242...256)).filter { $0.key != 255 }),
        BadSet.literals("a single long code", [256: 2]),
        BadSet.literals("a single code of 15 bits", [256: 15]),
        BadSet.literals(
            "all of 15 bits", Dictionary(uniqueKeysWithValues: (0..<286).map { ($0, 15) })),
        BadSet.noEnd("complete", [97: 1, 98: 1]),
        BadSet.noEnd("none", [:]),
        BadSet.noEnd("over-subscribed", [1: 1, 2: 1, 3: 1]),
        BadSet.noEnd("lengths", [97: 1, 257: 1]),
        BadSet.distances("over-subscribed", [0: 1, 1: 1, 2: 1]),
        BadSet.distances("over-subscribed by one", [0: 1, 1: 1, 29: 15]),
        BadSet.distances("incomplete", [0: 1, 1: 2]),
        BadSet.distances("two long codes", [0: 2, 1: 2]),
        BadSet.distances("a single long code", [0: 2]),
        BadSet.distances("a single code of 15 bits", [29: 15]),
    ].map { set in
        .invalid("codes for \(set.name)", set.complaint) { $0.dynamic(set.codes, []) }
    }

    private static let oddSets: [DeflateCase] = [
        .valid("codes for literals, only the end", yields: []) {
            $0.dynamic(Codes(literals: [256: 1], distances: [0: 1]), [.end], isLast: true)
        },
        .invalid("codes for literals, only the end, which is not used", badSymbol) {
            $0.dynamic(Codes(literals: [256: 1], distances: [:]), [.bits(1, count: 1)])
        },
        .valid("codes for distances, none", yields: [a, b]) {
            $0.dynamic(small { $0.distances = [0] }, [.literal(a), .literal(b), .end], isLast: true)
        },
        .valid("codes for distances, one that is used", yields: [a, b, a, b, a]) {
            let codes = small { $0.distances = [0, 1] }
            $0.dynamic(
                codes, [.literal(a), .literal(b), .match(length: 3, distance: 2), .end], isLast: true)
        },
        .invalid("codes for distances, one, and another is used", badDistance, yields: [a, b]) {
            let codes = small { $0.distances = [0, 1] }
            $0.dynamic(codes, [.literal(a), .literal(b), .symbol(257), .bits(1, count: 1)])
        },
        .invalid("codes for distances, the last one, and another is used", badDistance, yields: [a]) {
            let codes = Codes(literals: [Int(a): 1, 256: 2, 257: 2], distances: [29: 1])
            $0.dynamic(codes, [.literal(a), .symbol(257), .bits(1, count: 1)])
        },
    ]

    private static let unusedDistances: [DeflateCase] = [0, 1].map { bit in
        .invalid("codes for distances, none, and one is used: \(bit)", badDistance, yields: [b]) {
            let codes = small { $0.distances = [0] }
            $0.dynamic(codes, [.literal(b), .symbol(257), .bits(bit, count: 1)])
        }
    }

    // MARK: - Long codes

    /// Codes of every length, for literals, lengths, distances and the end.
    static let codes: [DeflateCase] =
        [
            .valid("codes of 1 to 15 bits for literals", yields: Array(0..<14) + (0..<14).reversed()) {
                $0.dynamic(
                    Codes(literals: chain(Array(0..<15) + [256]), distances: [:]),
                    literals(Array(0..<14) + (0..<14).reversed()) + [.end], isLast: true)
            },
            .valid("codes of 15 to 1 bits for literals", yields: Array(0..<15)) {
                $0.dynamic(
                    Codes(literals: chain([256] + (0..<15).reversed()), distances: [:]),
                    literals(Array(0..<15)) + [.end], isLast: true)
            },
            .valid("a code of 15 bits for the end, alone", yields: []) {
                $0.dynamic(
                    Codes(literals: chain(Array(0..<15) + [256]), distances: [:]), [.end], isLast: true)
            },
            .cut("a code of 15 bits, a part of it", yields: [0], dropping: 1) {
                $0.dynamic(
                    Codes(literals: chain(Array(0..<15) + [256]), distances: [:]),
                    [.literal(0), .bits(0x3fff, count: 14)])
            },
        ]
        + [longest, everyLength, flat]

    /// Codes of 15 bits with the most bits after them: 48 bits for a match.
    private static var longest: DeflateCase {
        let elements = (0..<20).flatMap { index in
            [Element.match(length: 227 + index, distance: 32_768 - 400 * index), .literal(0)]
        }
        let codes = Codes(
            literals: chain(Array(0..<14) + [256, 284]), distances: chain(Array(15..<30) + [0]))
        var reversed = codes
        for symbol in 15..<29 { reversed.distances[symbol] = 29 - symbol }
        (reversed.distances[29], reversed.distances[0]) = (15, 15)
        return .valid(
            "matches of 48 bits",
            yields: mixed(32_768) + DeflateWriter.content(of: elements, after: mixed(32_768))
        ) { [reversed] in
            $0.stored(mixed(32_768))
            $0.dynamic(reversed, elements + [.end], isLast: true)
        }
    }

    /// Symbols for all literals, lengths and distances, with codes of 7 to 12 bits.
    private static var everyLength: DeflateCase {
        // 286 codes: 30 · 2⁻⁷ + 154 · 2⁻⁸ + 72 · 2⁻⁹ + 4 · 2⁻¹¹ + 26 · 2⁻¹² is 1 within a code of 12 bits.
        var lengths: [Int] = []
        for (length, count) in [(7, 30), (8, 154), (9, 43), (10, 17), (11, 4), (12, 38)] {
            lengths += [Int](repeating: length, count: count)
        }
        lengths = completed(lengths)
        let codes = Codes(
            // Neighbours have codes of different lengths; 101 and 286 have no common divisor.
            literals: (0..<286).map { lengths[$0 * 101 % 286] },
            distances: completed(
                [3, 3, 4, 4, 4, 4] + [Int](repeating: 5, count: 10) + [
                    6, 6, 6, 7, 7, 7, 7, 8, 8, 8, 8, 8, 8, 8,
                ]))
        let elements =
            literals(Array(0...255)) + literals(mixed(600))
            + (3...258).map { .match(length: $0, distance: 1 + $0 * $0 % 850) }
            + (0..<15).flatMap { [.match(length: 258, distance: 1 << $0), .literal(UInt8($0))] }
        return .valid("codes for every symbol", yields: DeflateWriter.content(of: elements)) {
            $0.dynamic(codes, elements + [.end], isLast: true)
        }
    }

    /// 256 codes of 9 bits and fewer of 8: as many literals as possible, of one length.
    private static var flat: DeflateCase {
        let codes = Codes(literals: (0..<286).map { $0 < 226 ? 8 : 9 }, distances: [1, 1])
        let elements = literals((0..<4).flatMap { _ in Array(0...255) }) + [.match(length: 20, distance: 2)]
        return .valid("codes of 8 and 9 bits", yields: DeflateWriter.content(of: elements)) {
            $0.dynamic(codes, elements + [.end], isLast: true)
        }
    }

    /// Returns lengths of a complete set that are close to those given, in the same number.
    ///
    /// Lengthens the last code that is shorter than 15 bits while the set is over-subscribed, then shortens codes while
    /// it is incomplete.
    static func completed(_ lengths: [Int]) -> [Int] {
        var lengths = lengths
        func used() -> Int { lengths.reduce(0) { $0 + 1 << (15 - $1) } }
        let whole = 1 << 15
        while used() > whole {
            guard let index = lengths.lastIndex(where: { $0 < 15 }) else {
                preconditionFailure("too many codes")
            }
            lengths[index] += 1
        }
        while used() < whole {
            let free = whole - used()
            guard let index = lengths.firstIndex(where: { $0 > 1 && 1 << (15 - $0) <= free }) else {
                preconditionFailure("no code can be shorter")
            }
            lengths[index] -= 1
        }
        return lengths
    }
}
