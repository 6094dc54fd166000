import SheafBytes
import SheafText
import TestSupport
import Testing

@testable import SheafGroups

/// Mistakes in mapping files: each has a message with its location and, where there is one, what to write instead
/// (specification §12.4).
///
/// One file, because it is one table: each mistake next to those that it could be confused with.
@Suite struct MappingMistakeTests {
    /// A mapping, and what follows the file's name in the message.
    typealias Mistake = Example<String, String>

    static func message(of mapping: String) -> String? {
        do {
            _ = try LogInput(json: Array(mapping.utf8), file: "m.json")
            return nil
        } catch {
            return String(error.description.dropFirst("m.json".count))
        }
    }

    // MARK: Pointers

    static let pointers: [Mistake] = [
        Mistake(
            "no slash", #"{"fields":{"device":"token"}}"#,
            ":1: fields.device: 'token': a pointer begins with '/': write '/token'"),
        Mistake(
            "no slash in a path", #"{"fields":{"device":"user/token"}}"#,
            ":1: fields.device: 'user/token': a pointer begins with '/': write '/user/token'"),
        Mistake(
            "dots", #"{"fields":{"device":"user.token"}}"#,
            ":1: fields.device: 'user.token': a pointer begins with '/': write '/user/token', or '/user.token' if the dots are part of the key"
        ),
        Mistake(
            "dots and a slash", #"{"fields":{"device":"user.id/token"}}"#,
            ":1: fields.device: 'user.id/token': a pointer begins with '/': write '/user.id/token'"),
        Mistake(
            "a JSONPath", #"{"fields":{"device":"$.user.token"}}"#,
            ":1: fields.device: '$.user.token': a pointer begins with '/': write '/user/token'"),
        Mistake(
            "the root of a JSONPath", #"{"fields":{"device":"$"}}"#,
            ":1: fields.device: '$': a pointer begins with '/': write '' for the entry itself"),
        Mistake(
            "a JSONPath with quotes", #"{"fields":{"device":"$['user']['token']"}}"#,
            ":1: fields.device: '$['user']['token']': a pointer begins with '/': write '/user/token'"),
        Mistake(
            "a JSONPath with an index", #"{"fields":{"device":"$.tokens[0]"}}"#,
            ":1: fields.device: '$.tokens[0]': a pointer begins with '/': write '/tokens/0'"),
        Mistake(
            "a JSONPath with all elements", #"{"fields":{"device":"$.tokens[*].id"}}"#,
            ":1: fields.device: '$.tokens[*].id': a pointer begins with '/': write '/tokens/*/id'"),
        Mistake(
            "a JSONPath with a search", #"{"fields":{"device":"$..token"}}"#,
            ":1: fields.device: '$..token': '..' is not supported: name every key down to the value"),
        Mistake(
            "a JSONPath of the current element", #"{"fields":{"device":"@.token"}}"#,
            ":1: fields.device: '@.token': a pointer begins with '/': write '/token'"),
        Mistake(
            "a filter of jq", #"{"fields":{"device":".user.token"}}"#,
            ":1: fields.device: '.user.token': a pointer begins with '/': write '/user/token'"),
        Mistake(
            "a filter of jq for elements", #"{"fields":{"device":".tokens[].id"}}"#,
            ":1: fields.device: '.tokens[].id': a pointer begins with '/': write '/tokens/*/id'"),
        Mistake(
            "the identity of jq", #"{"fields":{"device":"."}}"#,
            ":1: fields.device: '.': a pointer begins with '/': write '' for the entry itself"),
        Mistake(
            "an index in brackets", #"{"fields":{"device":"tokens[0]"}}"#,
            ":1: fields.device: 'tokens[0]': a pointer begins with '/': write '/tokens/0'"),
        Mistake(
            "an index in brackets after a slash", #"{"fields":{"device":"/tokens[0]/id"}}"#,
            ":1: fields.device: '/tokens[0]/id': 'tokens[0]' is not a key: write 'tokens/0' for an element"),
        Mistake(
            "all elements in brackets", #"{"fields":{"device":"/tokens[*]"}}"#,
            ":1: fields.device: '/tokens[*]': 'tokens[*]' is not a key: write 'tokens/*' for an element"),
        Mistake(
            "backslashes", #"{"fields":{"device":"\\user\\token"}}"#,
            #":1: fields.device: '\user\token': a pointer begins with '/': write '/user/token'"#),
        Mistake(
            "a fragment", "{\"fields\":{\"device\":\"#/user/token\"}}",
            ":1: fields.device: '#/user/token': a pointer begins with '/': write '/user/token'"),
        Mistake(
            "a slash at the end", #"{"fields":{"device":"/user/token/"}}"#,
            ":1: fields.device: '/user/token/': an empty key: write '/user/token'"),
        Mistake(
            "two slashes", #"{"fields":{"device":"//user/token"}}"#,
            ":1: fields.device: '//user/token': an empty key: write '/user/token'"),
        Mistake(
            "two slashes inside", #"{"fields":{"device":"/user//token"}}"#,
            ":1: fields.device: '/user//token': an empty key: write '/user/token'"),
        Mistake(
            "a slash alone", #"{"fields":{"device":"/"}}"#,
            ":1: fields.device: '/': an empty key: write '' for the entry itself, or name a key"),
        Mistake(
            "a space before", #"{"fields":{"device":" /token"}}"#,
            ":1: fields.device: ' /token': a pointer begins with '/': remove the space before it"),
        Mistake(
            "a space after", #"{"fields":{"device":"/token "}}"#,
            ":1: fields.device: '/token ': remove the space before or after 'token'"),
        Mistake(
            "a tab after a key", #"{"fields":{"device":"/user\t/token"}}"#,
            ":1: fields.device: '/user\t/token': remove the space before or after 'user'"),
        Mistake(
            "a tilde", #"{"fields":{"device":"/~token"}}"#,
            ":1: fields.device: '/~token': '~' is written as '~0', and '/' in a key as '~1'"),
        Mistake(
            "an unknown escape", #"{"fields":{"device":"/a~2b"}}"#,
            ":1: fields.device: '/a~2b': '~' is written as '~0', and '/' in a key as '~1'"),
        Mistake(
            "a tilde at the end", #"{"fields":{"device":"/token~"}}"#,
            ":1: fields.device: '/token~': '~' is written as '~0', and '/' in a key as '~1'"),
        Mistake(
            "two stars in a key", #"{"fields":{"device":"/user/**/token"}}"#,
            ":1: fields.device: '/user/**/token': '**' is not supported: name every key down to the value"),
        Mistake(
            "a star in a key", #"{"fields":{"device":"/tok*"}}"#,
            ":1: fields.device: '/tok*': '*' is each element of an array, and not part of a key"),
        Mistake(
            "two stars", #"{"fields":{"device":"/users/*/tokens/*"}}"#,
            ":1: fields.device: '/users/*/tokens/*': a pointer has at most one '*': read the outer array with 'each'"
        ),
        Mistake(
            "33 parts", #"{"fields":{"device":""# + String(repeating: "/a", count: 33) + #""}}"#,
            ":1: fields.device: '" + String(repeating: "/a", count: 33) + "': a pointer has at most 32 parts"),
        Mistake(
            "a combining mark after a slash is part of the key", #"{"fields":{"device":"token/\u0301"}}"#,
            ":1: fields.device: 'token/\u{301}': a pointer begins with '/': write '/token/\u{301}'"),
        Mistake(
            "another placeholder for the locale", #"{"fields":{"device":"/names/{lang}"}}"#,
            ":1: fields.device: '/names/{lang}': the names of the locale replace '{locale}', not '{lang}'"),
        Mistake(
            "a placeholder for the locale in another case", #"{"fields":{"device":"/names/{Locale}"}}"#,
            ":1: fields.device: '/names/{Locale}': the names of the locale replace '{locale}', not '{Locale}'"
        ),
        Mistake(
            "the entry as a text", #"{"fields":{"device":""}}"#,
            ":1: fields.device: '' is the entry itself, an object, but 'device' is a text"),
        Mistake(
            "a very long pointer", #"{"fields":{"device":""# + String(repeating: "a", count: 3000) + #""}}"#,
            ":1: fields.device: '" + String(repeating: "a", count: 100)
                + "…': a pointer begins with '/': write '/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…'"
        ),
    ]

    @Test(arguments: pointers) func aPointer(_ mistake: Mistake) {
        #expect(Self.message(of: mistake.input) == mistake.expected)
    }

    // MARK: Keys of the mapping

    static let keys: [Mistake] = [
        Mistake(
            "a misspelled key", #"{"feilds":{"device":"/token"}}"#,
            ":1: feilds: unknown key 'feilds', did you mean 'fields'?"),
        Mistake(
            "a singular", "{\n\"field\":{\"device\":\"/token\"}}",
            ":2: field: unknown key 'field', did you mean 'fields'?"),
        Mistake(
            "another case", #"{"Fields":{"device":"/token"}}"#,
            ":1: Fields: unknown key 'Fields', did you mean 'fields'?"),
        Mistake(
            "the wrong word", #"{"mapping":{"device":"/token"}}"#,
            ":1: mapping: unknown key 'mapping', the nearest is 'match' (known: 'about', 'withoutPayload', 'when', 'unwrap', 'each', 'otherPlatform', 'match', 'fields')"
        ),
        Mistake(
            "a field outside 'fields'", #"{"device":"/token"}"#,
            ":1: device: unknown key 'device': fields are members of 'fields': write {\"fields\":{\"device\":…}}"
        ),
        Mistake(
            "a native name outside 'fields'", #"{"deviceToken":"/token"}"#,
            ":1: deviceToken: unknown key 'deviceToken': fields are members of 'fields': write {\"fields\":{\"device\":…}}"
        ),
        Mistake(
            "a field of the payload outside 'fields'",
            "{\n  \"unwrap\": [\"/event\"],\n  \"payload/aps/thread-id\": \"/thread\"\n}",
            ":3: payload/aps/thread-id: unknown key 'payload/aps/thread-id': fields are members of 'fields': write {\"fields\":{\"payload/aps/thread-id\":…}}"
        ),
        Mistake(
            "a repeated key", "{\"unwrap\":[\"/a\"],\n\"each\":[\"/b/*\"],\n\"unwrap\":[\"/c\"]}",
            ":3: unwrap: repeated key 'unwrap', already on line 1: remove one of the two"),
        Mistake(
            "a repeated field", "{\"fields\":{\"device\":\"/a\",\n\"app\":\"/b\",\n\"device\":\"/c\"}}",
            ":3: fields.device: repeated key 'device', already on line 1: remove one of the two"),
    ]

    @Test(arguments: keys) func aKeyOfTheMapping(_ mistake: Mistake) {
        #expect(Self.message(of: mistake.input) == mistake.expected)
    }

    // MARK: Names of fields

    static let names: [Mistake] = [
        Mistake(
            "collapseId", "{\"fields\":{\n\"collapseId\":\"/a/b\"}}",
            ":2: fields.collapseId: unknown field 'collapseId', did you mean 'collapse-id'?"),
        Mistake(
            "deviceToken", "{\"fields\":{\n\"deviceToken\":\"/a/b\"}}",
            ":2: fields.deviceToken: unknown field 'deviceToken', did you mean 'device'?"),
        Mistake(
            "thread_id", "{\"fields\":{\n\"thread_id\":\"/a/b\"}}",
            ":2: fields.thread_id: unknown field 'thread_id', did you mean 'payload/aps/thread-id'?"),
        Mistake(
            "payload.aps.alert", "{\"fields\":{\n\"payload.aps.alert\":\"/a/b\"}}",
            #":2: fields."payload.aps.alert": unknown field 'payload.aps.alert', did you mean 'payload/aps/alert'?"#
        ),
        Mistake(
            "payload/aps/alert/tittle", "{\"fields\":{\n\"payload/aps/alert/tittle\":\"/a/b\"}}",
            ":2: fields.payload/aps/alert/tittle: unknown field 'payload/aps/alert/tittle', did you mean 'payload/aps/alert/title'?"
        ),
        Mistake(
            "/payload/aps/badge", "{\"fields\":{\n\"/payload/aps/badge\":\"/a/b\"}}",
            ":2: fields./payload/aps/badge: unknown field '/payload/aps/badge', did you mean 'payload/aps/badge'?"
        ),
        Mistake(
            "Timestamp", "{\"fields\":{\n\"Timestamp\":\"/a/b\"}}",
            ":2: fields.Timestamp: unknown field 'Timestamp', did you mean 'timestamp'?"),
        Mistake(
            "time", "{\"fields\":{\n\"time\":\"/a/b\"}}",
            ":2: fields.time: unknown field 'time', did you mean 'timestamp'?"),
        Mistake(
            "bundle-id", "{\"fields\":{\n\"bundle-id\":\"/a/b\"}}",
            ":2: fields.bundle-id: unknown field 'bundle-id', did you mean 'app'?"),
        Mistake(
            "topic", "{\"fields\":{\n\"topic\":\"/a/b\"}}",
            ":2: fields.topic: unknown field 'topic', did you mean 'app'?"),
        Mistake(
            "token", "{\"fields\":{\n\"token\":\"/a/b\"}}",
            ":2: fields.token: unknown field 'token', did you mean 'device'?"),
        Mistake(
            "pushType", "{\"fields\":{\n\"pushType\":\"/a/b\"}}",
            ":2: fields.pushType: unknown field 'pushType', did you mean 'push-type'?"),
        Mistake(
            "uuid", "{\"fields\":{\n\"uuid\":\"/a/b\"}}",
            ":2: fields.uuid: unknown field 'uuid', did you mean 'id'?"),
        Mistake(
            "title", "{\"fields\":{\n\"title\":\"/a/b\"}}",
            ":2: fields.title: unknown field 'title', did you mean 'payload/aps/alert/title'?"),
        Mistake(
            "thread-id", "{\"fields\":{\n\"thread-id\":\"/a/b\"}}",
            ":2: fields.thread-id: unknown field 'thread-id', did you mean 'payload/aps/thread-id'?"),
        Mistake(
            "alert", "{\"fields\":{\n\"alert\":\"/a/b\"}}",
            ":2: fields.alert: unknown field 'alert', did you mean 'payload/aps/alert'?"),
        Mistake(
            "payload/alert/title", "{\"fields\":{\n\"payload/alert/title\":\"/a/b\"}}",
            ":2: fields.payload/alert/title: unknown field 'payload/alert/title', did you mean 'payload/aps/alert/title'?"
        ),
        Mistake(
            "aps/alert/body", "{\"fields\":{\n\"aps/alert/body\":\"/a/b\"}}",
            ":2: fields.aps/alert/body: unknown field 'aps/alert/body', did you mean 'payload/aps/alert/body'?"
        ),
        Mistake(
            "message", "{\"fields\":{\n\"message\":\"/a/b\"}}",
            ":2: fields.message: unknown field 'message', did you mean 'payload/aps/alert/body'?"),
        Mistake(
            "payload/aps/thread_id", "{\"fields\":{\n\"payload/aps/thread_id\":\"/a/b\"}}",
            ":2: fields.payload/aps/thread_id: unknown field 'payload/aps/thread_id', did you mean 'payload/aps/thread-id'?"
        ),
        Mistake(
            "payload/aps/mutableContent", "{\"fields\":{\n\"payload/aps/mutableContent\":\"/a/b\"}}",
            ":2: fields.payload/aps/mutableContent: unknown field 'payload/aps/mutableContent', did you mean 'payload/aps/mutable-content'?"
        ),
        Mistake(
            "interruptionLevel", "{\"fields\":{\n\"interruptionLevel\":\"/a/b\"}}",
            ":2: fields.interruptionLevel: unknown field 'interruptionLevel', did you mean 'payload/aps/interruption-level'?"
        ),
        Mistake(
            "devise", "{\"fields\":{\n\"devise\":\"/a/b\"}}",
            ":2: fields.devise: unknown field 'devise', did you mean 'device'?"),
        Mistake(
            "payload/custom/thread", "{\"fields\":{\n\"payload/custom/thread\":\"/a/b\"}}",
            ":2: fields.payload/custom/thread: unknown field 'payload/custom/thread', did you mean 'payload/aps/thread-id'?"
        ),
        Mistake(
            "zzz", "{\"fields\":{\n\"zzz\":\"/a/b\"}}",
            ":2: fields.zzz: unknown field 'zzz': the fields are timestamp, app, device, id, collapse-id, push-type, priority, expiration, status, success, reason, payload, and the payload's own, such as payload/aps/thread-id"
        ),
        Mistake(
            "an empty name", #"{"fields":{"":"/a"}}"#,
            ":1: fields.: unknown field '': the fields are timestamp, app, device, id, collapse-id, push-type, priority, expiration, status, success, reason, payload, and the payload's own, such as payload/aps/thread-id"
        ),
        Mistake(
            "a very long name", #"{"fields":{""# + String(repeating: "x", count: 3000) + #"":"/a"}}"#,
            ":1: fields." + String(repeating: "x", count: 100)
                + "…: unknown field 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…': the fields are timestamp, app, device, id, collapse-id, push-type, priority, expiration, status, success, reason, payload, and the payload's own, such as payload/aps/thread-id"
        ),
    ]

    @Test(arguments: names) func aNameOfAField(_ mistake: Mistake) {
        #expect(Self.message(of: mistake.input) == mistake.expected)
    }

    // MARK: Types

    static let types: [Mistake] = [
        Mistake(
            "a list at the top", #"["/a"]"#,
            #":1: a mapping is an object, not a list: write the fields of a record with pointers to them, such as {"fields":{"device":"/token"}}"#
        ),
        Mistake(
            "a list of entries", #"[{"aps":{}}]"#,
            #":1: a mapping is an object, not a list: write the fields of a record with pointers to them, such as {"fields":{"device":"/token"}}"#
        ),
        Mistake(
            "a string at the top", #""fields""#,
            #":1: a mapping is an object, not a string: write the fields of a record with pointers to them, such as {"fields":{"device":"/token"}}"#
        ),
        Mistake(
            "a number at the top", "17",
            #":1: a mapping is an object, not the number 17: write the fields of a record with pointers to them, such as {"fields":{"device":"/token"}}"#
        ),
        Mistake(
            "null at the top", "null",
            #":1: a mapping is an object, not null: write the fields of a record with pointers to them, such as {"fields":{"device":"/token"}}"#
        ),
        Mistake(
            "fields that are a list", #"{"fields":["device"]}"#,
            #":1: fields: expected an object, not a list: write {"device":"/token"}, with the name of each field"#
        ),
        Mistake(
            "fields that are a string", #"{"fields":"device"}"#,
            #":1: fields: expected an object, not a string: write {"device":"/token"}, with the name of each field"#
        ),
        Mistake(
            "fields that are null", #"{"fields":null}"#,
            #":1: fields: expected an object, not null: write {"device":"/token"}, with the name of each field"#
        ),
        Mistake(
            "a field that is a number", #"{"fields":{"device":5}}"#,
            ":1: fields.device: expected a pointer such as '/a/b', not the number 5"),
        Mistake(
            "a field that is null", #"{"fields":{"device":null}}"#,
            ":1: fields.device: expected a pointer such as '/a/b', not null"),
        Mistake(
            "a field that is true", #"{"fields":{"device":true}}"#,
            ":1: fields.device: expected a pointer such as '/a/b', not true"),
        Mistake(
            "a list in a list", #"{"fields":{"device":["/a",["/b"]]}}"#,
            ":1: fields.device: a list in a list: write all candidates in one list"),
        Mistake(
            "a number in a list", "{\"fields\":{\"device\":[\n\"/a\",\n7]}}",
            ":3: fields.device: expected a pointer such as '/a/b', not the number 7"),
        Mistake(
            "a pointer that is an object", #"{"fields":{"device":{"pointer":{}}}}"#,
            ":1: fields.device.pointer: expected a pointer such as '/a/b', not an object"),
        Mistake(
            "a pointer that is a list", #"{"fields":{"device":{"pointer":["/a","/b"]}}}"#,
            ":1: fields.device.pointer: expected a pointer such as '/a/b', not a list"),
        Mistake(
            "unwrap that is a string", #"{"unwrap":"/event"}"#,
            #":1: unwrap: expected a list, not a string: write it in brackets, as in ["/a/b"]"#),
        Mistake(
            "unwrap that is an object", #"{"unwrap":{"pointer":"/event"}}"#,
            #":1: unwrap: expected a list, not an object: write it in brackets, as in ["/a/b"]"#),
        Mistake(
            "unwrap with an object", #"{"unwrap":[{"pointer":"/event"}]}"#,
            ":1: unwrap: expected a pointer such as '/a/b', not an object"),
        Mistake(
            "each that is a string", #"{"each":"/events/*"}"#,
            #":1: each: expected a list, not a string: write it in brackets, as in ["/a/b"]"#),
        Mistake(
            "each with a number", "{\"each\":[\n\n3]}",
            ":3: each: expected a pointer such as '/a/b', not the number 3"),
        Mistake(
            "when that is a string", #"{"when":"/a","fields":{"device":"/b"}}"#,
            #":1: when: expected a list of alternatives, not a string: write [["/a","/b"]] for entries that have both"#
        ),
        Mistake(
            "when that is an object", #"{"when":{"pointer":"/a"},"fields":{"device":"/b"}}"#,
            #":1: when: expected a list of alternatives, not an object: write [["/a","/b"]] for entries that have both"#
        ),
        Mistake(
            "when with true", #"{"when":[true]}"#, ":1: when: expected a pointer such as '/a/b', not true"),
        Mistake(
            "about with a number", #"{"about":["mine",1],"unwrap":["/a"]}"#,
            ":1: about: expected a string, not the number 1"),
        Mistake(
            "about a candidate that is an object", #"{"fields":{"device":{"pointer":"/a","about":{}}}}"#,
            ":1: fields.device.about: expected a string, not an object"),
        Mistake(
            "otherPlatform that is an object", #"{"otherPlatform":{"pointer":"/platform","equals":2}}"#,
            #":1: otherPlatform: expected a list, not an object: write it in brackets, as in ["/a/b"]"#),
    ]

    @Test(arguments: types) func aType(_ mistake: Mistake) {
        #expect(Self.message(of: mistake.input) == mistake.expected)
    }

    // MARK: Constants

    static let constants: [Mistake] = [
        Mistake(
            "an empty constant", #"{"fields":{"app":{"constant":""}}}"#,
            ":1: fields.app.constant: an empty constant counts as absent: write a text, or remove the constant"
        ),
        Mistake(
            "a number", #"{"fields":{"app":{"constant":5}}}"#,
            #":1: fields.app.constant: expected a string, not the number 5: write "5" with quotes"#),
        Mistake(
            "a number with an exponent", #"{"fields":{"app":{"constant":1e400}}}"#,
            #":1: fields.app.constant: expected a string, not the number 1e400: write "1e400" with quotes"#),
        Mistake(
            "an object", #"{"fields":{"app":{"constant":{"a":1}}}}"#,
            ":1: fields.app.constant: expected a string, not an object"),
        Mistake(
            "a list", #"{"fields":{"app":{"constant":["a"]}}}"#,
            ":1: fields.app.constant: expected a string, not a list"),
        Mistake(
            "true", #"{"fields":{"app":{"constant":true}}}"#,
            ":1: fields.app.constant: expected a string, not true"),
        Mistake(
            "null", #"{"fields":{"app":{"constant":null}}}"#,
            ":1: fields.app.constant: expected a string, not null"),
        Mistake(
            "a constant that is too long",
            #"{"fields":{"app":{"constant":""# + String(repeating: "x", count: 4097) + #""}}}"#,
            ":1: fields.app.constant: a constant of 4097 bytes: at most 4096 are supported"),
        Mistake(
            "a payload", #"{"fields":{"payload":{"constant":"{}"}}}"#,
            ":1: fields.payload.constant: 'payload' is an object, but a constant is a text: write a pointer"),
        Mistake(
            "an object of the payload", #"{"fields":{"payload/aps":{"constant":"{}"}}}"#,
            ":1: fields.payload/aps.constant: 'payload/aps' is an object, but a constant is a text: write a pointer"
        ),
        Mistake(
            "a badge", #"{"fields":{"payload/aps/badge":{"constant":"5"}}}"#,
            ":1: fields.payload/aps/badge.constant: 'payload/aps/badge' is a number, but a constant is a text: write a pointer"
        ),
        Mistake(
            "a number for a badge", #"{"fields":{"payload/aps/badge":{"constant":5}}}"#,
            ":1: fields.payload/aps/badge.constant: 'payload/aps/badge' is a number, but a constant is a text: write a pointer"
        ),
        Mistake(
            "arguments", #"{"fields":{"payload/aps/alert/loc-args":{"constant":"a"}}}"#,
            ":1: fields.payload/aps/alert/loc-args.constant: 'payload/aps/alert/loc-args' is a list, but a constant is a text: write a pointer"
        ),
        Mistake(
            "a text for a number that is a switch",
            #"{"fields":{"payload/aps/content-available":{"constant":"1"}}}"#,
            ":1: fields.payload/aps/content-available.constant: 'payload/aps/content-available' is a number, but a constant is a text: write a pointer"
        ),
        Mistake(
            "not a timestamp", #"{"fields":{"timestamp":{"constant":"yesterday"}}}"#,
            ":1: fields.timestamp.constant: 'yesterday' is not a timestamp: write one such as 2026-01-31T12:00:00Z"
        ),
        Mistake(
            "a date of another notation", #"{"fields":{"timestamp":{"constant":"31.01.2026"}}}"#,
            ":1: fields.timestamp.constant: '31.01.2026' is not a timestamp: write one such as 2026-01-31T12:00:00Z"
        ),
        Mistake(
            "not a push type", #"{"fields":{"push-type":{"constant":"alrt"}}}"#,
            ":1: fields.push-type.constant: 'alrt' is not a push type: write one such as alert, background or voip"
        ),
        Mistake(
            "a constant before others", "{\"fields\":{\"app\":[{\"constant\":\"com.example\"},\n\"/app\"]}}",
            ":2: fields.app: never counts, because the constant 'com.example' before it always does: write the constant last"
        ),
        Mistake(
            "a constant before others with the same condition",
            #"{"fields":{"app":[{"constant":"a","when":["/x"]},{"pointer":"/app","when":["/x","/y"]}]}}"#,
            ":1: fields.app: never counts, because the constant 'a' before it always does: write the constant last"
        ),
        Mistake(
            "two constants", #"{"fields":{"app":[{"constant":"a"},{"constant":"b"}]}}"#,
            ":1: fields.app: never counts, because the constant 'a' before it always does: write the constant last"
        ),
    ]

    @Test(arguments: constants) func aConstant(_ mistake: Mistake) {
        #expect(Self.message(of: mistake.input) == mistake.expected)
    }

    // MARK: Candidates

    static let candidates: [Mistake] = [
        Mistake(
            "a pointer and a constant", #"{"fields":{"app":{"pointer":"/app","constant":"a"}}}"#,
            ":1: fields.app.constant: 'pointer' and 'constant' exclude each other: write two candidates, the constant last"
        ),
        Mistake(
            "neither a pointer nor a constant", #"{"fields":{"device":{"when":["/a"]}}}"#,
            ":1: fields.device: expected a 'pointer', a 'constant' or 'native'"),
        Mistake(
            "an empty object", #"{"fields":{"device":{}}}"#,
            ":1: fields.device: expected a 'pointer', a 'constant' or 'native'"),
        Mistake(
            "path for pointer", #"{"fields":{"device":{"path":"/token"}}}"#,
            ":1: fields.device.path: unknown key 'path', did you mean 'pointer'?"),
        Mistake(
            "default for constant", #"{"fields":{"app":["/app",{"default":"a"}]}}"#,
            ":1: fields.app.default: unknown key 'default', did you mean 'constant'?"),
        Mistake(
            "a misspelled key", #"{"fields":{"device":{"poniter":"/token"}}}"#,
            ":1: fields.device.poniter: unknown key 'poniter', did you mean 'pointer'?"),
        Mistake(
            "a key of conditions", #"{"fields":{"device":{"pointer":"/token","equals":"a"}}}"#,
            ":1: fields.device.equals: unknown key 'equals', the nearest is 'part' (known: 'pointer', 'constant', 'native', 'separator', 'part', 'when', 'unless', 'about')"
        ),
        Mistake(
            "the same pointer twice", "{\"fields\":{\"device\":[\"/a\",\"/b\",\n\"/a\"]}}",
            ":2: fields.device: '/a' is already in the list: remove one of the two"),
        Mistake(
            "the same pointer twice, spelled differently",
            #"{"fields":{"device":["/a~0b",{"pointer":"/a~0b","when":["/c"]}]}}"#,
            ":1: fields.device: '/a~0b' is already in the list: remove one of the two"),
        Mistake(
            "native in the payload", #"{"fields":{"payload/aps/badge":[{"native":true}]}}"#,
            ":1: fields.payload/aps/badge.native: 'native' is for fields of the envelope: the payload's own fields count anyway, after these"
        ),
        Mistake(
            "native for the payload", #"{"fields":{"payload":[{"native":true}]}}"#,
            ":1: fields.payload.native: the payload has one name: write '/payload'"),
        Mistake(
            "native without names", #"{"fields":{"expiration":[{"native":true}]}}"#,
            ":1: fields.expiration.native: 'expiration' has no names in native records: write pointers"),
        Mistake(
            "native that is false", #"{"fields":{"device":{"native":false}}}"#,
            ":1: fields.device.native: expected true, not false: remove the candidate to leave the names out"),
        Mistake(
            "native that is a string", #"{"fields":{"device":{"native":"device"}}}"#,
            ":1: fields.device.native: expected true, not a string: remove the candidate to leave the names out"
        ),
        Mistake(
            "native with a condition", #"{"fields":{"device":{"native":true,"when":["/a"]}}}"#,
            #":1: fields.device: 'native' has no conditions and no parts: write it alone, {"native":true}"#),
        Mistake(
            "native and a pointer", #"{"fields":{"device":{"native":true,"pointer":"/a"}}}"#,
            #":1: fields.device: 'native' has no conditions and no parts: write it alone, {"native":true}"#),
        Mistake(
            "native twice", #"{"fields":{"device":[{"native":true},{"native":true}]}}"#,
            ":1: fields.device: 'native' is already in the list: remove one of the two"),
        Mistake(
            "a native name after native", #"{"fields":{"device":[{"native":true},"/a","/device-token"]}}"#,
            ":1: fields.device: never counts, because 'native' before it includes '/device-token': remove it"),
        Mistake(
            "native as a text", #"{"fields":{"device":"native"}}"#,
            #":1: fields.device: 'native' is not a pointer: write {"native":true}"#),
        Mistake(
            "part without separator", #"{"fields":{"device":{"pointer":"/arn","part":2}}}"#,
            #":1: fields.device.part: 'separator' and 'part' need each other, as in {"pointer":"/arn","separator":"/","part":2}"#
        ),
        Mistake(
            "separator without part", #"{"fields":{"device":{"pointer":"/arn","separator":"/"}}}"#,
            #":1: fields.device.separator: 'separator' and 'part' need each other, as in {"pointer":"/arn","separator":"/","part":2}"#
        ),
        Mistake(
            "part of a constant", #"{"fields":{"app":{"constant":"a/b","separator":"/","part":1}}}"#,
            ":1: fields.app.part: a constant has no parts: write the part itself"),
        Mistake(
            "part of the payload", #"{"fields":{"payload":{"pointer":"/p","separator":"/","part":1}}}"#,
            ":1: fields.payload.part: 'payload' is an object, which has no parts"),
        Mistake(
            "part of a number",
            #"{"fields":{"payload/aps/badge":{"pointer":"/p","separator":"/","part":1}}}"#,
            ":1: fields.payload/aps/badge.part: 'payload/aps/badge' is a number, which has no parts"),
        Mistake(
            "a separator of two characters",
            #"{"fields":{"device":{"pointer":"/arn","separator":"::","part":1}}}"#,
            ":1: fields.device.separator: expected one ASCII character, not '::'"),
        Mistake(
            "an empty separator", #"{"fields":{"device":{"pointer":"/arn","separator":"","part":1}}}"#,
            ":1: fields.device.separator: expected one ASCII character, not ''"),
        Mistake(
            "a separator that is not ASCII",
            "{\"fields\":{\"device\":{\"pointer\":\"/arn\",\"separator\":\"·\",\"part\":1}}}",
            ":1: fields.device.separator: expected one ASCII character, not '·'"),
        Mistake(
            "a separator that is a number",
            #"{"fields":{"device":{"pointer":"/arn","separator":5,"part":1}}}"#,
            ":1: fields.device.separator: expected a string, not the number 5"),
        Mistake(
            "a part that is a string",
            #"{"fields":{"device":{"pointer":"/arn","separator":"/","part":"2"}}}"#,
            ":1: fields.device.part: expected a whole number from 0 to 99, not a string"),
        Mistake(
            "a part that is negative", #"{"fields":{"device":{"pointer":"/arn","separator":"/","part":-1}}}"#,
            ":1: fields.device.part: expected a whole number from 0 to 99, not the number -1"),
        Mistake(
            "a part that is a fraction",
            #"{"fields":{"device":{"pointer":"/arn","separator":"/","part":1.5}}}"#,
            ":1: fields.device.part: expected a whole number from 0 to 99, not the number 1.5"),
        Mistake(
            "a part that is too large",
            #"{"fields":{"device":{"pointer":"/arn","separator":"/","part":100}}}"#,
            ":1: fields.device.part: expected a whole number from 0 to 99, not the number 100"),
        Mistake(
            "a part that is huge", #"{"fields":{"device":{"pointer":"/arn","separator":"/","part":1e999}}}"#,
            ":1: fields.device.part: expected a whole number from 0 to 99, not the number 1e999"),
        Mistake(
            "a part with an exponent",
            #"{"fields":{"device":{"pointer":"/arn","separator":"/","part":1e1}}}"#,
            ":1: fields.device.part: expected a whole number from 0 to 99, not the number 1e1"),
        Mistake(
            "unless that hides the pointer itself",
            #"{"fields":{"device":{"pointer":"/a/b","unless":["/a"]}}}"#,
            ":1: fields.device: never counts: '/a' in 'unless' is present whenever '/a/b' is: remove one of the two"
        ),
        Mistake(
            "unless and when with the same pointer",
            #"{"fields":{"app":{"constant":"a","when":["/b"],"unless":["/b"]}}}"#,
            ":1: fields.app: never counts: '/b' in 'unless' is present whenever '/b' is: remove one of the two"
        ),
        Mistake(
            "an empty list of conditions", #"{"fields":{"device":{"pointer":"/a","when":[]}}}"#,
            ":1: fields.device.when: an empty list has no effect: remove the key"),
        Mistake(
            "an empty list of exceptions", #"{"fields":{"device":{"pointer":"/a","unless":[]}}}"#,
            ":1: fields.device.unless: an empty list has no effect: remove the key"),
        Mistake(
            "a condition twice", #"{"fields":{"device":{"pointer":"/a","when":["/b","/b"]}}}"#,
            ":1: fields.device.when: the same as an earlier condition: remove it"),
        Mistake(
            "an exception twice", #"{"fields":{"device":{"pointer":"/a","unless":["/b","/b"]}}}"#,
            ":1: fields.device.unless: '/b' is already in the list: remove one of the two"),
        Mistake(
            "a condition with '*'", #"{"fields":{"device":{"pointer":"/a","when":["/b/*"]}}}"#,
            ":1: fields.device.when: '/b/*' has '*', but a condition is about one value: write an index, as in '/tokens/0'"
        ),
        Mistake(
            "an exception with equals",
            #"{"fields":{"device":{"pointer":"/a","unless":[{"pointer":"/b","equals":1}]}}}"#,
            ":1: fields.device.unless: expected a pointer such as '/a/b', not an object: 'unless' is about what is present"
        ),
        Mistake(
            "a condition that equals two values",
            #"{"fields":{"device":{"pointer":"/a","when":[{"pointer":"/b","equals":1},{"pointer":"/b","equals":2}]}}}"#,
            ":1: fields.device.when: '/b' cannot equal two values at once: list both in one 'equals', as in [2,3]"
        ),
        Mistake(
            "unless and when with a value",
            #"{"fields":{"app":{"constant":"a","when":[{"pointer":"/b","equals":1}],"unless":["/b"]}}}"#,
            ":1: fields.app: never counts: '/b' in 'unless' is present whenever '/b' is: remove one of the two"
        ),
        Mistake(
            "a condition for the entry", #"{"fields":{"device":{"pointer":"/a","when":""}}}"#,
            ":1: fields.device.when: '' is the entry itself, which is always present: name a value in it"),
        Mistake(
            "an empty list in the payload", #"{"fields":{"payload/aps/badge":[]}}"#,
            ":1: fields.payload/aps/badge: an empty list has no effect: a field without candidates is read from the payload"
        ),
        Mistake(
            "a payload that is nothing", #"{"fields":{"payload":[]}}"#,
            ":1: fields.payload: without a payload, its fields are needed: add one such as 'payload/aps/alert'"
        ),
        Mistake(
            "'*' in the payload", #"{"fields":{"payload":"/pushes/*"}}"#,
            ":1: fields.payload: '/pushes/*' has '*': only fields of the envelope differ between the records of one payload; read the array with 'each'"
        ),
        Mistake(
            "'*' in a field of the payload", #"{"fields":{"payload/aps/alert/body":"/texts/*"}}"#,
            ":1: fields.payload/aps/alert/body: '/texts/*' has '*': only fields of the envelope differ between the records of one payload; read the array with 'each'"
        ),
        Mistake(
            "'*' as the entry", #"{"fields":{"device":"/*"}}"#,
            ":1: fields.device: '/*': the entry is an object, not an array: name the array before '*'"),
        Mistake(
            "elements of two arrays", "{\"fields\":{\"device\":\"/tokens/*\",\n\"id\":\"/ids/*\"}}",
            ":2: fields.id: '/ids/*' and '/tokens/*' are elements of different arrays: only those of one field, the device if it has any, give records"
        ),
        Mistake(
            "elements of other arrays than the device's",
            "{\"fields\":{\"device\":[\"/sent/*/device\",\"/failed/*/device\"],\n\"app\":\"/apps/*\"}}",
            ":2: fields.app: '/apps/*' and '/sent/*/device' are elements of different arrays: only those of one field, the device if it has any, give records"
        ),
        Mistake(
            "conditions in another array than the value's",
            #"{"fields":{"reason":{"pointer":"/failed/*/reason","when":["/sent/*/device"]}}}"#,
            ":1: fields.reason.when: '/failed/*' and '/sent/*' are elements of different arrays: a candidate is in one"
        ),
        Mistake(
            "conditions in an array for a device",
            #"{"fields":{"device":{"pointer":"/a","when":["/failed/*"]}}}"#,
            ":1: fields.device.when: '/failed/*' has '*', but a condition is about one value: write an index, as in '/tokens/0'"
        ),
        Mistake(
            "an answer's device without '*'",
            #"{"match":["/failed/token"],"fields":{"device":"/tokens/*","reason":"/failed/*/reason"}}"#,
            ":1: match: '/failed/token' has no '*' for the elements of an array: answers are matched in arrays"
        ),
        Mistake(
            "an answer's device among the records",
            #"{"match":["/tokens/*"],"fields":{"device":"/tokens/*","reason":"/failed/*/reason"}}"#,
            ":1: match: '/tokens/*' is in an array that gives records, which have their own outcomes"),
        Mistake(
            "an answer's device without an answer",
            #"{"match":["/failed/*/token"],"fields":{"device":"/tokens/*"}}"#,
            ":1: match: '/failed/*/token' has no effect: neither 'status' nor 'success' nor 'reason' has a pointer into '/failed/*'"
        ),
    ]

    @Test(arguments: candidates) func aCandidate(_ mistake: Mistake) {
        #expect(Self.message(of: mistake.input) == mistake.expected)
    }

    // MARK: Conditions of the mapping

    static let conditions: [Mistake] = [
        Mistake(
            "no alternatives", #"{"when":[],"fields":{"device":"/to"}}"#,
            ":1: when: an empty list fits every entry: remove 'when'"),
        Mistake(
            "an empty alternative", #"{"when":[["/a"],[]],"fields":{"device":"/to"}}"#,
            ":1: when: an alternative without conditions fits every entry: remove it"),
        Mistake(
            "a condition with '*'", #"{"when":[["/tokens/*"]],"fields":{"device":"/to"}}"#,
            ":1: when: '/tokens/*' has '*', but a condition is about one value: write an index, as in '/tokens/0'"
        ),
        Mistake(
            "a condition with '{locale}'", #"{"when":[["/contents/{locale}"]],"fields":{"device":"/to"}}"#,
            ":1: when: '/contents/{locale}': '{locale}' is only for the pointers to values, not for conditions"
        ),
        Mistake(
            "a condition for the entry", #"{"when":[""],"fields":{"device":"/to"}}"#,
            ":1: when: '' is the entry itself, which is always present: name a value in it"),
        Mistake(
            "no pointer", #"{"when":[{"equals":1}],"fields":{"device":"/to"}}"#,
            ":1: when: the key 'pointer' is missing: it names the value that the condition is about"),
        Mistake(
            "equals and contains",
            #"{"when":[{"pointer":"/a","equals":1,"contains":"x"}],"fields":{"device":"/to"}}"#,
            ":1: when.contains: 'equals' and 'contains' exclude each other: remove one of the two"),
        Mistake(
            "equals nothing", #"{"when":[{"pointer":"/a","equals":[]}],"fields":{"device":"/to"}}"#,
            ":1: when.equals: an empty list equals nothing: write the values, as in [2,3]"),
        Mistake(
            "equals null twice",
            #"{"when":[{"pointer":"/a","equals":[null,null]}],"fields":{"device":"/to"}}"#,
            ":1: when.equals: the same as an earlier value: remove it"),
        Mistake(
            "equals an object", #"{"when":[{"pointer":"/a","equals":{"b":1}}],"fields":{"device":"/to"}}"#,
            ":1: when.equals: expected a string, a number, true, false or null, not an object"),
        Mistake(
            "equals a list in a list",
            #"{"when":[{"pointer":"/a","equals":[[1]]}],"fields":{"device":"/to"}}"#,
            ":1: when.equals: expected a string, a number, true, false or null, not a list"),
        Mistake(
            "equals a number out of range",
            #"{"when":[{"pointer":"/a","equals":1e400}],"fields":{"device":"/to"}}"#,
            ":1: when.equals: 1e400 is out of range"),
        Mistake(
            "equals a number that is too small",
            #"{"when":[{"pointer":"/a","equals":1e-400}],"fields":{"device":"/to"}}"#,
            ":1: when.equals: 1e-400 is out of range"),
        Mistake(
            "equals a number that is not exact",
            #"{"when":[{"pointer":"/a","equals":12345678901234567890}],"fields":{"device":"/to"}}"#,
            ":1: when.equals: 12345678901234567890 is too large to be compared exactly: at most 9007199254740991"
        ),
        Mistake(
            "equals a value twice",
            #"{"when":[{"pointer":"/a","equals":[2,2.0]}],"fields":{"device":"/to"}}"#,
            ":1: when.equals: the same as an earlier value: remove it"),
        Mistake(
            "contains nothing", #"{"when":[{"pointer":"/a","contains":""}],"fields":{"device":"/to"}}"#,
            ":1: when.contains: every text contains the empty one: remove 'contains'"),
        Mistake(
            "contains a number", #"{"when":[{"pointer":"/a","contains":5}],"fields":{"device":"/to"}}"#,
            ":1: when.contains: expected a string, not the number 5"),
        Mistake(
            "eq for equals", #"{"when":[{"pointer":"/a","eq":1}],"fields":{"device":"/to"}}"#,
            ":1: when.eq: unknown key 'eq', did you mean 'equals'?"),
        Mistake(
            "regex for contains", #"{"when":[{"pointer":"/a","regex":"^x"}],"fields":{"device":"/to"}}"#,
            ":1: when.regex: unknown key 'regex', did you mean 'contains'?"),
        Mistake(
            "a misspelled key", #"{"when":[{"pointer":"/a","equels":1}],"fields":{"device":"/to"}}"#,
            ":1: when.equels: unknown key 'equels', did you mean 'equals'?"),
        Mistake(
            "an alternative twice",
            "{\"when\":[[\"/a\",\"/b\"],\n[\"/b\",\"/a\"]],\"fields\":{\"device\":\"/to\"}}",
            ":2: when: the same as an earlier alternative: remove it"),
        Mistake(
            "a condition twice", #"{"when":[["/a","/a"]],"fields":{"device":"/to"}}"#,
            ":1: when: the same as an earlier condition: remove it"),
        Mistake(
            "two values at once",
            #"{"when":[[{"pointer":"/a","equals":1},{"pointer":"/a","equals":2}]],"fields":{"device":"/to"}}"#,
            ":1: when: '/a' cannot equal two values at once: list both in one 'equals', as in [2,3]"),
        Mistake(
            "a pointer without a slash", #"{"when":[["a.b"]],"fields":{"device":"/to"}}"#,
            ":1: when: 'a.b': a pointer begins with '/': write '/a/b', or '/a.b' if the dots are part of the key"
        ),
    ]

    @Test(arguments: conditions) func aCondition(_ mistake: Mistake) {
        #expect(Self.message(of: mistake.input) == mistake.expected)
    }

    // MARK: Wrappers, arrays and platforms

    static let entries: [Mistake] = [
        Mistake(
            "unwrap of nothing", #"{"unwrap":[]}"#, ":1: unwrap: an empty list has no effect: remove the key"),
        Mistake(
            "unwrap of the entry", #"{"unwrap":[""]}"#,
            ":1: unwrap: '' is the entry itself, which wraps nothing"),
        Mistake(
            "unwrap of elements", #"{"unwrap":["/events/*"]}"#,
            ":1: unwrap: '/events/*' has '*': arrays of entries are read with 'each'"),
        Mistake(
            "unwrap twice", "{\"unwrap\":[\"/a\",\n\"/a\"]}",
            ":2: unwrap: the same as an earlier one: remove it"),
        Mistake(
            "each without '*'", #"{"each":["/events"]}"#,
            ":1: each: '/events' has no '*' for the elements of an array: write '/events/*'"),
        Mistake(
            "each of the entry", #"{"each":[""]}"#,
            ":1: each: '' has no '*' for the elements of an array: write '/*'"),
        Mistake(
            "each of arrays in arrays", #"{"each":["/batches/*/events/*"]}"#,
            ":1: each: '/batches/*/events/*' has more than one '*': the elements of '/batches/*' are entries themselves: write '/batches/*' and '/events/*'"
        ),
        Mistake(
            "each of arrays in arrays with when", #"{"when":["/a"],"each":["/batches/*/events/*/body"]}"#,
            ":1: each: '/batches/*/events/*/body' has more than one '*': arrays in arrays are read only without 'when'"
        ),
        Mistake(
            "each twice", #"{"each":["/a/*","/a/*"]}"#, ":1: each: the same as an earlier one: remove it"),
        Mistake(
            "each with brackets", #"{"each":["/events[]"]}"#,
            ":1: each: '/events[]': 'events[]' is not a key: write 'events/*' for an element"),
        Mistake(
            "another platform without a value", #"{"otherPlatform":[{"pointer":"/platform","equals":[]}]}"#,
            ":1: otherPlatform.equals: an empty list equals nothing: write the values, as in [2,3]"),
        Mistake(
            "no other platforms", #"{"otherPlatform":[]}"#,
            ":1: otherPlatform: an empty list has no effect: remove the key"),
        Mistake(
            "a log without a payload, but without conditions", #"{"withoutPayload":"an access log"}"#,
            ":1: 'when' is missing: it selects the entries that 'withoutPayload' is about"),
        Mistake(
            "no payload, but fields", #"{"withoutPayload":"x","when":["/a"],"fields":{"device":"/b"}}"#,
            ":1: fields: entries without a payload have no fields: remove 'fields' or 'withoutPayload'"),
        Mistake(
            "no lines about it", #"{"about":[],"unwrap":["/a"]}"#,
            ":1: about: an empty list: remove the key"),
        Mistake(
            "an empty text about it", #"{"about":"","unwrap":["/a"]}"#,
            ":1: about: an empty text: remove the key"),
    ]

    @Test(arguments: entries) func aWrapperOrAnArray(_ mistake: Mistake) {
        #expect(Self.message(of: mistake.input) == mistake.expected)
    }

    // MARK: Files that are not mappings

    static let files: [Mistake] = [
        Mistake(
            "an empty file", "",
            #": the file is empty: write the fields of a record with pointers to them, such as {"fields":{"device":"/token"}}"#
        ),
        Mistake(
            "white space", " \n\t",
            #": the file is empty: write the fields of a record with pointers to them, such as {"fields":{"device":"/token"}}"#
        ),
        Mistake(
            "an empty object", "{}",
            #":1: the mapping has no effect: write the fields of a record with pointers to them, such as {"fields":{"device":"/token"}}"#
        ),
        Mistake(
            "no fields", #"{"fields":{}}"#,
            #":1: the mapping has no effect: write the fields of a record with pointers to them, such as {"fields":{"device":"/token"}}"#
        ),
        Mistake(
            "only a description", #"{"about":"mine"}"#,
            #":1: the mapping has no effect: write the fields of a record with pointers to them, such as {"fields":{"device":"/token"}}"#
        ),
        Mistake(
            "a log",
            "{\"payload\":{\"aps\":{\"alert\":\"a\"}},\"ts\":1}\n{\"payload\":{\"aps\":{\"alert\":\"b\"}},\"ts\":2}\n",
            ":2: not valid JSON at column 1: this looks like a log: a mapping is one JSON object"),
        Mistake(
            "an entry of a log", #"{"ts":1,"payload":{"aps":{"alert":"a"}}}"#,
            ":1: ts: unknown key 'ts': this looks like a log entry, not like a mapping"),
        Mistake(
            "a bare entry of a log", #"{"aps":{"alert":"a"}}"#,
            ":1: aps: unknown key 'aps': this looks like a log entry, not like a mapping"),
        Mistake(
            "an entry of FCM", #"{"message":{"token":"a","apns":{}}}"#,
            ":1: message: unknown key 'message': this looks like a log entry, not like a mapping"),
        Mistake(
            "a configuration", #"{"apps":{"com.example":{"grouping":"off"}}}"#,
            ":1: apps: unknown key 'apps': this looks like a configuration, not like a mapping"),
        Mistake(
            "an empty configuration for previews", "{\n\"showPreviews\":\"never\"}",
            ":2: showPreviews: unknown key 'showPreviews': this looks like a configuration, not like a mapping"
        ),
        Mistake("not JSON", "fields: device", ":1: not valid JSON at column 1"),
        Mistake(
            "a comment", "{\n// the device\n\"fields\":{}}",
            ":2: not valid JSON at column 1: JSON has no comments"),
        Mistake(
            "a comment after a value", "{\"unwrap\":[\"/a\"] # body\n}",
            ":1: not valid JSON at column 18: JSON has no comments"),
        Mistake(
            "a comma too many", #"{"unwrap":["/a",]}"#,
            ":1: not valid JSON at column 17: remove the comma before it"),
        Mistake(
            "a comma too many in an object", "{\"unwrap\":[\"/a\"],\n}",
            ":2: not valid JSON at column 1: remove the comma before it"),
        Mistake(
            "a missing comma", "{\"unwrap\":[\"/a\"]\n\"each\":[\"/b/*\"]}",
            ":2: not valid JSON at column 1: a comma is missing before it"),
        Mistake(
            "single quotes", "{'unwrap':['/a']}", ":1: not valid JSON at column 2: strings have double quotes"
        ),
        Mistake(
            "an end too soon", #"{"unwrap":["/a"]"#, ":1: not valid JSON at column 17: the file ends too soon"
        ),
        Mistake(
            "text after the end", #"{"unwrap":["/a"]}}"#,
            ":1: not valid JSON at column 18: a bracket too many"),
        Mistake(
            "deep nesting", #"{"fields":"# + String(repeating: "[", count: 200) + "",
            ":1: more than 128 nested objects and lists at column 138"),
        Mistake("a NUL byte", "{\"unwrap\":[\"/a\"]\u{0}}", ":1: not valid JSON at column 17"),
        Mistake("a NUL byte in a string", "{\"unwrap\":[\"/a\u{0}\"]}", ":1: not valid JSON at column 15"),
        Mistake(
            "a byte order mark and a mistake", "\u{feff}{\n\"unwrap\":\"/a\"}",
            #":2: unwrap: expected a list, not a string: write it in brackets, as in ["/a/b"]"#),
    ]

    @Test(arguments: files) func aFileThatIsNotAMapping(_ mistake: Mistake) {
        #expect(Self.message(of: mistake.input) == mistake.expected)
    }

    // MARK: Bytes

    typealias Damage = Example<[UInt8], String>

    static let damages: [Damage] = [
        Damage(
            "invalid UTF-8", Array(#"{"unwrap":["/"#.utf8) + [0xff] + Array(#""]}"#.utf8),
            ":1: not valid JSON at column 14: not valid UTF-8, or a character outside a string"),
        Damage(
            "UTF-16", [0xff, 0xfe, 0x7b, 0, 0x7d, 0],
            ":1: not valid JSON at column 1: the file is probably UTF-16: save it as UTF-8"),
        Damage(
            "UTF-16 without a mark", [0, 0x7b, 0, 0x7d],
            ":1: not valid JSON at column 1: the file is probably UTF-16: save it as UTF-8"),
        Damage(
            "gzip", [0x1f, 0x8b, 8, 0, 0, 0],
            ":1: not valid JSON at column 1: the file is compressed: a mapping is a JSON text"),
        Damage(
            "zstd", [0x28, 0xb5, 0x2f, 0xfd, 0],
            ":1: not valid JSON at column 1: the file is compressed: a mapping is a JSON text"),
    ]

    @Test(arguments: damages) func bytesThatAreNotText(_ mistake: Damage) throws {
        let error = try #require(throws: LocatedError.self) {
            try LogInput(json: mistake.input, file: "m.json")
        }
        #expect(error.description == "m.json" + mistake.expected)
    }

    // MARK: No mistakes

    @Test(arguments: [
        #"{"unwrap":["/event/body"],"each":["/batch/*"],"fields":{"timestamp":["/sent/at"],"app":["/bundle",{"constant":"com.example.app"}],"device":["/tokens/*"],"payload":["/apns"],"payload/aps/thread-id":["/conversation/id","/apns/aps/thread-id"]}}"#,
        #"{"fields":{"device":[]}}"#,
        #"{"fields":{"payload":[],"payload/aps/alert":"/text"}}"#,
        #"{"fields":{"payload":""}}"#,
        #"{"fields":{"payload/aps/alert":""}}"#,
        #"{"each":["/*"]}"#,
        #"{"each":["/a/*","/a/*/b"]}"#,
        #"{"when":["/a"]}"#,
        #"{"when":[[{"pointer":"/a","equals":["",0,-0.5e9,true,9007199254740991]}]]}"#,
        #"{"when":[[{"pointer":"/a","equals":1},{"pointer":"/a","equals":[1,2]}]]}"#,
        #"{"when":[{"pointer":"/a","equals":null},{"pointer":"/a","equals":[1,null]}]}"#,
        #"{"when":["/a"],"withoutPayload":"a log of accesses"}"#,
        #"{"fields":{"device":["/a",{"pointer":"/a","separator":"/","part":0}]}}"#,
        #"{"fields":{"device":[{"pointer":"/a","when":["/b"]},"/a"]}}"#,
        #"{"fields":{"app":[{"constant":"a","when":["/b"]},{"constant":"b","unless":["/c"]},"/d"]}}"#,
        #"{"fields":{"app":{"constant":"a","when":[{"pointer":"/b","equals":null}],"unless":["/b"]}}}"#,
        #"{"fields":{"app":[{"constant":"a","when":{"pointer":"/b","equals":1}},{"constant":"b","when":{"pointer":"/b","contains":"x"}},"/d"]}}"#,
        #"{"fields":{"app":["/native",{"native":true},"/name"]}}"#,
        #"{"fields":{"device":["/to/*","/to"]}}"#,
        #"{"fields":{"device":"/a.b/$c/d:e/[f]/{g}/~0/~1/0/x\u0301"}}"#,
        #"{"fields":{"push-type":{"constant":"VoIP"}}}"#,
        #"{"fields":{"device":["/\u00e9","/e\u0301"]}}"#,
        "\u{feff}{\r\n\"unwrap\":[\"/a\"]\r\n}\r\n",
    ]) func aValidMappingIsAccepted(_ mapping: String) {
        #expect(Self.message(of: mapping) == nil)
    }
}
