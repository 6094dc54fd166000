extension Wording {
    static let french = Wording(
        people: Names(
            [
                "Hélène", "Benoît", "Zoé", "Gaël", "Anaïs", "Rémi", "Noëlle", "Théo", "Maëlle", "Loïc",
                "Cécile", "Étienne",
            ],
            [
                "Bellanger", "Lefèvre", "Châtelain", "Dubosc", "Garçonnet", "Hémery", "Lacoudre", "Prévôt",
                "Sénéchal",
                "Tréguier",
            ],
            joiner: " "),
        works: Names(
            ["Café", "Brume", "Écorce", "Neige", "Forêt", "Sucre"],
            ["comètes", "châteaux", "rivières", "œillets", "fenêtres", "mystères"],
            joiner: " et "),
        places: [
            "Valbrume", "Pont-l’Étang", "Saint-Orme", "Belleforêt", "Côtefrêne", "La Gravière", "Montclair",
            "Rivedoux",
        ],
        items: [
            "bottes de marche", "théière bleue", "lampe de bureau", "veste de pluie", "moulin à café",
            "étagère en chêne",
        ],
        lines: [
            Line(
                .messages, "<person>", "J’ai dix minutes de retard, commencez sans moi. J’apporte le pain !"),
            Line(
                .messages, "<person>", subtitle: "Week-end à <place>",
                "Tu as vu ce ciel ? <emoji>\nJe t’envoie les photos tout de suite."),
            Line(
                .mail, "<person>", subtitle: "Re : facture <number>",
                "Merci, c’était rapide. Il manque la deuxième page, pourriez-vous la renvoyer ?"),
            Line(
                .podcasts, "<work>", subtitle: "Épisode <count>",
                "Les gardiennes du phare de <place> : trois sœurs, une lampe et un très long hiver."),
            Line(
                .news, "<place>",
                "Le conseil vote le retour du bac : premiers départs au printemps, après <count> ans d’arrêt."
            ),
            Line(
                .calendar, "Réunion avec <person>",
                "À <clock>, salle <digit>. Vous n’avez pas encore répondu à l’invitation."),
            Line(
                .photos, "<person>", subtitle: "Album partagé : <place>",
                "<person> a ajouté <count> photos <emoji>"),
            Line(
                .shopping, "<work>",
                "De retour en stock : <item>, à <amount> €. Plus que <count> exemplaires."),
            Line(
                .social, "<person>",
                "<person> et <count> autres aiment votre publication \"Un matin à <place>\"."),
            Line(
                .sports, "<place> <digit> – <digit> <rival>",
                "But ! Une tête sur corner à la <count>e minute."),
            Line(
                .banking, "Paiement par carte",
                "<amount> € à <place>. Ce n’était pas vous ? Bloquez la carte dans l’application."),
            Line(
                .delivery, "Colis <number>",
                "Plus que <count> arrêts avant chez vous. Arrivée prévue à <clock>."),
            Line(
                .travel, "Changement de voie",
                "Votre train pour <place> part de la voie <count>. Départ à <clock>."),
        ])
}
