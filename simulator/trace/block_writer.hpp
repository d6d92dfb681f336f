// SPDX-License-Identifier: MIT
//
// Records become blocks of 65,536, each a section with an index by peer behind its records and a
// digest that chains all blocks before it.
#pragma once

#include <cstring>
#include <vector>

#include "engine/base/digest.hpp"
#include "simulator/trace/section_writer.hpp"

namespace wt::trace {

// The payload of a records section: the records, then (count + 1) 32-bit prefix sums of records by
// peer (the last slot is nobody's), then each peer's places in the block, 16 bits each, ascending.
[[nodiscard]] constexpr std::uint64_t index_bytes(std::uint32_t peers, std::uint32_t records) {
    return (std::uint64_t{peers} + 2) * 4 + std::uint64_t{records} * 2;
}
// A peer's slot in the index.
[[nodiscard]] constexpr std::uint32_t slot_of(std::uint16_t peer, std::uint32_t peers) {
    return peer < peers ? peer : peers;
}

class BlockWriter {
public:
    BlockWriter(std::uint32_t peers, SectionWriter& sections);

    // Records come in order of time. Their peer is one of the table's, or nobody.
    void add(const std::uint8_t* stored_record) {
        std::memcpy(bytes_.data() + std::size_t{filled_} * Record::stored_bytes, stored_record,
                    Record::stored_bytes);
        if (++filled_ == block_records) flush();
    }
    // The last block and the section that lists them all.
    void finish();

    [[nodiscard]] std::uint64_t count() const { return first_ + filled_; }
    // Records of each peer so far, nobody's last.
    [[nodiscard]] const std::vector<std::uint64_t>& by_peer() const { return by_peer_; }
    [[nodiscard]] DigestValue digest() const { return digest_.value(); }

private:
    void flush();
    std::size_t make_index();

    std::uint32_t peers_;
    SectionWriter& sections_;
    std::vector<std::uint8_t> bytes_;
    std::uint32_t filled_ = 0;
    std::uint64_t first_ = 0;
    Digest digest_{};
    std::vector<std::uint8_t> table_{};
    std::vector<std::uint32_t> next_;  // By slot: where its next place goes.
    std::vector<std::uint64_t> by_peer_;
};

}  // namespace wt::trace
