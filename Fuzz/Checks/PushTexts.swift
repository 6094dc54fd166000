/// Lines of push logs, in every form of the specification, and tokens to mutate them with.
package enum PushTexts {
    package static let lines: [[UInt8]] = [
        #"{"timestamp":1700000000,"topic":"com.example.mail","payload":{"aps":{"alert":"Hello"}}}"#,
        #"{"ts":1700000000123,"device-token":"ab12","topic":"com.example.chat","payload":{"aps":{"alert":{"title":"Ann","body":"Good morning, how are you? 😀"},"thread-id":"chat-1","summary-arg":"Ann","summary-arg-count":2,"sound":"default","badge":3}}}"#,
        #"{"timestamp":"2026-01-31T12:00:00.5+01:00","headers.apns-topic":"com.example.news","payload":"{\"aps\":{\"alert\":\"He said \\\"no\\\"\"}}"}"#,
        #"{"aps":{"alert":{"title-loc-key":"T","title-loc-args":["a",1,null],"loc-key":"B"},"category":"x"},"ts":1.7e9}"#,
        #"{"aps":{"alert":"caf\u00e9 \ud83d\ude00 \/ \b\f\n\r\t"},"Simulator Target Bundle":"com.example.sim"}"#,
        #"{ "timestamp" : -0.0e-10 , "payload" : { "aps" : { "alert" : { } , "badge" : 0 } , "custom" : [ [ ] , { "k" : [ true , false ] } ] } }"#,
        #"{"topic":"com.example.日本","payload":{"aps":{"alert":"今日は、元気ですか。お知らせがあります。"},"x":{"y":{"z":{}}}},"id":null}"#,
        #"{"payload":{"aps":{"content-available":1}},"headers":{"apns-id":"EEBD114B-D872-46D1-B50C-3FF1E7D7E8A6","apns-priority":"10"},"status":200}"#,
        #"{"payload":{"aps":{"alert":"a"}},"payload":{"aps":{"alert":"b"}},"t\u006fpic":"com.example","topic":""}"#,
        #"{"payload":[{"aps":{}}],"aps":null,"a":[1,2.5,-3e+7,"\\","\"",""],"b":{"":{}}}"#,
        #"[{"aps":{"alert":"in an array"}},"text",12345678901234567890]"#,
        #""a text alone""#,
        #"{}"#,
    ].map { [UInt8]($0.utf8) }

    /// Tokens that make JSON valid or invalid.
    package static let tokens: [[UInt8]] =
        [
            "{", "}", "[", "]", ",", ":", "\"", "\\", "{}", "[]", "\"\"", "null", "true", "false", "0", "-",
            "1e5",
            "1e999", "-1E-999", "0.1", ".", "+", "e", "01", "\"aps\":", "\"payload\":", #","topic":1"#,
            #"\u0041"#,
            #"\ud800"#, #"\udc00"#, #"\ud83d\ude00"#, #"\u12"#, #"\n"#, #"\x"#, " ", "\t", "\r\n", "\u{b}",
            "\u{7f}",
            "é", "€", "😀", "\u{feff}", "\u{a0}", ",}", ",]", "]}", "//", "NaN", "Infinity",
            String(repeating: "[", count: 126), String(repeating: "]", count: 126),
            String(repeating: "[", count: 70) + String(repeating: "]", count: 70),
            String(repeating: "9", count: 310),
        ].map { [UInt8]($0.utf8) } + [
            [0x00], [0x01], [0x1f], [0x80], [0xbf], [0xc0, 0x80], [0xc3], [0xe2, 0x82], [0xed, 0xa0, 0x80],
            [0xf0, 0x9f, 0x98], [0xf4, 0x90, 0x80, 0x80], [0xff], [0xef, 0xbb, 0xbf], [0xff, 0xfe],
        ]
}
