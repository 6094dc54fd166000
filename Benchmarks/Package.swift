// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "sheaf-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "sheaf", path: "../"),
        // Its traits are disabled: they count allocations by means that not every system has.
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.0", traits: []),
    ],
    targets: [
        .executableTarget(
            name: "ReplayBenchmarks",
            dependencies: [
                .product(name: "Benchmark", package: "benchmark"),
                .product(name: "SheafBytes", package: "sheaf"),
                .product(name: "SheafGroups", package: "sheaf"),
                .product(name: "SheafFlow", package: "sheaf"),
            ],
            path: "Benchmarks/ReplayBenchmarks",
            swiftSettings: [.strictMemorySafety()],
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
        ),
        // Measures decoding alone, for `Peers/run`.
        .executableTarget(
            name: "DecodeThroughput",
            dependencies: [
                .product(name: "SheafBytes", package: "sheaf"),
                .product(name: "SheafGroups", package: "sheaf"),
                .product(name: "SheafFlow", package: "sheaf"),
            ],
            path: "Peers/DecodeThroughput",
            swiftSettings: [.strictMemorySafety()]
        ),
    ]
)
