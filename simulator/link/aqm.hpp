// SPDX-License-Identifier: MIT
//
// Queues that drop before they are full. Each datagram is judged once, in the order of the queue: a
// first-in first-out queue never lets a later datagram change an earlier one's turn, so what
// happens at a turn can be said when the datagram comes. CoDel after RFC 8289, RED after Floyd and
// Jacobson (gentle), PIE after RFC 8033; the README of this folder says where they differ.
#pragma once

#include <cstdint>

#include "engine/base/time.hpp"
#include "simulator/link/link_config.hpp"

namespace wt::sim {

// Where a packet stands for its bytes, as in a limit of so many packets.
inline constexpr std::uint64_t full_packet_bytes = 1'500;

// floor(sqrt(value)).
[[nodiscard]] std::uint64_t integer_sqrt(std::uint64_t value);

// What a discipline sees of the queue when a datagram comes, itself not counted.
struct QueueView {
    Instant now{};                      // When it comes.
    Instant turn{};                     // When it would begin to leave.
    std::uint64_t waiting_bytes = 0;    // In front of it.
    std::uint64_t limit_bytes = 0;      // Of the queue, as bytes.
    std::uint64_t bits_per_second = 0;  // Of the link just now; 0 where that is not one number.
    // At most a full packet is behind it: known where it is judged at its turn only.
    bool is_last = false;
};

class Codel {
public:
    static constexpr Duration target_least = Duration::millis(5);
    static constexpr Duration interval = Duration::millis(100);

    [[nodiscard]] bool drops(const QueueView& view);

private:
    [[nodiscard]] bool has_stood_too_long(const QueueView& view);
    [[nodiscard]] Instant next_drop(Instant from) const;

    Instant first_above_ = Instant::never();
    Instant drop_next_{};
    std::uint64_t count_ = 0;
    std::uint64_t last_count_ = 0;
    bool is_dropping_ = false;
};

class Red {
public:
    // Of the queue's limit.
    static constexpr std::uint64_t low_share_percent = 25;
    static constexpr std::uint64_t high_share_percent = 75;

    // `luck` is the datagram's own.
    [[nodiscard]] bool drops(const QueueView& view, std::uint64_t luck);

private:
    void average(const QueueView& view);

    std::uint64_t average_q16_ = 0;  // Bytes, in 2^-16.
    std::uint64_t since_drop_ = 0;
    Instant last_{};
};

class Pie {
public:
    static constexpr Duration target = Duration::millis(15);
    static constexpr Duration update = Duration::millis(15);
    static constexpr Duration burst = Duration::millis(150);

    [[nodiscard]] bool drops(const QueueView& view, std::uint64_t luck);

private:
    void step(Duration delay);

    Instant next_update_ = Instant{} + update;
    Duration old_delay_{};
    Duration burst_left_ = burst;
    std::int64_t chance_q32_ = 0;
};

// The discipline that a link says; none for droptail.
class Aqm {
public:
    [[nodiscard]] bool drops(Discipline discipline, const QueueView& view, std::uint64_t luck);

private:
    Codel codel_{};
    Red red_{};
    Pie pie_{};
};

}  // namespace wt::sim
