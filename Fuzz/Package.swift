// swift-tools-version: 6.2
import PackageDescription

// To be built with `--sanitize=fuzzer`, which has the executables begin in libFuzzer: they have no start of their own.

/// The executables, each a file of the same name in `Targets`.
let targets = ["CheckpointResuming", "LineFraming", "PartialMerging", "RecordDecoding", "SourceInflating"]

let package = Package(
    name: "sheaf-fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "sheaf", path: "../")
    ],
    targets: [
        // The tests of the package above have the same sources, under another name: in one graph no two modules may
        // have the same.
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
