// SPDX-License-Identifier: MIT
#include "simulator/trace/payload_reader.hpp"

#include <algorithm>

#include "simulator/trace/payload_store.hpp"

namespace wt::trace {

PayloadReader::PayloadReader(const TraceFile& trace)
    : trace_(trace), sections_(trace.payload_section_count()) {}

void PayloadReader::read(std::size_t section) {
    Section& out = sections_[section];
    out.is_read = true;
    const ConstBytes all = trace_.payload_section(section);
    for (std::size_t at = 0; all.size() - at >= PayloadStore::entry_head_bytes;) {
        Entry entry;
        entry.record = load_u64(all.data() + at);
        entry.bytes = load_u32(all.data() + at + 8);
        at += PayloadStore::entry_head_bytes;
        entry.offset = static_cast<std::uint32_t>(at);
        const bool goes_up = out.entries.empty() || out.entries.back().record < entry.record;
        if (entry.bytes > all.size() - at || !goes_up) return;
        out.entries.push_back(entry);
        at += entry.bytes;
    }
}

std::optional<ConstBytes> PayloadReader::of(std::uint64_t record) {
    // The last section that begins at or before it.
    std::size_t from = 0;
    std::size_t to = sections_.size();
    while (from < to) {
        const std::size_t middle = from + (to - from) / 2;
        if (trace_.payload_section_first(middle) <= record)
            from = middle + 1;
        else
            to = middle;
    }
    if (from == 0) return std::nullopt;
    const std::size_t section = from - 1;
    if (!sections_[section].is_read) read(section);
    const std::vector<Entry>& entries = sections_[section].entries;
    const auto found = std::lower_bound(
        entries.begin(), entries.end(), record,
        [](const Entry& entry, std::uint64_t wanted) { return entry.record < wanted; });
    if (found == entries.end() || found->record != record) return std::nullopt;
    return trace_.payload_section(section).subspan(found->offset, found->bytes);
}

}  // namespace wt::trace
