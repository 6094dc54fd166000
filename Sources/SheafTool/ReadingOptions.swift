import ArgumentParser
import SheafBytes
import SheafFlow
import SheafGroups
import SheafText

/// Options that select records, shared by replays and checks.
struct SelectionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Read only the records of this app; may be given several times.", valueName: "ID"))
    var onlyApp: [String] = []

    @Option(
        help: ArgumentHelp(
            "Read only the records for this device; may be given several times.", valueName: "ID"))
    var onlyDevice: [String] = []

    /// Checks that no name is empty, as it is when a shell variable is not set. No record has such a name.
    func validate() throws {
        for (option, names) in [("--only-app", onlyApp), ("--only-device", onlyDevice)]
        where names.contains("") {
            throw ValidationError("\(option) is empty: name one, or leave it out")
        }
    }

    func apply(to options: inout some LogOptions) {
        options.onlyApps = onlyApp
        options.onlyDevices = onlyDevice
    }
}

/// Options for reading sources, shared by replays, checks and the detection of shapes.
struct ReadingOptions: ParsableArguments {
    @Option(
        help: .name(
            """
            How entries are read: auto, one of the shapes that 'sheaf inputs' lists, or a mapping file. Several are separated by \
            commas, or given one by one: each entry is read by the first that it fits.
            """),
        completion: .shellCommand(
            "printf '%s\\n' \(InputsCommand.names.joined(separator: " ")); ls -1 | grep '[.]json$'"))
    var input: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            Read the entry at POINTER in each line, such as /request. May be given several times: the first that leads to \
            an entry counts.
            """, valueName: "POINTER"))
    var unwrap: [String] = []

    @Option(
        parsing: .unconditional,
        help: .size("The longest line, in bytes or with KiB, MiB or GiB; longer lines are rejected."),
        transform: ByteSize.parse)
    var maxLine = ByteSize(Limits.lineBytes)

    @Option(
        help: ArgumentHelp(
            "The decoder of gzip data: sheaf, or zlib, which is slower. It does not affect the result.",
            valueName: "NAME"))
    var inflater = Inflater.standard

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The size of the chunks that logs are read in. It does not affect the result.", valueName: "SIZE",
            visibility: .hidden),
        transform: ByteSize.parse)
    var chunkSize = ByteSize(Limits.chunkBytes)

    func validate() throws {
        try Self.check(inputs: input, "--input")
        _ = try unwrapping(.automatic)
    }

    /// Checks that the values of an option are names of shapes, or may be those of mapping files.
    static func check(inputs: [String], _ option: String) throws {
        for name in names(of: inputs) {
            if name.isEmpty {
                throw ValidationError("\(option) \(inputs.joined(separator: " ")) has an empty name")
            }
            try Failure.validating { try Limits.check(path: name, "\(option)") }
            if LogInput(named: name) == nil, !isFile(name) {
                throw ValidationError(
                    Suggestion.message("input", name, known: InputsCommand.names)
                        + " (the name of a mapping file has a dot or a slash)")
            }
        }
    }

    /// The names of inputs in the values of an option, which commas separate. A file's name may have one.
    private static func names(of values: [String]) -> [String] {
        values.flatMap { value in
            value.contains(",") && (try? SystemStorage().status(of: value)) == nil
                ? value.split(separator: ",", omittingEmptySubsequences: false).map(String.init) : [value]
        }
    }

    /// Sets the options that follow from the arguments alone: all but `input`.
    func apply(to options: inout some LogOptions) {
        options.maximumLine = maxLine.bytes
        options.chunkBytes = chunkSize.bytes
        options.inflater = inflater
    }

    /// Reads the mapping files among the inputs.
    func logInput() throws -> LogInput { try logInput(input, "--input") }

    /// Reads the mapping files among the values of an option, and returns the inputs as one; all shapes if there are none.
    func logInput(_ values: [String], _ option: String) throws -> LogInput {
        let inputs = try Self.names(of: values).map { try LogInput(named: $0) ?? LogInput(contentsOf: $0) }
        guard !inputs.isEmpty else { return try unwrapping(.automatic) }
        let input: LogInput
        do throws(LocatedError) {
            input = try LogInput(firstOf: inputs)
        } catch {
            throw ValidationError("\(option) \(error.file): \(error.message)")
        }
        return try unwrapping(input)
    }

    private func unwrapping(_ log: LogInput) throws -> LogInput {
        do throws(PointerError) {
            return try log.unwrapping(unwrap)
        } catch {
            throw ValidationError("--unwrap: \(error.message)")
        }
    }

    /// Whether a name is meant as a file's: a misspelled name of a shape should not be reported as a missing file.
    private static func isFile(_ name: String) -> Bool { name.contains("/") || name.contains(".") }
}

/// The app of records without one.
struct DefaultAppOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The app of records that name none.", valueName: "ID"))
    var app: String?
}

extension Inflater: ExpressibleByArgument {}
