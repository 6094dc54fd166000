/// A row of a table of test cases, identified by its name in failures.
package protocol NamedCase: CustomStringConvertible, Sendable {
    var name: String { get }
}

extension NamedCase {
    package var description: String { name }
}
