// SPDX-License-Identifier: MIT
//
// What other programs get: exact lines, and structures taken apart again by code that knows only
// their specifications.
#include "simulator/trace/exporter.hpp"

#include <map>

#include "tests/unit/simulator/trace/trace_fixture.hpp"

namespace wt::trace {

namespace {

// A snapshot down that is lost, an input up that arrives, a tick, a correction.
TraceFile four_things() {
    std::vector<std::uint8_t> bytes;
    Output output(bytes);
    Writer writer(small_header(), small_about(), output);
    Record record;
    const auto add = [&](Type type, std::int64_t at, std::uint16_t peer) {
        record.type = static_cast<std::uint8_t>(type);
        record.time = at * ms;
        record.peer = peer;
        (void)writer.add(record);
    };
    record = {.time = 0,
              .peer = 0,
              .lane = 1,
              .type = 0,
              .kind = 13,
              .flags = flag::down | flag::server_side,
              .sequence = 70,
              .tick = 60,
              .size = 1'100,
              .age = 2'000,
              .detail = 5};
    add(Type::send, 1'000, 1);
    record.age = 0;
    record.detail = 1;
    add(Type::drop, 1'000, 1);
    record = {.time = 0,
              .peer = 0,
              .lane = 1,
              .type = 0,
              .kind = 11,
              .flags = 0,
              .sequence = 9,
              .tick = 61,
              .size = 80,
              .age = 500,
              .detail = 3};
    add(Type::send, 1'005, 2);
    record.flags = flag::server_side;
    record.age = 30'500;
    add(Type::receive, 1'036, 2);
    record = {};
    record.lane = no_lane;
    record.tick = 62;
    record.detail = 2;
    add(Type::tick, 1'040, 0);
    record.detail = 300;
    record.tick = 60;
    add(Type::correction, 1'050, 1);
    writer.advance(1'000 * ms);
    writer.series().add(Series::rtt, 1, 31'000);
    writer.advance(1'100 * ms);
    Writer::Ending ending;
    ending.end_ns = 1'100 * ms;
    ending.outcome.ran_until = 1'100 * ms;
    REQUIRE(writer.finish(ending));
    return opened(std::move(bytes));
}

std::string exported(ExportFormat format, const TraceFile& file, const std::string& text = {}) {
    const Result<Filter, FilterError> filter = Filter::compile(text, file);
    REQUIRE(filter.has_value());
    std::vector<std::uint8_t> bytes;
    Output output(bytes);
    (void)export_records(format, file, {*filter, {0, file.record_count()}}, output);
    return {bytes.begin(), bytes.end()};
}

// Whether a text is one JSON value, by the grammar of RFC 8259; numbers' shape is not looked at.
class JsonCheck {
public:
    explicit JsonCheck(const std::string& text) : text_(text) {}
    bool is_whole() {
        value(0);
        space();
        return good_ && at_ == text_.size();
    }

private:
    void space() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n'))
            ++at_;
    }
    bool take(char c) {
        space();
        if (at_ >= text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }
    void string() {
        if (!take('"')) good_ = false;
        while (good_ && at_ < text_.size() && text_[at_] != '"') {
            if (static_cast<unsigned char>(text_[at_]) < 0x20) good_ = false;
            at_ += text_[at_] == '\\' ? 2u : 1u;
        }
        good_ = good_ && take('"');
    }
    void value(int depth) {
        space();
        if (!good_ || depth > 20 || at_ >= text_.size()) {
            good_ = false;
        } else if (text_[at_] == '{' || text_[at_] == '[') {
            const bool is_object = text_[at_++] == '{';
            const char close = is_object ? '}' : ']';
            if (take(close)) return;
            do {
                if (is_object) {
                    string();
                    if (!take(':')) good_ = false;
                }
                value(depth + 1);
            } while (good_ && take(','));
            good_ = good_ && take(close);
        } else if (text_[at_] == '"') {
            string();
        } else {
            const std::size_t begin = at_;
            while (at_ < text_.size() && text_.find_first_of(",]}\n ", at_) != at_)
                ++at_;
            good_ = good_ && at_ > begin;
        }
    }

    const std::string& text_;
    std::size_t at_ = 0;
    bool good_ = true;
};

std::uint32_t count_of(const std::string& text, const std::string& part) {
    std::uint32_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++count;
    return count;
}

}  // namespace

TEST_CASE("CSV: a line a record") {
    const TraceFile file = four_things();
    CHECK(exported(ExportFormat::csv, file, "drop || tick") ==
          "number,time_s,peer,way,lane,type,kind,flags,sequence,tick,size,age_us,detail,meaning\n"
          "1,1.000000000,a-0,down,gameplay,drop,snapshot,down server_side,70,60,1100,0,1,loss\n"
          "4,1.040000000,server,up,,tick,,,0,62,0,0,2,2 peers\n");
}

TEST_CASE("JSON lines: each is JSON") {
    const TraceFile file = four_things();
    const std::string text = exported(ExportFormat::jsonl, file);
    CHECK(count_of(text, "\n") == 6);
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find('\n', at);
        CHECK(JsonCheck(text.substr(at, end - at)).is_whole());
        at = end + 1;
    }
    CHECK(text.find("{\"number\":3,\"time_ns\":1036000000,\"type\":\"receive\",\"peer\":\"a-1\","
                    "\"way\":\"up\",\"lane\":\"gameplay\",\"kind\":\"input\"") !=
          std::string::npos);
}

TEST_CASE("Chrome JSON: whole, every event with what its phase needs") {
    const TraceFile file = four_things();
    const std::string text = exported(ExportFormat::chrome, file);
    std::string copy = text;
    CHECK(JsonCheck(copy).is_whole());
    // Two sends: a slice, a flow's start and a span's begin each; one arrival, one drop end them.
    CHECK(count_of(text, "\"ph\":\"s\"") == 2);
    CHECK(count_of(text, "\"ph\":\"f\"") == 1);
    CHECK(count_of(text, "\"bp\":\"e\"") == 1);
    CHECK(count_of(text, "\"ph\":\"b\"") == 2);
    CHECK(count_of(text, "\"ph\":\"e\"") == 2);
    CHECK(count_of(text, "\"ph\":\"X\"") == 4);  // Two sends, a receive, the tick.
    CHECK(count_of(text, "\"ph\":\"i\"") == 2);  // The drop, the correction.
    CHECK(count_of(text, "\"ph\":\"C\"") == 1);
    for (std::size_t at = text.find("{\"ph\""); at != std::string::npos;
         at = text.find("{\"ph\"", at + 1)) {
        const std::string event = text.substr(at, text.find('\n', at) - at);
        CAPTURE(event);
        const char phase = event[7];
        CHECK(event.find("\"pid\":") != std::string::npos);
        CHECK(event.find("\"tid\":") != std::string::npos);
        CHECK(event.find("\"name\":") != std::string::npos);
        CHECK((phase == 'M') == (event.find("\"ts\":") == std::string::npos));
        CHECK((phase == 'X') == (event.find("\"dur\":") != std::string::npos));
        const bool has_id = event.find("\"id\":") != std::string::npos;
        CHECK(has_id == (phase == 's' || phase == 'f' || phase == 'b' || phase == 'e'));
    }
    CHECK(text.find("\"ts\":1036000.000") != std::string::npos);
}

TEST_CASE("pcapng: blocks that fit, addresses, checksums, drops with their cause") {
    const TraceFile file = four_things();
    const std::string text = exported(ExportFormat::pcapng, file);
    const std::vector<std::uint8_t> bytes(text.begin(), text.end());
    std::map<std::uint32_t, std::uint32_t> blocks;
    std::vector<std::vector<std::uint8_t>> packets;
    for (std::size_t at = 0; at < bytes.size();) {
        REQUIRE(bytes.size() - at >= 12);
        const std::uint32_t type = load_u32(&bytes[at]);
        const std::uint32_t length = load_u32(&bytes[at + 4]);
        REQUIRE(length % 4 == 0);
        REQUIRE(length <= bytes.size() - at);
        CHECK(load_u32(&bytes[at + length - 4]) == length);
        ++blocks[type];
        if (type == 6)
            packets.emplace_back(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                                 bytes.begin() + static_cast<std::ptrdiff_t>(at + length));
        at += length;
    }
    CHECK(blocks[0x0a0d0d0a] == 1);
    CHECK(blocks[1] == 2);
    CHECK(blocks[4] == 1);
    // Two sends and a receive; the first link's drop stands at its send.
    REQUIRE(packets.size() == 3);
    const std::uint32_t interfaces[] = {0, 0, 1};
    const std::uint64_t times[] = {1'000'000'000, 1'005'000'000, 1'036'000'000};
    for (std::size_t i = 0; i < 3; ++i) {
        const std::vector<std::uint8_t>& packet = packets[i];
        CHECK(load_u32(&packet[8]) == interfaces[i]);
        CHECK((std::uint64_t{load_u32(&packet[12])} << 32 | load_u32(&packet[16])) == times[i]);
        CHECK(load_u32(&packet[20]) == 28 + 26);
        std::uint32_t sum = 0;
        for (std::size_t at = 28; at < 48; at += 2)
            sum += std::uint32_t{packet[at]} << 8 | packet[at + 1];
        CHECK((sum & 0xffff) + (sum >> 16) == 0xffff);
    }
    CHECK(load_u32(&packets[0][24]) == 28 + 1'100);
    const std::string first(packets[0].begin(), packets[0].end());
    CHECK(first.find("DROPPED: loss") != std::string::npos);
    // From the server to peer 1.
    const std::vector<std::uint8_t> ends(packets[0].begin() + 40, packets[0].begin() + 48);
    CHECK(ends == std::vector<std::uint8_t>{10, 0, 0, 1, 10, 1, 0, 1});
}

TEST_CASE("cut: a trace again") {
    const TraceFile file = four_things();
    const Result<Filter, FilterError> filter = Filter::compile("peer == a-1", file);
    std::vector<std::uint8_t> bytes;
    Output output(bytes);
    CHECK(cut_trace(file, {*filter, {0, file.record_count()}}, output) == 2);
    const TraceFile cut = opened(bytes);
    CHECK(cut.damage().empty());
    REQUIRE(cut.record_count() == 2);
    CHECK(cut.record(0) == file.record(2));
    CHECK(cut.counts().dropped == 4);
    SeriesCell cell;
    cut.series().read(0, 1, 0, 10, {&cell, 1});
    CHECK(cell == SeriesCell{31'000, 31'000});
    CHECK(cut.outcome()->ran_until == 1'100 * ms);
}

}  // namespace wt::trace
