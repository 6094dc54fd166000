/// The limits that Linux's control groups set for this process, version 1 and 2 (cgroups(7)).
///
///     /proc/self/cgroup     0::/system.slice/job.service      version 2: one hierarchy
///                           7:memory:/docker/4f0c             version 1: one for each controller
///
/// A group's limit holds for all groups in it, so the least of those from the process's group up to the mounted root
/// applies. Inside a container the path may be the host's, while only the container's own group is mounted, as the root:
/// folders that are missing are skipped, and the root always counts.
struct ControlGroups {
    /// Reads a small file; nil when it is not there.
    private let read: (String) -> String?
    private let memberships: [Membership]

    private struct Membership {
        /// As they are written, with commas; none for version 2.
        let controllers: String
        let path: String
    }

    private static let mount = "/sys/fs/cgroup"

    init(read: @escaping (String) -> String?) {
        self.read = read
        let lines = (read("/proc/self/cgroup") ?? "").split(separator: "\n")
        memberships = lines.compactMap { line in
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { return nil }
            return Membership(controllers: String(fields[1]), path: String(fields[2]))
        }
    }

    /// How much memory the process may use, in bytes; nil where nothing limits it.
    var memoryBytes: Int? {
        let limits =
            folders(of: "").compactMap { number(in: "\($0)/memory.max") }
            + folders(of: "memory").compactMap { number(in: "\($0)/memory.limit_in_bytes") }
        return limits.min()
    }

    /// How many processors the process may keep busy, rounded up; nil where nothing limits it.
    var processors: Int? {
        let limits =
            folders(of: "").compactMap { folder -> Int? in
                let fields = (read("\(folder)/cpu.max") ?? "").split(whereSeparator: \.isWhitespace)
                guard fields.count == 2 else { return nil }
                return Self.processors(quota: Int(fields[0]), period: Int(fields[1]))
            }
            + folders(of: "cpu").compactMap { folder -> Int? in
                let quota = number(in: "\(folder)/cpu.cfs_quota_us")
                return Self.processors(quota: quota, period: number(in: "\(folder)/cpu.cfs_period_us"))
            }
        return limits.min()
    }

    private static func processors(quota: Int?, period: Int?) -> Int? {
        // Without a limit the quota is `max` or -1.
        guard let quota, let period, quota > 0, period > 0 else { return nil }
        return (quota - 1) / period + 1
    }

    /// A file's only number; nil for `max`, and for anything else.
    private func number(in path: String) -> Int? {
        guard let text = read(path)?.split(whereSeparator: \.isWhitespace), text.count == 1 else {
            return nil
        }
        return UInt64(text[0]).map { Int(clamping: $0) }
    }

    /// The folders of the process's groups for a controller of version 1, or for version 2 where it has no name, up to the
    /// mounted roots.
    private func folders(of controller: String) -> [String] {
        // In a hybrid system version 2 is mounted below version 1.
        var mounts =
            controller.isEmpty ? [Self.mount, "\(Self.mount)/unified"] : ["\(Self.mount)/\(controller)"]
        var paths: [String] = []
        for membership in memberships {
            let names = membership.controllers.split(separator: ",").map(String.init)
            guard controller.isEmpty ? names.isEmpty : names.contains(controller) else { continue }
            paths.append(membership.path)
            // `cpu` is often mounted with `cpuacct`, as `cpu,cpuacct`.
            let mount = "\(Self.mount)/\(membership.controllers)"
            if !names.isEmpty, !mounts.contains(mount) { mounts.append(mount) }
        }
        return mounts.flatMap { mount in
            [mount] + paths.flatMap { Self.groups($0).map { "\(mount)/\($0)" } }
        }
    }

    /// A group's path and those of the groups that it is in, without the root.
    private static func groups(_ path: String) -> [String] {
        let names = path.split(separator: "/")
        // The group is outside of the namespace: only the root is visible.
        if names.contains("..") || names.isEmpty { return [] }
        return (1...names.count).map { names.prefix($0).joined(separator: "/") }
    }
}
