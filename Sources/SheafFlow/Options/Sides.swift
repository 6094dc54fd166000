/// A value of each of the two designs that are compared.
public struct Sides<Value> {
    /// The design in use.
    public var now: Value
    /// The other design.
    public var new: Value

    public init(now: Value, new: Value) { (self.now, self.new) = (now, new) }

    /// The value of the design in use, or of the other one.
    package subscript(isNow isNow: Bool) -> Value {
        get { isNow ? now : new }
        _modify { if isNow { yield &now } else { yield &new } }
    }

    /// Returns both values transformed.
    package func map<Result>(_ transform: (Value) throws -> Result) rethrows -> Sides<Result> {
        Sides<Result>(now: try transform(now), new: try transform(new))
    }
}

extension Sides: Sendable where Value: Sendable {}
extension Sides: Equatable where Value: Equatable {}
