// SPDX-License-Identifier: MIT
//
// A snapshot by its tick, an input by its tick, a datagram by its number: each is carried by one
// datagram or by a few that repeat it.
#include <map>

#include "simulator/report/format.hpp"
#include "simulator/scenario/exact_text.hpp"
#include "simulator/trace/why_story.hpp"

namespace wt::trace {

namespace {

constexpr std::int64_t second_ns = 1'000'000'000;
// Longer than anything on its way lives: timeouts end connections before.
constexpr std::int64_t patience_ns = 20 * second_ns;

// The way of one datagram, as far as it is known.
struct Flight {
    std::int64_t accepted_ns = -1;
    std::int64_t sent_ns = -1;
    std::int64_t arrived_ns = -1;
    std::int64_t read_ns = -1;
    std::string lost{};
};

std::int64_t age_ns(const Record& record) {
    return std::int64_t{record.age} * 1'000;
}

// One record about a datagram as a row; flights remember the times.
void add_datagram_row(const Story& story, std::uint64_t number, const Record& record,
                      const std::string& name, Flight& flight, WhyAnswer& answer) {
    const bool is_down = Story::is_down(record);
    WhyRow row{record.time, "", story.sender(is_down), number, false};
    switch (static_cast<Type>(record.type)) {
        case Type::send:
            flight.sent_ns = record.time;
            flight.accepted_ns = Story::accepted_ns(record);
            row.text = name + " sent, " + sim::grouped(record.size) + " B";
            break;
        case Type::queue:
            row.text = "waits " + sim::format_time(age_ns(record)) + " in the link's queue";
            row.where = Story::link(is_down);
            break;
        case Type::duplicate:
            row.text = "a copy was made, datagram " + std::to_string(record.sequence);
            row.where = Story::link(is_down);
            break;
        case Type::drop:
            row.time_ns = record.time - age_ns(record);
            row.text = name + " LOST: " + detail_text(story.trace().about(), record) +
                       story.luck_text(record);
            row.where = Story::link(is_down);
            row.is_loss = true;
            flight.lost = detail_text(story.trace().about(), record);
            break;
        case Type::receive:
            flight.read_ns = record.time;
            flight.arrived_ns = flight.sent_ns >= 0 ? flight.sent_ns + age_ns(record) : record.time;
            row.text = name + " arrived after " + sim::format_time(age_ns(record)) +
                       ((record.flags & flag::reordered) != 0 ? ", overtaken by a later one" : "") +
                       story.luck_text(record);
            row.where = story.receiver(is_down);
            break;
        case Type::fragment:
        case Type::deliver:
        case Type::refuse:
        case Type::acked:
        case Type::rtt:
        case Type::connection:
        case Type::input:
        case Type::input_missing:
        case Type::apply:
        case Type::response:
        case Type::correction:
        case Type::baseline_miss:
        case Type::keyframe_request:
        case Type::desync:
        case Type::ticket_refused:
        case Type::tick:
        case Type::act_begin:
        case Type::act_end:
            return;
    }
    answer.rows.push_back(std::move(row));
}

void add_flight_shares(const Flight& flight, WhyAnswer& answer) {
    if (flight.sent_ns < 0 || flight.read_ns < 0) return;
    add_share(answer, "queue", flight.sent_ns - flight.accepted_ns);
    add_share(answer, "flight", flight.arrived_ns - flight.sent_ns);
    add_share(answer, "poll", flight.read_ns - flight.arrived_ns);
}

bool has_kind(const Story& story, const Record& record, const char* kind) {
    return kind_text(story.trace().about(), record) == kind;
}

bool is_datagram(const Record& record) {
    return Story::is(record, Type::send) || Story::is(record, Type::drop) ||
           Story::is(record, Type::queue) || Story::is(record, Type::duplicate) ||
           Story::is(record, Type::receive);
}

}  // namespace

Result<WhyAnswer, std::string> why_snapshot(const Story& story) {
    const std::uint32_t tick = story.question().id;
    WhyAnswer answer;
    answer.title = "snapshot of tick " + sim::grouped(tick) + " to " + story.peer();
    Flight flight;
    std::int64_t applied_ns = -1;
    std::int64_t later_ns = -1;
    story.walk(story.question().from_ns, [&](std::uint64_t number, const Record& record) {
        if (flight.sent_ns >= 0 && record.time > flight.sent_ns + patience_ns) return false;
        const bool is_ours = Story::is_down(record) && record.tick == tick;
        if (is_ours && is_datagram(record) && has_kind(story, record, "snapshot")) {
            add_datagram_row(story, number, record, "snapshot", flight, answer);
            return true;
        }
        if (flight.sent_ns < 0) return true;
        const bool is_miss = Story::is(record, Type::baseline_miss) && record.tick == tick;
        if (is_miss)
            answer.rows.push_back(
                {record.time, "refused: its baseline is not there", story.peer(), number, true});
        if (Story::is(record, Type::keyframe_request) && applied_ns < 0)
            answer.rows.push_back(
                {record.time, "asked for a whole snapshot", story.peer(), number, false});
        if (Story::is(record, Type::correction) && record.tick == tick)
            answer.rows.push_back(
                {record.time,
                 "corrected the own avatar by " + detail_text(story.trace().about(), record),
                 story.peer(), number, false});
        // Ticks wrap: the distance decides what is later.
        if (!Story::is(record, Type::apply) || record.tick - tick >= 0x8000'0000u) return true;
        if (record.tick == tick) {
            applied_ns = record.time;
            answer.rows.push_back(
                {record.time, "in the frame shown; " + sim::format_time(age_ns(record)) + " old",
                 story.peer(), number, false});
            // Its confirmations come in the same frame.
            return true;
        }
        if (applied_ns >= 0) return false;
        later_ns = record.time;
        answer.rows.push_back(
            {record.time, "a newer one is in the frame shown: tick " + sim::grouped(record.tick),
             story.peer(), number, false});
        return false;
    });
    if (flight.sent_ns < 0)
        return unexpected("no snapshot of tick " + std::to_string(tick) + " went to " +
                          story.peer() + " in this trace");
    answer.start_ns = flight.accepted_ns;
    answer.rows.push_back({flight.accepted_ns, "accepted by Send", "server", no_record, false});
    add_flight_shares(flight, answer);
    if (applied_ns >= 0) {
        answer.verdict = "shown after " + sim::format_time(applied_ns - flight.accepted_ns);
        if (flight.read_ns >= 0) add_share(answer, "until the frame", applied_ns - flight.read_ns);
    } else if (flight.read_ns < 0 && !flight.lost.empty()) {
        answer.verdict = "never arrived: " + flight.lost;
    } else {
        answer.verdict = later_ns >= 0 ? "overtaken by a newer one" : "not shown";
    }
    return answer;
}

Result<WhyAnswer, std::string> why_input(const Story& story) {
    // A message repeats the inputs of so many ticks before its newest.
    constexpr std::uint32_t repeats_max = 14;
    const std::uint32_t tick = story.question().id;
    WhyAnswer answer;
    answer.title = "input of tick " + sim::grouped(tick) + " from " + story.peer();
    std::map<std::uint32_t, Flight> flights;  // By datagram.
    std::int64_t start_ns = -1;
    std::int64_t came_ns = -1;
    bool is_missing = false;
    std::int64_t margin_ns = 0;
    story.walk(story.question().from_ns, [&](std::uint64_t number, const Record& record) {
        if (start_ns >= 0 && record.time > start_ns + patience_ns) return false;
        const bool may_carry = !Story::is_down(record) && record.tick - tick <= repeats_max;
        if (may_carry && came_ns < 0 && is_datagram(record) && has_kind(story, record, "input")) {
            const std::uint32_t later = record.tick - tick;
            const std::string name =
                later == 0 ? "input" : "repeated " + std::to_string(later) + " ticks later,";
            Flight& flight = flights[record.sequence];
            add_datagram_row(story, number, record, name, flight, answer);
            if (start_ns < 0 && flight.sent_ns >= 0) start_ns = flight.accepted_ns;
            return true;
        }
        if (record.tick != tick) return true;
        if (Story::is(record, Type::input)) {
            came_ns = record.time;
            const bool is_late = (record.flags & flag::late) != 0;
            margin_ns = is_late ? -age_ns(record) : age_ns(record);
            answer.rows.push_back({record.time,
                                   "reached the game " + sim::format_time(age_ns(record)) +
                                       (is_late ? " after" : " before") + " its tick was cut",
                                   "server", number, is_late});
        } else if (Story::is(record, Type::input_missing)) {
            is_missing = true;
            answer.rows.push_back(
                {record.time, "the tick was cut without it", "server", number, true});
        } else if (Story::is(record, Type::response)) {
            answer.rows.push_back(
                {record.time,
                 "confirmed " + sim::format_time(age_ns(record)) + " after it was made",
                 story.peer(), number, false});
            return false;
        } else if (Story::is(record, Type::correction)) {
            answer.rows.push_back({record.time,
                                   "corrected by " + detail_text(story.trace().about(), record),
                                   story.peer(), number, false});
        }
        return true;
    });
    if (start_ns < 0)
        return unexpected("no input of tick " + std::to_string(tick) + " left " + story.peer() +
                          " in this trace");
    answer.start_ns = start_ns;
    answer.verdict = came_ns < 0 ? "never arrived" : is_missing ? "too late" : "in time";
    // Of the datagram that brought it: the last one read at that instant at the latest.
    for (const auto& [sequence, flight] : flights) {
        if (flight.read_ns < 0 || flight.read_ns != came_ns) continue;
        add_share(answer, "until this sending", flight.accepted_ns - start_ns);
        add_flight_shares(flight, answer);
        break;
    }
    return answer;
}

Result<WhyAnswer, std::string> why_datagram(const Story& story) {
    const std::uint32_t sequence = story.question().id;
    WhyAnswer answer;
    Flight flight;
    Record send;
    bool is_read_now = false;
    story.walk(story.question().from_ns, [&](std::uint64_t number, const Record& record) {
        if (flight.sent_ns >= 0 && record.time > flight.sent_ns + patience_ns) return false;
        const bool is_way = flight.sent_ns < 0 ? story.is_wanted_way(record)
                                               : Story::is_down(record) == Story::is_down(send);
        const bool is_ours = is_way && record.sequence == sequence && is_datagram(record);
        if (is_ours && (flight.sent_ns >= 0 || Story::is(record, Type::send))) {
            if (Story::is(record, Type::send)) send = record;
            add_datagram_row(story, number, record, kind_text(story.trace().about(), record),
                             flight, answer);
            is_read_now = Story::is(record, Type::receive);
            return true;
        }
        const bool follows = Story::is(record, Type::fragment) && flight.sent_ns == record.time &&
                             record.sequence == sequence;
        if (follows)
            answer.rows.push_back({record.time, detail_text(story.trace().about(), record),
                                   story.sender(Story::is_down(record)), number, false});
        // What comes out of a datagram comes out at once, before the next one is read.
        if (is_read_now && record.time == flight.read_ns && Story::is(record, Type::deliver)) {
            answer.rows.push_back({record.time,
                                   "delivered: " + lane_text(story.trace().about(), record.lane) +
                                       " " + detail_text(story.trace().about(), record),
                                   story.receiver(Story::is_down(record)), number, false});
        } else if (Story::is(record, Type::receive)) {
            is_read_now = false;
        }
        return true;
    });
    if (flight.sent_ns < 0)
        return unexpected("no datagram " + std::to_string(sequence) + " on the path of " +
                          story.peer() + " in this trace");
    answer.title = kind_text(story.trace().about(), send) + " datagram " +
                   std::to_string(sequence) + (Story::is_down(send) ? " to " : " from ") +
                   story.peer() + ", " + sim::grouped(send.size) + " B";
    answer.start_ns = flight.accepted_ns;
    answer.verdict = flight.read_ns >= 0
                         ? "read after " + sim::format_time(flight.read_ns - flight.accepted_ns)
                     : flight.lost.empty() ? "not there by the trace's end"
                                           : "lost: " + flight.lost;
    if (flight.accepted_ns < flight.sent_ns)
        answer.rows.push_back({flight.accepted_ns, "accepted by Send",
                               story.sender(Story::is_down(send)), no_record, false});
    add_flight_shares(flight, answer);
    return answer;
}

}  // namespace wt::trace
