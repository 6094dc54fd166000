/// An app and the habits of its server, which are the same in all its records and for every seed.
///
/// A class, because a record's draft holds its app: copying counts one reference instead of those of a dozen arrays.
final class AppProfile: Sendable {
    let kind: AppKind
    /// An index into `JSONDialect.all`.
    let dialect: Int
    /// An index into `Wording.all`: the language of most of its notifications.
    let language: Int
    let layout: EnvelopeLayout
    let timestamps: TimestampFormat

    /// Texts, encoded in the app's dialect.
    let bundleID, callTopic, host, threadPrefix, collapsePrefix: [UInt8]
    /// Nil if the app's notifications have no sound, or the default interruption level.
    let sound, interruptionLevel: [UInt8]?
    /// The encoded names of the app's one to four categories.
    let categories: [[UInt8]]

    /// The numbers of notifications in 1,000 that have a category, that have a summary argument (of those that can),
    /// and that have a collapse identifier.
    let categoryPerMille, argumentPerMille, collapsePerMille: Int
    let argument: AppKind.Argument
    let takesCalls: Bool

    /// An index into `argumentPools`, and the index of the app's first name among the language's names.
    let argumentPool, firstName: Int
    /// Whether the app's own data precedes `aps`, and whether the thread identifier precedes the alert.
    let writesDataFirst, writesThreadFirst: Bool
    let countsBadge, isMutable, isScored, sendsData: Bool

    /// - Parameter rank: the app's rank by frequency, from 0.
    init(rank: Int) {
        let traits = AppKind.allCases[rank % AppKind.allCases.count].traits
        let names = Self.names(rank: rank, products: traits.products)
        // Every period below is a prime that does not divide the number of kinds, so that habits and kinds mix.
        let dialectChoice = [0, 1, 0, 0, 1, 0, 3, 0, 1, 2, 0][rank % 11]
        let dialect = JSONDialect.all[dialectChoice]

        kind = AppKind.allCases[rank % AppKind.allCases.count]
        self.dialect = dialectChoice
        language = [0, 0, 0, 10, 0, 8, 0, 3, 11, 0, 5, 0, 7, 12, 1, 0, 9, 2, 6, 0, 13, 4, 0][rank % 23]
        layout = [.flat, .headers, .flat, .short, .bundle][rank % 5]
        timestamps = Self.timestampFormats[rank % Self.timestampFormats.count]

        bundleID = dialect.encoded(names.bundleID)
        callTopic = dialect.encoded(names.bundleID + ".voip")
        host = dialect.encoded(names.host)
        threadPrefix = dialect.encoded(traits.threadPrefix)
        collapsePrefix = dialect.encoded(traits.collapsePrefix)
        sound = rank % 7 == 6 ? nil : dialect.encoded(traits.sound)
        interruptionLevel = [
            "active", nil, nil, "active", nil, "passive", nil, nil, "passive", nil, "time-sensitive",
        ][rank % 11].map(dialect.encoded)
        categories = traits.categories.prefix(1 + [3, 2, 1, 3, 0][rank % 5]).map(dialect.encoded)

        categoryPerMille = [900, 1_000, 0, 700, 850, 400, 1_000][rank % 7]
        argumentPerMille = [600, 800, 500, 0, 700, 900, 300, 500, 0, 700, 800][rank % 11]
        collapsePerMille = traits.collapsePerMille
        argument = traits.argument
        takesCalls = traits.takesCalls

        argumentPool = rank % Self.argumentPools.count
        firstName = rank * 37
        writesDataFirst = rank % 11 == 4
        writesThreadFirst = rank % 7 == 2
        countsBadge = rank % 5 < 2
        isMutable = [true, false, false, true, false][rank % 5]
        isScored = rank % 5 == 2
        sendsData = [true, true, true, false, true, false, true][rank % 7]
    }

    /// The sizes of the pools of summary arguments. Each app has one of these pools and draws from it by Zipf's law.
    static let argumentPools = [240, 60, 400, 120, 36]

    private static let timestampFormats: [TimestampFormat] = [
        .milliseconds, .milliseconds, .milliseconds, .milliseconds, .milliseconds, .milliseconds,
        .dateTime(offset: 0), .milliseconds, .seconds, .milliseconds, .milliseconds, .milliseconds,
        .dateTime(offset: 2),
    ]
}

// MARK: - Names

extension AppProfile {
    /// Returns invented names, all in domains that are reserved for examples (RFC 2606).
    ///
    /// - Parameters:
    ///   - rank: the app's rank by frequency, from 0. Different ranks have different bundle identifiers.
    ///   - products: the product names of the app's kind.
    static func names(rank: Int, products: [String]) -> (bundleID: String, host: String) {
        let round = rank / AppKind.allCases.count
        guard round > 0 else {
            return ("com.example.\(products[0])", "\(products[0]).example.com")
        }
        let company = Self.companies[(round + rank) % Self.companies.count]
        let product = products[round % products.count]
        let edition = rank < Self.companies.count * AppKind.allCases.count ? "" : String(rank)
        switch rank % 3 {
        case 0:
            return ("com.example.\(company).\(product)\(edition)", "\(product).\(company).example.com")
        case 1:
            return ("example.\(company).\(product)\(edition)", "\(company).example")
        default:
            return ("org.example.\(company).ios.\(product)\(edition)", "www.\(company).example.org")
        }
    }

    private static let companies = [
        "brindlewick", "ostravane", "lumoraya", "tinkerfen", "halvoria", "quillmoss", "pendraxa",
        "fernwhistle", "okapello", "zumberry", "novantine", "grebelow", "saltibex", "mirthole", "veldorin",
        "cobblenaut", "dapplewing", "eskerby", "yarrowink", "thrumble", "wickenzoo", "ambrelo", "juniperal",
    ]
}

/// The fields of a native record, in the order in which a kind of server writes them.
struct EnvelopeLayout: Sendable {
    enum Value: Sendable {
        case timestamp, app, device, id, pushType, collapseID, priority, expiration
        /// The push type, omitted if it is `alert`, which is the default.
        case unusualPushType
        /// Numbers in headers, which are strings.
        case priorityText, expirationText
        case status, attempt, sandbox, payload
        /// The start of the object with the following fields, and its end.
        case headers, endOfHeaders
    }

    let fields: [(name: FieldName, value: Value)]
    /// How the log tells that the push service refused a push.
    var refusal = RefusalForm.codeAndReason

    enum RefusalForm: Sendable {
        /// The code that the service answered with, and its reason.
        case codeAndReason
        /// A word, and the reason as an error.
        case wordAndError
        /// A flag that is false, and the reason.
        case flagAndReason
    }

    /// A gateway's log, with the names of Apple's provider API.
    static let flat = EnvelopeLayout(fields: [
        (.timestamp, .timestamp), (.app, .app), (.device, .device), (.apnsID, .id),
        (.apnsPushType, .pushType), (.apnsPriority, .priority), (.apnsExpiration, .expiration),
        (.apnsCollapseID, .collapseID), (.payload, .payload),
    ])

    /// A request log, with the HTTP headers as sent.
    static let headers = EnvelopeLayout(fields: [
        (.shortTimestamp, .timestamp), (.deviceToken, .device), (.headers, .headers), (.apnsID, .id),
        (.apnsTopic, .app), (.apnsPushType, .pushType), (.apnsPriority, .priorityText),
        (.apnsExpiration, .expirationText), (.apnsCollapseID, .collapseID), (.headers, .endOfHeaders),
        (.payload, .payload), (.status, .status),
    ])

    /// A queue's log, with short names and the payload before most other fields.
    static let short = EnvelopeLayout(
        fields: [
            (.id, .id), (.topic, .app), (.token, .device), (.payload, .payload), (.pushType, .pushType),
            (.collapseID, .collapseID), (.priority, .priority), (.shortTimestamp, .timestamp),
            (.attempt, .attempt),
        ], refusal: .wordAndError)

    /// The log of a server that names the bundle, has no record identifiers, and omits the default push type.
    static let bundle = EnvelopeLayout(
        fields: [
            (.timestamp, .timestamp), (.bundleID, .app), (.device, .device), (.pushType, .unusualPushType),
            (.apnsCollapseID, .collapseID), (.sandbox, .sandbox), (.payload, .payload),
        ], refusal: .flagAndReason)
}
