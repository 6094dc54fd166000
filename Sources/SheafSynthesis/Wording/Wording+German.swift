extension Wording {
    static let german = Wording(
        people: Names(
            [
                "Jürgen", "Anke", "Björn", "Käthe", "Lukas", "Miriam", "Sören", "Ulrike", "Jörg", "Heike",
                "Matthäus", "Lotte",
            ],
            [
                "Vogelsang", "Grünwald", "Möller", "Weißenfels", "Schäfer", "Brückner", "Lindemann", "Köhler",
                "Süß", "Ziegler",
            ],
            joiner: " "),
        works: Names(
            ["Brot", "Nebel", "Kupfer", "Käse", "Strümpfe", "Gärten"],
            ["Zucker", "Wolken", "Bücher", "Märchen", "Öfen", "Straßen"],
            joiner: " & "),
        places: [
            "Grünau", "Steinbrück", "Mühlheide", "Seeblick", "Oberlohe", "Weißensand", "Königsau",
            "Lärchental",
        ],
        items: ["Wanderschuhe", "Teekanne", "Schreibtischlampe", "Regenjacke", "Kaffeemühle", "Wolldecke"],
        lines: [
            Line(
                .messages, "<person>",
                "Bin in zehn Minuten da, fangt schon mal ohne mich an. Brot bringe ich mit!"),
            Line(
                .messages, "<person>", subtitle: "Wochenende in <place>",
                "Schöne Grüße von der Hütte <emoji>\nWer kommt am Samstag nach?"),
            Line(
                .mail, "<person>", subtitle: "AW: Rechnung <number>",
                "Vielen Dank, das ging schnell. Die zweite Seite fehlt leider, könnten Sie sie noch schicken?"
            ),
            Line(
                .podcasts, "<work>", subtitle: "Folge <count>",
                "Die Uhrmacherin von <place>: warum im Dorf alle Glocken zu spät läuten."),
            Line(
                .news, "<place>",
                "Der Gemeinderat stimmt mit <count> Stimmen für die neue Fähre. Im Frühling geht es los."),
            Line(
                .calendar, "Besprechung mit <person>",
                "<clock> Uhr, Raum <digit>. Sie haben noch nicht zugesagt."),
            Line(
                .photos, "<person>", subtitle: "Geteiltes Album: <place>",
                "<person> hat <count> Fotos hinzugefügt <emoji>"),
            Line(.shopping, "<work>", "Wieder verfügbar: <item> für <amount> €. Nur noch <count> Stück."),
            Line(
                .social, "<person>",
                "<person> und <count> weiteren gefällt dein Beitrag \"Morgen in <place>\"."),
            Line(
                .sports, "<place> – <rival> <digit>:<digit>",
                "Tor! Kopfball nach einer Ecke in der <count>. Minute."),
            Line(
                .banking, "Kartenzahlung",
                "<amount> € in <place>. Nicht von Ihnen? Sperren Sie die Karte in der App."),
            Line(.delivery, "Sendung <number>", "Noch <count> Stopps bis zu dir. Ankunft gegen <clock> Uhr."),
            Line(
                .travel, "Gleiswechsel",
                "Ihr Zug nach <place> fährt heute von Gleis <count>. Abfahrt <clock> Uhr."),
        ])
}
