// decode-simdjson LOG PASSES: decodes lines in memory to the fields of notifications, with simdjson on demand, on one
// core.
//
// Extracts the texts, weights and times that Sheaf's RecordDecoder extracts, and prints counts and sums, which must
// equal Sheaf's. It does less: it skips fields whose type Sheaf checks but whose value it does not keep (sound, badge
// and the like), does not validate skipped values, and reads only the time formats of generated logs.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <simdjson.h>
#include <string_view>
#include <vector>

using namespace simdjson;
using std::string_view;

// Whether a key is `name`. The key is unescaped in the line and followed by its closing quote. Since the compiler knows
// the length, this takes one or two comparisons of words.
template <size_t size>
static bool is(const char *key, const char (&name)[size]) {
    return memcmp(key, name, size - 1) == 0 && key[size - 1] == '"';
}

struct Alert {
    string_view title, subtitle, body, title_key, subtitle_key, body_key, argument, thread;
    // The arguments of the keys: arrays as they are in the line.
    string_view title_arguments, subtitle_arguments, body_arguments;
    int64_t weight = 1;
};

struct Payload {
    bool has_aps = false;
    string_view thread, category, alert_text, simulator_target;
    Alert alert;
};

struct Envelope {
    bool has_payload = false;
    string_view app, topic, apns_topic, bundle, header_topic;
    string_view device, device_token, token;
    string_view apns_id, id, header_id;
    string_view apns_collapse, collapse, header_collapse;
    string_view apns_push_type, push_type, header_push_type;
    int64_t timestamp = -1, ts = -1;
    Payload payload;
};

struct Sums {
    uint64_t lines = 0, notifications = 0, checksum = 0;
};

static string_view text(ondemand::value value) {
    string_view result;
    if (value.type() == ondemand::json_type::string && !value.get_string().get(result)) return result;
    return {};
}

static string_view array(ondemand::value value) {
    if (value.type() != ondemand::json_type::array) return {};
    ondemand::array list = value.get_array();
    return list.raw_json();
}

// MARK: times

static int64_t digits(string_view text, size_t from, size_t count) {
    int64_t number = 0;
    for (size_t index = from; index < from + count; index++) number = number * 10 + (text[index] - '0');
    return number;
}

// Parses the date-times of generated logs: 2026-01-05T02:00:00.239+02:00.
static int64_t date_time(string_view text) {
    if (text.size() < 24) return -1;
    int64_t year = digits(text, 0, 4), month = digits(text, 5, 2), day = digits(text, 8, 2);
    if (month <= 2) { year--; month += 12; }
    int64_t days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * (month - 3) + 2) / 5 + day - 1 - 719468;
    int64_t seconds = days * 86400 + digits(text, 11, 2) * 3600 + digits(text, 14, 2) * 60 + digits(text, 17, 2);
    if (text.size() >= 29) {
        int64_t offset = digits(text, 24, 2) * 3600 + digits(text, 27, 2) * 60;
        seconds += text[23] == '-' ? offset : -offset;
    }
    return seconds * 1000 + digits(text, 20, 3);
}

static int64_t milliseconds(ondemand::value value) {
    if (value.type() == ondemand::json_type::string) return date_time(text(value));
    ondemand::number number;
    if (value.get_number().get(number)) return -1;
    if (number.is_int64()) {
        int64_t time = number.get_int64();
        return time < 100000000000 ? time * 1000 : time;
    }
    double time = number.get_double();
    return int64_t((time < 1e11 ? time * 1000 : time) + 0.0005);
}

// MARK: a payload's objects

static void read_alert(ondemand::object object, Alert &alert) {
    for (auto field : object) {
        const char *key = field.key().value_unsafe().raw();
        ondemand::value value = field.value();
        switch (key[0]) {
        case 't':
            if (is(key, "title")) alert.title = text(value);
            else if (is(key, "title-loc-key")) alert.title_key = text(value);
            else if (is(key, "title-loc-args")) alert.title_arguments = array(value);
            else if (is(key, "thread-id")) alert.thread = text(value);
            break;
        case 's':
            if (is(key, "subtitle")) alert.subtitle = text(value);
            else if (is(key, "summary-arg")) alert.argument = text(value);
            else if (is(key, "summary-arg-count")) {
                int64_t weight;
                if (!value.get_int64().get(weight) && weight >= 1 && weight <= INT32_MAX) alert.weight = weight;
            } else if (is(key, "subtitle-loc-key")) alert.subtitle_key = text(value);
            else if (is(key, "subtitle-loc-args")) alert.subtitle_arguments = array(value);
            break;
        case 'b':
            if (is(key, "body")) alert.body = text(value);
            break;
        case 'l':
            if (is(key, "loc-key")) alert.body_key = text(value);
            else if (is(key, "loc-args")) alert.body_arguments = array(value);
            break;
        }
    }
}

static void read_aps(ondemand::object object, Payload &payload) {
    payload.has_aps = true;
    for (auto field : object) {
        const char *key = field.key().value_unsafe().raw();
        ondemand::value value = field.value();
        switch (key[0]) {
        case 'a':
            if (!is(key, "alert")) break;
            if (value.type() == ondemand::json_type::object) read_alert(value.get_object(), payload.alert);
            else payload.alert_text = text(value);
            break;
        case 't':
            if (is(key, "thread-id")) payload.thread = text(value);
            break;
        case 'c':
            if (is(key, "category")) payload.category = text(value);
            break;
        }
    }
}

static void read_payload(ondemand::object object, Payload &payload) {
    for (auto field : object) {
        const char *key = field.key().value_unsafe().raw();
        ondemand::value value = field.value();
        if (is(key, "aps")) {
            if (value.type() == ondemand::json_type::object) read_aps(value.get_object(), payload);
        } else if (is(key, "Simulator Target Bundle")) {
            payload.simulator_target = text(value);
        }
    }
}

// MARK: the envelope

static void read_headers(ondemand::object object, Envelope &envelope) {
    for (auto field : object) {
        const char *key = field.key().value_unsafe().raw();
        ondemand::value value = field.value();
        if (is(key, "apns-topic")) envelope.header_topic = text(value);
        else if (is(key, "apns-id")) envelope.header_id = text(value);
        else if (is(key, "apns-push-type")) envelope.header_push_type = text(value);
        else if (is(key, "apns-collapse-id")) envelope.header_collapse = text(value);
    }
}

static void read_record(ondemand::object object, Envelope &envelope, ondemand::parser &embedded) {
    for (auto field : object) {
        const char *key = field.key().value_unsafe().raw();
        ondemand::value value = field.value();
        switch (key[0]) {
        case 'p':
            if (is(key, "payload")) {
                envelope.has_payload = true;
                if (value.type() == ondemand::json_type::object) {
                    read_payload(value.get_object(), envelope.payload);
                } else {
                    // The first parser's text buffer has the padding that a parser requires of its input.
                    string_view json = text(value);
                    auto document = embedded.iterate(json, json.size() + SIMDJSON_PADDING);
                    ondemand::object payload;
                    if (!document.get_object().get(payload)) read_payload(payload, envelope.payload);
                }
            } else if (is(key, "push-type")) envelope.push_type = text(value);
            break;
        case 't':
            if (is(key, "timestamp")) envelope.timestamp = milliseconds(value);
            else if (is(key, "ts")) envelope.ts = milliseconds(value);
            else if (is(key, "topic")) envelope.topic = text(value);
            else if (is(key, "token")) envelope.token = text(value);
            break;
        case 'a':
            if (is(key, "app")) envelope.app = text(value);
            else if (is(key, "apns-id")) envelope.apns_id = text(value);
            else if (is(key, "apns-push-type")) envelope.apns_push_type = text(value);
            else if (is(key, "apns-collapse-id")) envelope.apns_collapse = text(value);
            else if (is(key, "apns-topic")) envelope.apns_topic = text(value);
            else if (is(key, "aps") && value.type() == ondemand::json_type::object)
                read_aps(value.get_object(), envelope.payload);
            break;
        case 'd':
            if (is(key, "device")) envelope.device = text(value);
            else if (is(key, "device-token")) envelope.device_token = text(value);
            break;
        case 'b':
            if (is(key, "bundle-id")) envelope.bundle = text(value);
            break;
        case 'c':
            if (is(key, "collapse-id")) envelope.collapse = text(value);
            break;
        case 'i':
            if (is(key, "id")) envelope.id = text(value);
            break;
        case 'h':
            if (is(key, "headers") && value.type() == ondemand::json_type::object)
                read_headers(value.get_object(), envelope);
            break;
        case 'S':
            if (is(key, "Simulator Target Bundle")) envelope.payload.simulator_target = text(value);
            break;
        }
    }
}

// MARK: totals

static string_view first(std::initializer_list<string_view> texts) {
    for (string_view text : texts) if (!text.empty()) return text;
    return {};
}

// Returns the length of a text as Sheaf stores it: a key has two marks and its arguments.
static size_t length(string_view text, string_view key, string_view arguments) {
    if (!text.empty() || key.empty()) return text.size();
    return key.size() + arguments.size() + 2;
}

static bool has_suffix(string_view app) {
    for (string_view suffix : {".voip", ".voip-ptt", ".complication", ".pushkit.fileprovider", ".location-query",
                               ".push-type.liveactivity"}) {
        if (app.size() >= suffix.size() && app.substr(app.size() - suffix.size()) == suffix) return true;
    }
    return false;
}

static void count(const Envelope &envelope, Sums &sums) {
    const Payload &payload = envelope.payload;
    const Alert &alert = payload.alert;
    if (!payload.has_aps) return;
    string_view app = first({envelope.app, envelope.topic, envelope.apns_topic, envelope.bundle,
                             envelope.header_topic, payload.simulator_target});
    string_view push_type = first({envelope.apns_push_type, envelope.push_type, envelope.header_push_type});
    size_t title = length(alert.title, alert.title_key, alert.title_arguments);
    size_t subtitle = length(alert.subtitle, alert.subtitle_key, alert.subtitle_arguments);
    size_t body = length(first({payload.alert_text, alert.body}), alert.body_key, alert.body_arguments);
    bool shows_something = title + subtitle + body > 0;
    if (!(push_type.empty() || push_type == "alert") || has_suffix(app) || !shows_something) return;
    string_view thread = first({payload.thread, alert.thread});
    string_view device = first({envelope.device, envelope.device_token, envelope.token});
    string_view id = first({envelope.apns_id, envelope.id, envelope.header_id});
    string_view collapse = first({envelope.apns_collapse, envelope.collapse, envelope.header_collapse});
    int64_t timestamp = envelope.timestamp >= 0 ? envelope.timestamp : envelope.ts;
    sums.notifications++;
    sums.checksum += app.size() + title + subtitle + body + thread.size() + device.size()
        + id.size() + collapse.size() + payload.category.size() + alert.argument.size() + alert.weight
        + uint64_t(timestamp);
}

static Sums decode(const padded_string &log, ondemand::parser &parser, ondemand::parser &embedded) {
    Sums sums;
    const char *line = log.data(), *end = line + log.size();
    while (line < end) {
        const char *feed = static_cast<const char *>(memchr(line, '\n', end - line));
        size_t length = (feed ? feed : end) - line;
        Envelope envelope;
        // The bytes after the line in the log serve as its padding.
        auto document = parser.iterate(line, length, end - line + SIMDJSON_PADDING);
        ondemand::object object;
        if (!document.get_object().get(object)) {
            read_record(object, envelope, embedded);
            count(envelope, sums);
        }
        sums.lines++;
        line += length + 1;
    }
    return sums;
}

int main(int argumentCount, char **arguments) {
    if (argumentCount != 3) {
        fprintf(stderr, "usage: decode-simdjson LOG PASSES\n");
        return 64;
    }
    padded_string log;
    if (auto error = padded_string::load(arguments[1]).get(log)) {
        fprintf(stderr, "%s: %s\n", arguments[1], error_message(error));
        return 66;
    }
    ondemand::parser parser, embedded;
    for (int pass = 0; pass < atoi(arguments[2]); pass++) {
        auto start = std::chrono::steady_clock::now();
        Sums sums = decode(log, parser, embedded);
        std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
        printf("%zu bytes, %llu lines, %llu notifications, checksum %llu, %.4f GB/s\n", log.size(),
               (unsigned long long)sums.lines, (unsigned long long)sums.notifications,
               (unsigned long long)sums.checksum, log.size() / seconds.count() / 1e9);
    }
}
