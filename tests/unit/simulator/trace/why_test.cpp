// SPDX-License-Identifier: MIT
//
// Stories made by hand: the records of one message with a lost fragment, and what is to be told.
#include "simulator/trace/why.hpp"
#include "tests/unit/simulator/trace/trace_fixture.hpp"

namespace wt::trace::why_test {

namespace {

constexpr std::uint8_t bulk = 4;
constexpr std::uint16_t kind_bulk = 15;
constexpr std::uint16_t to_peer = flag::down | flag::reliable;

class Script {
public:
    Record& add(Type type, std::int64_t at_ms, std::uint16_t flags) {
        Record record;
        record.time = at_ms * ms;
        record.peer = 1;
        record.lane = bulk;
        record.type = static_cast<std::uint8_t>(type);
        record.kind = kind_bulk;
        record.flags = flags;
        return records.emplace_back(record);
    }
    // One transmission of a fragment of bulk message 31, accepted at 1,000 ms.
    void send(std::int64_t at, std::uint32_t datagram, std::uint32_t fragment,
              std::uint32_t attempt, std::uint16_t number, bool is_lost) {
        Record sent = add(Type::send, at, to_peer);
        sent.sequence = datagram;
        sent.size = 1'130;
        sent.age = static_cast<std::uint32_t>((at - 1'000) * 1'000);
        sent.detail = 31;
        sent.tick = 60;
        records.back() = sent;
        Record& part = add(Type::fragment, at, to_peer);
        part.sequence = datagram;
        part.detail = 31;
        part.size = number;
        part.age = fragment | attempt << 8;
        if (!is_lost) return;
        Record& drop = add(Type::drop, at, to_peer);
        drop.sequence = datagram;
        drop.detail = 2;  // bad_state
    }
    void receive(std::int64_t at, std::uint32_t datagram, std::uint32_t flight_ms) {
        Record& read = add(Type::receive, at, to_peer);
        read.sequence = datagram;
        read.age = flight_ms * 1'000;
        read.detail = 31;
    }
    void ack(std::int64_t at, std::uint32_t fragment, std::uint16_t message = 31) {
        Record& acked = add(Type::acked, at, flag::down | flag::server_side);
        acked.detail = message;
        acked.age = fragment | 1 << 8;
    }

    TraceFile file() const {
        std::vector<std::uint8_t> bytes;
        Output output(bytes);
        Writer writer(small_header(), small_about(), output);
        for (const Record& record : records)
            (void)writer.add(record);
        Writer::Ending ending;
        ending.end_ns = 9'000 * ms;
        REQUIRE(writer.finish(ending));
        return opened(std::move(bytes));
    }

    std::vector<Record> records{};
};

// Accepted at 1.000 s; fragments 0-3 sent 2 ms later, 2 lost; sent again after 200 ms, lost; after
// 400 ms more it arrives. Delivered at 1.650 s, message 32 behind it.
Script lost_fragment() {
    Script script;
    for (std::uint32_t n = 0; n < 4; ++n)
        script.send(1'002, 10 + n, n, 1, static_cast<std::uint16_t>(811 + n), n == 2);
    for (const std::uint32_t n : {0u, 1u, 3u})
        script.receive(1'035, 10 + n, 31);
    for (const std::uint32_t n : {0u, 1u, 3u})
        script.ack(1'080, n);
    script.send(1'202, 20, 2, 2, 820, true);
    script.send(1'602, 30, 2, 3, 830, false);
    script.receive(1'640, 30, 31);
    Record& delivered = script.add(Type::deliver, 1'650, to_peer);
    delivered.sequence = 4'096;
    delivered.size = 4'096;
    delivered.detail = 31;
    Record& behind = script.add(Type::deliver, 1'650, to_peer);
    behind.detail = 32;
    script.ack(1'700, 2);
    return script;
}

WhyAnswer answered(const TraceFile& file, const WhyQuestion& question) {
    const Result<WhyAnswer, std::string> answer = why(file, question);
    if (!answer) FAIL(answer.error());
    return *answer;
}

}  // namespace

TEST_CASE("a message with a fragment that was lost twice") {
    const TraceFile file = lost_fragment().file();
    const WhyAnswer answer = answered(file, {.peer = 1, .lane = bulk, .id = 31});
    CHECK(answer.title == "bulk message 31 to a-0, 4,096 B in 4 fragments");
    CHECK(answer.verdict == "delivered after 650 ms");
    CHECK(answer.start_ns == 1'000 * ms);
    struct Wanted {
        std::int64_t at_ms;
        const char* text;
        const char* where;
    };
    const Wanted wanted[] = {
        {1'000, "accepted by Send at tick 60", "server"},
        {1'002, "fragments 0-3 sent (seq 811-814)", "server"},
        {1'002, "fragment 2 LOST: bad_state", "link, down"},
        {1'035, "fragments 0, 1, 3 arrived", "a-0"},
        {1'080, "fragments 0, 1, 3 acknowledged", "server"},
        {1'202, "fragment 2 sent again (seq 820, try 2, after 200 ms)", "server"},
        {1'202, "fragment 2 LOST: bad_state", "link, down"},
        {1'602, "fragment 2 sent again (seq 830, try 3, after 400 ms)", "server"},
        {1'640, "fragment 2 arrived", "a-0"},
        {1'650, "delivered; message 32 had waited behind it", "a-0"},
        {1'700, "fragment 2 acknowledged", "server"},
    };
    REQUIRE(answer.rows.size() == std::size(wanted));
    for (std::size_t i = 0; i < std::size(wanted); ++i) {
        CHECK(answer.rows[i].time_ns == wanted[i].at_ms * ms);
        CHECK(answer.rows[i].text == wanted[i].text);
        CHECK(answer.rows[i].where == wanted[i].where);
    }
    // 2 + 600 + 31 + 7 + 10 = 650 ms.
    const std::pair<const char*, std::int64_t> shares[] = {{"queue", 2},
                                                           {"waiting to send again", 600},
                                                           {"flight", 31},
                                                           {"poll", 7},
                                                           {"behind others", 10}};
    REQUIRE(answer.shares.size() == std::size(shares));
    for (std::size_t i = 0; i < std::size(shares); ++i) {
        CHECK(answer.shares[i].name == shares[i].first);
        CHECK(answer.shares[i].ns == shares[i].second * ms);
    }
    // Only fragment 3 was sent with it, none after it: nothing would have told of the loss.
    CHECK(answer.helped.empty());
    const std::string text = why_text(answer);
    CHECK(text.find("     1.602 s    +602 ms   fragment 2 sent again (seq 830, try 3, after 400 ms)"
                    "         server\n") != std::string::npos);
    CHECK(text.find("waiting to send again 600 ms (92 %)") != std::string::npos);
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find('\n', at);
        CHECK(end - at <= 100);
        at = end + 1;
    }
}

TEST_CASE("newer ones that were acknowledged before the repeat") {
    Script script = lost_fragment();
    // Message 40's three fragments leave at 1,100 ms and are acknowledged from 1,150 ms on.
    std::vector<Record> with;
    for (const Record& record : script.records) {
        if (record.time == 1'202 * ms && with.back().time < 1'202 * ms) {
            Script more;
            for (std::uint32_t n = 0; n < 3; ++n) {
                more.send(1'100, 14 + n, n, 1, static_cast<std::uint16_t>(815 + n), false);
                for (std::size_t i = more.records.size() - 2; i < more.records.size(); ++i)
                    more.records[i].detail = 40;
            }
            for (std::uint32_t n = 0; n < 3; ++n)
                more.ack(1'150 + n, n, 40);
            with.insert(with.end(), more.records.begin(), more.records.end());
        }
        with.push_back(record);
    }
    script.records = with;
    const WhyAnswer answer = answered(script.file(), {.peer = 1, .lane = bulk, .id = 31});
    REQUIRE(answer.helped.size() == 1);
    CHECK(answer.helped[0] == "fast_retransmit = 3: three newer ones were acknowledged at 1.152 s");
}

TEST_CASE("one datagram") {
    const TraceFile file = lost_fragment().file();
    const WhyAnswer lost =
        answered(file, {.what = WhyQuestion::What::datagram, .peer = 1, .id = 12, .is_down = true});
    CHECK(lost.title == "bulk datagram 12 to a-0, 1,130 B");
    CHECK(lost.verdict == "lost: bad_state");
    const WhyAnswer read =
        answered(file, {.what = WhyQuestion::What::datagram, .peer = 1, .id = 30, .is_down = true});
    CHECK(read.verdict == "read after 640 ms");
}

TEST_CASE("what is not there") {
    const TraceFile file = lost_fragment().file();
    const auto error = [&](const WhyQuestion& question) {
        const Result<WhyAnswer, std::string> answer = why(file, question);
        return answer ? std::string("answered") : answer.error();
    };
    CHECK(error({.peer = 1, .lane = bulk, .id = 99}) ==
          "no message bulk:99 of a-0 was sent in this trace");
    CHECK(error({.peer = 1, .lane = bulk, .id = 31, .is_down = false}) ==
          "no message bulk:31 of a-0 was sent in this trace");
    CHECK(error({.what = WhyQuestion::What::snapshot, .peer = 2, .id = 5}) ==
          "no snapshot of tick 5 went to a-1 in this trace");
    CHECK(error({.what = WhyQuestion::What::input, .peer = 2, .id = 5}) ==
          "no input of tick 5 left a-1 in this trace");
    CHECK(error({.peer = 3}) == "no such peer");
}

TEST_CASE("a story cut off in the middle says so") {
    Script script = lost_fragment();
    script.records.resize(16);  // Up to the first repeat's fragment record.
    const WhyAnswer answer = answered(script.file(), {.peer = 1, .lane = bulk, .id = 31});
    CHECK(answer.verdict == "not delivered by the trace's end");
    CHECK(answer.shares.empty());
}

}  // namespace wt::trace::why_test
