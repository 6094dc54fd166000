extension CompiledString {
    /// The number of arguments that the text takes: the highest position of any conversion in any of its forms.
    ///
    /// O(length of the text and its forms).
    package var argumentCount: Int {
        let lists = [pieces] + variables.flatMap(\.forms)
        let used = lists.joined().map { piece in
            switch piece {
            case .number(let position, _), .argument(let position, _): position
            // A variable's argument is counted below.
            case .text, .variable: 0
            }
        }
        return max(used.max() ?? 0, variables.map(\.argument).max() ?? 0)
    }
}
