// SPDX-License-Identifier: MIT
#include "simulator/trace/payload_store.hpp"

#include <utility>

namespace wt::trace {

void PayloadStore::add(std::uint64_t record, ConstBytes bytes) {
    const std::size_t at = open_.size();
    open_.resize(at + entry_head_bytes);
    store_u64(open_.data() + at, record);
    store_u32(open_.data() + at + 8, static_cast<std::uint32_t>(bytes.size()));
    open_.insert(open_.end(), bytes.begin(), bytes.end());
}

void PayloadStore::settle(SectionWriter& writer) {
    if (open_.size() < section_bytes) return;
    if (!holds_) {
        (void)writer.add(Section::payload, load_u64(open_.data()), open_);
        open_.clear();
        return;
    }
    held_.push_back(std::exchange(open_, {}));
    if (held_.size() > held_sections_max) held_.pop_front();
}

void PayloadStore::finish(SectionWriter& writer, std::uint64_t first) {
    held_.push_back(std::exchange(open_, {}));
    std::vector<std::uint8_t> kept;
    for (const std::vector<std::uint8_t>& section : held_) {
        kept.clear();
        for (std::size_t at = 0; at < section.size();) {
            const std::uint64_t record = load_u64(section.data() + at);
            const std::size_t bytes = entry_head_bytes + load_u32(section.data() + at + 8);
            if (record >= first) {
                const std::size_t to = kept.size();
                kept.insert(kept.end(), section.begin() + static_cast<std::ptrdiff_t>(at),
                            section.begin() + static_cast<std::ptrdiff_t>(at + bytes));
                store_u64(kept.data() + to, record - first);
            }
            at += bytes;
        }
        if (!kept.empty()) (void)writer.add(Section::payload, load_u64(kept.data()), kept);
    }
    held_.clear();
}

}  // namespace wt::trace
