// swift-tools-version: 6.2
import PackageDescription

// Build with `--sanitize=fuzzer`: the executables have no `main` of their own and use libFuzzer's.

/// The executables, each from a file of the same name in `Targets`.
let targets = [
    "CheckpointResuming", "EntryReading", "Inflating", "KeyPartitioning", "LineFraming", "PartialMerging",
    "RecordDecoding", "SourceInflating",
]

// Must match the root package's manifest. `Sources` and `TestSupport` are links to the root package's folders: these
// targets use declarations with `package` access, which another package would not see.
let settings: [SwiftSetting] = [.strictMemorySafety(), .enableExperimentalFeature("Lifetimes")]
let libraries: [Target] = [
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
    .target(name: "CSheaf"),
    .target(name: "CPage", exclude: ["page"]),
    .target(
        name: "SheafBytes", dependencies: ["CZlib", "CZstd", "CSheaf", "CPage"], swiftSettings: settings),
    .target(name: "SheafText", dependencies: ["SheafBytes"], swiftSettings: settings),
    .target(
        name: "SheafGroups", dependencies: ["SheafBytes", "SheafText"],
        resources: [.embedInCode("Inputs/Shapes")], swiftSettings: settings),
    .target(
        name: "SheafFlow",
        dependencies: [
            "SheafBytes", "SheafText", "SheafGroups",
            .product(name: "BasicContainers", package: "swift-collections"),
            .product(name: "DequeModule", package: "swift-collections"),
            .product(name: "HeapModule", package: "swift-collections"),
        ],
        swiftSettings: settings
    ),
]

let package = Package(
    name: "sheaf-fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0")
    ],
    targets: libraries + [
        .target(
            name: "TestSupport", dependencies: ["SheafBytes", "SheafGroups"], path: "TestSupport",
            swiftSettings: settings),
        .target(
            name: "FuzzChecks",
            dependencies: ["CZlib", "CZstd", "SheafBytes", "SheafGroups", "SheafFlow", "TestSupport"],
            path: "Checks", swiftSettings: settings),
    ]
        + targets.map { name in
            .executableTarget(
                name: name, dependencies: ["FuzzChecks"], path: "Targets",
                exclude: targets.filter { $0 != name }.map { "\($0).swift" },
                swiftSettings: settings)
        }
)
