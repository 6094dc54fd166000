/// What one record is about: drawn once, so that its title, its body and its data agree.
struct Scene: Sendable {
    let app: AppProfile
    let words: PhraseBook.Language
    /// The name, of a person or a work, that is also the summary argument: an index for `PhraseBook.Names`.
    let name: Int
    /// Indices into the language's lists; the two places differ.
    let place, rival, item: Int
    /// Of a conversation, an order, a match: below 2^32, and the same as in the thread identifier where there
    /// is one.
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
