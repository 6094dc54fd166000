/// The limits of Apple's service, in bytes (Apple, "Generating a remote notification" and "Sending notification
/// requests to APNs").
package enum PushLimits {
    /// The largest payload.
    package static let payloadBytes = 4096
    /// The largest payload of a VoIP push.
    package static let voicePayloadBytes = 5120
    /// The longest collapse identifier.
    package static let collapseIdentifierBytes = 64
    /// The longest app, device, thread identifier, category, collapse identifier or summary argument of a record
    /// (specification §2): as long as the largest payload of an alert, so that no push can carry a longer one.
    package static let fieldBytes = 4096
}
