// SPDX-License-Identifier: MIT
#include "simulator/trace/ring.hpp"

#include <algorithm>
#include <utility>

#include "engine/base/mutated.hpp"

namespace wt::trace {

Ring::Ring(std::int64_t span_ns, std::uint64_t room_bytes)
    : span_ns_(span_ns),
      chunks_max_(std::max<std::uint64_t>(
          room_bytes / (std::uint64_t{chunk_records} * Record::stored_bytes), 2)) {}

const std::uint8_t* Ring::at(std::uint64_t number) const {
    const std::uint64_t place = number - first_;
    return chunks_[place / chunk_records]->data() +
           place % chunk_records * std::size_t{Record::stored_bytes};
}

std::int64_t Ring::time_of(std::uint64_t number) const {
    return Record::load(at(number)).time;
}

// Whole chunks go, and only when the chunk behind them covers the span too.
void Ring::drop_old(std::int64_t now_ns) {
    while (chunks_.size() > 1) {
        const bool is_over = time_of(first_ + chunk_records) <= now_ns - span_ns_;
        if (!is_over && chunks_.size() < chunks_max_) return;
        was_full_ = was_full_ || !is_over;
        spare_.push_back(std::move(chunks_.front()));
        chunks_.erase(chunks_.begin());
        first_ += chunk_records;
    }
}

void Ring::add(const std::uint8_t* stored_record) {
    const std::uint64_t place = added_ - first_;
    if (place % chunk_records == 0) {
        drop_old(Record::load(stored_record).time);
        std::unique_ptr<Chunk> chunk;
        if (spare_.empty()) {
            chunk = std::make_unique<Chunk>(std::size_t{chunk_records} * Record::stored_bytes);
        } else {
            chunk = std::move(spare_.back());
            spare_.pop_back();
        }
        chunks_.push_back(std::move(chunk));
    }
    std::memcpy(chunks_.back()->data() + place % chunk_records * std::size_t{Record::stored_bytes},
                stored_record, Record::stored_bytes);
    ++added_;
}

std::uint64_t Ring::first_kept(std::int64_t end_ns) const {
    if (mutated<"trace-last">()) return first_;
    std::uint64_t low = first_;
    std::uint64_t high = added_;
    while (low < high) {
        const std::uint64_t middle = low + (high - low) / 2;
        if (time_of(middle) < end_ns - span_ns_)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

}  // namespace wt::trace
