// SPDX-License-Identifier: MIT
//
// Why a datagram that was handed over never reached its receiver's endpoint. Every loss in a run
// has exactly one of these; there are no silent drops.
#pragma once

#include <array>
#include <cstdint>

namespace wt::sim {

// Values enter digests: append only.
enum class DropCause : std::uint8_t {
    none,            // Not dropped.
    loss,            // The direction's own loss, independent or in bursts.
    bad_state,       // The coupled bad state's extra loss.
    queue,           // The stated queue of a limited rate was full.
    aqm,             // Active queue management.
    police,          // A policer.
    mtu,             // Larger than the path's MTU; a black hole says nothing.
    partition,       // Sent into a partition, or in flight when one began.
    receive_buffer,  // The receiver did not read fast enough.
    corrupt,         // Altered so that the receiver's UDP checksum would refuse it.
    exact,           // An exact fault of the scenario.
    no_socket,       // Nobody listens at that address: dead, restarted, or never there.
    nat,             // Sent to an outer address that its translator has given up.
    mtu_reply,       // Larger than the path's MTU, and a router said so to the sender's host.
};
inline constexpr unsigned drop_cause_count = 14;

[[nodiscard]] const char* name_of(DropCause cause);

// Drops by cause; the entry of `none` stays 0.
struct DropCounters {
    std::array<std::uint64_t, drop_cause_count> by_cause{};

    void count(DropCause cause) { ++by_cause[static_cast<unsigned>(cause)]; }
    [[nodiscard]] std::uint64_t of(DropCause cause) const {
        return by_cause[static_cast<unsigned>(cause)];
    }
    [[nodiscard]] std::uint64_t total() const {
        std::uint64_t sum = 0;
        for (const std::uint64_t each : by_cause)
            sum += each;
        return sum;
    }
    void add(const DropCounters& other) {
        for (unsigned i = 0; i < drop_cause_count; ++i)
            by_cause[i] += other.by_cause[i];
    }
};

}  // namespace wt::sim
