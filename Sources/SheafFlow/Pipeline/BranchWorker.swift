import SheafGroups

/// Where the records of a branch come from: the lines as the worker of a branch decodes them, which is the same one or one
/// before it; with a rule, they have other threads.
package typealias BranchDecoding = (branch: Int, rule: ThreadRule?)

/// Decodes the lines of a work unit for each branch.
package final class BranchWorker: ChunkWorker {
    private let workers: [DecodeWorker]
    /// By branch.
    private let decodings: [BranchDecoding]

    init(_ workers: [DecodeWorker], _ decodings: [BranchDecoding]) {
        (self.workers, self.decodings) = (workers, decodings)
    }

    package func process(_ unit: WorkUnit) -> UInt64 {
        // The lines are copied before they are decoded for the first time, which changes them.
        let isFirstPart = unit.isComplete
        if isFirstPart { unit.copyLines(decodings) }
        var records: UInt64 = 0
        for branch in decodings.indices where decodings[branch].branch == branch {
            let (own, followers) = (unit.ofBranch(branch), followers(of: branch, unit))
            let hasLines = isFirstPart || own.remainder != nil
            if hasLines || followers.contains(where: { $0.unit.remainder != nil }) {
                let count = workers[branch].process(own, followers: followers, hasLines: hasLines)
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
        decodings.indices.filter { $0 != branch && decodings[$0].branch == branch }.map {
            (workers[$0], unit.ofBranch($0), decodings[$0].rule)
        }
    }
}
