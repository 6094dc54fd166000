/// Receives bytes in order: a file, or a stage that writes into one.
package protocol ByteOutput: AnyObject {
    /// Writes all of `bytes`.
    func write(_ bytes: Span<UInt8>) throws(StorageError)
}
