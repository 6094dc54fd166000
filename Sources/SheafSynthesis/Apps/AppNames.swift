/// An app's invented names, all in domains that are reserved for examples (RFC 2606).
struct AppNames: Sendable {
    let bundleID: String
    let host: String

    /// - Parameters:
    ///   - rank: the app's rank by frequency, from 0. Different ranks have different bundle identifiers.
    ///   - products: the product names of the app's kind.
    init(rank: Int, products: [String]) {
        let round = rank / AppKind.allCases.count
        guard round > 0 else {
            bundleID = "com.example.\(products[0])"
            host = "\(products[0]).example.com"
            return
        }
        let company = Self.companies[(round + rank) % Self.companies.count]
        let product = products[round % products.count]
        let edition = rank < Self.companies.count * AppKind.allCases.count ? "" : String(rank)
        switch rank % 3 {
        case 0:
            bundleID = "com.example.\(company).\(product)\(edition)"
            host = "\(product).\(company).example.com"
        case 1:
            bundleID = "example.\(company).\(product)\(edition)"
            host = "\(company).example"
        default:
            bundleID = "org.example.\(company).ios.\(product)\(edition)"
            host = "www.\(company).example.org"
        }
    }

    private static let companies = [
        "brindlewick", "ostravane", "lumoraya", "tinkerfen", "halvoria", "quillmoss", "pendraxa",
        "fernwhistle", "okapello",
        "zumberry", "novantine", "grebelow", "saltibex", "mirthole", "veldorin", "cobblenaut", "dapplewing",
        "eskerby",
        "yarrowink", "thrumble", "wickenzoo", "ambrelo", "juniperal",
    ]
}
