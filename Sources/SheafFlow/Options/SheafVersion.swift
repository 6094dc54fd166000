/// The version of this package, which the command and the reports for other programs name.
package enum SheafVersion {
    package static let current = "0.1.0"
}
