import FuzzChecks

@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?) -> CInt {
    KeyPartitioning.begin()
}

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // Safety: libFuzzer's pointer and count are passed on unchanged.
    unsafe KeyPartitioning.checkInput(start, count)
}
