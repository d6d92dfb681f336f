// SPDX-License-Identifier: MIT
#include "engine/secure/deadline_heap.hpp"

#include "engine/base/check.hpp"

namespace wt::secure {

DeadlineHeap::DeadlineHeap(std::uint32_t capacity)
    : place_(capacity, absent), deadline_(capacity, Instant::never()) {
    heap_.reserve(capacity);
}

void DeadlineHeap::set(std::uint32_t member, Instant deadline) {
    WT_CHECK(member < place_.size());
    if (deadline == Instant::never()) {
        remove(member);
        return;
    }
    if (place_[member] == absent) {
        deadline_[member] = deadline;
        heap_.push_back(member);
        place_[member] = static_cast<std::uint32_t>(heap_.size()) - 1;
        rise(place_[member]);
        return;
    }
    if (deadline_[member] == deadline) return;
    deadline_[member] = deadline;
    rise(place_[member]);
    sink(place_[member]);
}

void DeadlineHeap::clear() {
    for (const std::uint32_t member : heap_)
        place_[member] = absent;
    heap_.clear();
}

Instant DeadlineHeap::earliest() const {
    return heap_.empty() ? Instant::never() : deadline_[heap_.front()];
}

std::uint32_t DeadlineHeap::first() const {
    WT_CHECK(!heap_.empty());
    return heap_.front();
}

bool DeadlineHeap::is_before(std::uint32_t a, std::uint32_t b) const {
    return deadline_[a] != deadline_[b] ? deadline_[a] < deadline_[b] : a < b;
}

void DeadlineHeap::put(std::uint32_t place, std::uint32_t member) {
    heap_[place] = member;
    place_[member] = place;
}

void DeadlineHeap::rise(std::uint32_t place) {
    const std::uint32_t member = heap_[place];
    while (place > 0) {
        const std::uint32_t parent = (place - 1) / 2;
        if (!is_before(member, heap_[parent])) break;
        put(place, heap_[parent]);
        place = parent;
    }
    put(place, member);
}

void DeadlineHeap::sink(std::uint32_t place) {
    const std::uint32_t member = heap_[place];
    const std::uint32_t count = static_cast<std::uint32_t>(heap_.size());
    for (;;) {
        std::uint32_t child = place * 2 + 1;
        if (child >= count) break;
        if (child + 1 < count && is_before(heap_[child + 1], heap_[child])) ++child;
        if (!is_before(heap_[child], member)) break;
        put(place, heap_[child]);
        place = child;
    }
    put(place, member);
}

void DeadlineHeap::remove(std::uint32_t member) {
    const std::uint32_t place = place_[member];
    if (place == absent) return;
    const std::uint32_t last = heap_.back();
    heap_.pop_back();
    place_[member] = absent;
    if (last == member) return;
    put(place, last);
    rise(place);
    sink(place_[last]);
}

}  // namespace wt::secure
