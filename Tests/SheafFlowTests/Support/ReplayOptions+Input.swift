@testable import SheafFlow

extension ReplayOptions {
    /// Reads entries as if by the input with an identity, which need not exist.
    mutating func use(_ identity: InputIdentity) {
        input.name = identity.name
        input.digest = identity.digest
        defaultApp = identity.app
        since = identity.filter.since
        until = identity.filter.until
        delivery = identity.tracksDelivery
    }
}
