import SheafBytes
import SheafText
import TestSupport
import Testing

@testable import SheafGroups

/// Settings of apps and categories, looked up by their names' bytes.
@Suite struct PresentationTests {
    struct Previews: NamedCase {
        let name: String
        let global: PreviewVisibility?
        let app: PreviewVisibility?
        let hiddenUnlocked: Bool
        let hiddenLocked: Bool
    }

    @Test(arguments: [
        Previews(name: "default", global: nil, app: nil, hiddenUnlocked: false, hiddenLocked: false),
        Previews(name: "always", global: .always, app: nil, hiddenUnlocked: false, hiddenLocked: false),
        Previews(
            name: "when authenticated", global: .whenAuthenticated, app: nil, hiddenUnlocked: false,
            hiddenLocked: true),
        Previews(name: "never", global: .never, app: nil, hiddenUnlocked: true, hiddenLocked: true),
        Previews(
            name: "the app's always", global: .never, app: .always, hiddenUnlocked: false, hiddenLocked: false
        ),
        Previews(
            name: "the app's never", global: .always, app: .never, hiddenUnlocked: true, hiddenLocked: true),
        Previews(
            name: "the app's when authenticated", global: .never, app: .whenAuthenticated,
            hiddenUnlocked: false, hiddenLocked: true),
    ])
    func previewsAreHidden(_ item: Previews) {
        var settings = Settings()
        if let global = item.global { settings.showPreviews = global }
        var app = AppSettings()
        app.showPreviews = item.app
        settings.apps["known"] = app
        let name = Array("known".utf8)
        let unknown = Array("unknown".utf8)
        for (locked, hidden) in [(false, item.hiddenUnlocked), (true, item.hiddenLocked)] {
            let presentation = Presentation(settings, locked: locked)
            #expect(presentation.app(name.span).hidesPreviews == hidden)
            let globally = item.global == .never || item.global == .whenAuthenticated && locked
            #expect(presentation.app(unknown.span).hidesPreviews == globally)
        }
    }

    @Test func categoriesBelongToTheirApps() throws {
        var settings = Settings()
        for name in ["a", "b"] {
            var category = CategorySettings()
            category.summaryFormat = try MessageFormat("%u of \(name)", role: .summary)
            category.options =
                name == "a" ? [.hiddenPreviewsShowTitle] : [.hiddenPreviewsShowSubtitle, .allowInCarPlay]
            var app = AppSettings()
            app.categories["c"] = category
            settings.apps[name] = app
        }
        let presentation = Presentation(settings, locked: false)
        func category(_ app: String, _ name: String) -> Presentation.Category {
            let app = Array(app.utf8)
            let name = Array(name.utf8)
            return presentation.category(name.span, of: presentation.app(app.span))
        }
        #expect(category("a", "c").format != category("b", "c").format)
        #expect(category("a", "c").showsHiddenTitle && !category("a", "c").showsHiddenSubtitle)
        #expect(!category("b", "c").showsHiddenTitle && category("b", "c").showsHiddenSubtitle)
        for (app, name) in [("a", "d"), ("a", ""), ("", "c"), ("ab", "c"), ("", "")] {
            #expect(category(app, name) == .unknown)
        }
    }

    @Test func emptyNamesAreUnknown() throws {
        var category = CategorySettings()
        category.summaryFormat = try MessageFormat("%u", role: .summary)
        var app = AppSettings()
        app.categories = ["": category, "c": category]
        var settings = Settings()
        settings.apps = ["": app, "a": app]
        let presentation = Presentation(settings, locked: false)
        let name = Array("a".utf8)
        let knownName = Array("c".utf8)
        let none: [UInt8] = []
        let known = presentation.category(knownName.span, of: presentation.app(name.span))
        #expect(known.format == 1)
        #expect(presentation.category(none.span, of: presentation.app(name.span)) == .unknown)
        #expect(presentation.app(none.span).isUnknown)
    }
}
