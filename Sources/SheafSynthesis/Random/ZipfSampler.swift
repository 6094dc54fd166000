/// Draws ranks by Zipf's law with exponent 1: rank k (from 0) has the weight 1 / (k + 1 + `flattening`).
///
/// An alias table (Vose's method), so that a draw is two random numbers and one look-up whatever the number
/// of ranks. Weights are integers throughout: the table, and with it every draw, is exact and the same
/// everywhere.
struct ZipfSampler: Sendable {
    /// One column of the table: `own` of `total` of its draws are its own rank, the others are `other`.
    private struct Column {
        var own: UInt64
        var other: UInt32
    }

    /// One for each rank.
    private var columns: [Column]

    /// The sum of all weights, which is also the height of every column.
    private let total: UInt64

    /// Builds the table.
    ///
    /// - Parameters:
    ///   - count: the number of ranks, at least 1.
    ///   - flattening: added to every rank before it is inverted; 0 is Zipf's law itself, `count` leaves the
    ///     most frequent rank about twice as frequent as the rarest.
    /// - Complexity: O(`count`) in time; 16 bytes a rank.
    init(count: Int, flattening: Int = 0) {
        precondition(
            count >= 1 && flattening >= 0, "A sampler needs at least one rank, and no negative flattening.")
        let ranks = UInt64(count)
        // `weight * count` must fit: the largest weight is `unit`.
        let unit = (UInt64(1) << 62) / ranks
        var sum: UInt64 = 0
        var levels: [UInt64] = []
        levels.reserveCapacity(count)
        for rank in 1...ranks {
            let weight = unit / (rank + UInt64(flattening))
            sum += weight
            levels.append(weight * ranks)
        }
        total = sum
        columns = levels.indices.map { Column(own: sum, other: UInt32($0)) }

        var short: [Int] = []
        var tall: [Int] = []
        for (rank, level) in levels.enumerated() {
            if level < sum { short.append(rank) } else { tall.append(rank) }
        }
        while let receiver = short.popLast(), let giver = tall.popLast() {
            columns[receiver] = Column(own: levels[receiver], other: UInt32(giver))
            levels[giver] -= sum - levels[receiver]
            if levels[giver] < sum { short.append(giver) } else { tall.append(giver) }
        }
    }

    /// Draws a rank in `0..<count`.
    func rank(using random: inout RandomStream) -> Int {
        let rank = random.below(columns.count)
        let column = columns[rank]
        return random.below(total) < column.own ? rank : Int(column.other)
    }
}
