/// Limits of string tables, so that a hostile file causes an error instead of exhausting the stack or memory.
package enum StringLimits {
    /// The most levels of a property list or of XML elements. A table has at most five: key, device, variable, form,
    /// text.
    static let levels = 32
    /// The most levels of variables in forms of variables, which also stops a variable that refers to itself.
    static let variableDepth = 8
    /// The most bytes of a text with each variable expanded to its longest form, before numbers and arguments are
    /// inserted.
    static let expandedLength = 65_536
    /// The most compiled variables of a text; a variable counts once for each argument that it is used with.
    static let variableCount = 1_024
    /// The most bytes of an alert's text with its arguments inserted, up to the end of the last one.
    package static let alertLength = 1 << 20
    /// The largest position of an argument (`%99$@`), written or implied. A variable is compiled once for each
    /// position.
    static let position = 99
}
