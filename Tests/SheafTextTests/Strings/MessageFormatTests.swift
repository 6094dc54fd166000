import SheafText
import TestSupport
import Testing

@testable import SheafText

/// Formats and their errors (specification §7, §8).
@Suite struct MessageFormatTests {
    struct Valid: NamedCase {
        let name: String
        /// The text for the count 7 and the arguments "Ana and Bob".
        let text: String
        let takesArguments: Bool

        init(_ name: String, _ text: String, takesArguments: Bool = false) {
            self.name = name
            self.text = text
            self.takesArguments = takesArguments
        }
    }

    private func text(_ format: MessageFormat, _ count: UInt64 = 7) -> String {
        TestSupport.text {
            format.append(count: count, arguments: { $0 += Array("Ana and Bob".utf8) }, to: &$0)
        }
    }

    @Test(arguments: [
        Valid("%u", "7"), Valid("%d", "7"), Valid("%lu", "7"), Valid("%ld", "7"), Valid("%llu", "7"),
        Valid("%lld", "7"),
        Valid("%u more messages", "7 more messages"), Valid("more: %u", "more: 7"), Valid("(%u)", "(7)"),
        Valid("%u more from %@", "7 more from Ana and Bob", takesArguments: true),
        Valid("From %@: %u more", "From Ana and Bob: 7 more", takesArguments: true),
        Valid("%@%u", "Ana and Bob7", takesArguments: true),
        Valid("%1$u more", "7 more"), Valid("%1$lld more", "7 more"),
        Valid("%2$@ sent %1$u", "Ana and Bob sent 7", takesArguments: true),
        Valid("%1$u from %2$@", "7 from Ana and Bob", takesArguments: true),
        Valid("%2$@ sent %u", "Ana and Bob sent 7", takesArguments: true),
        Valid("%@ sent %1$d", "Ana and Bob sent 7", takesArguments: true),
        Valid("%u %% more", "7 % more"), Valid("%%%u%%", "%7%"), Valid("%%u %u", "%u 7"),
        Valid("%%%%%d", "%%7"), Valid("%ux", "7x"), Valid("%lux", "7x"), Valid("%du%%d", "7u%d"),
        Valid("さらに%u件", "さらに7件"), Valid("%@さんから%u件", "Ana and Bobさんから7件", takesArguments: true),
    ])
    func validFormatsAreFormatted(_ item: Valid) throws {
        let format = try MessageFormat(item.name, role: .summary)
        #expect(text(format) == item.text)
        #expect(format.takesCount)
        #expect(format.takesArguments == item.takesArguments)
        #expect(format.source == item.name)
    }

    @Test func largeCountsAreFormatted() throws {
        let format = try MessageFormat("%d", role: .summary)
        for count in [0, 1, 9, 10, 4_294_967_296, UInt64.max] {
            #expect(text(format, count) == String(count))
        }
    }

    @Test func argumentsAreRequestedOnlyWhenUsed() throws {
        var output: [UInt8] = []
        try MessageFormat("%u more", role: .summary)
            .append(count: 1, arguments: { _ in Issue.record("the arguments are not used") }, to: &output)
        #expect(String(decoding: output, as: UTF8.self) == "1 more")
    }

    struct Invalid: NamedCase {
        let name: String
        let error: MessageFormatError
        let message: String

        init(_ name: String, _ error: MessageFormatError, _ message: String) {
            self.name = name
            self.error = error
            self.message = message
        }

        /// A format with an unknown conversion.
        init(_ name: String, unknown text: String) {
            self.init(
                name, .unknownConversion(text),
                "'\(text)' is not a supported conversion (%u %d %lu %ld %llu %lld %@ %%)")
        }

        init(_ name: String, position text: String) {
            self.init(
                name, .wrongPosition(text),
                "'\(text)' has the wrong position: the count is argument 1, the list argument 2")
        }
    }

    static let needsCount = "a summary format needs a count, such as %u"

    @Test(arguments: [
        Invalid("", .noCount, needsCount), Invalid("more messages", .noCount, needsCount),
        Invalid("more from %@", .noCount, needsCount), Invalid("%%u", .noCount, needsCount),
        Invalid("%u and %u", .repeated("count"), "more than one count in a format"),
        Invalid("%1$u and %d", .repeated("count"), "more than one count in a format"),
        Invalid("%u from %@ and %@", .repeated("%@"), "more than one %@ in a format"),
        Invalid("%u from %2$@ and %@", .repeated("%@"), "more than one %@ in a format"),
        Invalid("%u %s", unknown: "%s"), Invalid("%i more", unknown: "%i"), Invalid("%x", unknown: "%x"),
        Invalid("%u 100%", unknown: "%"), Invalid("%", unknown: "%"), Invalid("% u", unknown: "% "),
        Invalid("%5u", unknown: "%5"), Invalid("%.0f", unknown: "%."), Invalid("%l", unknown: "%l"),
        Invalid("%lllu", unknown: "%l"), Invalid("%hu", unknown: "%h"), Invalid("%U", unknown: "%U"),
        Invalid("%$u", unknown: "%$"), Invalid("%1$", unknown: "%1$"), Invalid("%1$%", unknown: "%1$%"),
        Invalid("%1$x", unknown: "%1$x"), Invalid("%12u", unknown: "%1"), Invalid("%*u", unknown: "%*"),
        Invalid("%é %u", unknown: "%é"), Invalid("%u %日", unknown: "%日"), Invalid("%1$😀 %u", unknown: "%1$😀"),
        Invalid("%#@e@ %u", unknown: "%#"), Invalid("%1$#@e@ %u", unknown: "%1$#"),
        Invalid("%arg of %u", unknown: "%a"),
        Invalid("%2$u", position: "%2$u"), Invalid("%0$u", position: "%0$u"),
        Invalid("%3$lld", position: "%3$lld"),
        Invalid("%u %1$@", position: "%1$@"), Invalid("%u %3$@", position: "%3$@"),
        Invalid("%99999999999999999999$u", position: "%99999999999999999999$u"),
    ])
    func invalidFormatsAreRejected(_ item: Invalid) {
        #expect(throws: item.error) { try MessageFormat(item.name, role: .summary) }
        #expect(item.error.description == item.message)
    }

    @Test(arguments: [
        Valid("%u Images", "7 Images"), Valid("Image", "Image"), Valid("", ""), Valid("100%", "100%"),
        Valid("100%%", "100%%"), Valid("%@", "%@"), Valid("%s", "%s"), Valid("%%u", "%%u"),
        Valid("%1$d Images", "7 Images"), Valid("%u %%", "7 %"), Valid("%", "%"),
    ])
    func placeholdersAreFormatted(_ item: Valid) throws {
        let format = try MessageFormat(item.name, role: .placeholder)
        #expect(text(format) == item.text)
        #expect(!format.takesArguments)
    }

    @Test(arguments: [
        Invalid("%u from %@", .argumentsInPlaceholder, "a placeholder cannot use %@: it has no arguments"),
        Invalid("%@ %u", .argumentsInPlaceholder, "a placeholder cannot use %@: it has no arguments"),
        Invalid("%u and %d", .repeated("count"), "more than one count in a format"),
        Invalid("%u 100%", unknown: "%"), Invalid("100% of %u", unknown: "% "),
        Invalid("%1$%u", unknown: "%1$%"), Invalid("%#@e@ %u", unknown: "%#"),
        Invalid(
            "%2$u Images", .wrongPosition("%2$u"),
            "'%2$u' has the wrong position: the count is argument 1, the list argument 2"),
    ])
    func invalidPlaceholdersAreRejected(_ item: Invalid) {
        #expect(throws: item.error) { try MessageFormat(item.name, role: .placeholder) }
        #expect(item.error.description == item.message)
    }
}
