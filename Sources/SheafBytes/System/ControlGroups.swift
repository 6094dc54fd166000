/// The limits that Linux control groups, version 1 and 2, set for this process (cgroups(7)).
///
///     /proc/self/cgroup     0::/system.slice/job.service      version 2: one hierarchy
///                           7:memory:/docker/4f0c             version 1: one for each controller
///
/// The limit of a group applies to all groups inside it, so the smallest limit from the process's group up to the
/// mounted root applies.
///
///     /proc/self/mountinfo  35 31 0:32 /docker/4f0c /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory
///                                      root         mount                      type        controllers of version 1
///
/// Inside a container, the paths may be the host's, while only the container's own group is mounted, as the root. If no
/// mounted root contains the process's group, the usual mounts are searched: missing folders are skipped, and the root
/// always counts.
struct ControlGroups: Sendable {
    /// Reads a small file; returns nil if it does not exist.
    private let read: @Sendable (String) -> String?
    private let memberships: [Membership]

    private let mounts: [Mount]

    /// The process's group in a hierarchy.
    private struct Membership: Sendable {
        /// Empty for version 2.
        let controllers: [Substring]
        let path: String

        /// - Parameter line: a line of `/proc/self/cgroup`.
        init?(_ line: Substring) {
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { return nil }
            controllers = fields[1].split(separator: ",")
            path = String(fields[2])
        }

        func manages(_ controller: String) -> Bool {
            controller.isEmpty ? controllers.isEmpty : controllers.contains { $0 == controller }
        }
    }

    /// A mounted hierarchy, or the part of it below a group.
    private struct Mount: Sendable {
        /// The options of a hierarchy of version 1, its controllers among them; nil for version 2.
        let options: [Substring]?
        /// The group that is mounted.
        let root: String
        let path: String

        /// - Parameter line: a line of `/proc/self/mountinfo` (proc(5)). Returns nil for other file systems.
        init?(_ line: Substring) {
            // The separator ends a list of optional fields.
            let fields = line.split(separator: " ", omittingEmptySubsequences: false)
            guard let separator = fields.dropFirst(6).firstIndex(of: "-"), fields.count == separator + 4
            else { return nil }
            switch fields[separator + 1] {
            case "cgroup2": options = nil
            case "cgroup": options = fields[separator + 3].split(separator: ",")
            default: return nil
            }
            root = ControlGroups.unescaped(fields[3])
            path = ControlGroups.unescaped(fields[4])
        }

        func manages(_ controller: String) -> Bool {
            guard let options else { return controller.isEmpty }
            return options.contains { $0 == controller }
        }

        /// Returns the folders of a group and of those that contain it, up to the root; none if the group is elsewhere.
        func folders(of group: String) -> [String] {
            let names = group.split(separator: "/")
            let rootNames = root.split(separator: "/")
            // A group outside the namespace is shown relative to the namespace.
            guard names.starts(with: rootNames), !names.contains("..") else { return [] }
            return (rootNames.count...names.count).map { count in
                ([path] + names[rootNames.count..<count].map(String.init)).joined(separator: "/")
            }
        }
    }

    private static let mount = "/sys/fs/cgroup"

    init(read: @escaping @Sendable (String) -> String?) {
        self.read = read
        memberships = (read("/proc/self/cgroup") ?? "").split(separator: "\n").compactMap { Membership($0) }
        mounts = (read("/proc/self/mountinfo") ?? "").split(separator: "\n")
            .compactMap { Mount($0) }
    }

    /// The memory that the process may use, in bytes; nil if it is not limited.
    var memoryBytes: Int? {
        let limits =
            folders(of: "").flatMap { folder in
                // Above `memory.high` the system slows the process down to reclaim its memory.
                ["max", "high"].compactMap { number(in: "\(folder)/memory.\($0)") }
            }
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
        let memberships = memberships.filter { $0.manages(controller) }
        let folders = mounts.filter { $0.manages(controller) }.flatMap { mount in
            memberships.flatMap { mount.folders(of: $0.path) }
        }
        return folders.isEmpty ? usualFolders(of: controller, memberships) : folders
    }

    /// Returns the folders of groups below the paths where hierarchies are usually mounted.
    private func usualFolders(of controller: String, _ memberships: [Membership]) -> [String] {
        // On a hybrid system, version 2 is mounted below version 1.
        var mounts =
            controller.isEmpty ? [Self.mount, "\(Self.mount)/unified"] : ["\(Self.mount)/\(controller)"]
        for membership in memberships where !controller.isEmpty {
            // `cpu` is often mounted together with `cpuacct`, as `cpu,cpuacct`.
            let mount = "\(Self.mount)/\(membership.controllers.joined(separator: ","))"
            if !mounts.contains(mount) { mounts.append(mount) }
        }
        return mounts.flatMap { mount in
            [mount] + memberships.flatMap { Self.groups($0.path).map { "\(mount)/\($0)" } }
        }
    }

    /// Replaces the octal escapes of `/proc/self/mountinfo`, which has them for spaces and other ASCII characters.
    private static func unescaped(_ text: Substring) -> String {
        var parts = text.split(separator: "\\", omittingEmptySubsequences: false).map(String.init)
        for index in parts.indices.dropFirst() {
            guard let code = UInt8(parts[index].prefix(3), radix: 8), code < 0x80 else {
                parts[index] = "\\" + parts[index]
                continue
            }
            parts[index] = String(UnicodeScalar(code)) + parts[index].dropFirst(3)
        }
        return parts.joined()
    }

    /// Returns the paths of a group and of the groups that contain it, without the root.
    private static func groups(_ path: String) -> [String] {
        let names = path.split(separator: "/")
        // The group is outside the namespace: only the root is visible.
        if names.contains("..") || names.isEmpty { return [] }
        return (1...names.count).map { names.prefix($0).joined(separator: "/") }
    }
}
