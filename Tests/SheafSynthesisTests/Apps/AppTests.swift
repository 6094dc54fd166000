import Testing

@testable import SheafSynthesis

@Suite struct AppTests {
    @Test func bundleIdentifiersAreDistinct() {
        let apps = (0..<5_000).map(AppProfile.init(rank:))
        #expect(Set(apps.map(\.bundleID)).count == apps.count)
        #expect(apps.allSatisfy { (1...4).contains($0.categories.count) })
    }

    @Test func namesAreInDomainsReservedForExamples() {
        for rank in 0..<2_000 {
            let names = AppProfile.names(rank: rank, products: ["product"])
            #expect(names.bundleID.split(separator: ".").prefix(2).contains("example"))
            #expect(names.host.hasSuffix(".example") || names.host.contains(".example."))
        }
    }

    /// In bare form an app's data is at the same level as the envelope's fields and must not be read as one of them.
    @Test(arguments: AppKind.allCases)
    func dataHasNoEnvelopeFields(_ kind: AppKind) throws {
        let taken: Set = [
            "app", "topic", "apns-topic", "bundle-id", "headers", "payload", "aps", "Simulator Target Bundle",
            "timestamp", "ts", "device", "device-token", "token", "apns-id", "id", "apns-collapse-id",
            "collapse-id", "apns-push-type", "push-type",
        ]
        let compact = JSONDialect.all[0]
        for source in kind.traits.data + [kind.traits.localized] {
            let pieces = Template(source, as: .json, in: compact).pieces
            var bytes: [UInt8] = []
            for piece in pieces {
                bytes += piece.literal
                bytes += piece.slot == nil ? [] : Array("1".utf8)
            }
            let json = "{" + String(decoding: bytes, as: UTF8.self) + "}"
            let object = try #require(try JSONValue(parsing: json).object, "\(source)")
            #expect(taken.isDisjoint(with: object.keys), "\(source)")
        }
    }

    /// Among the first 200 apps, every habit occurs.
    @Test func habitsVary() {
        let apps = (0..<200).map(AppProfile.init(rank:))
        #expect(Set(apps.map(\.dialect)) == Set(JSONDialect.all.indices))
        #expect(Set(apps.map(\.language)) == Set(Wording.all.indices))
        #expect(Set(apps.map(\.argumentPool)) == Set(AppProfile.argumentPools.indices))
        #expect(Set(apps.map(\.categories.count)) == Set(1...4))
        for kind in AppKind.allCases {
            let ofKind = apps.filter { $0.kind == kind }
            #expect(Set(ofKind.map(\.sendsData)) == [true, false])
            #expect(Set(ofKind.map(\.writesDataFirst)) == [true, false])
            #expect(Set(ofKind.map(\.writesThreadFirst)) == [true, false])
        }
    }

    @Test func threadNumbersAreDistinct() {
        let numbers = (0..<100_000).map(Catalogue.threadNumber)
        #expect(Set(numbers).count == numbers.count)
    }
}
