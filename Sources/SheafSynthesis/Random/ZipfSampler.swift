/// Draws ranks by Zipf's law with exponent 1: rank k (from 0) has the weight 1 / (k + 1 + `flattening`).
///
/// A draw is one column of an alias table (Vose's method), which is computed instead of kept. Weights are integers
/// throughout: every draw is exact and the same everywhere.
///
///     level    rank's weight × count; the mean of all levels is `total`
///     tall     the first ranks, whose level is the mean or more: they give
///     short    the other ranks: what a column lacks of `total` comes from one tall rank
///     excess   of the ranks before k, above the mean: rises while ranks are tall, then falls to 0
///
/// Vose's method gives to the last short rank first, from the last tall one, and continues with the next tall rank when one
/// has given so much that it is short itself. Who gives to whom is therefore where two sums meet: the excess that tall
/// ranks have given, and what short ranks were missing. Both are differences of `excess`, which binary search finds.
struct ZipfSampler: Sendable {
    private let count: Int
    private let flattening: UInt64
    /// What a weight of 1 would be.
    private let unit: UInt64

    /// The sum of the weights of all ranks before each block's first.
    private let sums: [UInt64]
    private let blockSize: Int

    /// The sum of all weights, which is also the height of every column.
    private let total: UInt64

    /// How many ranks are tall; at least one.
    private var tallCount = 0
    private var tallExcess: UInt128 = 0

    /// The table takes 512 KiB at most. With more ranks a block has several, whose weights are added up in each draw.
    static let maximumBlocks = 1 << 16

    /// - Parameters:
    ///   - count: the number of ranks, at least 1.
    ///   - flattening: added to every rank before it is inverted; 0 is Zipf's law itself, `count` leaves the
    ///     most frequent rank about twice as frequent as the rarest.
    ///   - blocks: the most blocks, at least 1.
    /// - Complexity: O(`count`) in time; at most 8 bytes for each of `blocks`.
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
        // Weights fall from rank to rank.
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
    /// A tall rank gives until it has less than the mean; the next tall one makes up for that.
    private func drawn(tall rank: Int, _ draw: UInt64) -> Int {
        let given = tallExcess - excess(before: rank, weights: weights(before: rank))
        // Short ranks are served from the last one on.
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

    /// How much more than the mean the levels of all ranks before one are together; never negative.
    private func excess(before rank: Int, weights: UInt64) -> UInt128 {
        UInt128(count) * UInt128(weights) - UInt128(rank) * UInt128(total)
    }

    /// The first rank in a range whose excess before it meets `condition`, as that of all later ranks does; the range's
    /// end if no rank meets it.
    private func firstRank(in range: Range<Int>, where condition: (UInt128) -> Bool) -> Int {
        // First the blocks that begin in the range.
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
