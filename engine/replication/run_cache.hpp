// SPDX-License-Identifier: MIT
//
// Stretches of a snapshot that many peers are sent alike: slots in a row whose deltas are made
// against the same tick, as bits, written once a tick for all of them. A place holds one stretch a
// tick; whoever needs another one there writes object by object.
// Easy to break: what is in here is of one tick, so begin() must be called before the next one.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "engine/base/bytes.hpp"

namespace wt::replication {

// Some slots of a word of 64. The bits lack the first one's place (gap and age), which depends on
// what stands before.
struct SharedRun {
    std::uint64_t slots = 0;
    std::uint64_t made = 0;  // Of which begin() it is; 0 = none.
    std::uint32_t at = 0;    // Of its bits.
    std::uint16_t bits = 0;
    std::uint16_t word = 0;
    std::uint8_t age = 0;

    [[nodiscard]] std::uint32_t first_slot() const {
        return word * 64u + static_cast<std::uint32_t>(std::countr_zero(slots));
    }
    [[nodiscard]] std::uint32_t last_slot() const {
        return word * 64u + 63u - static_cast<std::uint32_t>(std::countl_zero(slots));
    }
};

class RunCache {
public:
    // Room for all of a tick's stretches, taken at once: what finds none is not shared.
    explicit RunCache(std::size_t bytes) : bits_(bytes + slack_bytes), places_(place_count) {}

    void begin() {
        ++turn_;
        used_ = 0;
    }
    // Where a stretch with this beginning has its place.
    [[nodiscard]] SharedRun& place_of(std::uint32_t first_slot, std::uint32_t age) {
        const std::uint32_t key = first_slot << 6 | age;
        return places_[key * 0x9e37'79b1u >> (32 - place_bits)];
    }
    [[nodiscard]] bool is_current(const SharedRun& run) const { return run.made == turn_; }
    // Room for the bits of one stretch, which take() then makes its own. May be too small.
    [[nodiscard]] MutableBytes room() {
        return MutableBytes(bits_).subspan(used_, bits_.size() - slack_bytes - used_);
    }
    void take(SharedRun& run, std::size_t bytes) {
        run.made = turn_;
        run.at = static_cast<std::uint32_t>(used_);
        used_ += bytes;
    }
    // May be read up to 8 bytes past the run's end.
    [[nodiscard]] const std::uint8_t* bits_of(const SharedRun& run) const {
        return bits_.data() + run.at;
    }

private:
    // 1,024 places: about 20 beginnings at each of 8 ages are in use at once.
    static constexpr unsigned place_bits = 10;
    static constexpr std::size_t place_count = std::size_t{1} << place_bits;
    static constexpr std::size_t slack_bytes = 8;

    std::vector<std::uint8_t> bits_;
    std::vector<SharedRun> places_;
    std::uint64_t turn_ = 0;
    std::size_t used_ = 0;
};

}  // namespace wt::replication
