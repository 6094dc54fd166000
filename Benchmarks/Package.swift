// swift-tools-version: 6.2
import PackageDescription

// Must match the root package's manifest. `Sources` is a link to the root package's folder: these targets use
// declarations with `package` access, which another package would not see.
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
    .target(
        name: "SheafChecks", dependencies: ["SheafBytes", "SheafText", "SheafGroups", "SheafFlow"],
        swiftSettings: settings),
    .target(name: "SheafSynthesis", swiftSettings: settings),
]

let package = Package(
    name: "sheaf-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        // Its traits are disabled: they count allocations by means that not every system has.
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.0", traits: []),
    ],
    targets: libraries + [
        .executableTarget(
            name: "ReplayBenchmarks",
            dependencies: [
                .product(name: "Benchmark", package: "benchmark"),
                "SheafBytes", "SheafGroups", "SheafFlow", "SheafChecks", "SheafSynthesis",
            ],
            path: "Benchmarks/ReplayBenchmarks",
            swiftSettings: settings,
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
        ),
        // Measures decoding alone, for `Peers/run`.
        .executableTarget(
            name: "DecodeThroughput",
            dependencies: [
                "SheafBytes", "SheafGroups", "SheafFlow",
            ],
            path: "Peers/DecodeThroughput",
            swiftSettings: settings
        ),
        // Measures inflating alone, for `Peers/run`.
        .executableTarget(
            name: "InflateThroughput",
            dependencies: ["SheafBytes", "SheafFlow"],
            path: "Peers/InflateThroughput",
            swiftSettings: settings
        ),
    ]
)
