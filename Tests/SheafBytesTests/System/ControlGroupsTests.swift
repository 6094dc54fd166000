import TestSupport
import Testing

@testable import SheafBytes

/// The limits of control groups, read from the files of various systems.
@Suite struct ControlGroupsTests {
    struct System: NamedCase {
        let name: String
        /// The content of `/proc/self/cgroup`; nil if the file does not exist.
        let membership: String?
        /// The content of `/proc/self/mountinfo`; nil if the file does not exist.
        let mounts: String?
        /// The contents of files, by path relative to `/sys/fs/cgroup`.
        let files: [String: String]
        let memory: Int?
        let processors: Int?

        init(
            _ name: String, _ membership: String?, mounts: String? = nil, _ files: [String: String],
            memory: Int?, processors: Int?
        ) {
            self.name = name
            self.membership = membership
            self.mounts = mounts
            self.files = files
            self.memory = memory
            self.processors = processors
        }
    }

    private static let unlimited1 = "9223372036854771712\n"

    static let systems = [
        System("no control groups", nil, [:], memory: nil, processors: nil),
        System(
            "version 2, no limits", "0::/a\n", ["a/memory.max": "max\n", "a/cpu.max": "max 100000\n"],
            memory: nil, processors: nil),
        System(
            "version 2", "0::/a\n", ["a/memory.max": "536870912\n", "a/cpu.max": "200000 100000\n"],
            memory: 512 << 20, processors: 2),
        System("rounded up", "0::/a\n", ["a/cpu.max": "200001 100000\n"], memory: nil, processors: 3),
        System(
            "a fraction of a processor", "0::/a\n", ["a/cpu.max": "1000 100000\n"], memory: nil, processors: 1
        ),
        System("no newline at the end", "0::/a", ["a/memory.max": "4096"], memory: 4096, processors: nil),
        System("a limit of 0", "0::/a\n", ["a/memory.max": "0\n"], memory: 0, processors: nil),
        System(
            "version 2, a lower limit in a parent", "0::/system.slice/job/worker\n",
            [
                "memory.max": "max\n", "system.slice/memory.max": "1000\n",
                "system.slice/job/memory.max": "2000\n", "system.slice/job/worker/memory.max": "max\n",
                "system.slice/cpu.max": "400000 100000\n",
                "system.slice/job/worker/cpu.max": "500000 100000\n",
            ], memory: 1000, processors: 4),
        System(
            "version 2, own namespace", "0::/\n",
            ["memory.max": "1000\n", "cpu.max": "150000 100000\n"], memory: 1000, processors: 2),
        System(
            "version 2, the host's path", "0::/docker/4f0c\n",
            ["memory.max": "1000\n", "cpu.max": "150000 100000\n"], memory: 1000, processors: 2),
        System(
            "version 2, outside the namespace", "0::/../../other\n",
            ["memory.max": "1000\n", "other/memory.max": "10\n"], memory: 1000, processors: nil),
        System("a path with a colon", "0::/a:b/c\n", ["a:b/c/memory.max": "7\n"], memory: 7, processors: nil),
        System("a path with a space", "0::/a b\n", ["a b/memory.max": "7\n"], memory: 7, processors: nil),
        System(
            "a path that is not UTF-8", "0::/\(SystemPath.text([0xe9]))\n",
            ["\(SystemPath.text([0xe9]))/memory.max": "7\n"], memory: 7, processors: nil),
        System(
            "version 1", "11:memory:/a\n4:cpu,cpuacct:/b\n1:name=systemd:/c\n",
            [
                "memory/a/memory.limit_in_bytes": "1000\n", "cpu,cpuacct/b/cpu.cfs_quota_us": "250000\n",
                "cpu,cpuacct/b/cpu.cfs_period_us": "100000\n", "systemd/c/memory.limit_in_bytes": "1\n",
            ], memory: 1000, processors: 3),
        System(
            "version 1, no limits", "11:memory:/a\n4:cpu,cpuacct:/b\n",
            [
                "memory/a/memory.limit_in_bytes": unlimited1, "cpu/b/cpu.cfs_quota_us": "-1\n",
                "cpu/b/cpu.cfs_period_us": "100000\n",
            ], memory: Int.max & ~4095, processors: nil),
        System(
            "version 1, a lower limit in a parent", "11:memory:/a/b\n4:cpuacct,cpu:/a/b\n",
            [
                "memory/memory.limit_in_bytes": unlimited1, "memory/a/memory.limit_in_bytes": "1000\n",
                "memory/a/b/memory.limit_in_bytes": unlimited1, "cpu/a/cpu.cfs_quota_us": "100000\n",
                "cpu/a/cpu.cfs_period_us": "50000\n", "cpu/a/b/cpu.cfs_quota_us": "-1\n",
                "cpu/a/b/cpu.cfs_period_us": "50000\n",
            ], memory: 1000, processors: 2),
        System(
            "version 1, the host's path in a container",
            "11:memory:/docker/4f0c\n4:cpu,cpuacct:/docker/4f0c\n",
            [
                "memory/memory.limit_in_bytes": "1000\n", "cpu,cpuacct/cpu.cfs_quota_us": "100000\n",
                "cpu,cpuacct/cpu.cfs_period_us": "100000\n",
            ], memory: 1000, processors: 1),
        System(
            "hybrid", "11:memory:/a\n4:cpu,cpuacct:/a\n0::/a\n",
            [
                "memory/a/memory.limit_in_bytes": "1000\n", "unified/a/memory.max": "900\n",
                "unified/a/cpu.max": "max 100000\n", "cpu,cpuacct/a/cpu.cfs_quota_us": "300000\n",
                "cpu,cpuacct/a/cpu.cfs_period_us": "100000\n",
            ], memory: 900, processors: 3),
        System(
            "other controllers", "3:memoryish,cpuset:/a\n", ["memory/a/memory.limit_in_bytes": "1\n"],
            memory: nil, processors: nil),
        System("no mounted hierarchy", "0::/a\n", [:], memory: nil, processors: nil),
        System(
            "a mounted hierarchy, but no membership", nil,
            ["memory.max": "1000\n", "cpu.max": "100000 100000\n"],
            memory: 1000, processors: 1),
        System(
            "garbage", "\n:::\nnonsense\n0:\n0::\n0::/a\n",
            [
                "a/memory.max": "much\n", "memory.max": "-5\n", "a/cpu.max": "1\n", "cpu.max": "x y z\n",
                "memory/memory.limit_in_bytes": "1 2\n", "cpu/cpu.cfs_quota_us": "",
                "cpu/cpu.cfs_period_us": "0\n",
            ], memory: nil, processors: nil),
        System(
            "version 2, a limit above which the process is slowed down", "0::/a\n",
            ["a/memory.max": "1000\n", "a/memory.high": "900\n", "memory.high": "max\n"], memory: 900,
            processors: nil),
        System(
            "version 1, a group inside a container that sees the host's path",
            "11:memory:/docker/4f0c/job\n4:cpu,cpuacct:/docker/4f0c/job\n",
            mounts: """
                31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
                32 31 0:29 /docker/4f0c /sys/fs/cgroup/cpu,cpuacct rw,relatime master:3 - cgroup cgroup rw,cpu,cpuacct
                35 31 0:32 /docker/4f0c /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory

                """,
            [
                "memory/memory.limit_in_bytes": "2000\n", "memory/job/memory.limit_in_bytes": "1000\n",
                "cpu,cpuacct/cpu.cfs_quota_us": "400000\n", "cpu,cpuacct/cpu.cfs_period_us": "100000\n",
                "cpu,cpuacct/job/cpu.cfs_quota_us": "200000\n",
                "cpu,cpuacct/job/cpu.cfs_period_us": "100000\n",
            ], memory: 1000, processors: 2),
        System(
            "version 2, a group inside a container that sees the host's path", "0::/pod/4f0c/a b\n",
            mounts:
                #"31 23 0:28 /pod/4f0c /sys/fs/cgroup rw shared:1 master:2 - cgroup2 cgroup rw,nsdelegate"#,
            ["memory.max": "max\n", "a b/memory.max": "1000\n", "a b/cpu.max": "100000 50000\n"],
            memory: 1000, processors: 2),
        System(
            "mounted elsewhere, with a space in the name", "0::/a\n",
            mounts: #"31 23 0:28 / /sys/fs/cgroup/other\040mount rw - cgroup2 none rw"#,
            ["other mount/a/memory.max": "1000\n", "a/memory.max": "1\n"], memory: 1000, processors: nil),
        System(
            "another container's groups are mounted, too", "0::/user/job\n",
            mounts: """
                31 23 0:28 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw
                99 23 0:28 /docker/4f0c /sys/fs/cgroup/rootfs rw - cgroup2 cgroup2 rw
                98 23 0:28 /user/jo /sys/fs/cgroup/similar rw - cgroup2 cgroup2 rw
                """,
            [
                "user/job/memory.max": "1000\n", "rootfs/memory.max": "10\n", "similar/memory.max": "20\n",
                "rootfs/cpu.max": "100000 100000\n",
            ], memory: 1000, processors: nil),
        System(
            "the process was moved out of the mounted groups", "0::/../other\n",
            mounts: "31 23 0:28 /../first /sys/fs/cgroup rw - cgroup2 cgroup2 rw",
            ["memory.max": "1000\n"], memory: 1000, processors: nil),
        System(
            "garbage in the list of mounts", "0::/a\n",
            mounts: #"""
                -
                1 2 3 - cgroup2
                31 23 0:28 /\0 /sys\ rw - cgroup2 cgroup2 rw
                31 23 0:28 / /sys/fs/cgroup rw cgroup2 cgroup2 rw
                """#,
            ["a/memory.max": "1000\n"], memory: 1000, processors: nil),
        System("no period", "0::/a\n", ["a/cpu.max": "100 0\n"], memory: nil, processors: nil),
        System("no quota", "0::/a\n", ["a/cpu.max": "0 100\n"], memory: nil, processors: nil),
        System(
            "more than an Int can hold", "0::/a\n", ["a/memory.max": "18446744073709551615\n"], memory: .max,
            processors: nil),
        System(
            "more than a UInt64 can hold", "0::/a\n", ["a/memory.max": "18446744073709551616\n"], memory: nil,
            processors: nil),
        System(
            "the largest quota", "0::/a\n", ["a/cpu.max": "\(Int.max) 1\n"], memory: nil, processors: .max),
    ]

    @Test(arguments: systems) func limitsAreRead(_ system: System) {
        let groups = ControlGroups { path in
            if path == "/proc/self/cgroup" { return system.membership }
            if path == "/proc/self/mountinfo" { return system.mounts }
            let mount = "/sys/fs/cgroup/"
            return path.hasPrefix(mount) ? system.files[String(path.dropFirst(mount.count))] : nil
        }
        #expect(groups.memoryBytes == system.memory)
        #expect(groups.processors == system.processors)
    }

    /// A limit above the machine's memory has no effect.
    @Test func usableMemoryIsAtMostPhysicalMemory() {
        #expect(CurrentProcess.usableBytes <= CurrentProcess.physicalBytes)
        #expect(CurrentProcess.usableBytes > 0)
    }
}
