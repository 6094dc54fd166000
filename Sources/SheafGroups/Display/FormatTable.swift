import SheafBytes
import SheafText

/// Assigns small numbers to formats and placeholders, equal exactly when the texts are equal; 0 is none.
///
/// Showing a group compares and sums numbers; the texts are needed only when they are written.
///
/// A sentence is in one language, including its lists and numbers. If Sheaf has texts for the locale, lists and
/// numbers are the locale's in all sentences. Otherwise Sheaf's own sentences are English, an app's are in the
/// locale's language or in the app's development language, and phrases in different languages are not joined.
package struct FormatTable: Sendable {
    /// The texts for Sheaf's own sentences.
    let ownTexts: LocalizedTexts
    /// The list and number formats for texts in the locale's language.
    private let localTexts: LocalizedTexts
    /// The list and number formats for texts in the apps' development language.
    private let developmentTexts: LocalizedTexts
    /// Whether a text in the configuration itself is assumed to be in the locale's language.
    let literalsAreLocal: Bool
    private var formats: [ShownFormat] = []
    private var numbers: [CompiledString: Int] = [:]

    /// - Parameters:
    ///   - texts: the texts of the locale.
    ///   - developmentLanguage: the language of texts that are not in the locale's language, as written in a
    ///     configuration.
    package init(_ texts: LocalizedTexts = LocalizedTexts(), developmentLanguage: String = "en") {
        ownTexts = texts.sentenceTexts
        localTexts = texts
        let development = LocaleIdentifier(LanguageName.canonical(developmentLanguage)) ?? .default
        literalsAreLocal =
            texts.hasSentences
            || development.language == texts.locale.language && development.script == texts.locale.script
        if texts.hasSentences {
            developmentTexts = texts
        } else {
            developmentTexts =
                development.language == LocaleIdentifier.default.language
                ? LocalizedTexts() : LocalizedTexts(development)
        }
    }

    /// Returns the format's number, assigning the next one to a new text; 0 for nil. O(length of the text).
    package mutating func number(of format: ShownFormat?) -> Int {
        guard let format else { return 0 }
        if let number = numbers[format.string] { return number }
        formats.append(format)
        numbers[format.string] = formats.count
        return formats.count
    }

    /// Returns the format with this number, which must be at least 1.
    func format(_ number: Int) -> ShownFormat { formats[number - 1] }

    /// Returns the list and number formats for an app's text.
    ///
    /// - Parameter isLocal: whether the text is in the locale's language.
    package func texts(isLocal: Bool) -> LocalizedTexts { isLocal ? localTexts : developmentTexts }

    /// Returns the list and number formats for a format's phrase, or for Sheaf's own phrase if the number is 0.
    func texts(of number: Int) -> LocalizedTexts {
        number == 0 ? ownTexts : texts(isLocal: format(number).isLocal)
    }
}

// MARK: - Summaries

/// The rule of specification §7 by which a summary is made.
package enum SummaryRule: Sendable {
    /// No category has a format, and all notifications have arguments: Sheaf's own phrase, with the arguments.
    case arguments
    /// No category has a format, and some notifications have no argument: Sheaf's own phrase with the count alone.
    case withoutArguments
    /// One format.
    case format
    /// One format that takes arguments, but some notifications have none: Sheaf's own phrase.
    case missingArguments
    /// Several formats: a list of their phrases.
    case phrases
    /// Several formats of which one takes arguments: Sheaf's own phrase.
    case mixedArguments
    /// Several formats in different languages: Sheaf's own phrase.
    case mixedLanguages
}

/// The part of a group's notifications that share one format or one placeholder.
@usableFromInline package struct Share: Sendable {
    /// The number of the format or placeholder; 0 for none.
    @usableFromInline package var format: Int
    /// The count in the phrase: the sum of the notifications' weights in a summary, the number of notifications in a
    /// hidden body.
    @usableFromInline package var number: UInt64
    /// The number of notifications without an argument.
    @usableFromInline package var withoutArgument: UInt64
    @usableFromInline package var newest: OrderKey

    @inlinable package init(format: Int, number: UInt64, withoutArgument: UInt64, newest: OrderKey) {
        self.format = format
        self.number = number
        self.withoutArgument = withoutArgument
        self.newest = newest
    }
}

/// A group's shares, one for each format.
@usableFromInline package struct ShareList: Sendable {
    @inlinable package var shares: [Share] { list }
    @usableFromInline var list: [Share] = []
    /// Indices in `list` by format, once there are `searchedCount` shares.
    @usableFromInline var indices: [Int: Int] = [:]

    /// Nearly all groups have fewer shares, and searching those linearly is faster than hashing.
    @inlinable static var searchedCount: Int { 8 }

    package init() {}

    @inlinable
    @inline(__always)
    package mutating func removeAll() {
        if list.count >= Self.searchedCount { indices.removeAll(keepingCapacity: true) }
        // Clearing an array takes time even if it is empty, which it is after most groups.
        if !list.isEmpty { list.removeAll(keepingCapacity: true) }
    }

    /// Adds to the share with the same format, or starts a new one. O(1).
    @inlinable
    package mutating func add(_ share: Share) {
        guard list.count < Self.searchedCount else { return addIndexed(share) }
        for index in list.indices where list[index].format == share.format {
            list[index].add(share)
            return
        }
        list.append(share)
        if list.count == Self.searchedCount {
            for index in list.indices { indices[list[index].format] = index }
        }
    }

    @usableFromInline
    @inline(never)
    mutating func addIndexed(_ share: Share) {
        if let index = indices[share.format] {
            list[index].add(share)
        } else {
            indices[share.format] = list.count
            list.append(share)
        }
    }
}

extension Share {
    @inlinable
    mutating func add(_ other: Share) {
        number = WeightSum.adding(number, other.number)
        withoutArgument += other.withoutArgument
        if newest < other.newest { newest = other.newest }
    }
}

extension FormatTable {
    /// Appends a group's summary (specification §7).
    ///
    /// - Parameters:
    ///   - rest: the rest's shares, one per format, not empty.
    ///   - argumentCount: the number of the rest's arguments.
    ///   - argument: appends the argument at an index; the most recently used one is at index 0.
    package func appendSummary(
        of rest: [Share], argumentCount: Int, argument: (Int, inout [UInt8]) -> Void,
        to output: inout [UInt8]
    ) {
        let more = rest.reduce(0) { WeightSum.adding($0, $1.number) }
        switch rule(of: rest) {
        case .arguments:
            ownTexts.appendMore(
                more, from: { ownTexts.appendList(count: argumentCount, item: argument, to: &$0) },
                to: &output)
        case .format:
            let format = format(rest[0].format)
            let texts = texts(isLocal: format.isLocal)
            format.append(
                count: more,
                arguments: { texts.appendList(count: argumentCount, item: argument, to: &$0) },
                texts: texts, to: &output)
        case .phrases: appendList(of: rest, without: { ownTexts.appendMore($0, to: &$1) }, to: &output)
        case .withoutArguments, .missingArguments, .mixedArguments, .mixedLanguages:
            ownTexts.appendMore(more, to: &output)
        }
    }

    /// Returns the rule by which a summary is made.
    ///
    /// - Parameter rest: the rest's shares, one per format, not empty.
    package func rule(of rest: [Share]) -> SummaryRule {
        let allHaveArguments = rest.allSatisfy { $0.withoutArgument == 0 }
        guard rest.count == 1, let only = rest.first else {
            if rest.contains(where: { $0.format != 0 && format($0.format).takesArguments }) {
                return .mixedArguments
            }
            return areInOneLanguage(rest) ? .phrases : .mixedLanguages
        }
        if only.format == 0 { return allHaveArguments ? .arguments : .withoutArguments }
        return format(only.format).takesArguments && !allHaveArguments ? .missingArguments : .format
    }

    /// Returns the plural category of a count in the phrase of a format; of Sheaf's own phrase if its number is 0.
    package func pluralCategory(of count: UInt64, _ number: Int) -> PluralCategory {
        number == 0 ? ownTexts.pluralCategory(of: count) : format(number).rules.category(of: count)
    }

    /// Appends the body that is shown while previews are hidden (specification §8).
    ///
    /// - Parameter all: the shares of the whole group, one per placeholder.
    package func appendHiddenBody(of all: [Share], to output: inout [UInt8]) {
        // Nearly every group takes this path. It avoids a closure, which would retain an object that all threads
        // share and so make them contend for its reference count.
        if all.count == 1, all[0].format == 0 {
            ownTexts.appendPlaceholder(all[0].number, to: &output)
            return
        }
        guard areInOneLanguage(all) else {
            ownTexts.appendPlaceholder(all.reduce(0) { $0 + $1.number }, to: &output)
            return
        }
        appendList(of: all, without: { ownTexts.appendPlaceholder($0, to: &$1) }, to: &output)
    }

    /// Returns whether the shares' phrases can be joined: a list is in one language.
    private func areInOneLanguage(_ shares: [Share]) -> Bool {
        // If Sheaf has texts for the locale, all phrases are in its language.
        if texts(isLocal: true).hasSentences || shares.count < 2 { return true }
        let locale = texts(of: shares[0].format).locale
        return shares.allSatisfy { texts(of: $0.format).locale == locale }
    }

    /// Appends a list of phrases in one language, one per share, with that of the newest notification first. `plain`
    /// appends the phrase of a share without a format.
    private func appendList(
        of shares: [Share], without plain: (UInt64, inout [UInt8]) -> Void, to output: inout [UInt8]
    ) {
        let texts = texts(of: shares[0].format)
        func appendPhrase(of share: Share, to output: inout [UInt8]) {
            if share.format == 0 {
                plain(share.number, &output)
            } else {
                format(share.format).append(count: share.number, texts: texts, to: &output)
            }
        }
        // Most groups have one share, which needs no sorting and no allocation.
        if shares.count == 1 {
            appendPhrase(of: shares[0], to: &output)
            return
        }
        let newestFirst = shares.sorted { $0.newest > $1.newest }
        texts.appendList(
            count: newestFirst.count, item: { appendPhrase(of: newestFirst[$0], to: &$1) }, to: &output)
    }
}
