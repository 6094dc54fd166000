/// Bounds on what a string table may hold, so that a hostile file ends in an error and not in a full stack or memory.
package enum StringLimits {
    /// Levels of a property list, of XML elements. A table's own are five at most: key, device, variable, form, text.
    static let levels = 32
    /// Levels of variables in forms of variables. A variable that holds itself ends here, too.
    static let variableDepth = 8
    /// Bytes of a text with its variables in it, each with its longest form, before numbers and arguments stand in it.
    static let expandedLength = 65_536
    /// Variables of a text, compiled: one counts for each argument that it is used with.
    static let variableCount = 1_024
    /// Bytes of an alert's text with its arguments in it, up to the last of them.
    package static let alertLength = 1 << 20
    /// The largest position of an argument (`%99$@`), written or counted. A variable is compiled once for each.
    static let position = 99
}
