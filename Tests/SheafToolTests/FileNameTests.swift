import Foundation
import Testing

@testable import SheafTool

/// File names that are not UTF-8 work wherever the command accepts or finds one.
@Suite struct FileNameTests {
    /// Runs a shell command in a folder with the log `logs/caf\xe9.ndjson`, and removes all files afterwards.
    private func result(of line: String) throws -> Command.Result {
        var result: Command.Result?
        try withFolder { command in
            try command.write(oneNotification + "garbage\n", to: "a.ndjson")
            let before = #"mkdir logs && mv a.ndjson logs/$'caf\xe9.ndjson' && "#
            // Foundation, which removes the test's folder, cannot handle such names.
            result = try command.shell(
                before + "{ " + line + "; }; status=$?; rm -rf ./* ./.[!.]*; exit $status")
        }
        return try #require(result)
    }

    struct Line: CustomTestStringConvertible {
        let name: String
        let line: String
        let status: Int32
        let output: String
        let errors: String
        var testDescription: String { name }

        init(_ name: String, _ line: String, _ status: Int32, output: String = "", errors: String = "") {
            self.name = name
            self.line = line
            self.status = status
            self.output = output
            self.errors = errors
        }
    }

    static let lines = [
        Line(
            "an argument", #"$SHEAF replay -q logs/$'caf\xe9.ndjson' --max-rejects 1"#, 0,
            output: #""source":"logs/caf\\xe9.ndjson","line":1}"#),
        Line(
            "in a folder", "$SHEAF replay -q logs --max-rejects 1", 0,
            output: #""source":"logs/caf\\xe9.ndjson","line":1}"#),
        Line(
            "a link", #"ln -s $'caf\xe9.ndjson' logs/$'z\xff' && $SHEAF replay -q logs --max-rejects 2"#, 0,
            output: #""source":"logs/z\\xff","line":1}"#),
        Line(
            "a dangling link", #"ln -s none logs/$'z\xff' && $SHEAF replay -q logs"#, 66,
            errors: #"sheaf: logs/z\xff: broken symbolic link"#),
        Line(
            "a folder", #"mv logs $'l\xe9' && $SHEAF replay -q $'l\xe9' --max-rejects 1"#, 0,
            output: #""source":"l\\xe9/caf\\xe9.ndjson","line":1}"#),
        Line(
            "in byte order",
            #"cp logs/caf* logs/$'\xf0\x9f\x98\x80'; cp logs/caf* logs/$'\xe9'; $SHEAF replay -q logs --rejects - -o ok"#,
            65,
            output: #"""
                {"source":"logs/caf\\xe9.ndjson","line":2,"reason":"json.invalid","text":"garbage"}
                {"source":"logs/\\xe9","line":2,"reason":"json.invalid","text":"garbage"}
                {"source":"logs/😀","line":2,"reason":"json.invalid","text":"garbage"}
                """#),
        Line(
            "rejects", "$SHEAF replay -q logs --rejects - -o ok", 65,
            output: #"{"source":"logs/caf\\xe9.ndjson","line":2,"reason":"json.invalid","text":"garbage"}"#),
        Line(
            "statistics",
            "head -c 30 /dev/urandom | gzip | head -c 20 > logs/$'\\xe9'; $SHEAF replay -q logs --stats - -o ok",
            65,
            output: #"[{"source":"logs/\\xe9","reason":"#),
        Line(
            "in messages", "$SHEAF replay -q logs -o ok", 65,
            errors: #"the first at logs/caf\xe9.ndjson:2; use --rejects FILE to keep them"#),
        Line("in a check", "$SHEAF check -q logs", 65, output: #"logs/caf\xe9.ndjson:2"#),
        Line(
            "a missing file", #"$SHEAF replay $'no\xe9'"#, 66,
            errors: #"sheaf: no\xe9: no such file or directory"#),
        Line(
            "outputs",
            #"$SHEAF replay -q logs -o $'o\xe9' --rejects $'r\xe9' --stats $'s\xe9' --max-rejects 1 && ls -A | LC_ALL=C sort | od -An -c"#,
            0, output: #"l   o   g   s  \n   o 351  \n   r 351  \n   s 351  \n"#),
        Line(
            "an output replaced through a link",
            #"touch $'t\xe9' && ln -s $'t\xe9' o && $SHEAF replay -q logs -o o --max-rejects 1 && cat $'t\xe9'"#,
            0, output: #""source":"logs/caf\\xe9.ndjson","line":1}"#),
        Line(
            "an output that is a source", #"$SHEAF replay logs/caf* -o logs/$'caf\xe9.ndjson'"#, 64,
            errors: #"'logs/caf\xe9.ndjson' is a source: the snapshot would replace it"#),
        Line(
            "a spill folder",
            #"mkdir $'s\xe9' && SHEAF_SPILL=always $SHEAF replay -q logs --max-rejects 1 --spill-dir $'s\xe9' && ls -A $'s\xe9' | wc -l"#,
            0, output: "0\n"),
        Line(
            "the system's temporary folder",
            #"mkdir $'s\xe9' && TMPDIR=$PWD/$'s\xe9' SHEAF_SPILL=always $SHEAF replay -q logs --max-rejects 1"#,
            0,
            output: #""source":"logs/caf\\xe9.ndjson","line":1}"#),
        Line(
            "a checkpoint", #"$SHEAF replay -q logs --max-rejects 1 --checkpoint $'c\xe9'"#, 0,
            output: #""source":"logs/caf\\xe9.ndjson","line":1}"#),
        Line(
            "a partial result",
            #"$SHEAF replay -q logs --partial $'p\xe9' --max-rejects 1 && $SHEAF merge -q $'p\xe9' --max-rejects 1"#,
            0,
            output: #""source":"logs/caf\\xe9.ndjson","line":1}"#),
        Line(
            "a configuration",
            #"""
            mkdir -p $'c\xe9'/s/en.lproj && printf '"K" = "%%u";' > $'c\xe9'/s/en.lproj/Localizable.strings && \
            printf '{"apps":{"a":{"strings":"s"}}}' > $'c\xe9'/sheaf.json && \
            $SHEAF replay -q logs --max-rejects 1 --config $'c\xe9'/sheaf.json
            """#, 0, output: #""source":"logs/caf\\xe9.ndjson","line":1}"#),
        Line(
            "an invalid configuration",
            #"printf '{]' > $'c\xe9' && $SHEAF replay -q logs --config $'c\xe9'"#, 78,
            errors: #"sheaf: c\xe9:1: not valid JSON at column 2"#),
        Line(
            "generated files",
            #"$SHEAF generate -q --records 2 --seed 1 --files 2 -o $'g\xe9.nd' && ls -A | LC_ALL=C sort | od -An -c"#,
            0,
            output: #"g 351   -   1   .   n   d  \n"#),
        Line(
            "a locale", #"$SHEAF replay logs --locale $'d\xe9'"#, 64, errors: #"d\xe9"#),
    ]

    @Test(arguments: lines) func workEverywhere(_ line: Line) throws {
        let result = try result(of: line.line)
        #expect(result.status == line.status, "\(result.errors)")
        #expect(line.output.isEmpty || result.output.contains(line.output), "\(result.output)")
        #expect(line.errors.isEmpty || result.errors.contains(line.errors), "\(result.errors)")
    }
}
