// SPDX-License-Identifier: MIT
//
// One record in words: what the columns of the record list and the marks in lanes and ladder say.
#pragma once

#include <string>

#include "viewer/model/source.hpp"

namespace wt::viewer {

[[nodiscard]] std::string type_text(const trace::About& about, const trace::Record& record);
[[nodiscard]] std::string kind_text(const trace::About& about, const trace::Record& record);
[[nodiscard]] std::string lane_text(const trace::About& about, std::uint8_t lane);
// What else there is to say: a drop's cause, a close's reason, a transmission's number.
[[nodiscard]] std::string detail_text(const trace::About& about, const trace::Record& record);
// "up", "down", or empty where a record has no direction.
[[nodiscard]] std::string way_text(const trace::Record& record);

[[nodiscard]] inline bool has_flag(const trace::Record& record, std::uint16_t flag) {
    return (record.flags & flag) != 0;
}
[[nodiscard]] inline bool is_type(const trace::Record& record, trace::Type type) {
    return record.type == static_cast<std::uint8_t>(type);
}
// Whether it is about one datagram on its way: sent, lost or received.
[[nodiscard]] bool is_datagram(const trace::Record& record);

}  // namespace wt::viewer
