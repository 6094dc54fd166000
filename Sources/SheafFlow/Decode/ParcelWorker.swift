/// Processes the lines of one parcel at a time; its counts accumulate over all parcels.
protocol ParcelWorker: AnyObject, Sendable {
    func process(_ parcel: Parcel)
}
