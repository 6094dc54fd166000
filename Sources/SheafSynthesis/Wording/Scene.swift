/// The subject of a record, drawn once so that its title, its body and its data agree.
struct Scene: Sendable {
    let app: AppProfile
    let words: PhraseBook.Language
    /// An index for `PhraseBook.Names`: the name of a person or a work, which is also the summary argument.
    let name: Int
    /// Indices into the language's places and items; the two places differ.
    let place, rival, item: Int
    /// The number of a conversation, an order or a match: below 2^32, and the same as in the record's thread
    /// identifier, if any.
    let number: Int

    init(
        of app: AppProfile, in words: PhraseBook.Language, name: Int, number: Int,
        using random: inout RandomStream
    ) {
        self.words = words
        self.name = name
        self.number = number
        self.app = app
        place = random.below(words.places.count)
        rival = (place + 1 + random.below(words.places.count - 1)) % words.places.count
        item = random.below(words.items.count)
    }
}
