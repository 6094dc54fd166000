/// The purpose of an app, which determines the texts of its notifications.
enum AppKind: Int, CaseIterable, Sendable {
    case messages, mail, social, news, podcasts, sports, photos, delivery, shopping, calendar, banking, travel

    /// What the summary arguments of an app name.
    enum Argument: Sendable {
        case person, work, none
    }

    /// The properties that all apps of a kind share. Texts are not yet encoded.
    struct Traits: Sendable {
        /// The last parts of bundle identifiers, one for each variant of an app.
        var products: [String]
        /// The prefix of thread identifiers.
        var threadPrefix: String
        /// The names of categories; an app uses the first one to four of them.
        var categories: [String]
        var argument: Argument
        /// The prefix of collapse identifiers.
        var collapsePrefix: String
        /// The number of notifications in 1,000 that have a collapse identifier.
        var collapsePerMille: Int
        /// Whether background pushes may be calls, sent to the topic with the suffix `.voip`.
        var takesCalls: Bool = false
        var sound: String
        /// The members of an alert that is localized on the device, a template of JSON members.
        var localized: String
        /// The app's own data next to `aps`: templates of JSON members. None of their names is a field of an envelope,
        /// because in bare form they are at the top level.
        var data: [String]
    }
}

extension AppKind {
    var traits: Traits {
        switch self {
        case .messages:
            Traits(
                products: ["messages", "chatter", "parley", "hallway"], threadPrefix: "chat-",
                categories: ["message", "group-message", "reaction", "PHOTO_MESSAGE"],
                argument: .person, collapsePrefix: "edit-", collapsePerMille: 30, takesCalls: true,
                sound: "ding.caf",
                localized: """
                    "title-loc-key":"MESSAGE_TITLE","title-loc-args":["<person>"],
                    "loc-key":"MESSAGE_PHOTOS_IN_GROUP","loc-args":["<person>","<count>"]
                    """,
                data: [
                    """
                    "conversation":{"number":<number>,"members":[1,4],"muted":<flag>,"draft":null},
                    "link":"https://<host>/c/<number>"
                    """,
                    """
                    "message":{"uid":"<hex>","kind":"text","attachments":[],"reply-to":null,
                    "encrypted":<flag>},"sender":{"verified":true,"name":"<person>"}
                    """,
                    """
                    "message":{"uid":"<number>","kind":"image",
                    "attachments":[{"url":"https://<host>/media/<number>.jpg","width":1280,"height":960}],
                    "reply-to":null}
                    """,
                ])
        case .mail:
            Traits(
                products: ["mail", "postbox", "letters", "courierpost"], threadPrefix: "mailbox/",
                categories: ["MAIL_RECEIVED", "MAIL_VIP", "MAIL_THREAD"],
                argument: .person, collapsePrefix: "unread-", collapsePerMille: 40, sound: "default",
                localized: """
                    "title-loc-key":"MAIL_FROM","title-loc-args":["<person>"],"loc-key":"MAIL_ATTACHMENTS",
                    "loc-args":["<count>"]
                    """,
                data: [
                    """
                    "mailbox":"inbox","message-id":"<number>@<host>","flags":["unseen","important"],
                    "bytes":18204,"attachments":[{"type":"application/pdf","bytes":196608}]
                    """,
                    """
                    "mailbox":"inbox","message-id":"<number>@<host>","flags":[],"bytes":20416,
                    "attachments":null,"account":{"number":1,"address":"me@<host>","sync":<flag>}
                    """,
                ])
        case .social:
            Traits(
                products: ["social", "plaza", "commons", "roundabout"], threadPrefix: "post:",
                categories: ["like", "comment", "follow", "mention"],
                argument: .person, collapsePrefix: "likes-", collapsePerMille: 60, takesCalls: true,
                sound: "pop.caf",
                localized: """
                    "title-loc-key":"SOCIAL_TITLE","loc-key":"SOCIAL_LIKES","loc-args":["<person>",
                    "<count>"]
                    """,
                data: [
                    """
                    "post":{"number":<number>,"author":"<other>","likes":<count>,"shared":<flag>},
                    "link":"https://<host>/p/<number>?ref=push"
                    """,
                    """
                    "actor":{"number":<number>,"name":"<person>",
                    "avatar":"https://<host>/avatars/<number>.png"},"experiment":null,
                    "rank":[0.5,<fraction>]
                    """,
                ])
        case .news:
            Traits(
                products: ["news", "gazette", "frontpage", "morningedition"], threadPrefix: "section.",
                categories: ["story", "breaking", "live"],
                argument: .person, collapsePrefix: "story-", collapsePerMille: 80, sound: "default",
                localized: """
                    "title-loc-key":"NEWS_SECTION","title-loc-args":["<place>"],"loc-key":"NEWS_STORIES",
                    "loc-args":["<count>"]
                    """,
                data: [
                    """
                    "article":{"number":<number>,"section":"local","paid":<flag>,"words":640,
                    "image":"https://<host>/img/<number>.jpg"},"link":"https://<host>/articles/<number>"
                    """,
                    """
                    "article":{"number":<number>,"section":"weekend","tags":["sea","towns","people"],
                    "video":null},"link":"https://<host>/articles/<number>"
                    """,
                ])
        case .podcasts:
            Traits(
                products: ["podcasts", "earshot", "listenin", "airwave"], threadPrefix: "show-",
                categories: ["new-episode", "download-ready"],
                argument: .work, collapsePrefix: "show-", collapsePerMille: 40, sound: "chime.caf",
                localized: """
                    "title-loc-key":"SHOW_TITLE","title-loc-args":["<work>"],"loc-key":"SHOW_NEW_EPISODES",
                    "loc-args":["<count>","<work>"]
                    """,
                data: [
                    """
                    "episode":{"number":<number>,"seconds":<count>12,"explicit":<flag>,
                    "chapters":[0,95,1340]},"artwork":"https://<host>/art/<number>/600x600.jpg"
                    """,
                    """
                    "episode":{"number":<number>,"season":<digit>,"audio":"https://<host>/e/<number>.m4a",
                    "transcript":null},"autoplay":<flag>
                    """,
                ])
        case .sports:
            Traits(
                products: ["sports", "matchday", "scoreline", "touchline"], threadPrefix: "match-",
                categories: ["score", "lineup", "final-score"],
                argument: .none, collapsePrefix: "score-", collapsePerMille: 350, sound: "whistle.caf",
                localized: """
                    "title-loc-key":"MATCH_TITLE","title-loc-args":["<place>","<rival>"],
                    "loc-key":"MATCH_SCORE","loc-args":["<digit>","<digit>"]
                    """,
                data: [
                    """
                    "match":{"number":<number>,"home":"<place>","away":"<rival>","minute":<count>,
                    "score":[<digit>,<digit>],"live":<flag>}
                    """,
                    """
                    "match":{"number":<number>,"league":{"level":<digit>,"country":null},"odds":null},
                    "link":"https://<host>/matches/<number>"
                    """,
                ])
        case .photos:
            Traits(
                products: ["photos", "darkroom", "shoebox", "contactsheet"], threadPrefix: "album/",
                categories: ["album", "memory", "photo-comment"],
                argument: .person, collapsePrefix: "album-", collapsePerMille: 60, sound: "default",
                localized: """
                    "title-loc-key":"ALBUM_TITLE","title-loc-args":["<person>"],
                    "loc-key":"ALBUM_PHOTOS_ADDED","loc-args":["<person>","<count>","<place>"]
                    """,
                data: [
                    """
                    "album":{"number":<number>,"title":"<place>","photos":<count>,"shared":<flag>},
                    "thumbnails":["https://<host>/t/<number>-2.jpg","https://<host>/t/<number>.jpg"]
                    """,
                    """
                    "asset":{"uid":"<hex>","width":4032,"height":3024,"live":<flag>,"location":null,
                    "score":<fraction>}
                    """,
                ])
        case .delivery:
            Traits(
                products: ["parcels", "doorstep", "supper", "lastmile"], threadPrefix: "parcel-",
                categories: ["parcel-status", "parcel-arriving"],
                argument: .none, collapsePrefix: "parcel-", collapsePerMille: 300, sound: "bell.caf",
                localized: """
                    "title-loc-key":"PARCEL_TITLE","loc-key":"PARCEL_STOPS_AWAY","loc-args":["<count>",
                    "<clock>"]
                    """,
                data: [
                    """
                    "parcel":{"number":<number>,"stops":<count>,"eta":"<clock>","courier":{"name":"<other>",
                    "rating":4.<digit>},"position":[48.137,11.5<count>]}
                    """,
                    """
                    "parcel":{"number":<number>,"state":"in-transit","signature":<flag>,"safe-place":null},
                    "link":"https://<host>/track/<number>"
                    """,
                ])
        case .shopping:
            Traits(
                products: ["shop", "bazaar", "basket", "windowshop"], threadPrefix: "order-",
                categories: ["offer", "order-update", "restock"],
                argument: .work, collapsePrefix: "cart-", collapsePerMille: 70, sound: "default",
                localized: """
                    "title-loc-key":"ORDER_TITLE","title-loc-args":["<work>"],"loc-key":"ORDER_SHIPPED",
                    "loc-args":["<number>"]
                    """,
                data: [
                    """
                    "order":{"number":<number>,"total":49.90,"currency":"EUR","lines":[{"sku":"A-<count>",
                    "quantity":<digit>}],"gift":<flag>}
                    """,
                    """
                    "campaign":"autumn-<digit>","product":{"sku":"B-<count>","price":24.50,"stock":<count>,
                    "badge":null},"link":"https://<host>/d/<number>?utm_source=push"
                    """,
                ])
        case .calendar:
            Traits(
                products: ["calendar", "daybook", "agenda", "weekahead"], threadPrefix: "calendar/",
                categories: ["invitation", "event-reminder"],
                argument: .person, collapsePrefix: "event-", collapsePerMille: 100, sound: "default",
                localized: """
                    "title-loc-key":"INVITATION_FROM","title-loc-args":["<person>"],
                    "loc-key":"EVENT_STARTS_AT","loc-args":["<clock>"]
                    """,
                data: [
                    """
                    "event":{"number":<number>,"start":"<clock>","minutes":45,"all-day":false,
                    "location":"<place>","guests":[<count>,<digit>]},"join":"https://<host>/meet/<hex>"
                    """,
                    """
                    "event":{"number":<number>,"start":"<clock>","recurrence":null,"alarm":{"minutes":15,
                    "travel":<flag>}}
                    """,
                ])
        case .banking:
            Traits(
                products: ["bank", "pocketbank", "ledger", "coinjar"], threadPrefix: "account-",
                categories: ["transaction", "security", "statement"],
                argument: .none, collapsePrefix: "balance-", collapsePerMille: 50, sound: "default",
                localized: """
                    "title-loc-key":"PAYMENT_TITLE","loc-key":"PAYMENT_AMOUNT","loc-args":["<amount>",
                    "<place>"]
                    """,
                data: [
                    """
                    "transaction":{"number":<number>,"amount":-<amount>,"currency":"EUR",
                    "merchant":"<place>","pending":<flag>,"category":null},"nonce":"<hex>"
                    """,
                    """
                    "account":{"last-four":"<digit><digit><digit><digit>","kind":"checking"},"secure":true,
                    "link":"https://<host>/activity/<number>"
                    """,
                ])
        case .travel:
            Traits(
                products: ["travel", "timetable", "departures", "wayfare"], threadPrefix: "trip-",
                categories: ["trip-change", "check-in", "boarding"],
                argument: .none, collapsePrefix: "trip-", collapsePerMille: 150, sound: "gong.caf",
                localized: """
                    "title-loc-key":"TRIP_TITLE","title-loc-args":["<place>"],"loc-key":"TRIP_PLATFORM",
                    "loc-args":["<digit>","<clock>"]
                    """,
                data: [
                    """
                    "trip":{"booking":<number>,"from":"<place>","to":"<rival>","departure":"<clock>",
                    "delay":<digit>,"seats":["<digit>A","<digit>B"],"refundable":<flag>}
                    """,
                    """
                    "trip":{"booking":<number>,"pass":"https://<host>/pass/<number>","carrier":null,
                    "platform":"<count>"},"offline":<flag>
                    """,
                ])
        }
    }
}
