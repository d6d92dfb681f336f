// SPDX-License-Identifier: MIT
#include "simulator/trace/record_text.hpp"

#include <algorithm>

#include "simulator/report/format.hpp"
#include "simulator/scenario/exact_text.hpp"

namespace wt::trace {

namespace {

bool is_datagram(Type type) {
    return type == Type::send || type == Type::fragment || type == Type::drop ||
           type == Type::duplicate || type == Type::queue || type == Type::receive;
}

}  // namespace

std::string type_text(const About& about, const Record& record) {
    return word_of(about.types, record.type);
}

std::string kind_text(const About& about, const Record& record) {
    const Type type = static_cast<Type>(record.type);
    if (type == Type::connection) return word_of(about.changes, record.kind);
    if (is_datagram(type) || type == Type::deliver || type == Type::refuse)
        return word_of(about.kinds, record.kind);
    return {};
}

std::string lane_text(const About& about, std::uint8_t lane) {
    return lane == no_lane ? std::string{} : word_of(about.lanes, lane);
}

std::string detail_text(const About& about, const Record& record) {
    const std::string number = std::to_string(record.detail);
    switch (static_cast<Type>(record.type)) {
        case Type::drop:
            return word_of(about.causes, record.detail);
        case Type::connection:
            if (record.kind != static_cast<std::uint16_t>(Change::down)) return {};
            return word_of(about.reasons, record.detail);
        case Type::refuse:
            return word_of(about.statuses, record.detail);
        case Type::fragment:
        case Type::acked:
            return "message " + number + " fragment " + std::to_string(record.age & 0xff) +
                   " try " + std::to_string(record.age >> 8);
        case Type::send:
        case Type::receive:
        case Type::deliver:
        case Type::rtt:
            if (record.lane == no_lane)
                return record.detail == 0 ? std::string{} : "names seq " + number;
            return "message " + number;
        case Type::correction:
            return number + " mm";
        case Type::tick:
            return number + " peers";
        case Type::act_begin:
        case Type::act_end:
            if (record.detail >= about.acts.size()) return "act " + number;
            return about.acts[record.detail].verb + " " + about.acts[record.detail].name;
        case Type::duplicate:
        case Type::queue:
        case Type::input:
        case Type::input_missing:
        case Type::apply:
        case Type::response:
        case Type::baseline_miss:
        case Type::keyframe_request:
        case Type::desync:
        case Type::ticket_refused:
            return {};
    }
    return record.detail == 0 ? std::string{} : number;
}

std::string flags_text(const About& about, const Record& record) {
    std::string text;
    for (unsigned bit = 0; bit < 16; ++bit) {
        if ((record.flags >> bit & 1) == 0) continue;
        text += (text.empty() ? "" : " ") + word_of(about.flags, bit);
    }
    return text;
}

bool has_tick(const Record& record) {
    const Type type = static_cast<Type>(record.type);
    if (type == Type::tick || type == Type::input_missing) return true;
    return record.tick != 0 && type != Type::connection && type != Type::rtt && type != Type::acked;
}

bool has_age(const Record& record) {
    const Type type = static_cast<Type>(record.type);
    return record.age != 0 && type != Type::fragment && type != Type::acked;
}

std::string record_text(const TraceFile& trace, const Record& record) {
    std::string text = sim::pad_right(type_text(trace.about(), record), 16) + "  " +
                       sim::pad_right(trace.peer_name(record.peer), 12);
    const bool is_about_path = record.peer != no_peer && record.peer != 0;
    text += is_about_path ? ((record.flags & flag::down) != 0 ? " down" : " up  ") : "     ";
    const auto add = [&](const std::string& part) {
        if (!part.empty()) text += "  " + part;
    };
    add(lane_text(trace.about(), record.lane));
    add(kind_text(trace.about(), record));
    const Type type = static_cast<Type>(record.type);
    if (is_datagram(type)) add("seq " + std::to_string(record.sequence));
    if (has_tick(record)) add("tick " + sim::grouped(record.tick));
    if (type == Type::deliver)
        add(sim::grouped(record.sequence) + " B");
    else if (type == Type::fragment)
        add("transmission " + std::to_string(record.size));
    else if (record.size != 0)
        add(sim::grouped(record.size) + " B");
    add(detail_text(trace.about(), record));
    if (has_age(record)) add("age " + sim::format_time(std::int64_t{record.age} * 1'000));
    return text;
}

std::string clock_text(std::int64_t ns, unsigned decimals) {
    std::string text = seconds_text(ns);
    text.resize(text.size() - (9 - std::min(decimals, 9u)));
    return text + " s";
}

std::string seconds_text(std::int64_t ns) {
    const bool is_negative = ns < 0;
    const std::uint64_t all =
        is_negative ? ~static_cast<std::uint64_t>(ns) + 1 : static_cast<std::uint64_t>(ns);
    std::string part = std::to_string(all % 1'000'000'000);
    part.insert(0, 9 - part.size(), '0');
    return (is_negative ? "-" : "") + std::to_string(all / 1'000'000'000) + "." + part;
}

}  // namespace wt::trace
