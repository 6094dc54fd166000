// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "screen",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "sheaf", path: "../..")],
    targets: [
        .executableTarget(name: "screen", dependencies: [.product(name: "SheafFlow", package: "sheaf")])
    ]
)
