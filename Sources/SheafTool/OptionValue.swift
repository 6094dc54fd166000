import ArgumentParser

/// Parses and checks option values; its messages name the valid ones.
enum OptionValue {
    /// Parses an option's value as a whole number. `check` checks its range later.
    static func number<Number: FixedWidthInteger>(_ text: String) throws -> Number {
        if let number = Number(text) { return number }
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber }) else {
            throw ValidationError("it must be a whole number")
        }
        guard text.hasPrefix("-") else { throw ValidationError("it is too large") }
        throw ValidationError(Number.isSigned ? "it is too small" : "it must be 0 or more")
    }

    /// Parses an option's value as a number above 0.
    static func positive(_ text: String) throws -> Double {
        guard let number = Double(text), number > 0, number.isFinite else {
            throw ValidationError("it must be a number above 0, such as 1, 0.5 or 60")
        }
        return number
    }

    /// Whether only the number of a value with a unit is wrong: with a smaller one it would be valid.
    static func isTooLarge(_ text: String, isValid: (String) -> Bool) -> Bool {
        let digits = text.prefix { $0.isASCII && $0.isWholeNumber }
        return digits.contains { $0 != "0" } && isValid("1" + text.dropFirst(digits.count))
    }

    static func check(_ range: ClosedRange<Int>, _ value: Int, _ name: String) throws {
        guard range.contains(value) else {
            throw ValidationError(
                "\(name) is \(value), but must be from \(range.lowerBound) to \(range.upperBound)")
        }
    }

    /// Checks that no path in an option is empty, as it is when a shell variable is not set.
    ///
    /// - Parameter paths: the options' names, and their values if given.
    static func checkPaths(_ paths: KeyValuePairs<String, String?>) throws {
        for (name, path) in paths where path == "" {
            throw ValidationError("\(name) is an empty path: name a file or folder, or leave the option out")
        }
    }

    /// Checks that no source's path is empty.
    ///
    /// - Parameter takesInput: whether `-` is a source too.
    static func checkSources(_ paths: [String], takesInput: Bool = true) throws {
        guard let index = paths.firstIndex(of: "") else { return }
        let which = paths.count == 1 ? "the source" : "source \(index + 1) of \(paths.count)"
        let remedy = takesInput ? "name a file or folder, or - for standard input" : "name a file or folder"
        throw ValidationError("\(which) is an empty path: \(remedy)")
    }
}

// Placeholders for option values, the same in every command.
extension ArgumentHelp {
    static func file(_ abstract: String) -> ArgumentHelp { ArgumentHelp(abstract, valueName: "FILE") }
    static func folder(_ abstract: String) -> ArgumentHelp { ArgumentHelp(abstract, valueName: "DIR") }
    static func number(_ abstract: String) -> ArgumentHelp { ArgumentHelp(abstract, valueName: "N") }
    static func size(_ abstract: String) -> ArgumentHelp { ArgumentHelp(abstract, valueName: "SIZE") }
    static func time(_ abstract: String) -> ArgumentHelp { ArgumentHelp(abstract, valueName: "TIME") }
    static func name(_ abstract: String) -> ArgumentHelp { ArgumentHelp(abstract, valueName: "NAME") }
}
