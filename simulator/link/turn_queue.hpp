// SPDX-License-Identifier: MIT
//
// A queue in which somebody who comes later may change an earlier one's turn: drop-head, and
// FQ-CoDel after RFC 8290. Who leaves next is decided when the line is free and not before. Buckets
// are lines of their own, served by deficit round robin, those that have just begun first; with one
// bucket it is a plain line. Losses come from the head of the fattest bucket, so what is known
// about the packets of one flow becomes known in the order of their coming.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/base/time.hpp"
#include "simulator/link/aqm.hpp"

namespace wt::sim {

// A packet that waits. `owner` and `number` are the caller's: they come back with the packet.
struct WaitingPacket {
    Instant came{};
    std::uint32_t bytes = 0;  // Headers included.
    std::uint32_t owner = 0;
    std::uint32_t number = 0;
};

class TurnQueue {
public:
    struct Shape {
        std::uint32_t buckets = 1;
        std::uint32_t quantum = 1'514;  // Bytes a bucket may send in one round.
        bool has_codel = false;         // One CoDel a bucket.
    };
    explicit TurnQueue(Shape shape);

    void add(std::uint32_t bucket, const WaitingPacket& packet);

    struct Turn {
        WaitingPacket packet{};
        bool is_dropped = false;  // By its bucket's CoDel: the turn goes on to the next one.
    };
    // Takes out whose turn it is at `now`, which never goes back; nothing of an empty queue.
    // `bits_per_second` is the line's rate, 0 where it has none: CoDel's target is at least a full
    // packet's time.
    [[nodiscard]] std::optional<Turn> take(Instant now, std::uint64_t bits_per_second);
    // Takes out the oldest packet of the bucket with the most bytes; of equal ones the lowest. A
    // bug when empty.
    WaitingPacket drop_from_fattest();

    [[nodiscard]] bool is_empty() const { return count_ == 0; }
    [[nodiscard]] std::uint64_t count() const { return count_; }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
    [[nodiscard]] std::uint32_t buckets() const { return shape_.buckets; }
    // How often there was no room for one more packet.
    [[nodiscard]] std::uint64_t growth() const { return growth_; }

private:
    static constexpr std::uint32_t none = 0xffff'ffff;

    struct Cell {
        WaitingPacket packet{};
        std::uint32_t next = none;  // In its bucket, or among the free.
    };
    // Which list of the round a bucket stands in.
    enum class Standing : std::uint8_t { idle, fresh, old };
    struct Bucket {
        std::uint32_t first = none;
        std::uint32_t last = none;
        std::uint64_t bytes = 0;
        std::int64_t deficit = 0;
        std::uint32_t next = none;  // In the list that it stands in.
        Standing standing = Standing::idle;
        Codel codel{};
    };
    struct List {
        std::uint32_t first = none;
        std::uint32_t last = none;
    };

    WaitingPacket pop(Bucket& bucket);
    void append(List& list, std::uint32_t bucket, Standing standing);
    // Its first bucket leaves the list.
    void remove_first(List& list);
    [[nodiscard]] std::uint32_t fattest_of(const List& list, std::uint32_t best) const;

    Shape shape_;
    std::vector<Bucket> buckets_;
    List fresh_{};
    List old_{};
    std::vector<Cell> cells_{};
    std::uint32_t free_ = none;
    std::uint64_t count_ = 0;
    std::uint64_t bytes_ = 0;
    std::uint64_t growth_ = 0;
};

}  // namespace wt::sim
