/// A row of a table of test cases, identified by its name in failures.
public protocol NamedCase: CustomStringConvertible, Sendable {
    var name: String { get }
}

extension NamedCase {
    public var description: String { name }
}
