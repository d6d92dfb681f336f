// SPDX-License-Identifier: MIT
//
// The fuzzer's bytes, taken one field after the other. Past the end every field is 0, so that each
// input means something.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "engine/base/bytes.hpp"
#include "engine/base/check.hpp"

namespace wt::fuzz {

class FuzzBytes {
public:
    FuzzBytes(const std::uint8_t* data, std::size_t size) : rest_(data, size) {}

    std::uint8_t u8() { return static_cast<std::uint8_t>(little(1)); }
    std::uint16_t u16() { return static_cast<std::uint16_t>(little(2)); }
    std::uint32_t u32() { return static_cast<std::uint32_t>(little(4)); }
    std::uint64_t u64() { return little(8); }
    // Up to `count` bytes, fewer at the end. Valid as long as the input.
    ConstBytes bytes(std::size_t count) {
        const ConstBytes taken = rest_.first(std::min(count, rest_.size()));
        rest_ = rest_.subspan(taken.size());
        return taken;
    }
    std::string_view text() {
        const ConstBytes all = bytes(rest_.size());
        return {reinterpret_cast<const char*>(all.data()), all.size()};
    }
    [[nodiscard]] bool empty() const { return rest_.empty(); }

private:
    std::uint64_t little(std::size_t count) {
        const ConstBytes taken = bytes(count);
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < taken.size(); ++i)
            value |= std::uint64_t{taken[i]} << (8 * i);
        return value;
    }

    ConstBytes rest_;
};

}  // namespace wt::fuzz
