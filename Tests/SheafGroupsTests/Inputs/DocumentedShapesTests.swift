import TestSupport
import Testing

@testable import SheafGroups

/// The page on inputs lists the shapes.
@Suite struct DocumentedShapesTests {
    private static let page = "Documentation/reference/inputs.md"

    @Test func thePageHasEveryShapeInOrder() throws {
        let names = try DocumentedTable.names("| `--input` | entries |", of: Self.page)
        #expect(names == [LogInput.automatic.name, InputShape.native] + InputShape.names)
        #expect(try DocumentedTable.names("| shape | records |", of: Self.page) == InputShape.names)
    }
}
