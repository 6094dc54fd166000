extension Wording {
    static let spanish = Wording(
        people: Names(
            [
                "Íñigo", "Begoña", "Andrés", "Lucía", "Martín", "Noelia", "Óscar", "Rocío", "Tomás", "Úrsula",
                "Joaquín",
                "Sofía",
            ],
            [
                "Peñalba", "Ibáñez", "Montaño", "Quiñones", "Sarmiento", "Villagrán", "Zúñiga", "Arístegui",
                "Cordón", "Mejía",
            ],
            joiner: " "),
        works: Names(
            ["Azúcar", "Niebla", "Cobre", "Jardín", "Papel", "Otoño"],
            ["montañas", "canción", "sueños", "ríos", "cigüeñas", "relámpagos"],
            joiner: " y "),
        places: [
            "Valdeniebla", "Puerto Ámbar", "Peñarrubia", "Villalmendro", "Fuentecaña", "Río Sereno",
            "Altomonte",
            "Las Cigüeñas",
        ],
        items: [
            "botas de montaña", "tetera azul", "lámpara de mesa", "chaqueta impermeable", "molinillo de café",
            "manta de lana",
        ],
        lines: [
            Line(.messages, "<person>", "Llego diez minutos tarde, empezad sin mí. ¡Yo llevo el pan!"),
            Line(
                .messages, "<person>", subtitle: "Finde en <place>",
                "¿Has visto qué cielo? <emoji>\nAhora te mando las fotos."),
            Line(
                .mail, "<person>", subtitle: "Re: Factura <number>",
                "Gracias, qué rapidez. Falta la segunda página, ¿me la podrías enviar otra vez?"),
            Line(
                .podcasts, "<work>", subtitle: "Episodio <count>",
                "Las fareras de <place>: tres hermanas, una lámpara y un invierno larguísimo."),
            Line(
                .news, "<place>",
                "El pleno aprueba recuperar el antiguo ferri. Los primeros barcos saldrán en primavera."),
            Line(
                .calendar, "Reunión con <person>",
                "A las <clock>, sala <digit>. Aún no has respondido a la invitación."),
            Line(
                .photos, "<person>", subtitle: "Álbum compartido: <place>",
                "<person> ha añadido <count> fotos <emoji>"),
            Line(
                .shopping, "<work>", "Otra vez disponible: <item> por <amount> €. Solo quedan <count>."),
            Line(
                .social, "<person>",
                "A <person> y a <count> personas más les gusta tu publicación \"Mañana en <place>\"."),
            Line(
                .sports, "<place> <digit>-<digit> <rival>",
                "¡Gol! De cabeza, a la salida de un córner, en el minuto <count>."),
            Line(
                .banking, "Pago con tarjeta",
                "<amount> € en <place>. ¿No has sido tú? Bloquea la tarjeta en la aplicación."),
            Line(.delivery, "Envío <number>", "Faltan <count> paradas. Llegada prevista a las <clock>."),
            Line(
                .travel, "Cambio de andén", "Tu tren a <place> sale a las <clock> del andén <count>."),
        ])
}
