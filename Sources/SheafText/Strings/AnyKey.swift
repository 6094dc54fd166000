/// A coding key for objects whose keys are not known in advance.
package struct AnyKey: CodingKey {
    package let stringValue: String
    package var intValue: Int? { nil }

    package init(stringValue: String) { self.stringValue = stringValue }
    package init?(intValue: Int) { nil }
}

/// An object's values by key, decoded in byte order of the keys, so that of several errors the same one is reported
/// each time.
struct KeyOrdered<Value: Decodable>: Decodable {
    let values: [String: Value]

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: AnyKey.self)
        var values: [String: Value] = [:]
        let keys = container.allKeys.sorted {
            $0.stringValue.utf8.lexicographicallyPrecedes($1.stringValue.utf8)
        }
        for key in keys { values[key.stringValue] = try container.decode(Value.self, forKey: key) }
        self.values = values
    }
}
