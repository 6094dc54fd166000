import FuzzChecks

// Short names for the models that the tests share with the fuzzers.
typealias Drained = FuzzChecks.Drained
typealias FoundationVerdict = FuzzChecks.FoundationVerdict
typealias Framing = FuzzChecks.Framing
typealias JSONTokens = FuzzChecks.JSONTokens
typealias LineModel = FuzzChecks.LineModel
typealias SeenLine = FuzzChecks.SeenLine
