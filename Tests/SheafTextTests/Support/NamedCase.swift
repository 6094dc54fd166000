import Testing

/// A row of a table of cases, which a failure shows by its name.
protocol NamedCase: CustomTestStringConvertible, Sendable {
    var name: String { get }
}

extension NamedCase {
    var testDescription: String { name }
}
