import Testing

/// The tags of suites and tests, by which `.ci/tests` selects them. An untagged test takes less than a second.
extension Tag {
    /// Takes longer: runs the command many times, or compares many runs with each other or with the model. `make test-all`
    /// runs it, `make test` does not.
    @Tag package static var extended: Self
    /// Inflates, or holds state and compares results: also runs with all state spilled and with zlib.
    @Tag package static var spilling: Self
}
