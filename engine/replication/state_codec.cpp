// SPDX-License-Identifier: MIT
#include "engine/replication/state_codec.hpp"

#include <bit>

#include "engine/base/wide.hpp"

namespace wt::replication {

namespace {

// Bits are gathered in one wide word: no delta is longer.
class Gather {
public:
    void put(std::uint32_t value, unsigned width) {
        bits_ |= Wide{value} << count_;
        count_ += width;
    }
    [[nodiscard]] StateBits bits() const {
        return {.low = static_cast<std::uint64_t>(bits_),
                .high = static_cast<std::uint32_t>(bits_ >> 64),
                .count = static_cast<std::uint16_t>(count_)};
    }

private:
    Wide bits_ = 0;
    unsigned count_ = 0;
};

// The difference to - from modulo 2^bits, as 0, -1, 1, -2, 2 ...: it takes as many bits as its
// size needs, and `bits` at most.
std::uint32_t zigzag(std::uint16_t from, std::uint16_t to, unsigned bits) {
    const std::uint32_t mask = (1u << bits) - 1;
    const std::uint32_t ahead = (std::uint32_t{to} - from) & mask;
    const bool negative = (ahead >> (bits - 1) & 1u) != 0;
    return negative ? (((mask ^ ahead) << 1) | 1u) & mask : ahead << 1;
}

unsigned class_of(const std::array<std::uint8_t, 4>& width, std::uint32_t code) {
    const unsigned need = static_cast<unsigned>(std::bit_width(code));
    return need == 0 ? 0u : need <= width[1] ? 1u : need <= width[2] ? 2u : 3u;
}

}  // namespace

StateBits make_absolute(const Layout& layout, const State& state) {
    Gather out;
    for (unsigned i = 0; i < layout.field_count; ++i)
        out.put(state.fields[i], layout.width[i][3]);
    return out.bits();
}

StateBits make_delta(const Layout& layout, const State& base, const State& state) {
    std::array<std::uint32_t, fields_max> code{};
    std::array<unsigned, fields_max> kind{};
    bool cold_changed = false;
    for (unsigned i = 0; i < layout.field_count; ++i) {
        code[i] = zigzag(base.fields[i], state.fields[i], layout.width[i][3]);
        kind[i] = class_of(layout.width[i], code[i]);
        cold_changed = cold_changed || (i >= layout.hot_count && kind[i] != 0);
    }
    Gather out;
    for (unsigned i = 0; i < layout.hot_count; ++i)
        out.put(kind[i], 2);
    if (layout.hot_count < layout.field_count) {
        out.put(cold_changed ? 1 : 0, 1);
        for (unsigned i = layout.hot_count; cold_changed && i < layout.field_count; ++i)
            out.put(kind[i], 2);
    }
    for (unsigned i = 0; i < layout.field_count; ++i)
        out.put(code[i], layout.width[i][kind[i]]);
    return out.bits();
}

State read_absolute(const Layout& layout, BitSource& source) {
    State state;
    for (unsigned i = 0; i < layout.field_count; ++i)
        state.fields[i] = static_cast<std::uint16_t>(source.take(layout.width[i][3]));
    return state;
}

State read_wide_delta(const Layout& layout, const State& base, BitSource& source) {
    // At most 11 bits of classes, then fields of 16: three fit beside them in one load.
    std::uint64_t word = source.peek();
    unsigned kinds = static_cast<unsigned>(word) & ((1u << (2 * layout.hot_count)) - 1);
    unsigned used = 2u * layout.hot_count;
    if (layout.hot_count < layout.field_count) {
        if ((word >> used & 1u) != 0) {
            const unsigned cold = 2u * (layout.field_count - layout.hot_count);
            kinds |= (static_cast<unsigned>(word >> (used + 1)) & ((1u << cold) - 1)) << used;
            used += cold;
        }
        ++used;
    }
    State state;
    for (unsigned i = 0; i < layout.field_count; ++i) {
        const unsigned kind = kinds >> (2 * i) & 3u;
        const unsigned width = layout.width[i][kind];
        if (used + width > 57) {
            source.skip(used);
            word = source.peek();
            used = 0;
        }
        const std::uint32_t code = static_cast<std::uint32_t>(word >> used) & ((1u << width) - 1);
        used += width;
        state.fields[i] = unzigzag(base.fields[i], code, layout.width[i][3]);
    }
    source.skip(used);
    return state;
}

}  // namespace wt::replication
