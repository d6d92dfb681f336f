// SPDX-License-Identifier: MIT
#include "simulator/link/turn_queue.hpp"

#include "engine/base/check.hpp"
#include "engine/base/mutated.hpp"

namespace wt::sim {

TurnQueue::TurnQueue(Shape shape) : shape_(shape), buckets_(shape.buckets) {
    WT_CHECK(shape.buckets > 0);
    WT_CHECK(shape.quantum > 0);
}

void TurnQueue::add(std::uint32_t number, const WaitingPacket& packet) {
    constexpr std::size_t cells_first = 64;
    WT_CHECK(number < buckets_.size());
    if (free_ == none) {
        const std::size_t from = cells_.size();
        const std::size_t room = from == 0 ? cells_first : from * 2;
        cells_.resize(room);
        for (std::size_t i = room; i > from; --i) {
            cells_[i - 1].next = free_;
            free_ = static_cast<std::uint32_t>(i - 1);
        }
        ++growth_;
    }
    const std::uint32_t cell = free_;
    free_ = cells_[cell].next;
    cells_[cell] = {packet, none};
    Bucket& bucket = buckets_[number];
    (bucket.first == none ? bucket.first : cells_[bucket.last].next) = cell;
    bucket.last = cell;
    bucket.bytes += packet.bytes;
    bytes_ += packet.bytes;
    ++count_;
    if (bucket.standing != Standing::idle) return;
    // Who has just begun goes before everybody who has been sending.
    bucket.deficit = shape_.quantum;
    const bool is_fresh = !mutated<"fq-new-first">();
    append(is_fresh ? fresh_ : old_, number, is_fresh ? Standing::fresh : Standing::old);
}

// RFC 8290, section 4.2. Each round either takes a packet, empties a list, or gives a bucket a
// quantum, so it ends.
std::optional<TurnQueue::Turn> TurnQueue::take(Instant now, std::uint64_t bits_per_second) {
    while (fresh_.first != none || old_.first != none) {
        List& list = fresh_.first != none ? fresh_ : old_;
        const std::uint32_t number = list.first;
        Bucket& bucket = buckets_[number];
        if (bucket.deficit <= 0) {
            bucket.deficit += shape_.quantum;
            remove_first(list);
            append(old_, number, Standing::old);
            continue;
        }
        if (bucket.first == none) {
            // A fresh one that has run empty still waits a round, so that it cannot come back as
            // fresh ahead of the others.
            const bool was_fresh = bucket.standing == Standing::fresh;
            remove_first(list);
            if (was_fresh) append(old_, number, Standing::old);
            continue;
        }
        const WaitingPacket packet = pop(bucket);
        if (shape_.has_codel) {
            const QueueView view{.now = packet.came,
                                 .turn = now,
                                 .bits_per_second = bits_per_second,
                                 .is_last = bucket.bytes <= full_packet_bytes};
            if (bucket.codel.drops(view)) return Turn{packet, true};
        }
        bucket.deficit -= packet.bytes;
        return Turn{packet, false};
    }
    return std::nullopt;
}

WaitingPacket TurnQueue::drop_from_fattest() {
    const std::uint32_t number = fattest_of(old_, fattest_of(fresh_, none));
    WT_CHECK(number != none);
    return pop(buckets_[number]);
}

std::uint32_t TurnQueue::fattest_of(const List& list, std::uint32_t best) const {
    for (std::uint32_t at = list.first; at != none; at = buckets_[at].next) {
        const std::uint64_t bytes = buckets_[at].bytes;
        if (bytes == 0) continue;
        if (best == none) {
            best = at;
            continue;
        }
        const std::uint64_t most = buckets_[best].bytes;
        const bool is_fatter = mutated<"fq-fattest">() ? bytes < most : bytes > most;
        if (is_fatter || (bytes == most && at < best)) best = at;
    }
    return best;
}

WaitingPacket TurnQueue::pop(Bucket& bucket) {
    WT_CHECK(bucket.first != none);
    const std::uint32_t cell = bucket.first;
    const WaitingPacket packet = cells_[cell].packet;
    bucket.first = cells_[cell].next;
    if (bucket.first == none) bucket.last = none;
    bucket.bytes -= packet.bytes;
    cells_[cell].next = free_;
    free_ = cell;
    bytes_ -= packet.bytes;
    --count_;
    return packet;
}

void TurnQueue::append(List& list, std::uint32_t number, Standing standing) {
    buckets_[number].next = none;
    buckets_[number].standing = standing;
    (list.first == none ? list.first : buckets_[list.last].next) = number;
    list.last = number;
}

void TurnQueue::remove_first(List& list) {
    const std::uint32_t number = list.first;
    list.first = buckets_[number].next;
    if (list.first == none) list.last = none;
    buckets_[number].next = none;
    buckets_[number].standing = Standing::idle;
}

}  // namespace wt::sim
