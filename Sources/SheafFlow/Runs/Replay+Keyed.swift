import SheafBytes

// Keyed lines: the sources of a run are streams of lines of other sources, which their keys refer to.

extension Replay {
    /// Returns the names of the sources that keys refer to; nil if they are not listed.
    ///
    /// - Parameter listed: the sources, in the order of their ordinals; nil if they are not listed.
    /// - Throws: `ReplayError.usage` if an ordinal is invalid.
    static func keyedNames(_ listed: [NamedSource]?) throws(ReplayError) -> SourceNames? {
        guard let listed else { return nil }
        try SourceList.checkOrdinals(of: listed)
        return SourceNames(SourceTable(listed))
    }

    /// Returns the sources whose records the run has, once all lines are read.
    ///
    /// - Throws: `ReplayError.source` if a line of one of them certainly occurs more than once.
    func findSources() throws(ReplayError) -> SourceTable {
        guard isKeyed else { return SourceTable(sources) }
        var sets = LineSets()
        for found in reading.state.withLock({ $0.idleWorkers.compactMap(\.lineSets) }) { sets.add(found) }
        let listed = options.namedSources.map { SourceTable($0) }
        var entries: [SourceTable.Entry] = []
        for element in sets.sorted {
            let name = listed?.name(of: element.ordinal) ?? String(element.ordinal)
            let lines = element.lines
            if lines.hasRepeated {
                throw .source(
                    path: name,
                    reason:
                        "\(lines.count) lines have the ordinal \(element.ordinal), but their line numbers are from "
                        + "\(lines.first) to \(lines.last): at least one is repeated")
            }
            entries.append(SourceTable.Entry(ordinal: element.ordinal, name: name, lines: lines))
        }
        return SourceTable(named: entries)
    }
}

extension SourceTable {
    /// Creates the table of sources that may or may not occur.
    fileprivate init(_ listed: [NamedSource]) {
        self.init(named: listed.map { Entry(ordinal: $0.ordinal, name: $0.name) })
    }
}

extension ReplayOptions {
    /// How keys are read; nil if lines have none.
    var keyedLines: KeyedLines? {
        guard isKeyed else { return nil }
        return KeyedLines(
            listed: namedSources.map { OrdinalSet(ascending: $0.map(\.ordinal)) }, maximumLine: maximumLine)
    }
}
