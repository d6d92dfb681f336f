// SPDX-License-Identifier: MIT
#include "engine/session/bulk.hpp"

#include <algorithm>

#include "engine/base/check.hpp"
#include "engine/base/mutated.hpp"

namespace wt::session {

bool read_bulk_record(ConstBytes record, BulkChunk& out) {
    BulkChunk chunk;
    ByteReader reader(record);
    reader.u32(chunk.transfer);
    reader.u32(chunk.offset);
    reader.u32(chunk.total);
    if (reader.failed() || reader.left() == 0) return false;
    const std::size_t bytes = reader.left();
    if (chunk.offset > chunk.total || bytes > chunk.total - chunk.offset) return false;
    reader.view(bytes, chunk.bytes);
    out = chunk;
    return true;
}

BulkStatus BulkLane::start(const Limits& limits, std::uint32_t transfer, ConstBytes source) {
    if (source.empty() || source.size() > limits.bulk_transfer_bytes) return BulkStatus::too_large;
    for (const Outgoing& each : outgoing_) {
        if (each.transfer == transfer) return BulkStatus::known;
    }
    if (outgoing_.size() >= limits.bulk_transfers_max && !mutated<"bulk-places">())
        return BulkStatus::busy;
    outgoing_.push_back({.source = source, .transfer = transfer, .offset = 0});
    return BulkStatus::ok;
}

bool BulkLane::cancel(std::uint32_t transfer) {
    const std::size_t before = outgoing_.size();
    std::erase_if(outgoing_, [&](const Outgoing& each) { return each.transfer == transfer; });
    if (outgoing_.size() != before) return true;
    for (Incoming& each : incoming_) {
        if (each.transfer != transfer || each.cancelled) continue;
        each.cancelled = true;
        return true;
    }
    return false;
}

void BulkLane::refill(const Limits& limits) {
    // Saved up to two ticks' worth, so that a record that just missed a tick is not lost for good.
    allowance_ = std::min(allowance_ + limits.bulk_bytes_per_tick, 2 * limits.bulk_bytes_per_tick);
}

std::size_t BulkLane::next_bytes(const Limits& limits) const {
    if (outgoing_.empty()) return 0;
    const std::size_t left = outgoing_.front().source.size() - outgoing_.front().offset;
    const std::size_t size =
        std::min<std::size_t>(left + bulk_header_bytes, limits.bulk_record_bytes);
    return size <= allowance_ || mutated<"bulk-quota">() ? size : 0;
}

void BulkLane::write_next(const Limits& limits, MutableBytes room) const {
    const std::size_t size = next_bytes(limits);
    WT_CHECK(size > bulk_header_bytes);
    const Outgoing& first = outgoing_.front();
    ByteWriter writer(room.first(size));
    writer.u32(first.transfer);
    writer.u32(first.offset);
    writer.u32(static_cast<std::uint32_t>(first.source.size()));
    writer.bytes(first.source.subspan(first.offset, size - bulk_header_bytes));
    WT_CHECK(!writer.failed());
}

bool BulkLane::sent(const Limits& limits, std::uint32_t& finished) {
    const std::size_t size = next_bytes(limits);
    WT_CHECK(size > bulk_header_bytes);
    Outgoing& first = outgoing_.front();
    first.offset += static_cast<std::uint32_t>(size - bulk_header_bytes);
    allowance_ -= static_cast<std::uint32_t>(size);
    if (first.offset < first.source.size()) return false;
    finished = first.transfer;
    outgoing_.erase(outgoing_.begin());
    return true;
}

BulkVerdict BulkLane::receive(const Limits& limits, ConstBytes record, BulkChunk& out) {
    BulkChunk chunk;
    if (!read_bulk_record(record, chunk)) return BulkVerdict::malformed;
    if (chunk.total > limits.bulk_transfer_bytes) return BulkVerdict::malformed;
    auto at = std::find_if(incoming_.begin(), incoming_.end(),
                           [&](const Incoming& each) { return each.transfer == chunk.transfer; });
    // A sender that cancelled may begin the same number anew.
    const bool begins = chunk.offset == 0;
    if (at == incoming_.end()) {
        if (!begins) return BulkVerdict::malformed;
        at = incoming_.end();
        // The rest of a cancelled one may never come: its place is the first to be given away.
        if (incoming_.size() >= limits.bulk_transfers_max) {
            at = std::find_if(incoming_.begin(), incoming_.end(),
                              [](const Incoming& each) { return each.cancelled; });
            if (at == incoming_.end()) return BulkVerdict::malformed;
        } else {
            at = incoming_.insert(at, Incoming{});
        }
        *at = {.transfer = chunk.transfer, .next = 0, .total = chunk.total};
    } else if (!begins && (chunk.offset != at->next || chunk.total != at->total) &&
               !mutated<"bulk-follows">()) {
        return BulkVerdict::malformed;
    } else if (begins) {
        at->total = chunk.total;
        at->cancelled = false;
    }
    at->next = chunk.offset + static_cast<std::uint32_t>(chunk.bytes.size());
    const bool cancelled = at->cancelled;
    if (at->next == at->total) incoming_.erase(at);
    if (cancelled) return BulkVerdict::cancelled;
    out = chunk;
    return BulkVerdict::ok;
}

void BulkLane::clear() {
    outgoing_.clear();
    incoming_.clear();
    allowance_ = 0;
}

}  // namespace wt::session
