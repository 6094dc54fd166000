/// The compression of an output file, which its name decides.
package enum OutputCompression: String, CaseIterable, Sendable {
    case gzip = ".gz"
    case zstd = ".zst"

    /// The compression for a file's name; nil for none.
    package init?(path: String) {
        guard let compression = Self.allCases.first(where: { path.hasSuffix($0.suffix) }) else { return nil }
        self = compression
    }

    /// The end of the names of files with this compression.
    package var suffix: String { rawValue }

    /// Returns a name without the suffix of a compression.
    package static func removingSuffix(_ name: String) -> Substring {
        name.dropLast(OutputCompression(path: name)?.suffix.count ?? 0)
    }

    func compressor() -> any OutputCompressor {
        switch self {
        case .gzip: GzipCompressor()
        case .zstd: ZstdCompressor()
        }
    }
}

/// Compresses the bytes of one output file, piece by piece.
protocol OutputCompressor: AnyObject {
    /// Compresses `bytes` and writes the output to `file`.
    func write(_ bytes: Span<UInt8>, to file: any WritableFile) throws(StorageError)

    /// Ends the compressed data. Nothing may be written afterwards.
    func finish(to file: any WritableFile) throws(StorageError)
}
