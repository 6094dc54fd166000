/// Decodes the lines of a work unit for each branch.
final class BranchWorker: ChunkWorker {
    private let workers: [DecodeWorker]
    /// By branch: the one whose worker decodes for it.
    private let decoders: [Int]

    init(_ workers: [DecodeWorker], _ decoders: [Int]) { (self.workers, self.decoders) = (workers, decoders) }

    func process(_ unit: WorkUnit) -> UInt64 {
        // The lines are copied before they are decoded for the first time, which changes them.
        let isFirstPart = unit.isComplete
        if isFirstPart { unit.copyLines(decoders) }
        var records: UInt64 = 0
        for branch in decoders.indices where decoders[branch] == branch {
            let (own, followers) = (unit.ofBranch(branch), followers(of: branch, unit))
            if isFirstPart || own.remainder != nil {
                let count = workers[branch].process(own, followers: followers)
                if branch == 0 { records = count }
            } else {
                own.removeRecords()
                for follower in followers { follower.unit.removeRecords() }
            }
        }
        return records
    }

    /// Returns the workers that add what the worker of a branch decodes to other branches.
    private func followers(of branch: Int, _ unit: WorkUnit) -> [DecodeWorker.Follower] {
        decoders.indices.filter { $0 != branch && decoders[$0] == branch }.map {
            (workers[$0], unit.ofBranch($0))
        }
    }
}
