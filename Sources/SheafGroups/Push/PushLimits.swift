/// What Apple's service takes, in bytes (Apple, "Generating a remote notification" and "Sending notification requests to
/// APNs").
public enum PushLimits {
    /// The largest payload.
    public static let payloadBytes = 4096
    /// The largest payload of a push for VoIP.
    public static let voicePayloadBytes = 5120
    /// The longest collapse identifier.
    public static let collapseIdentifierBytes = 64
}
