/// Takes bytes in order: a file, or what is written into one.
public protocol ByteOutput: AnyObject {
    /// Writes all of `bytes`.
    func write(_ bytes: Span<UInt8>) throws(StorageError)
}
