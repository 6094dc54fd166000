// swift-tools-version: 6.2
import PackageDescription

// Lifetimes: some types return a `Span` of bytes that they own. The attribute that declares its lifetime still requires
// this experimental feature.
let settings: [SwiftSetting] = [
    .strictMemorySafety(),
    .enableExperimentalFeature("Lifetimes"),
]

// Tests of debug builds take half of the time with `SHEAF_OPTIMIZE=1`, and check the same assertions. The setting needs a
// flag that SwiftPM calls unsafe, so that a dependent's build, in which the variable is not set, must not have it.
let optimized: [SwiftSetting] =
    Context.environment["SHEAF_OPTIMIZE"] == nil
    ? [] : [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))]

let package = Package(
    name: "sheaf",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "sheaf", targets: ["SheafTool"]),
        // The modules below `SheafFlow` declare the settings, the locales and the errors of its interface.
        .library(name: "SheafFlow", targets: ["SheafFlow", "SheafGroups", "SheafText", "SheafBytes"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    ],
    targets: [
        .systemLibrary(
            name: "CZlib",
            pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]
        ),
        .systemLibrary(
            name: "CZstd",
            pkgConfig: "libzstd",
            providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]
        ),
        .target(name: "CSheaf"),
        .target(name: "CStart"),
        .target(name: "CPage", exclude: ["page"]),
        .target(
            name: "SheafBytes", dependencies: ["CZlib", "CZstd", "CSheaf", "CPage"],
            swiftSettings: settings + optimized),
        .target(name: "SheafText", dependencies: ["SheafBytes"], swiftSettings: settings + optimized),
        .target(
            name: "SheafGroups", dependencies: ["SheafBytes", "SheafText"],
            resources: [.embedInCode("Inputs/Shapes")], swiftSettings: settings + optimized),
        .target(
            name: "SheafFlow",
            dependencies: [
                "SheafBytes", "SheafText", "SheafGroups",
                .product(name: "BasicContainers", package: "swift-collections"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HeapModule", package: "swift-collections"),
            ],
            swiftSettings: settings + optimized
        ),
        .target(name: "SheafSynthesis", swiftSettings: settings + optimized),
        .executableTarget(
            name: "SheafTool",
            dependencies: [
                "CStart", "SheafBytes", "SheafText", "SheafGroups", "SheafFlow", "SheafSynthesis",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            // Without optimization, the command layer compiles in less than half of the time. Only `generate` runs
            // code of it per record. Assertions stay off, as in the other modules of a release build.
            swiftSettings: settings + [
                .unsafeFlags(["-Onone", "-assert-config", "Release"], .when(configuration: .release))
            ]
        ),
        .target(
            name: "TestSupport", dependencies: ["SheafBytes", "SheafGroups"], path: "Tests/TestSupport",
            swiftSettings: settings),
        // The fuzzer's checks, which the tests run over the stored inputs. Fuzz/Package.swift builds them for the fuzzer.
        .target(
            name: "FuzzChecks",
            dependencies: ["CZlib", "CZstd", "SheafBytes", "SheafGroups", "SheafFlow", "TestSupport"],
            path: "Fuzz/Checks", swiftSettings: settings),
        .testTarget(
            name: "SheafBytesTests", dependencies: ["CSheaf", "SheafBytes", "TestSupport", "FuzzChecks"],
            swiftSettings: settings),
        .testTarget(
            name: "SheafTextTests", dependencies: ["SheafBytes", "SheafText", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "SheafGroupsTests",
            dependencies: ["SheafBytes", "SheafText", "SheafGroups", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "SheafFlowTests",
            dependencies: ["SheafBytes", "SheafText", "SheafGroups", "SheafFlow", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "SheafSynthesisTests", dependencies: ["SheafSynthesis", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "FuzzChecksTests", dependencies: ["FuzzChecks", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "SheafToolTests", dependencies: ["SheafTool", "TestSupport", "FuzzChecks"],
            swiftSettings: settings),
    ]
)
