extension Wording {
    static let english = Wording(
        people: Names(
            [
                "Maya", "Oliver", "Priya", "Tom", "Inés", "Noah", "Ruth", "Caleb", "Zoë", "Hugo", "Nina",
                "Felix",
                "Amara", "Leo", "Freya", "Sam", "Iris", "Jonas", "Lena", "Omar", "Tess", "Victor", "Wren",
                "Yusuf",
            ],
            [
                "Hartley", "Okafor", "Lindqvist", "Moreau", "Brightwell", "Castellan", "Dunmore", "Eastgate",
                "Fairweather",
                "Greaves", "Hollis", "Ivers", "Jessop", "Kestrel", "Larkin", "Merriday", "Northcote", "Oakes",
                "Pemberley",
                "O’Quill", "Sorrel", "Thackery", "Underhill", "Vance",
            ],
            joiner: " "),
        works: Names(
            [
                "Lamp", "Harbour", "Copper", "Orchard", "Paper", "Signal", "Winter", "Thistle", "Compass",
                "Velvet",
                "Kitchen", "Granite", "Lantern", "Meadow", "Echo", "Saffron", "Tinker", "Umbrella", "Violet",
                "Wander",
            ],
            [
                "Ladder", "Radio", "Weekly", "Atlas", "Hour", "Notes", "Post", "Almanac", "Stories", "Index",
                "Papers", "Review", "Letters", "Chronicle", "Sessions", "Corner", "Dispatch", "Yard", "Club",
                "Monthly",
            ],
            joiner: " & "),
        places: [
            "Northhaven", "Eastbrook", "Fernhill", "Port Amber", "Willowmere", "Stonebridge", "Alder Falls",
            "Larkspur",
            "Greywater", "Highmoor", "Saltmarsh", "Redcliff", "Maple Ford", "Oxbow", "Tarn End",
            "Brindle Bay",
        ],
        items: [
            "walking boots", "blue kettle", "desk lamp", "rain jacket", "reading glasses", "bicycle pump",
            "oak shelf",
            "garden shears", "wool blanket", "coffee grinder",
        ],
        lines: [
            Line(.messages, "<person>", "Running ten minutes late, start without me. I’ll bring the bread."),
            Line(
                .messages, "<person>",
                "Did you see the sky just now? <emoji> Sending you pictures in a second."),
            Line(
                .messages, "<person>", subtitle: "Weekend in <place>",
                "I booked the cabin for <count> people!\nCan you bring the big cooler?"),
            Line(
                .messages, "<person>", subtitle: "Book club",
                "\"The second half is so much better\", you said. You were right <emoji>"),
            Line(.messages, "<person>", "<emoji><emoji>"),
            Line(
                .messages, "<person>", "Call me when you land. I’m parked at door <digit>, same as last time."
            ),
            Line(
                .messages, "<person>", subtitle: "<other> and <count> others",
                "Who’s in for <place> on Saturday? We need to say yes by <clock>."),
            Line(
                .mail, "<person>", subtitle: "Notes from today",
                "Hello, attached are the notes and the plan for <place>. Please have a look before <clock>."),
            Line(
                .mail, "<person>", subtitle: "Re: Invoice <number>",
                "Thank you, that was quick. The second page is missing, could you send it again?"),
            Line(
                .mail, "<person>", subtitle: "Fwd: Tickets",
                "See below. There are <count> seats left, and <other> would like two of them."),
            Line(
                .mail, "<person>", subtitle: "Lunch?",
                "I’m in <place> until Friday and would love to catch up.\nIs \"the usual place\" open?"
            ),
            Line(
                .podcasts, "<work>", subtitle: "Episode <count>",
                "The lighthouse keepers of <place>: three sisters, one lamp and a very long winter."),
            Line(
                .podcasts, "<work>",
                "New episode: \"What the map left out\". <other> on streets that exist only on paper."),
            Line(
                .podcasts, "<work>", subtitle: "Bonus",
                "<other> answers your questions about bread, patience and the number <count>."),
            Line(
                .podcasts, "<work>",
                "Season <digit> starts today. Follow the river from <place> to the sea, one village a week."),
            Line(
                .news, "<place>",
                "Council votes <count> to <digit> to reopen the old ferry line. First boats in spring."),
            Line(
                .news, "Breaking", subtitle: "<place>",
                "Power is back in most streets after the storm, the grid operator says."
            ),
            Line(
                .news, "Weekend read",
                "How a choir of <count> neighbours saved the last cinema in <place>. By <person>."),
            Line(
                .news, "Science",
                "Researchers name a moth that was sitting in a museum drawer for <count> years."),
            Line(
                .calendar, "Planning with <person>",
                "<clock>, room <digit>, <place>. You have not answered the invitation yet."
            ),
            Line(.calendar, "Dentist", "In one hour, at <clock>. Leave now: the road to <place> is busy."),
            Line(
                .calendar, "<person> moved an event",
                "\"Quarterly review\" is now at <clock>. <count> people are invited."),
            Line(
                .photos, "<person>", subtitle: "Shared album: <place>",
                "<person> added <count> photos. <emoji>"),
            Line(
                .photos, "New memory", "<place>, years ago: <count> photos and a short film with music."),
            Line(.photos, "<person> commented", "\"Is that the same dog?\" on your picture from <place>."),
            Line(.shopping, "<work>", "The <item> you looked at is <count> % off until <clock> today."),
            Line(
                .shopping, "Back in stock",
                "Good news: the <item> is available again for $<amount>. Only <count> left."),
            Line(
                .shopping, "<work>", subtitle: "Order <number>",
                "Thanks for your order! We are packing your <item> right now."),
            Line(.social, "<person>", "<person> and <count> others liked your post \"Morning in <place>\"."),
            Line(
                .social, "<person> mentioned you",
                "Honestly, ask them, they made the best soup of the whole street fair <emoji>"),
            Line(.social, "New follower", "<person> follows you now. You both know <other>."),
            Line(
                .social, "<person> replied", "Ha! <emoji> I thought I was the only one who counts the stairs."
            ),
            Line(
                .sports, "<place> <digit>–<digit> <rival>",
                "Goal! A header from the corner in minute <count>."),
            Line(
                .sports, "<place> v <rival>",
                "Half-time. <digit>–<digit> after a slow start, <place> with most of the chances."
            ),
            Line(.sports, "Final score", "<place> <digit>–<digit> <rival>. Next match on Sunday at <clock>."),
            Line(.banking, "Card payment", "$<amount> in <place>. Wasn’t you? Lock the card in the app."),
            Line(.banking, "Money received", "$<amount> from <other>. The amount is available now."),
            Line(.banking, "Sign-in", "A new device signed in at <clock> near <place>. Tap to review."),
            Line(.delivery, "Your <item>", "<count> stops away. Expected in <place> at <clock>."),
            Line(.delivery, "Parcel <number>", "Left <place> this morning and is on its way to you."),
            Line(
                .delivery, "Delivered", "Your parcel with the <item> was handed to <other>, your neighbour."),
            Line(
                .travel, "Gate change",
                "Your train to <place> leaves from platform <count>, not <digit>. Departure <clock>."),
            Line(
                .travel, "<place> → <rival>",
                "Delayed by <count> minutes. New departure <clock>, we are sorry."),
            Line(.travel, "Check-in is open", "Choose a seat for your trip to <place>. Booking <number>."),
        ])
}
