import SheafBytes

/// A text's forms for the plural categories, split where the count and the arguments are inserted.
///
/// The bytes of all forms are in one array, so that appending a form neither allocates nor counts references.
struct PluralTexts: Sendable {
    private enum Piece {
        case nothing, count, arguments
    }

    /// A form: up to two pieces, and the offsets at which the bytes before, between and after them end. The first of
    /// these bytes are at `start`, where the previous form ends.
    private struct Form {
        var pieces = (Piece.nothing, Piece.nothing)
        var ends = (0, 0, 0)
        var start = 0
    }

    private var bytes: [UInt8] = []
    /// One form for each category, in the order of the categories.
    private var forms: [Form] = []

    /// - Parameter texts: the forms, with `%u` for the count and `%@` for the arguments, each at most once in a form.
    init(_ texts: [PluralCategory: String]) {
        for category in PluralCategory.allCases {
            let usable = [category] + PluralCategory.fallbacks
            append(usable.lazy.compactMap { texts[$0] }.first ?? "")
        }
    }

    /// Parses the forms in a table's row: `one: %u min ago; other: %u mins ago`.
    static func forms(_ row: Substring) -> [PluralCategory: String] {
        var texts: [PluralCategory: String] = [:]
        for form in row.utf8.split(separator: UInt8(ascii: ";")) {
            let form = Substring(form.first == UInt8(ascii: " ") ? form.dropFirst() : form)
            guard let colon = form.firstIndex(of: ":"),
                let category = PluralCategory(rawValue: String(form[..<colon]))
            else { preconditionFailure("invalid form '\(form)'") }
            texts[category] = String(form[colon...].dropFirst(2))
        }
        return texts
    }

    private mutating func append(_ text: String) {
        var form = Form(start: bytes.count)
        var rest = text[...]
        func piece() -> Piece {
            guard let sign = rest.firstIndex(of: "%") else { return .nothing }
            let end = rest.index(sign, offsetBy: 2)
            defer { rest = rest[end...] }
            bytes.append(contentsOf: rest[..<sign].utf8)
            return rest[sign..<end] == "%u" ? .count : .arguments
        }
        form.pieces.0 = piece()
        form.ends.0 = bytes.count
        form.pieces.1 = piece()
        form.ends.1 = bytes.count
        bytes.append(contentsOf: rest.utf8)
        form.ends.2 = bytes.count
        forms.append(form)
    }

    /// Appends the form of a category.
    func append(
        _ category: PluralCategory, count: (inout [UInt8]) -> Void, arguments: (inout [UInt8]) -> Void,
        to output: inout [UInt8]
    ) {
        func append(_ piece: Piece, to output: inout [UInt8]) {
            switch piece {
            case .nothing: break
            case .count: count(&output)
            case .arguments: arguments(&output)
            }
        }
        let form = forms[category.index]
        if form.ends.0 > form.start { output.append(bytes.span.extracting(form.start..<form.ends.0)) }
        append(form.pieces.0, to: &output)
        if form.ends.1 > form.ends.0 { output.append(bytes.span.extracting(form.ends.0..<form.ends.1)) }
        append(form.pieces.1, to: &output)
        if form.ends.2 > form.ends.1 { output.append(bytes.span.extracting(form.ends.1..<form.ends.2)) }
    }
}

extension PluralCategory {
    /// The index among all cases.
    fileprivate var index: Int {
        switch self {
        case .zero: 0
        case .one: 1
        case .two: 2
        case .few: 3
        case .many: 4
        case .other: 5
        }
    }
}
