import Testing

/// A row of a table of test cases, identified by its name in failures.
protocol NamedCase: CustomTestStringConvertible, Sendable {
    var name: String { get }
}

extension NamedCase {
    var testDescription: String { name }
}
