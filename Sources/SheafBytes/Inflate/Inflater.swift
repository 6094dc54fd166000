/// The decoder that inflates gzip data. The results are the same with either.
public enum Inflater: String, CaseIterable, Sendable {
    /// Sheaf's own decoder.
    case sheaf
    /// The system's zlib.
    case zlib

    /// Sheaf's own decoder, unless `SHEAF_INFLATER=zlib` is in the environment, so that all tests can run with zlib.
    public static let standard = ProcessEnvironment.value("SHEAF_INFLATER").flatMap(Inflater.init) ?? .sheaf
}
