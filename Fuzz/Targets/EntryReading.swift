import FuzzChecks

@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?) -> CInt {
    EntryReading.begin()
}

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // Safety: libFuzzer's pointer and count are passed on unchanged.
    unsafe EntryReading.checkInput(start, count)
}
