// swift-tools-version: 6.2
import PackageDescription

// Build with `--sanitize=fuzzer`: the executables have no `main` of their own and use libFuzzer's.

/// The executables, each from a file of the same name in `Targets`.
let targets = ["CheckpointResuming", "LineFraming", "PartialMerging", "RecordDecoding", "SourceInflating"]

let package = Package(
    name: "sheaf-fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "sheaf", path: "../")
    ],
    targets: [
        // The root package builds the same sources as `FuzzChecks`. The names differ because module names must be
        // unique within a package graph.
        .target(
            name: "Checks",
            dependencies: [
                .product(name: "SheafBytes", package: "sheaf"),
                .product(name: "SheafGroups", package: "sheaf"),
                .product(name: "SheafFlow", package: "sheaf"),
            ],
            path: "Checks",
            swiftSettings: [.strictMemorySafety()]
        )
    ]
        + targets.map { name in
            .executableTarget(
                name: name, dependencies: ["Checks"], path: "Targets",
                exclude: targets.filter { $0 != name }.map { "\($0).swift" },
                swiftSettings: [.strictMemorySafety()])
        }
)
