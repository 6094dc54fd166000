/// A JSON Pointer (RFC 6901), in which `*` stands for each element of an array.
struct JSONPointer: Hashable, Sendable {
    enum Token: Hashable, Sendable {
        case key(String)
        /// Each element of an array.
        case each
    }

    let tokens: [Token]

    /// The maximum number of tokens: nothing in a text that is nested deeper is ever read.
    static let maximumTokens = 32

    /// The pointer to the whole entry.
    static let entry = JSONPointer([])

    init(_ tokens: [Token]) { self.tokens = tokens }

    /// - Parameter keys: the keys from the top down, without escapes.
    init(keys: [String]) { tokens = keys.map(Token.key) }

    /// Parses a pointer.
    init(parsing text: String) throws(PointerError) {
        if text.isEmpty {
            self = .entry
            return
        }
        guard text.hasPrefix("/") else { throw PointerError("a pointer begins with '/': write '/\(text)'") }
        var tokens: [Token] = []
        for part in text.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            tokens.append(part == "*" ? .each : .key(try Self.key(part)))
        }
        guard tokens.count <= Self.maximumTokens else {
            throw PointerError("a pointer has at most \(Self.maximumTokens) parts")
        }
        guard tokens.count(where: { $0 == .each }) <= 1 else {
            throw PointerError("a pointer has at most one '*': read the outer array with 'each'")
        }
        self.tokens = tokens
    }

    private static func key(_ part: Substring) throws(PointerError) -> String {
        var key = ""
        var characters = part.makeIterator()
        while let character = characters.next() {
            guard character == "~" else {
                key.append(character)
                continue
            }
            switch characters.next() {
            case "0": key.append("~")
            case "1": key.append("/")
            default: throw PointerError("'~' is written as '~0', and '/' in a key as '~1'")
            }
        }
        return key
    }

    func appending(_ keys: [String]) -> JSONPointer { JSONPointer(tokens + keys.map(Token.key)) }

    /// The pointers with every `{locale}` in a key replaced by each of the names.
    func expanded(_ locales: [String]) -> [JSONPointer] {
        let mark = "{locale}"
        let isLocalized = tokens.contains { if case .key(let key) = $0 { key.contains(mark) } else { false } }
        guard isLocalized else { return [self] }
        return locales.map { locale in
            JSONPointer(
                tokens.map { token in
                    guard case .key(let key) = token else { return token }
                    return .key(
                        key.split(separator: mark, omittingEmptySubsequences: false).joined(separator: locale)
                    )
                })
        }
    }
}

extension JSONPointer: CustomStringConvertible {
    var description: String {
        tokens.map { token in
            switch token {
            case .each: "/*"
            case .key(let key):
                "/"
                    + key.split(separator: "~", omittingEmptySubsequences: false).joined(separator: "~0")
                    .split(separator: "/", omittingEmptySubsequences: false).joined(separator: "~1")
            }
        }.joined()
    }
}

/// The reason why a text is not a pointer.
struct PointerError: Error {
    let message: String

    init(_ message: String) { self.message = message }
}
