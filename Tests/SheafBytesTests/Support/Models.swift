import FuzzChecks

// The models that fuzzing compares with as well, under the names that tests know them by.
typealias Drained = FuzzChecks.Drained
typealias FoundationVerdict = FuzzChecks.FoundationVerdict
typealias Framing = FuzzChecks.Framing
typealias JSONTokens = FuzzChecks.JSONTokens
typealias LineModel = FuzzChecks.LineModel
typealias SeenLine = FuzzChecks.SeenLine
