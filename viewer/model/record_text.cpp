// SPDX-License-Identifier: MIT
#include "viewer/model/record_text.hpp"

namespace wt::viewer {

using trace::Type;

std::string way_text(const trace::Record& record) {
    for (const Type type : {Type::tick, Type::act_begin, Type::act_end, Type::connection})
        if (is_type(record, type)) return {};
    return has_flag(record, trace::flag::down) ? "down" : "up";
}

bool is_datagram(const trace::Record& record) {
    return is_type(record, Type::send) || is_type(record, Type::drop) ||
           is_type(record, Type::receive);
}

}  // namespace wt::viewer
