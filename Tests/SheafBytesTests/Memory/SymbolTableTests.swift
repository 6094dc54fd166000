import TestSupport
import Testing

@testable import SheafBytes

@Suite struct SymbolTableTests {
    @Test func symbolsAreNumberedFromOne() {
        var table = SymbolTable()
        #expect(table.count == 0)
        #expect(symbol("b", &table) == 1)
        #expect(symbol("a", &table) == 2)
        #expect(symbol("b", &table) == 1)
        #expect(symbol("ab", &table) == 3)
        #expect(table.count == 3)
        #expect((1...3).map { table.text(of: $0).string } == ["b", "a", "ab"])
    }

    @Test func emptyTextIsZero() {
        var table = SymbolTable()
        #expect(symbol("", &table) == 0)
        #expect(table.count == 0)
        #expect(table.text(of: 0).count == 0)
        #expect(table.find([UInt8]("").span) == 0)
    }

    @Test func findingDoesNotInsert() {
        var table = SymbolTable()
        #expect(table.find([UInt8]("a").span) == nil)
        _ = symbol("a", &table)
        #expect(table.find([UInt8]("a").span) == 1)
        #expect(table.find([UInt8]("b").span) == nil)
        #expect(table.count == 1)
    }

    /// Texts are compared as bytes: canonically equivalent texts are different.
    @Test func textsAreComparedAsBytes() {
        var table = SymbolTable()
        #expect(symbol("é", &table) != symbol("e\u{301}", &table))
        #expect(symbol("a", &table) != symbol("a\u{0}", &table))
    }

    /// Grows the table through several doublings, compared with a dictionary.
    @Test(arguments: Seeds.several(1))
    func behavesLikeADictionary(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var table = SymbolTable()
        var model: [[UInt8]: UInt32] = [:]
        for round in 0..<3000 {
            var text = [UInt8]("app \(random.below(1500))")
            if random.oneIn(100) {
                text += [UInt8](repeating: UInt8(ascii: "."), count: random.number(1...70_000))
            }
            let found = table.find(text.span)
            #expect(found == model[text], "round \(round)")
            let symbol = table.symbol(for: text.span)
            #expect(symbol == model[text] ?? UInt32(model.count + 1), "round \(round)")
            model[text] = symbol
            #expect(table.count == model.count)
        }
        for (text, symbol) in model {
            let found = table.find(text.span)
            #expect([UInt8](copying: table.text(of: symbol)) == text)
            #expect(found == symbol)
        }
    }

    @Test func copiesAreIndependent() {
        var table = SymbolTable()
        _ = symbol("a", &table)
        var copy = table
        #expect(symbol("b", &copy) == 2)
        #expect(symbol("c", &table) == 2)
        #expect(copy.text(of: 2).string == "b")
        #expect(table.text(of: 2).string == "c")
    }

    private func symbol(_ text: String, _ table: inout SymbolTable) -> UInt32 {
        table.symbol(for: [UInt8](text).span)
    }
}
