import SheafBytes
import SheafGroups

/// What two designs have in common, so that a comparison makes and keeps it once.
struct ComparedDesigns: Equatable, Sendable {
    /// Whether both show the same notifications with the same threads, so that they have the same groups of each app that
    /// they group alike.
    let showsAlike: Bool
    /// The apps that they group otherwise, in byte order.
    private let otherApps: [String]
    /// Whether both have the same groups, which differ in texts at most.
    var sharesGroups: Bool { showsAlike && otherApps.isEmpty }
    /// Whether they have the same settings and locale, and with the same groups the same texts.
    let sharesTexts: Bool
    /// Whether people are measured. If not, the same happens to them with both designs.
    let measuresPeople: Bool
    /// Whether people get the same with both designs.
    let sharesPeople: Bool
    /// Digests of the rules of delivery.
    let delivery: Sides<UInt64>

    /// - Parameter comparison: specifies whether people are measured although nothing differs.
    init(_ options: Sides<ReplayOptions>, _ comparison: ComparisonOptions) {
        let (now, new) = (options.now, options.new)
        delivery = options.map(\.deliveryDigest)
        let hasSameRules = now.profile == new.profile && delivery.now == delivery.new
        let readsAlike = now.inputIdentity == new.inputIdentity
        showsAlike = readsAlike && now.profile == new.profile && (!now.tracksDelivery || hasSameRules)
        otherApps = Self.otherApps(options.map(\.settings))
        sharesTexts = Self.shareTexts(options)
        sharesPeople = showsAlike && otherApps.isEmpty && delivery.now == delivery.new
        // If only the inputs' threads differ, the same happens as far as both read the same records.
        let hasSameEvents =
            hasSameRules
            && (readsAlike || now.locale == new.locale && now.input.differsOnlyInThreads(from: new.input))
        // Otherwise everyone who had a notification has one on screen, and records decide only what is on screen.
        let isPlain = !now.tracksDelivery && !now.appliesRemovals && !now.unique && !now.appliesOutcomes
        measuresPeople =
            comparison.measuresAll || comparison.failures.contains(where: \.isAboutEvents) || !isPlain
            || !hasSameEvents
    }

    /// Returns whether two designs have the same settings and locale.
    static func shareTexts(_ options: Sides<ReplayOptions>) -> Bool {
        options.now.settings == options.new.settings && options.now.locale == options.new.locale
    }

    private static func otherApps(_ settings: Sides<Settings>) -> [String] {
        Set(settings.now.apps.keys).union(settings.new.apps.keys).filter { app in
            !app.isEmpty && settings.now.grouping(of: app) != settings.new.grouping(of: app)
        }.ordered { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Returns whether both designs have the same groups of an app.
    var groupsAlike: @Sendable (Span<UInt8>) -> Bool {
        guard showsAlike else { return { _ in false } }
        var others = SymbolTable()
        for app in otherApps { _ = others.symbol(for: Array(app.utf8).span) }
        return { [others] app in app.isEmpty || others.find(app) == nil }
    }

    // MARK: Encoding

    private static let showsAlikeFlag: UInt64 = 1
    private static let measuresFlag: UInt64 = 2
    private static let peopleFlag: UInt64 = 4
    private static let textsFlag: UInt64 = 8

    func append(to output: inout OutputBuffer) {
        output.appendNumber(
            (showsAlike ? Self.showsAlikeFlag : 0) | (measuresPeople ? Self.measuresFlag : 0)
                | (sharesPeople ? Self.peopleFlag : 0) | (sharesTexts ? Self.textsFlag : 0))
        output.appendNumber(UInt64(otherApps.count))
        for app in otherApps { output.appendText(app) }
        output.append(word: delivery.now)
        output.append(word: delivery.new)
    }

    /// Decodes what `append` encoded; nil if the bytes are invalid.
    init?(_ bytes: Span<UInt8>) {
        var reader = ByteReader(bytes)
        let flags = reader.number(upTo: 2 * Self.textsFlag - 1)
        var apps: [String] = []
        for _ in 0..<reader.number(upTo: UInt64(reader.remaining)) {
            apps.append(bytes[reader.text()].string)
        }
        guard reader.isValid, bytes.count == reader.offset + 16 else { return nil }
        otherApps = apps
        showsAlike = flags & Self.showsAlikeFlag != 0
        measuresPeople = flags & Self.measuresFlag != 0
        sharesPeople = flags & Self.peopleFlag != 0
        sharesTexts = flags & Self.textsFlag != 0
        delivery = Sides(
            now: bytes.extracting(droppingFirst: reader.offset).firstWord,
            new: bytes.extracting(droppingFirst: reader.offset + 8).firstWord)
        if sharesPeople, !sharesGroups { return nil }
    }
}

extension ReplayOptions {
    /// A digest of the settings that decide how notifications are delivered.
    var deliveryDigest: UInt64 { DeliveryRules(settings, profile: profile, locked: locked).digest }
}

extension Statistics {
    /// Whether two replays of the same lines, with inputs that differ only in threads, have read the same records: each
    /// record that one of them reads and the other does not would change these numbers.
    func hasSameRecords(as other: Statistics) -> Bool {
        (records, rejectedTotal, silent, otherPlatform, grouped)
            == (other.records, other.rejectedTotal, other.silent, other.otherPlatform, other.grouped)
    }
}

extension ComparisonReport.People {
    /// People who get the same with both designs.
    init(alike count: UInt64) {
        self.init()
        self.count = count
    }

    /// Counts the people who have more or fewer groups and banners.
    ///
    /// - Parameters:
    ///   - now: a row for each person with one design, `hash of the device, in two words | groups 4 | banners 4`.
    ///   - new: those of the other one.
    init(_ now: consuming RowMerge, _ new: consuming RowMerge) throws(ReplayError) {
        self.init()
        while true {
            let (a, b) = (now.first, new.first)
            if a == nil, b == nil { return }
            let (hasNow, hasNew) = (
                a.map { a in b.map { a < $0 || a == $0 } ?? true } ?? false,
                b.map { b in a.map { b < $0 || b == $0 } ?? true } ?? false
            )
            let values = Sides(now: hasNow ? a?.value ?? 0 : 0, new: hasNew ? b?.value ?? 0 : 0)
            count += 1
            groups.count(values.now >> 32, values.new >> 32)
            banners.count(
                UInt64(UInt32(truncatingIfNeeded: values.now)), UInt64(UInt32(truncatingIfNeeded: values.new))
            )
            if hasNow { _ = try now.next() }
            if hasNew { _ = try new.next() }
        }
    }
}

extension MeasureOptions {
    /// Measures for a comparison, which counts each person.
    ///
    /// - Parameter people: receives a row for each person, as `ComparisonReport.People` reads them.
    static func compared(_ people: RowSorter) -> MeasureOptions {
        var measures = MeasureOptions()
        measures.quantiles = ComparisonCondition.quantiles
        measures.receivePerson = { device, totals in
            let name = device.span
            let counts = [Measure.groups, .banners].map { min(totals[$0.index], UInt64(UInt32.max)) }
            people.add([
                Row(high: name.hash(seed: 1), low: name.hash(seed: 2), value: counts[0] << 32 | counts[1])
            ])
        }
        return measures
    }
}
