/// Processes the lines of one parcel, or a part of it, at a time; its counts accumulate over all parcels.
protocol ParcelWorker: AnyObject, Sendable {
    /// Processes all lines of the parcel, or those before `Parcel.remainder`, which it sets.
    ///
    /// - Returns: the number of records processed, including rejected ones.
    func process(_ parcel: Parcel) -> UInt64
}
