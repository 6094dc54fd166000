extension Catalogue {
    /// Writes `aps` and the app's own data as members of the open object.
    func writePayloadMembers(of draft: Draft, using random: inout RandomStream, to payload: inout JSONWriter)
    {
        let app = draft.app
        let hasData = app.sendsData && random.chance(perMille: Rates.data)
        if hasData && app.writesDataFirst {
            writeData(of: draft, using: &random, to: &payload)
        }
        payload.field(.aps)
        payload.beginObject()
        if draft.purpose == .alert {
            writeNotification(of: draft, using: &random, to: &payload)
        } else {
            payload.field(.contentAvailable, number: 1)
        }
        payload.endObject()
        if hasData && !app.writesDataFirst {
            writeData(of: draft, using: &random, to: &payload)
        }
    }

    private func writeData(of draft: Draft, using random: inout RandomStream, to payload: inout JSONWriter) {
        let app = draft.app
        let book = draft.book
        let templates = book.data[app.kind.rawValue]
        let template = templates[draft.choice % templates.count]
        payload.members { book.render(template, of: draft.scene, using: &random, to: &$0) }
    }

    private func writeNotification(
        of draft: Draft, using random: inout RandomStream, to payload: inout JSONWriter
    ) {
        let app = draft.app
        if app.writesThreadFirst {
            writeThread(of: draft, to: &payload)
        }
        payload.field(.alert)
        writeAlert(of: draft, using: &random, to: &payload)
        if !app.writesThreadFirst {
            writeThread(of: draft, to: &payload)
        }
        if random.chance(perMille: app.categoryPerMille) {
            payload.field(.category, text: app.categories[draft.choice % app.categories.count])
        }
        if let sound = app.sound {
            payload.field(.sound, text: sound)
        }
        if app.countsBadge {
            payload.field(.badge, number: min(random.below(12), random.below(12), random.below(12)))
        }
        if app.isMutable {
            payload.field(.mutableContent, number: 1)
        }
        if let level = app.interruptionLevel {
            payload.field(.interruptionLevel, text: level)
        }
        if app.isScored {
            payload.field(.relevanceScore)
            payload.value { $0.append(contentsOf: Self.scores[draft.choice % Self.scores.count]) }
        }
    }

    private func writeThread(of draft: Draft, to payload: inout JSONWriter) {
        guard draft.hasThread else { return }
        let prefix = draft.app.threadPrefix
        payload.field(.threadID)
        payload.string { bytes in
            bytes.append(contentsOf: prefix)
            bytes.appendDecimal(draft.scene.number)
        }
    }

    private func writeAlert(of draft: Draft, using random: inout RandomStream, to payload: inout JSONWriter) {
        let app = draft.app
        let book = draft.book
        let line = draft.scene.words.lines[app.kind.rawValue][draft.choice]
        let draw = random.below(1_000)
        guard draw >= Rates.plainAlert else {
            payload.string { book.render(line.body, of: draft.scene, using: &random, to: &$0) }
            return
        }
        payload.beginObject()
        if draw < Rates.plainAlert + Rates.localized {
            payload.members {
                book.render(book.localized[app.kind.rawValue], of: draft.scene, using: &random, to: &$0)
            }
        } else {
            payload.field(.title)
            payload.string { book.render(line.title, of: draft.scene, using: &random, to: &$0) }
            if let subtitle = line.subtitle {
                payload.field(.subtitle)
                payload.string { book.render(subtitle, of: draft.scene, using: &random, to: &$0) }
            }
            payload.field(.body)
            payload.string { book.render(line.body, of: draft.scene, using: &random, to: &$0) }
        }
        writeSummaryArgument(of: draft, using: &random, to: &payload)
        payload.endObject()
    }

    private func writeSummaryArgument(
        of draft: Draft, using random: inout RandomStream, to payload: inout JSONWriter
    ) {
        let app = draft.app
        let words = draft.scene.words
        let names: PhraseBook.EncodedNames? =
            switch app.argument {
            case .person: words.people
            case .work: words.works
            case .none: nil
            }
        var countRate = Rates.countAlone
        if let names, random.chance(perMille: app.argumentPerMille) {
            payload.field(.summaryArgument)
            payload.string { names.append(draft.scene.name, to: &$0) }
            countRate = Rates.countWithArgument
        }
        if random.chance(perMille: countRate) {
            payload.field(.summaryArgumentCount, number: Self.counts[random.below(Self.counts.count)])
        }
    }

    /// Returns a thread's number, by a bijection of 32 bits: threads have distinct numbers, and neighbouring threads
    /// have unrelated ones.
    static func threadNumber(_ thread: Int) -> Int {
        var number = UInt32(truncatingIfNeeded: thread) &+ 1
        number = (number ^ (number &>> 16)) &* 0x7FEB_352D
        number = (number ^ (number &>> 15)) &* 0x846C_A68B
        return Int(number ^ (number &>> 16))
    }

    /// Equally likely values of `summary-arg-count`, mostly 1.
    private static let counts = [1, 1, 1, 1, 1, 2, 2, 3, 4, 5]

    private static let scores = ["0.5", "0.75", "1", "0.25", "0"].map { Array($0.utf8) }
}
