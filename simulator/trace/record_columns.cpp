// SPDX-License-Identifier: MIT
#include "simulator/trace/record_columns.hpp"

namespace wt::trace {

RecordColumns RecordColumns::of(ConstBytes records) {
    RecordColumns columns;
    const std::size_t count = records.size() / Record::stored_bytes;
    const std::size_t room = (count + step - 1) / step * step;
    columns.count = static_cast<std::uint32_t>(count);
    columns.type.resize(room);
    columns.lane.resize(room);
    columns.peer.resize(room);
    columns.kind.resize(room);
    columns.flags.resize(room);
    columns.size.resize(room);
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint8_t* const stored = records.data() + i * Record::stored_bytes;
        columns.type[i] = stored[Record::offset_type];
        columns.lane[i] = stored[Record::offset_lane];
        columns.peer[i] = load_u16(stored + Record::offset_peer);
        columns.kind[i] = load_u16(stored + Record::offset_kind);
        columns.flags[i] = load_u16(stored + Record::offset_flags);
        columns.size[i] = load_u16(stored + Record::offset_size);
    }
    return columns;
}

}  // namespace wt::trace
