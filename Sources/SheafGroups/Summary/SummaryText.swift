import SheafBytes

/// A part of a group's notifications that is shown in one way: with one format, or one placeholder.
public struct Share: Sendable {
    /// The format's or placeholder's number; 0 is none.
    public var format: Int
    /// What its phrase counts: in a summary the sum of the notifications' weights, in a hidden body the notifications.
    public var number: UInt64
    /// How many of them have no argument.
    public var withoutArgument: UInt64
    public var newest: OrderKey

    public init(format: Int, number: UInt64, withoutArgument: UInt64, newest: OrderKey) {
        self.format = format
        self.number = number
        self.withoutArgument = withoutArgument
        self.newest = newest
    }
}

extension [Share] {
    /// Adds to the share of the same format, or begins one.
    public mutating func add(_ share: Share) {
        if let index = firstIndex(where: { $0.format == share.format }) {
            self[index].number = WeightSum.adding(self[index].number, share.number)
            self[index].withoutArgument += share.withoutArgument
            self[index].newest = Swift.max(self[index].newest, share.newest)
        } else {
            append(share)
        }
    }
}

extension FormatTable {
    /// Appends the text under a stack (specification §7).
    ///
    /// - Parameters:
    ///   - rest: the rest's shares by format, one a format, at least one.
    ///   - arguments: how many arguments the rest has, and the text of each, most recently used first.
    public func appendSummary(
        of rest: [Share], argumentCount: Int, argument: (Int, inout [UInt8]) -> Void,
        to output: inout [UInt8]
    ) {
        let more = rest.reduce(0) { WeightSum.adding($0, $1.number) }
        let allHaveArguments = rest.allSatisfy { $0.withoutArgument == 0 }
        func list(_ output: inout [UInt8]) {
            texts.appendList(count: argumentCount, item: argument, to: &output)
        }
        guard rest.count == 1, let only = rest.first else {
            appendPhrases(of: rest, more: more, to: &output)
            return
        }
        if only.format == 0 {
            if allHaveArguments {
                texts.appendMore(more, from: list, to: &output)
            } else {
                texts.appendMore(more, to: &output)
            }
            return
        }
        let format = format(only.format)
        if format.takesArguments, !allHaveArguments {
            texts.appendMore(more, to: &output)
        } else {
            format.append(count: more, arguments: list, texts: texts, to: &output)
        }
    }

    /// Several formats: a phrase for each, or the default where one of them takes arguments.
    private func appendPhrases(of rest: [Share], more: UInt64, to output: inout [UInt8]) {
        if rest.contains(where: { $0.format != 0 && format($0.format).takesArguments }) {
            texts.appendMore(more, to: &output)
            return
        }
        appendList(of: rest, without: { texts.appendMore($0, to: &$1) }, to: &output)
    }

    /// Appends what stands for the body while previews are hidden (specification §8).
    ///
    /// - Parameter all: all the group's shares by placeholder, one a placeholder.
    public func appendHiddenBody(of all: [Share], to output: inout [UInt8]) {
        // Nearly every group. Without a closure: that would hold what all threads have in common, which counts references
        // back and forth between them.
        if all.count == 1, all[0].format == 0 {
            texts.appendPlaceholder(all[0].number, to: &output)
            return
        }
        appendList(of: all, without: { texts.appendPlaceholder($0, to: &$1) }, to: &output)
    }

    /// A list of phrases, one a share, the newest notification's first; `plain` appends that of what has no format.
    private func appendList(
        of shares: [Share], without plain: (UInt64, inout [UInt8]) -> Void, to output: inout [UInt8]
    ) {
        func appendPhrase(of share: Share, to output: inout [UInt8]) {
            if share.format == 0 {
                plain(share.number, &output)
            } else {
                format(share.format).append(count: share.number, texts: texts, to: &output)
            }
        }
        // Most groups have one: nothing to sort, and nothing to allocate for it.
        if shares.count == 1 {
            appendPhrase(of: shares[0], to: &output)
            return
        }
        let newestFirst = shares.sorted { $0.newest > $1.newest }
        texts.appendList(
            count: newestFirst.count, item: { appendPhrase(of: newestFirst[$0], to: &$1) }, to: &output)
    }
}
