/// The parts of a log that do not change from record to record: apps, encoded texts, distributions.
struct Catalogue: Sendable {
    /// The profiles of the most frequent apps, by rank.
    private let apps: [AppProfile]
    /// The texts in each dialect, in the order of `JSONDialect.all`.
    let books: [PhraseBook]

    /// The maximum number of apps in `apps`. By Zipf's law they have most of any log's records; the profile of another
    /// app is created again for each of its records.
    private static let keptApps = 1_000

    private let appRanks: ZipfSampler
    /// Nil if the log has no thread identifiers, or no devices.
    private let threadRanks, deviceRanks: ZipfSampler?
    /// Samplers of names, in the order of `AppProfile.argumentPools`.
    private let nameRanks: [ZipfSampler]
    private let eventRanks: ZipfSampler

    init(_ shape: LogShape) {
        apps = (0..<min(shape.apps, Self.keptApps)).map(AppProfile.init(rank:))
        books = JSONDialect.all.map(PhraseBook.init)
        appRanks = ZipfSampler(count: shape.apps)
        threadRanks = shape.threads == 0 ? nil : ZipfSampler(count: shape.threads)
        // Each person has few devices, so no device is much more than five times as frequent as another.
        deviceRanks =
            shape.devices == 0 ? nil : ZipfSampler(count: shape.devices, flattening: (shape.devices + 3) / 4)
        nameRanks = AppProfile.argumentPools.map { ZipfSampler(count: $0) }
        eventRanks = ZipfSampler(count: Rates.liveEvents)
    }

    /// Returns a draft of the record at `index`, from 0.
    ///
    /// - Parameters:
    ///   - timestamp: milliseconds since 1970.
    ///   - connected: the devices of the latest records.
    func draft(
        _ index: Int, timestamp: Int, connected: inout ConnectedDevices, using random: inout RandomStream
    ) -> Draft {
        let rank = appRanks.rank(using: &random)
        let app = rank < apps.count ? apps[rank] : AppProfile(rank: rank)
        let purpose = purpose(in: app, using: &random)
        let event =
            purpose == .alert && random.chance(perMille: app.collapsePerMille)
            ? event(of: rank, at: index, using: &random) : nil

        // All versions of an event have the same subject, the same thread and the same few devices: they are
        // drawn from a stream that the event seeds. The distributions are the usual ones, so that apps and
        // threads stay independent.
        var subject = RandomStream(seed: event ?? random.next())
        let thread = subject.chance(perMille: Rates.withoutThread) ? nil : threadRanks?.rank(using: &subject)
        let language = language(of: app, using: &subject)
        let nameRank = nameRanks[app.argumentPool].rank(using: &subject)
        let name = app.firstName + (language == app.language ? nameRank : nameRank % Rates.foreignNames)
        let number = thread.map(Self.threadNumber) ?? Int(subject.below(1 << 32))
        let book = books[app.dialect]
        let words = book.languages[language]
        let scene = Scene(of: app, in: words, name: name, number: number, using: &subject)
        let lines = words.lines[app.kind.rawValue].count
        // The minimum of three draws makes the first texts the most frequent ones.
        let choice = min(subject.below(lines), subject.below(lines), subject.below(lines))
        let device = device(of: event, connected: &connected, using: &random)
        return Draft(
            app: app, form: form(purpose, isUpdate: event != nil, using: &random), purpose: purpose,
            timestamp: timestamp, device: device, hasThread: thread != nil, event: event, book: book,
            choice: choice, scene: scene)
    }

    private func purpose(in app: AppProfile, using random: inout RandomStream) -> Draft.Purpose {
        guard random.chance(perMille: Rates.silent) else { return .alert }
        return app.takesCalls && random.chance(perMille: Rates.call) ? .call : .background
    }

    private func device(
        of event: UInt64?, connected: inout ConnectedDevices, using random: inout RandomStream
    ) -> Int? {
        guard let deviceRanks else { return nil }
        guard let event else { return connected.next(from: deviceRanks, using: &random) }
        var subscriber = RandomStream(seed: event &+ 1 &+ random.below(UInt64(Rates.subscribers)))
        return deviceRanks.rank(using: &subscriber)
    }

    /// Only notifications without a collapse identifier may be bare records: the file format that those imitate has
    /// neither silent pushes nor collapse identifiers.
    private func form(
        _ purpose: Draft.Purpose, isUpdate: Bool, using random: inout RandomStream
    ) -> Draft.Form {
        let draw = random.below(1_000)
        if draw < Rates.payloadAsText { return .payloadAsText }
        let isBare = draw < Rates.payloadAsText + Rates.bare && purpose == .alert && !isUpdate
        return isBare ? .bare : .native
    }

    private func event(of app: Int, at index: Int, using random: inout RandomStream) -> UInt64 {
        let number = index / Rates.eventLifetime * Rates.liveEvents + eventRanks.rank(using: &random)
        return RandomStream.mix(RandomStream.mix(UInt64(app)) ^ UInt64(number))
    }

    /// Returns the app's own language in most cases; half of the others are English, the rest any language.
    private func language(of app: AppProfile, using random: inout RandomStream) -> Int {
        if random.chance(perMille: Rates.homeLanguage) { return app.language }
        return random.chance(perMille: 500) ? 0 : random.below(Wording.all.count)
    }
}

/// The properties of a record, chosen before a byte of it is written.
struct Draft: Sendable {
    enum Form: Sendable {
        case native
        /// Native form, with the payload's JSON in a string.
        case payloadAsText
        /// Bare form, with `aps` at the top level.
        case bare
    }

    enum Purpose: Sendable {
        case alert, background, call
    }

    let app: AppProfile
    let form: Form
    let purpose: Purpose
    /// Milliseconds since 1970.
    let timestamp: Int
    /// The device's rank; nil if the record names no device.
    let device: Int?
    /// Whether the record has a thread identifier, whose number is then the scene's.
    let hasThread: Bool
    /// The event that the record reports or updates, written as the collapse identifier; nil if it has none.
    let event: UInt64?
    /// The id, once the record is written; nil if it has none.
    var id: (UInt64, UInt64)?
    /// Why the push service refused the push; nil if it accepted it.
    var refusal: Refusal?
    /// All texts, in the app's dialect.
    let book: PhraseBook
    /// The index of the text among those that the language has for the app's kind.
    let choice: Int
    let scene: Scene
}

/// The devices of the latest records, which are likely to receive the next ones too.
///
/// How often a device occurs in the whole log still follows the sampler's distribution, but its records come in
/// bursts.
struct ConnectedDevices: Sendable {
    /// Ranks; at most `Rates.connectedDevices`.
    private var ranks: [Int] = []

    mutating func next(from sampler: ZipfSampler, using random: inout RandomStream) -> Int {
        guard ranks.count == Rates.connectedDevices else {
            let rank = sampler.rank(using: &random)
            ranks.append(rank)
            return rank
        }
        let slot = random.below(ranks.count)
        if !random.chance(perMille: Rates.sameDevice) {
            ranks[slot] = sampler.rank(using: &random)
        }
        return ranks[slot]
    }
}
