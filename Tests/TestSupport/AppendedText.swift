import SheafBytes

/// Returns the bytes that `write` appends, as text.
package func text(_ write: (inout [UInt8]) -> Void) -> String {
    let start = Array("> ".utf8)
    var bytes = start
    write(&bytes)
    precondition(bytes.starts(with: start), "the bytes before those that are appended have changed")
    return String(decoding: bytes.dropFirst(start.count), as: UTF8.self)
}

/// Returns the bytes that `write` appends, as text.
package func text(_ write: (inout OutputBuffer) -> Void) -> String {
    var buffer = OutputBuffer()
    write(&buffer)
    return buffer.bytes.string
}
