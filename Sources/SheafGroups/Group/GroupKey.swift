import SheafBytes

/// The key of an encoded group, without validating the rest of the state.
package struct GroupKey {
    package let device: TextRange
    package let app: TextRange
    package let thread: TextRange
    /// The order key of the leading notification if the group is alone: others have the same device, app and thread.
    package let order: OrderKey?

    /// - Parameter bytes: an encoding that is valid.
    package init(_ bytes: Span<UInt8>) {
        var reader = ByteReader(bytes)
        let flags = reader.number()
        device = reader.text()
        app = reader.text()
        thread = reader.text()
        order = flags & EncodedGroup.aloneFlag != 0 ? reader.orderKey(sourceOffset: 0) : nil
    }
}
