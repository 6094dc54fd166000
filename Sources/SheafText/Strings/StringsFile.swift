/// `Localizable.strings`: a property list of keys and texts, usually in the old text style.
enum StringsFile {
    static func read(_ contents: [UInt8]) throws(ContentError) -> [String: StringEntry] {
        var entries: [String: StringEntry] = [:]
        // In byte order, so that of several errors the same one is reported each time.
        for (key, value) in try PropertyList.read(contents).sorted(by: { $0.key < $1.key }) {
            guard let text = value.text else { throw ContentError(keys: [key], message: "expected a string") }
            entries[key] = StringEntry(.text(text))
        }
        return entries
    }
}
