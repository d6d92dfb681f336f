// SPDX-License-Identifier: MIT
//
// How libFuzzer changes files that are made of fields: beside its own ways with bytes, fields of 2,
// 4 and 8 bytes are set to nothing, to everything, to the file's size, and to what stands
// elsewhere.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "engine/base/bytes.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

// The first byte is the target's own; fields begin behind it.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned seed) {
    std::uint64_t state = seed * 0x9e37'79b9'7f4a'7c15ull + 1;
    const auto below = [&](std::size_t count) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        return static_cast<std::size_t>(state % count);
    };
    if (size < 17 || below(2) == 0) return LLVMFuzzerMutate(data, size, max_size);
    static constexpr std::array<std::size_t, 3> widths = {2, 4, 8};
    const std::size_t width = widths[below(widths.size())];
    const std::size_t fields = (size - 1) / width;
    std::uint8_t* const field = data + 1 + below(fields) * width;
    std::array<std::uint8_t, 8> value{};
    switch (below(6)) {
        case 0:
            break;
        case 1:
            value.fill(0xff);
            break;
        case 2:
            wt::store_u64(value.data(), size - 1 - below(64));
            break;
        case 3:
            std::memcpy(value.data(), data + 1 + below(fields) * width, width);
            break;
        case 4:
            value[below(width)] = static_cast<std::uint8_t>(1u << below(8));
            break;
        default:
            std::memcpy(value.data(), field, width);
            value[below(width)] = static_cast<std::uint8_t>(below(256));
            break;
    }
    std::memcpy(field, value.data(), width);
    return size;
}
