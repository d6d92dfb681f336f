// SPDX-License-Identifier: MIT
#include "viewer/model/record_text.hpp"

#include "viewer/model/text.hpp"

namespace wt::viewer {

using trace::Type;

std::string type_text(const trace::About& about, const trace::Record& record) {
    return trace::word_of(about.types, record.type);
}

std::string kind_text(const trace::About& about, const trace::Record& record) {
    if (is_type(record, Type::connection)) return trace::word_of(about.changes, record.kind);
    if (record.kind == 0) return {};
    return trace::word_of(about.kinds, record.kind);
}

std::string lane_text(const trace::About& about, std::uint8_t lane) {
    return lane == trace::no_lane ? std::string{} : trace::word_of(about.lanes, lane);
}

std::string detail_text(const trace::About& about, const trace::Record& record) {
    switch (static_cast<Type>(record.type)) {
        case Type::drop:
            return trace::word_of(about.causes, record.detail);
        case Type::refuse:
            return trace::word_of(about.statuses, record.detail);
        case Type::connection:
            return record.kind == static_cast<std::uint16_t>(trace::Change::down)
                       ? trace::word_of(about.reasons, record.detail)
                       : std::string{};
        case Type::fragment:
        case Type::acked:
            return "fragment " + std::to_string(record.age % 256) + ", transmission " +
                   std::to_string(record.age / 256);
        case Type::correction:
            return value_text(sim::Dimension::length, record.detail);
        case Type::act_begin:
        case Type::act_end:
            return record.detail < about.acts.size() ? about.acts[record.detail].name : "";
        case Type::send:
        case Type::receive:
        case Type::deliver:
            return record.lane == trace::no_lane ? "" : "message " + std::to_string(record.detail);
        default:
            return {};
    }
}

std::string way_text(const trace::Record& record) {
    switch (static_cast<Type>(record.type)) {
        case Type::tick:
        case Type::act_begin:
        case Type::act_end:
        case Type::connection:
            return {};
        default:
            return has_flag(record, trace::flag::down) ? "down" : "up";
    }
}

bool is_datagram(const trace::Record& record) {
    return is_type(record, Type::send) || is_type(record, Type::drop) ||
           is_type(record, Type::receive);
}

}  // namespace wt::viewer
