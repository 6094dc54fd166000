import SheafText

/// An error in a configuration or one of its string tables.
public typealias ConfigurationError = LocatedError
