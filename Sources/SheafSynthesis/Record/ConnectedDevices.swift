/// The devices of the latest records, which are likely to receive the next ones too.
///
/// How often a device occurs in the whole log still follows the sampler's distribution, but its records come in
/// bursts.
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
