import ArgumentParser
import SheafBytes
import SheafFlow
import SheafGroups
import SheafText

/// `sheaf inputs`: lists the shapes of log entries, and prints them as mapping files.
struct InputsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inputs",
        abstract: "List the shapes of log entries that can be read, or print one as a mapping file.")

    @Argument(help: ArgumentHelp("The shape to print.", valueName: "NAME"))
    var name: String?

    /// The values of `--input` that are not files.
    static let names = [LogInput.automatic.name, InputShape.native] + InputShape.all.map(\.name)

    func run() throws {
        guard let name else {
            Terminal.writeOutput(Self.list)
            return
        }
        guard let shape = InputShape.all.first(where: { $0.name == name }) else {
            throw ValidationError(Suggestion.message("input", name, known: InputShape.all.map(\.name)))
        }
        Terminal.writeOutput(String(decoding: shape.json, as: UTF8.self))
    }

    private static var list: String {
        let rows =
            [
                (LogInput.automatic.name, "each entry in the first of the following shapes that it fits"),
                (InputShape.native, "Sheaf's own records: a payload with its envelope"),
            ] + InputShape.all.map { ($0.name, $0.summary) }
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { name, summary in
            name + String(repeating: " ", count: width - name.count + 2) + summary + "\n"
        }.joined()
    }
}
