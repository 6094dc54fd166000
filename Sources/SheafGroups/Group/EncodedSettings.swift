import SheafBytes

/// The encoding of a change of settings (specification §16):
///
///     device | app | settings | order
///
/// Numbers, texts and orders are encoded as in `EncodedGroup`, the settings as `DeliverySettings.number`, which is not
/// 0. The device and the app may be absent.
package enum EncodedSettings {
    /// Appends a change whose texts are in `bytes`.
    package static func append(_ change: SettingsRecord, in bytes: Span<UInt8>, to output: inout OutputBuffer)
    {
        output.appendText(bytes[change.device])
        output.appendText(bytes[change.app])
        output.appendNumber(change.settings.number)
        output.append(change.order)
    }

    /// Decodes a change, whose texts remain in `bytes`; nil if the encoding is invalid.
    ///
    /// - Parameters:
    ///   - start: the offset of the encoding, which extends to the end of the bytes.
    ///   - sourceOffset: the number added to the source ordinal.
    package static func change(
        _ bytes: Span<UInt8>, from start: Int = 0, sourceOffset: Int = 0
    ) -> SettingsRecord? {
        var reader = ByteReader(bytes, from: start)
        var change = SettingsRecord()
        change.device = reader.text()
        change.app = reader.text()
        let settings = DeliverySettings(number: reader.number())
        change.order = reader.orderKey(sourceOffset: sourceOffset)
        guard let settings, !settings.isEmpty, reader.isValid, reader.isAtEnd else { return nil }
        change.settings = settings
        return change
    }
}
