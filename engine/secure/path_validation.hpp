// SPDX-License-Identifier: MIT
//
// A connection whose other end was heard from a new address: which one it is, which challenges went
// there, and how many bytes that address has earned. It knows no keys: whoever calls note() has
// checked the tag. The old address stays in use until a challenge is answered from the new one.
// Spec: 000, connection establishment (return-path reachability); README.md, "a new address".
#pragma once

#include <array>
#include <cstdint>

#include "engine/base/time.hpp"
#include "engine/transport/address.hpp"

namespace wt::secure {

class PathValidation {
public:
    // A new candidate is taken at most so often, and takes the place of the one before.
    static constexpr Duration begin_interval = Duration::seconds(1);
    // Between two challenges: the smallest retransmission timeout.
    static constexpr Duration challenge_interval = Duration::millis(200);
    // Longer than a round trip of 2.1 s, the longest that the transport is meant for.
    static constexpr Duration lifetime = Duration::seconds(3);
    // One at once and one each interval: 3 s / 200 ms + 1.
    static constexpr unsigned challenges_max = 16;

    void reset() { *this = {}; }

    // An authentic datagram of `bytes` came from `from`, where the connection does not live. True
    // where this made `from` the candidate; else it counts for it if it is, and does nothing if
    // not.
    bool note(Instant now, const transport::Address& from, std::size_t bytes);
    // A candidate that nobody confirmed in its lifetime is none any more.
    void expire(Instant now);
    void drop() { active_ = false; }

    // Whether a challenge may leave now. Never one byte more than came from there.
    [[nodiscard]] bool is_due(Instant now) const;
    // One left, under this packet number.
    void note_sent(Instant now, std::uint64_t number);
    // Whether a response from `from` that names `number` proves the new path.
    [[nodiscard]] bool is_answer(const transport::Address& from, std::uint64_t number) const;

    [[nodiscard]] bool is_active() const { return active_; }
    // The last one there was, whether still active or not.
    [[nodiscard]] const transport::Address& candidate() const { return candidate_; }
    // never() where nothing is to be done before the next datagram from there.
    [[nodiscard]] Instant next_deadline() const;

private:
    [[nodiscard]] bool may_send() const;

    transport::Address candidate_{};
    Instant begun_at_{};
    Instant next_challenge_{};
    std::uint64_t bytes_in_ = 0;
    std::uint64_t bytes_out_ = 0;
    std::array<std::uint64_t, challenges_max> numbers_{};  // Of the challenges sent.
    unsigned sent_ = 0;
    bool active_ = false;
    bool has_begun_ = false;  // There ever was a candidate: `begun_at_` means something.
};

}  // namespace wt::secure
