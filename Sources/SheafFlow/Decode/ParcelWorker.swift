/// Processes the lines of one parcel at a time; its counts accumulate over all parcels.
protocol ParcelWorker: AnyObject, Sendable {
    /// - Returns: the number of records in the parcel, including rejected ones.
    func process(_ parcel: Parcel) -> UInt64
}
