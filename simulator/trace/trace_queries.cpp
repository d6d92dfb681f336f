// SPDX-License-Identifier: MIT
//
// What an open trace is asked: by peer, by time, by block.
#include <algorithm>

#include "engine/base/hash.hpp"
#include "simulator/trace/block_writer.hpp"
#include "simulator/trace/payload_store.hpp"
#include "simulator/trace/trace_file.hpp"

namespace wt::trace {

std::string TraceFile::peer_name(std::uint16_t peer) const {
    return peer < about_.peers.size() ? about_.peers[peer].name : "-";
}

std::optional<std::uint16_t> TraceFile::find_peer(std::string_view name) const {
    for (std::size_t i = 0; i < about_.peers.size(); ++i) {
        if (about_.peers[i].name == name) return static_cast<std::uint16_t>(i);
    }
    return std::nullopt;
}

std::int64_t TraceFile::first_ns() const {
    return blocks_.empty() ? 0 : blocks_.front().first_time;
}

std::int64_t TraceFile::last_ns() const {
    if (outcome_) return outcome_->ran_until;
    return blocks_.empty() ? header_.end : blocks_.back().last_time;
}

RecordRange TraceFile::range_of(std::int64_t from_ns, std::int64_t to_ns) const {
    const auto first_at = [&](std::int64_t at) {
        const auto found =
            std::partition_point(blocks_.begin(), blocks_.end(),
                                 [&](const Block& block) { return block.last_time < at; });
        if (found == blocks_.end()) return record_count_;
        std::uint64_t low = found->first_record;
        std::uint64_t high = low + found->count;
        while (low < high) {
            const std::uint64_t middle = low + (high - low) / 2;
            if (record(middle).time < at)
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    };
    const std::uint64_t first = first_at(from_ns);
    return {first, std::max(first, first_at(to_ns))};
}

ConstBytes TraceFile::block_bytes(std::size_t index) const {
    const Block& block = blocks_[index];
    return view_.bytes().subspan(block.offset, std::size_t{block.count} * Record::stored_bytes);
}

void TraceFile::read_ahead(std::size_t index) const {
    if (index >= blocks_.size()) return;
    const Block& block = blocks_[index];
    view_.read_ahead(block.offset, std::size_t{block.count} * Record::stored_bytes);
}

ConstBytes TraceFile::copy_records(std::uint64_t first, MutableBytes out) const {
    if (first >= record_count_) return {};
    const Block& block = blocks_[static_cast<std::size_t>(first / block_records)];
    const std::uint64_t place = first - block.first_record;
    if (place >= block.count) return {};
    const std::uint64_t wanted =
        std::min<std::uint64_t>(out.size() / Record::stored_bytes, block.count - place);
    const MutableBytes room = out.first(static_cast<std::size_t>(wanted) * Record::stored_bytes);
    const std::uint64_t from = block.offset + place * Record::stored_bytes;
    if (!view_.copy(static_cast<std::size_t>(from), room)) return {};
    return room;
}

ConstBytes TraceFile::peer_places(std::size_t index, std::uint16_t peer) const {
    const Block& block = blocks_[index];
    const ConstBytes all =
        view_.bytes().subspan(block.offset + std::uint64_t{block.count} * Record::stored_bytes,
                              index_bytes(header_.peers, block.count));
    const std::size_t slot = slot_of(peer, header_.peers);
    const std::uint32_t first = load_u32(all.data() + slot * 4);
    const std::uint32_t last = load_u32(all.data() + slot * 4 + 4);
    if (first > last || last > block.count) return {};
    const std::size_t places = (std::size_t{header_.peers} + 2) * 4;
    return all.subspan(places + std::size_t{first} * 2, std::size_t{last - first} * 2);
}

bool TraceFile::is_block_sound(std::size_t index) const {
    return hash_bytes(block_bytes(index), records_key) == blocks_[index].hash;
}

std::optional<ConstBytes> TraceFile::payload_of(std::uint64_t number) const {
    const auto behind =
        std::partition_point(payloads_.begin(), payloads_.end(),
                             [&](const DirectoryEntry& entry) { return entry.first <= number; });
    if (behind == payloads_.begin()) return std::nullopt;
    ConstBytes rest = payload_at(*(behind - 1));
    while (rest.size() >= PayloadStore::entry_head_bytes) {
        const std::uint64_t record = load_u64(rest.data());
        const std::uint32_t bytes = load_u32(rest.data() + 8);
        rest = rest.subspan(PayloadStore::entry_head_bytes);
        if (bytes > rest.size() || record > number) return std::nullopt;
        if (record == number) return rest.first(bytes);
        rest = rest.subspan(bytes);
    }
    return std::nullopt;
}

}  // namespace wt::trace
