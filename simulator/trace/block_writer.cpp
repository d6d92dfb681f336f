// SPDX-License-Identifier: MIT
#include "simulator/trace/block_writer.hpp"

#include <algorithm>

#include "engine/base/hash.hpp"

namespace wt::trace {

BlockWriter::BlockWriter(std::uint32_t peers, SectionWriter& sections)
    : peers_(peers),
      sections_(sections),
      bytes_(std::size_t{block_records} * Record::stored_bytes + index_bytes(peers, block_records)),
      next_(peers + 2),
      by_peer_(peers + 1) {}

// Counts, sums up, deals out: one pass each.
std::size_t BlockWriter::make_index() {
    const auto slot_at = [&](std::uint32_t place) {
        const std::uint8_t* const record =
            bytes_.data() + std::size_t{place} * Record::stored_bytes;
        return slot_of(load_u16(record + Record::offset_peer), peers_);
    };
    std::fill(next_.begin(), next_.end(), 0);
    for (std::uint32_t place = 0; place < filled_; ++place)
        ++next_[slot_at(place) + 1];
    for (std::uint32_t slot = 0; slot <= peers_; ++slot) {
        by_peer_[slot] += next_[slot + 1];
        next_[slot + 1] += next_[slot];
    }
    std::uint8_t* const index = bytes_.data() + std::size_t{filled_} * Record::stored_bytes;
    for (std::uint32_t slot = 0; slot < peers_ + 2; ++slot)
        store_u32(index + std::size_t{slot} * 4, next_[slot]);
    std::uint8_t* const places = index + (std::size_t{peers_} + 2) * 4;
    for (std::uint32_t place = 0; place < filled_; ++place) {
        const std::uint32_t at = next_[slot_at(place)]++;
        store_u16(places + std::size_t{at} * 2, static_cast<std::uint16_t>(place));
    }
    return std::size_t{filled_} * Record::stored_bytes + index_bytes(peers_, filled_);
}

void BlockWriter::flush() {
    if (filled_ == 0) return;
    const std::size_t record_bytes = std::size_t{filled_} * Record::stored_bytes;
    const std::size_t bytes = make_index();
    Block block;
    block.first_record = first_;
    block.count = filled_;
    block.first_time = Record::load(bytes_.data()).time;
    block.last_time = Record::load(bytes_.data() + record_bytes - Record::stored_bytes).time;
    block.hash = hash_bytes(ConstBytes(bytes_).first(record_bytes), records_key);
    digest_.add(block.hash, filled_, static_cast<std::uint64_t>(block.first_time),
                static_cast<std::uint64_t>(block.last_time));
    block.digest_high = digest_.value().high;
    block.digest_low = digest_.value().low;
    block.offset = sections_.add(Section::records, first_, ConstBytes(bytes_).first(bytes));
    const std::size_t at = table_.size();
    table_.resize(at + Block::stored_bytes);
    block.store(table_.data() + at);
    first_ += filled_;
    filled_ = 0;
}

void BlockWriter::finish() {
    flush();
    (void)sections_.add(Section::blocks, 0, table_);
}

}  // namespace wt::trace
