// swift-tools-version: 6.2
import PackageDescription

// Lifetimes: some types return a `Span` of bytes that they own. The attribute that declares its lifetime still requires
// this experimental feature.
let settings: [SwiftSetting] = [
    .strictMemorySafety(),
    .enableExperimentalFeature("Lifetimes"),
]

// The Makefile sets these variables for release builds. The flags are among those that SwiftPM calls unsafe, so a
// dependent's build, in which the variables are not set, has none of them.
func flags(_ flags: [String], if variable: String) -> [SwiftSetting] {
    Context.environment[variable] == nil ? [] : [.unsafeFlags(flags, .when(configuration: .release))]
}
// `SHEAF_QUICK`: modules that run a few times per run, or that wait for a person, are not optimized, and compile in less
// than half of the time. Assertions stay off, as in the other modules.
let quick = flags(["-Onone", "-assert-config", "Release"], if: "SHEAF_QUICK")
// `SHEAF_TESTS`: the modules are optimized but check assertions, as in a debug build, and the tests are not optimized.
let checked = settings + flags(["-assert-config", "Debug"], if: "SHEAF_TESTS")
let tests = settings + flags(["-Onone"], if: "SHEAF_TESTS")

// The modules that replay logs, on which the others depend.
let core = ["SheafFlow", "SheafGroups", "SheafText", "SheafBytes"]

let package = Package(
    name: "sheaf",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "sheaf", targets: ["SheafTool"]),
        // The modules below `SheafFlow` declare the settings, the locales and the errors of its interface.
        .library(name: "SheafFlow", targets: core),
        .library(name: "SheafChecks", targets: ["SheafChecks"] + core),
        .library(name: "SheafReport", targets: ["SheafReport", "SheafChecks"] + core),
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
            swiftSettings: checked),
        .target(name: "SheafText", dependencies: ["SheafBytes"], swiftSettings: checked),
        .target(
            name: "SheafGroups", dependencies: ["SheafBytes", "SheafText"],
            resources: [.embedInCode("Inputs/Shapes")], swiftSettings: checked),
        .target(
            name: "SheafFlow",
            dependencies: [
                "SheafBytes", "SheafText", "SheafGroups",
                .product(name: "BasicContainers", package: "swift-collections"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HeapModule", package: "swift-collections"),
            ],
            swiftSettings: checked
        ),
        .target(
            name: "SheafChecks", dependencies: ["SheafBytes", "SheafText", "SheafGroups", "SheafFlow"],
            swiftSettings: checked),
        .target(
            name: "SheafDrafts", dependencies: ["SheafBytes", "SheafText", "SheafGroups", "SheafFlow"],
            swiftSettings: checked + quick),
        .target(
            name: "SheafReport", dependencies: ["SheafBytes", "SheafGroups", "SheafFlow", "SheafChecks"],
            swiftSettings: checked + quick),
        .target(name: "SheafSynthesis", swiftSettings: checked),
        .executableTarget(
            name: "SheafTool",
            dependencies: [
                "CStart", "SheafBytes", "SheafText", "SheafGroups", "SheafFlow", "SheafChecks", "SheafDrafts",
                "SheafReport", "SheafSynthesis",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            // Only `generate` runs code of it per record.
            swiftSettings: checked + quick
        ),
        .target(
            name: "TestSupport", dependencies: ["SheafBytes", "SheafGroups"], path: "Tests/TestSupport",
            swiftSettings: tests),
        .target(name: "TestTags", path: "Tests/TestTags", swiftSettings: tests),
        // The fuzzer's checks, which the tests run over the stored inputs. Fuzz/Package.swift builds them for the fuzzer.
        .target(
            name: "FuzzChecks",
            dependencies: ["CZlib", "CZstd", "SheafBytes", "SheafGroups", "SheafFlow", "TestSupport"],
            path: "Fuzz/Checks", swiftSettings: tests),
        .testTarget(
            name: "SheafBytesTests",
            dependencies: ["CSheaf", "SheafBytes", "TestSupport", "TestTags", "FuzzChecks"],
            swiftSettings: tests),
        .testTarget(
            name: "SheafTextTests", dependencies: ["SheafBytes", "SheafText", "TestSupport", "TestTags"],
            swiftSettings: tests),
        .testTarget(
            name: "SheafGroupsTests",
            dependencies: ["SheafBytes", "SheafText", "SheafGroups", "TestSupport", "TestTags"],
            swiftSettings: tests),
        .testTarget(
            name: "SheafFlowTests",
            dependencies: [
                "SheafBytes", "SheafText", "SheafGroups", "SheafFlow", "SheafChecks", "SheafDrafts",
                "SheafReport",
                "TestSupport", "TestTags",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "SheafChecksTests",
            dependencies: [
                "SheafBytes", "SheafText", "SheafGroups", "SheafChecks", "TestSupport", "TestTags",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "SheafSynthesisTests", dependencies: ["SheafSynthesis", "TestSupport", "TestTags"],
            swiftSettings: tests),
        .testTarget(
            name: "FuzzChecksTests", dependencies: ["FuzzChecks", "TestSupport", "TestTags"],
            swiftSettings: tests),
        .testTarget(
            name: "SheafToolTests", dependencies: ["SheafTool", "TestSupport", "TestTags", "FuzzChecks"],
            swiftSettings: tests),
    ]
)
