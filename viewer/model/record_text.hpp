// SPDX-License-Identifier: MIT
//
// What the record list, lanes and ladder need to know of one record, beside the words that
// simulator/trace has for all tools.
#pragma once

#include <string>

#include "simulator/trace/record_text.hpp"
#include "viewer/model/source.hpp"

namespace wt::viewer {

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
