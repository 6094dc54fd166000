extension Wording {
    static let polish = Wording(
        people: Names(
            [
                "Małgorzata", "Paweł", "Zośka", "Łukasz", "Agnieszka", "Michał", "Bożena", "Grześ",
                "Świetlana", "Józef",
            ],
            ["Nowak", "Mazur", "Wrona", "Dudek", "Zięba", "Gołąb", "Wróbel", "Kędzior", "Śliwa", "Jeż"],
            joiner: " "),
        works: Names(
            ["Chleb", "Mgła", "Miedź", "Las", "Śnieg", "Źródło"],
            ["księżyc", "żagle", "gwiazdy", "łąki", "ścieżki", "książki"],
            joiner: " i "),
        places: [
            "Zielonka Górna", "Jarzębiny", "Wierzbowo", "Mały Dwór", "Święty Zdrój", "Łabędzie", "Olszyny",
            "Brzózki",
        ],
        items: [
            "buty górskie", "czajnik", "lampka biurkowa", "kurtka przeciwdeszczowa", "młynek do kawy",
            "wełniany koc",
        ],
        lines: [
            Line(.messages, "<person>", "Spóźnię się dziesięć minut, zacznijcie beze mnie. Przyniosę chleb!"),
            Line(
                .messages, "<person>", subtitle: "Weekend: <place>",
                "Widzisz to niebo? <emoji>\nZaraz wyślę zdjęcia."),
            Line(
                .mail, "<person>", subtitle: "Odp: Faktura <number>",
                "Dziękuję, szybko poszło. Brakuje drugiej strony, czy można ją przesłać jeszcze raz?"),
            Line(
                .podcasts, "<work>", subtitle: "Odcinek <count>",
                "Latarniczki: trzy siostry, jedna lampa i bardzo długa zima nad morzem."),
            Line(.news, "<place>", "Rada gminy przywraca przeprawę promową. Pierwsze rejsy ruszą wiosną."),
            Line(
                .calendar, "Spotkanie: <person>",
                "<clock>, sala <digit>. Nie ma jeszcze odpowiedzi na zaproszenie."),
            Line(
                .photos, "<person>", subtitle: "Wspólny album: <place>",
                "Nowe zdjęcia w albumie: <count> <emoji>"),
            Line(.shopping, "<work>", "Znów dostępne: <item>, <amount> zł. Zostało sztuk: <count>."),
            Line(.social, "<person>", "<person> i <count> innych osób lubi Twój wpis \"Poranek\"."),
            Line(
                .sports, "<place> – <rival> <digit>:<digit>",
                "Gol! Strzał głową po rzucie rożnym, <count>. minuta."),
            Line(.banking, "Płatność kartą", "<amount> zł, <place>. To nie Ty? Zablokuj kartę w aplikacji."),
            Line(
                .delivery, "Paczka <number>",
                "Jeszcze <count> przystanków. Przewidywany czas dostawy: <clock>."),
            Line(
                .travel, "Zmiana peronu",
                "Pociąg do stacji <place> odjedzie z peronu <digit>, odjazd <clock>."),
        ])
}
