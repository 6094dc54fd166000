import SheafFlow

var options = LiveOptions()
options.configuration = try Configuration(contentsOf: CommandLine.arguments[1])
let live = try LiveGroups(options)
let source = try live.addSource(named: "standard input")

while let line = readLine(strippingNewline: false) {
    for reject in try source.append(line) {
        print("line \(reject.line): \(reject.reason.name)")
    }
}
try source.finish()

for group in live.snapshot() {
    print("\(group.app), \(group.count)")
    for text in [group.display.title, group.display.body, group.display.summary] {
        if let text { print("  \(text)") }
    }
}
