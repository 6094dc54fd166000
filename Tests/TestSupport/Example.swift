/// A row of a table of test cases that consists of an input and the expected result.
package struct Example<Input: Sendable, Expected: Sendable>: NamedCase {
    package let name: String
    package let input: Input
    package let expected: Expected

    /// Creates an example with a name of its own.
    package init(_ name: String, _ input: Input, _ expected: Expected) {
        self.name = name
        self.input = input
        self.expected = expected
    }
}

extension Example where Input == String {
    /// Creates an example that is named after its input.
    package init(_ input: String, _ expected: Expected) { self.init(input, input, expected) }
}

extension Example where Input == [UInt8] {
    /// Creates an example whose input is a text's bytes.
    package init(_ name: String, _ text: String, _ expected: Expected) {
        self.init(name, Array(text.utf8), expected)
    }
}
