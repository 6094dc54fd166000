import SheafBytes
import SheafText
import TestSupport

@testable import SheafGroups

/// A presentation of the app "app", whose categories have formats and placeholders.
struct TestPresentation {
    let presentation: Presentation

    /// - Parameters:
    ///   - formats: summary formats by category.
    ///   - placeholders: placeholders by category.
    init(formats: [String: String] = [:], placeholders: [String: String] = [:]) throws {
        var app = AppSettings()
        for name in Set(formats.keys).union(placeholders.keys) {
            var category = CategorySettings()
            category.summaryFormat = try formats[name].map { try MessageFormat($0, role: .summary) }
            category.placeholder = try placeholders[name].map { try MessageFormat($0, role: .placeholder) }
            app.categories[name] = category
        }
        var settings = Settings()
        settings.apps["app"] = app
        presentation = Presentation(settings, locked: false)
    }

    func category(_ name: String, of app: String = "app") -> Presentation.Category {
        let app = Array(app.utf8)
        let name = Array(name.utf8)
        return presentation.category(name.span, of: presentation.app(app.span))
    }

    /// Returns the summary of the notifications, oldest first.
    func summary(_ rest: [Rest]) -> String {
        var shares = ShareList()
        var arguments: [String] = []
        for (index, notification) in rest.enumerated() {
            shares.add(
                Share(
                    format: category(notification.category).format, number: notification.weight,
                    withoutArgument: notification.argument == nil ? 1 : 0,
                    newest: OrderKey(timestamp: Int64(index), source: 0, line: 1)))
        }
        for argument in rest.reversed().compactMap(\.argument) where !arguments.contains(argument) {
            arguments.append(argument)
        }
        return text {
            presentation.formats.appendSummary(
                of: shares.shares, argumentCount: arguments.count,
                argument: { $1 += Array(arguments[$0].utf8) }, to: &$0)
        }
    }

    /// Returns the body shown for the notifications, oldest first, while previews are hidden.
    func hiddenBody(_ all: [Rest]) -> String {
        var shares = ShareList()
        for (index, notification) in all.enumerated() {
            shares.add(
                Share(
                    format: category(notification.category).placeholder, number: 1,
                    withoutArgument: 0, newest: OrderKey(timestamp: Int64(index), source: 0, line: 1)))
        }
        var output: [UInt8] = []
        presentation.formats.appendHiddenBody(of: shares.shares, to: &output)
        return String(decoding: output, as: UTF8.self)
    }
}

/// The parts of a notification that its summary depends on.
struct Rest: Sendable {
    var category = ""
    var weight: UInt64 = 1
    var argument: String?

    init(_ category: String = "", weight: UInt64 = 1, argument: String? = nil) {
        self.category = category
        self.weight = weight
        self.argument = argument
    }
}
