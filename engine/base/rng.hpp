// SPDX-License-Identifier: MIT
//
// Luck by counter, never by history: a draw is a hash of (seed, name, purpose, place), so one draw
// more or less moves no other. Weather keys its draws by place in time (simulator/link); a
// LuckStream is for owners that only ever go forward, such as a behaviour or an entropy source.
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/base/hash.hpp"
#include "engine/base/units.hpp"
#include "engine/base/wide.hpp"

namespace wt {

// The root of all luck under one name: H(seed, name). Names are (group, number), link, purpose.
struct LuckKey {
    std::uint64_t value = 0;

    static LuckKey root(std::uint64_t seed);
    [[nodiscard]] LuckKey with(std::string_view name) const;
    [[nodiscard]] LuckKey with(std::uint64_t number) const {
        return {mix(value ^ 0x9b05'688c'2b3e'6c1f, number ^ 0x510e'527f'ade6'82d1)};
    }
    // 64 uniform bits at a place; equal places give equal bits.
    [[nodiscard]] std::uint64_t draw(std::uint64_t place) const {
        const std::uint64_t once =
            mix(value ^ 0x1f83'd9ab'fb41'bd6b, place ^ 0x5be0'cd19'137e'2179);
        return mix(once ^ 0xcbbb'9d5d'c105'9ed8, value ^ 0x629a'292a'367c'd507);
    }
};

// Uniform in [0, bound); bound 0 gives 0. The bias is below bound / 2^64.
[[nodiscard]] inline std::uint64_t uniform_below(std::uint64_t draw, std::uint64_t bound) {
    return static_cast<std::uint64_t>(static_cast<Wide>(draw) * bound >> 64);
}

// Draws in order under one key.
class LuckStream {
public:
    explicit LuckStream(LuckKey key) : key_(key) {}

    std::uint64_t next() { return key_.draw(drawn_++); }
    std::uint64_t below(std::uint64_t bound) { return uniform_below(next(), bound); }
    bool holds(Chance chance) { return chance.holds(static_cast<std::uint32_t>(next() >> 32)); }
    [[nodiscard]] std::uint64_t drawn() const { return drawn_; }

private:
    LuckKey key_;
    std::uint64_t drawn_ = 0;
};

}  // namespace wt
