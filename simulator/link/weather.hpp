// SPDX-License-Identifier: MIT
//
// The luck that one link direction has in store, keyed by where in time a datagram is and not by
// how many came before it: luck(purpose) = H(seed, direction, purpose, millisecond, tag, ordinal).
// One key a purpose, so changing the loss rate leaves the delays of the survivors as they were;
// one datagram less moves at most its own tag's later datagrams of that millisecond.
#pragma once

#include <array>
#include <cstdint>

#include "engine/base/check.hpp"
#include "engine/base/rng.hpp"
#include "engine/base/time.hpp"
#include "engine/transport/label.hpp"

namespace wt::sim {

// What a draw decides. The names enter the keys; the order does not.
enum class Purpose : std::uint8_t {
    loss,
    burst,     // The per-packet chain of bursts in packets.
    bad_loss,  // Loss inside the coupled bad state.
    jitter,
    duplicate,
    reorder,
    corrupt,
    corruption,  // What a corruption does to the bytes.
    handover,    // Loss inside a handover's gap.
    aqm,         // Early drops of a queue's discipline.
};
inline constexpr unsigned purpose_count = 10;

// (millisecond, tag, ordinal), packed so that different places are different numbers.
struct WeatherPlace {
    std::uint64_t value = 0;
};

class Weather {
public:
    explicit Weather(LuckKey direction);

    // Where the next datagram of `tag` stands. Counts it, so call once a datagram, whatever its
    // fate.
    WeatherPlace next_place(Instant sent, transport::WeatherTag tag) {
        // 40 bits of milliseconds are 34 years; 2^20 datagrams of a tag in one millisecond are
        // a billion a second.
        const std::uint64_t slot = static_cast<std::uint64_t>(sent.ns) / 1'000'000;
        Ordinal& ordinal = ordinals_[static_cast<unsigned>(tag)];
        if (ordinal.slot != slot) ordinal = {slot, 0};
        const std::uint64_t k = ordinal.next++;
        WT_CHECK(k < std::uint64_t{1} << 20);
        return {slot << 24 | std::uint64_t{static_cast<unsigned>(tag)} << 20 | k};
    }

    [[nodiscard]] std::uint64_t draw(Purpose purpose, WeatherPlace place) const {
        return keys_[static_cast<unsigned>(purpose)].draw(place.value);
    }
    [[nodiscard]] bool holds(Purpose purpose, WeatherPlace place, Chance chance) const {
        // Most links have most of these at 0; the answer is the same without the draw.
        if (chance == Chance::never()) return false;
        return chance.holds(static_cast<std::uint32_t>(draw(purpose, place) >> 32));
    }

private:
    struct Ordinal {
        std::uint64_t slot = 0;
        std::uint64_t next = 0;
    };

    std::array<LuckKey, purpose_count> keys_{};
    std::array<Ordinal, transport::weather_tag_count> ordinals_{};
};

}  // namespace wt::sim
