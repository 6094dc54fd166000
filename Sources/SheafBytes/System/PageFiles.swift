import CPage

/// The files of the web page, which the binary contains.
package enum PageFiles {
    package static var html: [UInt8] { unsafe copy(page_html()) }
    package static var style: [UInt8] { unsafe copy(page_style()) }
    package static var script: [UInt8] { unsafe copy(page_script()) }

    private static func copy(_ file: page_file) -> [UInt8] {
        // Safety: the constants of the C target are `count` bytes long, and exist as long as the process.
        unsafe [UInt8](UnsafeBufferPointer(start: file.bytes, count: file.count))
    }
}
