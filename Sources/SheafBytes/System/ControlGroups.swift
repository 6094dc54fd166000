/// The limits that Linux control groups, version 1 and 2, set for this process (cgroups(7)).
///
///     /proc/self/cgroup     0::/system.slice/job.service      version 2: one hierarchy
///                           7:memory:/docker/4f0c             version 1: one for each controller
///
/// The limit of a group applies to all groups inside it, so the smallest limit from the process's group up to the
/// mounted root applies. Inside a container, the path may be the host's, while only the container's own group is
/// mounted, as the root: missing folders are skipped, and the root always counts.
struct ControlGroups {
    /// Reads a small file; returns nil if it does not exist.
    private let read: (String) -> String?
    private let memberships: [Membership]

    private struct Membership {
        /// The names of the controllers as the file lists them, separated by commas; empty for version 2.
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

    /// The memory that the process may use, in bytes; nil if it is not limited.
    var memoryBytes: Int? {
        let limits =
            folders(of: "").compactMap { number(in: "\($0)/memory.max") }
            + folders(of: "memory").compactMap { number(in: "\($0)/memory.limit_in_bytes") }
        return limits.min()
    }

    /// The number of processors that the process may keep busy, rounded up; nil if it is not limited.
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

    /// Returns the only number in a file; nil for `max` and for anything else.
    private func number(in path: String) -> Int? {
        guard let text = read(path)?.split(whereSeparator: \.isWhitespace), text.count == 1 else {
            return nil
        }
        return UInt64(text[0]).map { Int(clamping: $0) }
    }

    /// Returns the folders of the process's groups up to the mounted roots. `controller` is a controller of version
    /// 1, or empty for version 2.
    private func folders(of controller: String) -> [String] {
        // On a hybrid system, version 2 is mounted below version 1.
        var mounts =
            controller.isEmpty ? [Self.mount, "\(Self.mount)/unified"] : ["\(Self.mount)/\(controller)"]
        var paths: [String] = []
        for membership in memberships {
            let names = membership.controllers.split(separator: ",").map(String.init)
            guard controller.isEmpty ? names.isEmpty : names.contains(controller) else { continue }
            paths.append(membership.path)
            // `cpu` is often mounted together with `cpuacct`, as `cpu,cpuacct`.
            let mount = "\(Self.mount)/\(membership.controllers)"
            if !names.isEmpty, !mounts.contains(mount) { mounts.append(mount) }
        }
        return mounts.flatMap { mount in
            [mount] + paths.flatMap { Self.groups($0).map { "\(mount)/\($0)" } }
        }
    }

    /// Returns the paths of a group and of the groups that contain it, without the root.
    private static func groups(_ path: String) -> [String] {
        let names = path.split(separator: "/")
        // The group is outside the namespace: only the root is visible.
        if names.contains("..") || names.isEmpty { return [] }
        return (1...names.count).map { names.prefix($0).joined(separator: "/") }
    }
}
