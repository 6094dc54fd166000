/// The devices that had the last records, which are likely to have the next.
///
/// How often a device occurs in the whole log stays what the sampler says; what changes is that its records
/// come in bursts.
struct ConnectedDevices: Sendable {
    /// Ranks; at most `Rates.connectedDevices`.
    private var ranks: [Int] = []

    mutating func next(from sampler: ZipfSampler, using random: inout RandomStream) -> Int {
        guard ranks.count == Rates.connectedDevices else {
            let rank = sampler.rank(using: &random)
            ranks.append(rank)
            return rank
        }
        let slot = random.below(ranks.count)
        if !random.chance(perMille: Rates.sameDevice) {
            ranks[slot] = sampler.rank(using: &random)
        }
        return ranks[slot]
    }
}
