extension Wording {
    static let english = Wording(
        people: Names(
            """
            Maya, Oliver, Priya, Tom, Inés, Noah, Ruth, Caleb, Zoë, Hugo, Nina, Felix, Amara, Leo, \
            Freya, Sam, Iris, Jonas, Lena, Omar, Tess, Victor, Wren, Yusuf
            """,
            """
            Hartley, Okafor, Lindqvist, Moreau, Brightwell, Castellan, Dunmore, Eastgate, Fairweather, \
            Greaves, Hollis, Ivers, Jessop, Kestrel, Larkin, Merriday, Northcote, Oakes, Pemberley, \
            O’Quill, Sorrel, Thackery, Underhill, Vance
            """,
            joiner: " "),
        works: Names(
            """
            Lamp, Harbour, Copper, Orchard, Paper, Signal, Winter, Thistle, Compass, Velvet, Kitchen, \
            Granite, Lantern, Meadow, Echo, Saffron, Tinker, Umbrella, Violet, Wander
            """,
            """
            Ladder, Radio, Weekly, Atlas, Hour, Notes, Post, Almanac, Stories, Index, Papers, Review, \
            Letters, Chronicle, Sessions, Corner, Dispatch, Yard, Club, Monthly
            """,
            joiner: " & "),
        places: """
            Northhaven, Eastbrook, Fernhill, Port Amber, Willowmere, Stonebridge, Alder Falls, Larkspur, \
            Greywater, Highmoor, Saltmarsh, Redcliff, Maple Ford, Oxbow, Tarn End, Brindle Bay
            """,
        items: """
            walking boots, blue kettle, desk lamp, rain jacket, reading glasses, bicycle pump, oak shelf, \
            garden shears, wool blanket, coffee grinder
            """,
        lines: #"""
            messages: <person> | Running ten minutes late, start without me. I’ll bring the bread.
            messages: <person> | Did you see the sky just now? <emoji> Sending you pictures in a second.
            messages: <person> | Weekend in <place> | I booked the cabin for <count> people!\nCan you bring \#
            the big cooler?
            messages: <person> | Book club | "The second half is so much better", you said. You were right \#
            <emoji>
            messages: <person> | <emoji><emoji>
            messages: <person> | Call me when you land. I’m parked at door <digit>, same as last time.
            messages: <person> | <other> and <count> others | Who’s in for <place> on Saturday? We need to \#
            say yes by <clock>.
            mail: <person> | Notes from today | Hello, attached are the notes and the plan for <place>. \#
            Please have a look before <clock>.
            mail: <person> | Re: Invoice <number> | Thank you, that was quick. The second page is missing, \#
            could you send it again?
            mail: <person> | Fwd: Tickets | See below. There are <count> seats left, and <other> would like \#
            two of them.
            mail: <person> | Lunch? | I’m in <place> until Friday and would love to catch up.\nIs "the \#
            usual place" open?
            podcasts: <work> | Episode <count> | The lighthouse keepers of <place>: three sisters, one lamp \#
            and a very long winter.
            podcasts: <work> | New episode: "What the map left out". <other> on streets that exist only on \#
            paper.
            podcasts: <work> | Bonus | <other> answers your questions about bread, patience and the number \#
            <count>.
            podcasts: <work> | Season <digit> starts today. Follow the river from <place> to the sea, one \#
            village a week.
            news: <place> | Council votes <count> to <digit> to reopen the old ferry line. First boats in \#
            spring.
            news: Breaking | <place> | Power is back in most streets after the storm, the grid operator \#
            says.
            news: Weekend read | How a choir of <count> neighbours saved the last cinema in <place>. By \#
            <person>.
            news: Science | Researchers name a moth that was sitting in a museum drawer for <count> years.
            calendar: Planning with <person> | <clock>, room <digit>, <place>. You have not answered the \#
            invitation yet.
            calendar: Dentist | In one hour, at <clock>. Leave now: the road to <place> is busy.
            calendar: <person> moved an event | "Quarterly review" is now at <clock>. <count> people are \#
            invited.
            photos: <person> | Shared album: <place> | <person> added <count> photos. <emoji>
            photos: New memory | <place>, years ago: <count> photos and a short film with music.
            photos: <person> commented | "Is that the same dog?" on your picture from <place>.
            shopping: <work> | The <item> you looked at is <count> % off until <clock> today.
            shopping: Back in stock | Good news: the <item> is available again for $<amount>. Only <count> \#
            left.
            shopping: <work> | Order <number> | Thanks for your order! We are packing your <item> right \#
            now.
            social: <person> | <person> and <count> others liked your post "Morning in <place>".
            social: <person> mentioned you | Honestly, ask them, they made the best soup of the whole \#
            street fair <emoji>
            social: New follower | <person> follows you now. You both know <other>.
            social: <person> replied | Ha! <emoji> I thought I was the only one who counts the stairs.
            sports: <place> <digit>–<digit> <rival> | Goal! A header from the corner in minute <count>.
            sports: <place> v <rival> | Half-time. <digit>–<digit> after a slow start, <place> with most of \#
            the chances.
            sports: Final score | <place> <digit>–<digit> <rival>. Next match on Sunday at <clock>.
            banking: Card payment | $<amount> in <place>. Wasn’t you? Lock the card in the app.
            banking: Money received | $<amount> from <other>. The amount is available now.
            banking: Sign-in | A new device signed in at <clock> near <place>. Tap to review.
            delivery: Your <item> | <count> stops away. Expected in <place> at <clock>.
            delivery: Parcel <number> | Left <place> this morning and is on its way to you.
            delivery: Delivered | Your parcel with the <item> was handed to <other>, your neighbour.
            travel: Gate change | Your train to <place> leaves from platform <count>, not <digit>. \#
            Departure <clock>.
            travel: <place> → <rival> | Delayed by <count> minutes. New departure <clock>, we are sorry.
            travel: Check-in is open | Choose a seat for your trip to <place>. Booking <number>.
            """#)

    static let german = Wording(
        people: Names(
            "Jürgen, Anke, Björn, Käthe, Lukas, Miriam, Sören, Ulrike, Jörg, Heike, Matthäus, Lotte",
            "Vogelsang, Grünwald, Möller, Weißenfels, Schäfer, Brückner, Lindemann, Köhler, Süß, Ziegler",
            joiner: " "),
        works: Names(
            "Brot, Nebel, Kupfer, Käse, Strümpfe, Gärten",
            "Zucker, Wolken, Bücher, Märchen, Öfen, Straßen",
            joiner: " & "),
        places: "Grünau, Steinbrück, Mühlheide, Seeblick, Oberlohe, Weißensand, Königsau, Lärchental",
        items: "Wanderschuhe, Teekanne, Schreibtischlampe, Regenjacke, Kaffeemühle, Wolldecke",
        lines: #"""
            messages: <person> | Bin in zehn Minuten da, fangt schon mal ohne mich an. Brot bringe ich mit!
            messages: <person> | Wochenende in <place> | Schöne Grüße von der Hütte <emoji>\nWer kommt am \#
            Samstag nach?
            mail: <person> | AW: Rechnung <number> | Vielen Dank, das ging schnell. Die zweite Seite fehlt \#
            leider, könnten Sie sie noch schicken?
            podcasts: <work> | Folge <count> | Die Uhrmacherin von <place>: warum im Dorf alle Glocken zu \#
            spät läuten.
            news: <place> | Der Gemeinderat stimmt mit <count> Stimmen für die neue Fähre. Im Frühling geht \#
            es los.
            calendar: Besprechung mit <person> | <clock> Uhr, Raum <digit>. Sie haben noch nicht zugesagt.
            photos: <person> | Geteiltes Album: <place> | <person> hat <count> Fotos hinzugefügt <emoji>
            shopping: <work> | Wieder verfügbar: <item> für <amount> €. Nur noch <count> Stück.
            social: <person> | <person> und <count> weiteren gefällt dein Beitrag "Morgen in <place>".
            sports: <place> – <rival> <digit>:<digit> | Tor! Kopfball nach einer Ecke in der <count>. \#
            Minute.
            banking: Kartenzahlung | <amount> € in <place>. Nicht von Ihnen? Sperren Sie die Karte in der \#
            App.
            delivery: Sendung <number> | Noch <count> Stopps bis zu dir. Ankunft gegen <clock> Uhr.
            travel: Gleiswechsel | Ihr Zug nach <place> fährt heute von Gleis <count>. Abfahrt <clock> Uhr.
            """#)

    static let french = Wording(
        people: Names(
            "Hélène, Benoît, Zoé, Gaël, Anaïs, Rémi, Noëlle, Théo, Maëlle, Loïc, Cécile, Étienne",
            "Bellanger, Lefèvre, Châtelain, Dubosc, Garçonnet, Hémery, Lacoudre, Prévôt, Sénéchal, Tréguier",
            joiner: " "),
        works: Names(
            "Café, Brume, Écorce, Neige, Forêt, Sucre",
            "comètes, châteaux, rivières, œillets, fenêtres, mystères",
            joiner: " et "),
        places: "Valbrume, Pont-l’Étang, Saint-Orme, Belleforêt, Côtefrêne, La Gravière, Montclair, Rivedoux",
        items: """
            bottes de marche, théière bleue, lampe de bureau, veste de pluie, moulin à café, étagère en \
            chêne
            """,
        lines: #"""
            messages: <person> | J’ai dix minutes de retard, commencez sans moi. J’apporte le pain !
            messages: <person> | Week-end à <place> | Tu as vu ce ciel ? <emoji>\nJe t’envoie les photos \#
            tout de suite.
            mail: <person> | Re : facture <number> | Merci, c’était rapide. Il manque la deuxième page, \#
            pourriez-vous la renvoyer ?
            podcasts: <work> | Épisode <count> | Les gardiennes du phare de <place> : trois sœurs, une \#
            lampe et un très long hiver.
            news: <place> | Le conseil vote le retour du bac : premiers départs au printemps, après <count> \#
            ans d’arrêt.
            calendar: Réunion avec <person> | À <clock>, salle <digit>. Vous n’avez pas encore répondu à \#
            l’invitation.
            photos: <person> | Album partagé : <place> | <person> a ajouté <count> photos <emoji>
            shopping: <work> | De retour en stock : <item>, à <amount> €. Plus que <count> exemplaires.
            social: <person> | <person> et <count> autres aiment votre publication "Un matin à <place>".
            sports: <place> <digit> – <digit> <rival> | But ! Une tête sur corner à la <count>e minute.
            banking: Paiement par carte | <amount> € à <place>. Ce n’était pas vous ? Bloquez la carte dans \#
            l’application.
            delivery: Colis <number> | Plus que <count> arrêts avant chez vous. Arrivée prévue à <clock>.
            travel: Changement de voie | Votre train pour <place> part de la voie <count>. Départ à \#
            <clock>.
            """#)

    static let spanish = Wording(
        people: Names(
            "Íñigo, Begoña, Andrés, Lucía, Martín, Noelia, Óscar, Rocío, Tomás, Úrsula, Joaquín, Sofía",
            "Peñalba, Ibáñez, Montaño, Quiñones, Sarmiento, Villagrán, Zúñiga, Arístegui, Cordón, Mejía",
            joiner: " "),
        works: Names(
            "Azúcar, Niebla, Cobre, Jardín, Papel, Otoño",
            "montañas, canción, sueños, ríos, cigüeñas, relámpagos",
            joiner: " y "),
        places: """
            Valdeniebla, Puerto Ámbar, Peñarrubia, Villalmendro, Fuentecaña, Río Sereno, Altomonte, Las \
            Cigüeñas
            """,
        items: """
            botas de montaña, tetera azul, lámpara de mesa, chaqueta impermeable, molinillo de café, manta \
            de lana
            """,
        lines: #"""
            messages: <person> | Llego diez minutos tarde, empezad sin mí. ¡Yo llevo el pan!
            messages: <person> | Finde en <place> | ¿Has visto qué cielo? <emoji>\nAhora te mando las \#
            fotos.
            mail: <person> | Re: Factura <number> | Gracias, qué rapidez. Falta la segunda página, ¿me la \#
            podrías enviar otra vez?
            podcasts: <work> | Episodio <count> | Las fareras de <place>: tres hermanas, una lámpara y un \#
            invierno larguísimo.
            news: <place> | El pleno aprueba recuperar el antiguo ferri. Los primeros barcos saldrán en \#
            primavera.
            calendar: Reunión con <person> | A las <clock>, sala <digit>. Aún no has respondido a la \#
            invitación.
            photos: <person> | Álbum compartido: <place> | <person> ha añadido <count> fotos <emoji>
            shopping: <work> | Otra vez disponible: <item> por <amount> €. Solo quedan <count>.
            social: <person> | A <person> y a <count> personas más les gusta tu publicación "Mañana en \#
            <place>".
            sports: <place> <digit>-<digit> <rival> | ¡Gol! De cabeza, a la salida de un córner, en el \#
            minuto <count>.
            banking: Pago con tarjeta | <amount> € en <place>. ¿No has sido tú? Bloquea la tarjeta en la \#
            aplicación.
            delivery: Envío <number> | Faltan <count> paradas. Llegada prevista a las <clock>.
            travel: Cambio de andén | Tu tren a <place> sale a las <clock> del andén <count>.
            """#)

    static let polish = Wording(
        people: Names(
            "Małgorzata, Paweł, Zośka, Łukasz, Agnieszka, Michał, Bożena, Grześ, Świetlana, Józef",
            "Nowak, Mazur, Wrona, Dudek, Zięba, Gołąb, Wróbel, Kędzior, Śliwa, Jeż",
            joiner: " "),
        works: Names(
            "Chleb, Mgła, Miedź, Las, Śnieg, Źródło",
            "księżyc, żagle, gwiazdy, łąki, ścieżki, książki",
            joiner: " i "),
        places: "Zielonka Górna, Jarzębiny, Wierzbowo, Mały Dwór, Święty Zdrój, Łabędzie, Olszyny, Brzózki",
        items: """
            buty górskie, czajnik, lampka biurkowa, kurtka przeciwdeszczowa, młynek do kawy, wełniany koc
            """,
        lines: #"""
            messages: <person> | Spóźnię się dziesięć minut, zacznijcie beze mnie. Przyniosę chleb!
            messages: <person> | Weekend: <place> | Widzisz to niebo? <emoji>\nZaraz wyślę zdjęcia.
            mail: <person> | Odp: Faktura <number> | Dziękuję, szybko poszło. Brakuje drugiej strony, czy \#
            można ją przesłać jeszcze raz?
            podcasts: <work> | Odcinek <count> | Latarniczki: trzy siostry, jedna lampa i bardzo długa zima \#
            nad morzem.
            news: <place> | Rada gminy przywraca przeprawę promową. Pierwsze rejsy ruszą wiosną.
            calendar: Spotkanie: <person> | <clock>, sala <digit>. Nie ma jeszcze odpowiedzi na \#
            zaproszenie.
            photos: <person> | Wspólny album: <place> | Nowe zdjęcia w albumie: <count> <emoji>
            shopping: <work> | Znów dostępne: <item>, <amount> zł. Zostało sztuk: <count>.
            social: <person> | <person> i <count> innych osób lubi Twój wpis "Poranek".
            sports: <place> – <rival> <digit>:<digit> | Gol! Strzał głową po rzucie rożnym, <count>. \#
            minuta.
            banking: Płatność kartą | <amount> zł, <place>. To nie Ty? Zablokuj kartę w aplikacji.
            delivery: Paczka <number> | Jeszcze <count> przystanków. Przewidywany czas dostawy: <clock>.
            travel: Zmiana peronu | Pociąg do stacji <place> odjedzie z peronu <digit>, odjazd <clock>.
            """#)

    static let russian = Wording(
        people: Names(
            "Анна, Борис, Вера, Глеб, Дарья, Егор, Жанна, Илья, Ксения, Лев, Фёдор, Юлия",
            "Белых, Седых, Юрченко, Дурново, Гончаренко, Черных, Мельник, Коваль, Жук, Шульга",
            joiner: " "),
        works: Names(
            "Хлеб, Туман, Медь, Сахар, Лес, Снег",
            "облака, книги, маяки, звёзды, письма, чайки",
            joiner: " и "),
        places: """
            Заречье, Светлогорье, Малые Ключи, Ольховка, Берёзовый Яр, Новая Гавань, Синегорье, Подлесное
            """,
        items: "походные ботинки, синий чайник, настольная лампа, дождевик, кофемолка, шерстяной плед",
        lines: #"""
            messages: <person> | Опоздаю минут на десять, начинайте без меня. Хлеб принесу!
            messages: <person> | Выходные: <place> | Видишь, какое небо? <emoji>\nСейчас пришлю фото.
            mail: <person> | Re: Счёт № <number> | Спасибо, очень быстро. Не хватает второй страницы, \#
            пришлите её ещё раз, пожалуйста.
            podcasts: <work> | Выпуск <count> | Хранительницы маяка: три сестры, одна лампа и очень долгая \#
            зима.
            news: <place> | Совет решил вернуть старую паромную переправу. Первые рейсы пойдут весной.
            calendar: Встреча: <person> | <clock>, комната <digit>. Вы ещё не ответили на приглашение.
            photos: <person> | Общий альбом: <place> | Новых фотографий: <count> <emoji>
            shopping: <work> | Снова в продаже: <item>, <amount> ₽. Осталось: <count>.
            social: <person> | <person> и ещё <count> оценили вашу запись "Утро".
            sports: <place> — <rival> <digit>:<digit> | Гол! Удар головой после углового, <count>-я минута.
            banking: Оплата картой | <amount> ₽, <place>. Это были не вы? Заблокируйте карту в приложении.
            delivery: Посылка <number> | Осталось остановок: <count>. Курьер будет около <clock>.
            travel: Смена пути | Поезд до станции <place> отправится с пути <count> в <clock>.
            """#)

    static let greek = Wording(
        people: Names(
            "Ελένη, Γιώργος, Σοφία, Νίκος, Ιωάννα, Άρης, Δήμητρα, Θωμάς, Καλλιόπη, Ξένια",
            "Α., Β., Γ., Δ., Κ., Λ., Μ., Π., Σ., Χ.",
            joiner: " "),
        works: Names(
            "Ψωμί, Ομίχλη, Χαλκός, Κήπος, Χαρτί, Χειμώνας",
            "σύννεφα, φάροι, ιστορίες, γράμματα, αστέρια, βιβλία",
            joiner: " και "),
        places: "Ασπροχώρι, Καλή Σκάλα, Νέος Μόλος, Ανεμόλοφος, Κρυονέρι, Πλατανιά, Γλαυκή, Μεγάλη Άμμος",
        items: """
            μπότες πεζοπορίας, γαλάζια τσαγιέρα, φωτιστικό γραφείου, αδιάβροχο, μύλος καφέ, μάλλινη κουβέρτα
            """,
        lines: #"""
            messages: <person> | Θα αργήσω δέκα λεπτά, ξεκινήστε χωρίς εμένα. Φέρνω εγώ το ψωμί!
            messages: <person> | Σαββατοκύριακο: <place> | Είδες τον ουρανό; <emoji>\nΣου στέλνω \#
            φωτογραφίες.
            mail: <person> | Απ: Τιμολόγιο <number> | Ευχαριστώ, πολύ γρήγορα. Λείπει η δεύτερη σελίδα, \#
            μπορείτε να τη στείλετε ξανά;
            podcasts: <work> | Επεισόδιο <count> | Τρεις αδελφές, ένας φάρος και ένας πολύ μακρύς χειμώνας.
            news: <place> | Το συμβούλιο επαναφέρει την παλιά γραμμή του πορθμείου. Πρώτα δρομολόγια την \#
            άνοιξη.
            calendar: Συνάντηση: <person> | <clock>, αίθουσα <digit>. Δεν έχετε απαντήσει ακόμη στην \#
            πρόσκληση.
            photos: <person> | Κοινό άλμπουμ: <place> | Νέες φωτογραφίες: <count> <emoji>
            shopping: <work> | Ξανά διαθέσιμο: <item>, <amount> €. Απομένουν <count>.
            social: <person> | Στον χρήστη <person> και σε άλλους <count> αρέσει η ανάρτησή σας "Πρωί".
            sports: <place> – <rival> <digit>-<digit> | Γκολ! Κεφαλιά μετά από κόρνερ στο <count>΄.
            banking: Πληρωμή με κάρτα | <amount> €, <place>. Δεν ήσασταν εσείς; Κλειδώστε την κάρτα στην \#
            εφαρμογή.
            delivery: Δέμα <number> | Ακόμη <count> στάσεις. Άφιξη περίπου στις <clock>.
            travel: Αλλαγή αποβάθρας | Προορισμός: <place>. Αναχώρηση <clock> από την αποβάθρα <digit>.
            """#)
}
