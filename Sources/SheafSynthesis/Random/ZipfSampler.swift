/// Draws ranks by Zipf's law with exponent 1: rank k (from 0) has the weight 1 / (k + 1 + `flattening`).
///
/// A draw looks at one column of an alias table (Vose's method), which is computed instead of stored. All weights are
/// integers, so every draw is exact and the same on every machine.
///
///     level    a rank's weight × count; the mean of all levels is `total`
///     tall     the first ranks, whose level is at least the mean: they are donors
///     short    the other ranks: one tall rank fills each column up to `total`
///     excess   the sum of (level - mean) of the ranks before k: rises while ranks are tall, then falls to 0
///
/// Vose's method fills the last short rank first, from the last tall rank, and moves on to the next tall rank once a
/// donation leaves one short itself. The donor of a column is therefore where two sums meet: the excess that tall ranks
/// have donated, and the deficit of the short ranks. Both are differences of `excess`, so binary search finds it.
struct ZipfSampler: Sendable {
    private let count: Int
    private let flattening: UInt64
    /// The integer that represents a weight of 1.
    private let unit: UInt64

    /// For each block, the sum of the weights of all ranks before it.
    private let sums: [UInt64]
    private let blockSize: Int

    /// The sum of all weights, which is also the height of every column.
    private let total: UInt64

    /// The number of tall ranks; at least 1.
    private var tallCount = 0
    private var tallExcess: UInt128 = 0

    /// Limits `sums` to 512 KiB. With more ranks than this, a block has several, whose weights each draw adds up.
    static let maximumBlocks = 1 << 16

    /// - Parameters:
    ///   - count: the number of ranks, at least 1.
    ///   - flattening: a number added to every rank before it is inverted; 0 is Zipf's law itself, `count` makes
    ///     the most frequent rank about twice as frequent as the rarest.
    ///   - blocks: the maximum number of blocks, at least 1.
    /// - Complexity: O(`count`) in time; at most 8 × `blocks` bytes of memory.
    init(count: Int, flattening: Int = 0, blocks: Int = maximumBlocks) {
        precondition(
            count >= 1 && flattening >= 0, "A sampler needs at least one rank, and no negative flattening.")
        self.count = count
        self.flattening = UInt64(flattening)
        // `weight * count` must fit: the largest weight is `unit`.
        unit = (UInt64(1) << 62) / UInt64(count)
        blockSize = (count + blocks - 1) / blocks
        var sum: UInt64 = 0
        var sums: [UInt64] = []
        sums.reserveCapacity(count / blockSize + 1)
        for rank in 0..<count {
            if rank % blockSize == 0 { sums.append(sum) }
            sum += unit / (UInt64(rank + 1) + self.flattening)
        }
        self.sums = sums
        total = sum
        // Weights decrease from rank to rank, so the tall ranks come first.
        var short = count
        while tallCount < short {
            let middle = (tallCount + short) / 2
            if level(of: middle) < total { short = middle } else { tallCount = middle + 1 }
        }
        tallExcess = excess(before: tallCount, weights: weights(before: tallCount))
    }

    /// Draws a rank in `0..<count`.
    func rank(using random: inout RandomStream) -> Int {
        let rank = random.below(count)
        let draw = random.below(total)
        return rank < tallCount ? drawn(tall: rank, draw) : drawn(short: rank, draw)
    }
}

extension ZipfSampler {
    /// A tall rank donates until its level is below the mean; the tall rank before it then fills its column.
    private func drawn(tall rank: Int, _ draw: UInt64) -> Int {
        let given = tallExcess - excess(before: rank, weights: weights(before: rank))
        // Short ranks are filled from the last one backwards.
        let served = firstRank(in: tallCount..<count) { $0 <= given }
        guard served > tallCount else { return rank }
        let last = served - 1
        let missing = excess(before: last, weights: weights(before: last)) - given
        return UInt128(draw) < UInt128(total) - missing ? rank : rank - 1
    }

    private func drawn(short rank: Int, _ draw: UInt64) -> Int {
        if draw < level(of: rank) { return rank }
        let missing = excess(before: rank + 1, weights: weights(before: rank + 1))
        return firstRank(in: 0..<tallCount) { $0 > tallExcess - missing } - 1
    }

    private func weight(of rank: Int) -> UInt64 { unit / (UInt64(rank + 1) + flattening) }

    private func level(of rank: Int) -> UInt64 { weight(of: rank) * UInt64(count) }

    private func weights(before rank: Int) -> UInt64 {
        guard rank < count else { return total }
        let block = rank / blockSize
        return (block * blockSize..<rank).reduce(sums[block]) { $0 + weight(of: $1) }
    }

    /// The sum of (level - mean) of all ranks before `rank`; never negative.
    private func excess(before rank: Int, weights: UInt64) -> UInt128 {
        UInt128(count) * UInt128(weights) - UInt128(rank) * UInt128(total)
    }

    /// Returns the first rank in a range for which the excess before it meets `condition`, or the range's end if there
    /// is no such rank. If a rank meets `condition`, so must all later ranks in the range.
    private func firstRank(in range: Range<Int>, where condition: (UInt128) -> Bool) -> Int {
        // Search the blocks that begin in the range first.
        let firstBlock = (range.lowerBound + blockSize - 1) / blockSize
        var low = firstBlock
        var high = (range.upperBound + blockSize - 1) / blockSize
        let blockEnd = high
        while low < high {
            let middle = (low + high) / 2
            if condition(excess(before: middle * blockSize, weights: sums[middle])) {
                high = middle
            } else {
                low = middle + 1
            }
        }
        let end = low == blockEnd ? range.upperBound : low * blockSize
        let start = low == firstBlock ? range.lowerBound : (low - 1) * blockSize
        var sum = weights(before: start)
        for rank in start..<end {
            if condition(excess(before: rank, weights: sum)) { return rank }
            sum += weight(of: rank)
        }
        return end
    }
}
