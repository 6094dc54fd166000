import TestSupport
import Testing

@testable import SheafSynthesis

@Suite struct WordingTests {
    /// Drawing a scene relies on these properties.
    @Test(arguments: Wording.all.indices)
    func languageIsComplete(_ index: Int) {
        let wording = Wording.all[index]
        for kind in AppKind.allCases {
            #expect(wording.lines.contains { $0.kind == kind })
        }
        #expect(wording.lines.allSatisfy { !$0.title.isEmpty && !$0.body.isEmpty })
        #expect(wording.places.count >= 2 && !wording.items.isEmpty)
        #expect(Set(wording.places).count == wording.places.count)
    }

    /// There are as many distinct names as pairs of parts, from any starting index.
    @Test(arguments: Wording.all.indices)
    func namesAreDistinct(_ index: Int) {
        for names in [Wording.all[index].people, Wording.all[index].works] {
            let encoded = PhraseBook.EncodedNames(names, in: JSONDialect.all[0])
            let pairs = names.heads.count * names.tails.count
            let all = Set((1_000..<1_000 + pairs).map { number in text { encoded.append(number, to: &$0) } })
            #expect(all.count == pairs)
            #expect(pairs >= Rates.foreignNames)
        }
    }

    @Test func textsCoverManyScripts() {
        let text = Wording.all.flatMap(\.lines).map(\.body).joined()
        let samples: [ClosedRange<Unicode.Scalar>] = [
            "à"..."ÿ", "Α"..."ω", "А"..."я", "א"..."ת", "ء"..."ي", "अ"..."ह", "ก"..."ฮ", "ぁ"..."ん", "一"..."龥",
            "가"..."힣",
        ]
        for script in samples {
            #expect(text.unicodeScalars.contains { script.contains($0) }, "\(script)")
        }
        #expect(Wording.emoji.contains { $0.unicodeScalars.contains("\u{200D}") })
        #expect(Wording.emoji.contains { $0.unicodeScalars.contains { $0.properties.isEmojiModifier } })
    }
}
