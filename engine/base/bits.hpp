// SPDX-License-Identifier: MIT
//
// Bit streams, least significant bit first, over memory that somebody else owns. Transactional:
// an operation that fails changes neither cursor nor buffer nor out-value, and the bits beside a
// written field keep their values.  Spec: 001, bit-level serialisation.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/base/bytes.hpp"
#include "engine/base/mutated.hpp"

namespace wt {

enum class BitStatus : std::uint8_t {
    ok,
    invalid_argument,  // Width over 32, a value wider than its width, bytes while unaligned.
    no_room,           // Past the end of the buffer.
    malformed,         // Padding bits that are not zero.
};

inline constexpr unsigned bit_width_max = 32;

class BitWriter {
public:
    explicit BitWriter(MutableBytes target) : target_(target) {}

    // Width 0 takes only the value 0.
    [[nodiscard]] BitStatus bits(std::uint32_t value, unsigned width) {
        if (width > bit_width_max) return BitStatus::invalid_argument;
        if (width < bit_width_max && value >> width != 0) return BitStatus::invalid_argument;
        if (width > left()) return BitStatus::no_room;
        std::size_t at = cursor_ >> 3;
        unsigned offset = static_cast<unsigned>(cursor_ & 7);
        std::uint64_t rest = value;
        for (unsigned todo = width; todo > 0; ++at) {
            const unsigned here = todo < 8 - offset ? todo : 8 - offset;
            const unsigned mask = ((1u << here) - 1u) << offset;
            const unsigned kept = target_[at] & ~mask;
            target_[at] =
                static_cast<std::uint8_t>(kept | (static_cast<unsigned>(rest << offset) & mask));
            rest >>= here;
            todo -= here;
            offset = 0;
        }
        cursor_ += width;
        return BitStatus::ok;
    }
    // Zero bits up to the next byte.
    [[nodiscard]] BitStatus align() {
        return bits(0, static_cast<unsigned>(-cursor_ & std::size_t{7}));
    }
    // Only on a byte boundary.
    [[nodiscard]] BitStatus bytes(ConstBytes source) {
        if (!is_aligned()) return BitStatus::invalid_argument;
        if (source.size() > left() / 8) return BitStatus::no_room;
        std::copy(source.begin(), source.end(),
                  target_.begin() + static_cast<std::ptrdiff_t>(cursor_ / 8));
        cursor_ += source.size() * 8;
        return BitStatus::ok;
    }

    [[nodiscard]] std::size_t bit_count() const { return cursor_; }
    [[nodiscard]] std::size_t byte_count() const { return (cursor_ + 7) / 8; }
    [[nodiscard]] std::size_t left() const { return target_.size() * 8 - cursor_; }
    [[nodiscard]] bool is_aligned() const { return (cursor_ & 7) == 0; }

private:
    MutableBytes target_;
    std::size_t cursor_ = 0;  // In bits.
};

class BitReader {
public:
    explicit BitReader(ConstBytes source) : source_(source) {}

    [[nodiscard]] BitStatus bits(std::uint32_t& out, unsigned width) {
        if (width > bit_width_max) return BitStatus::invalid_argument;
        if (width > left()) {
            if (mutated<"bits-refused">()) cursor_ = source_.size() * 8;
            return BitStatus::no_room;
        }
        std::size_t at = cursor_ >> 3;
        unsigned offset = static_cast<unsigned>(cursor_ & 7);
        std::uint64_t value = 0;
        for (unsigned done = 0; done < width; ++at) {
            value |= std::uint64_t{source_[at]} >> offset << done;
            done += 8 - offset;
            offset = 0;
        }
        out = static_cast<std::uint32_t>(value & ((std::uint64_t{1} << width) - 1));
        cursor_ += width;
        return BitStatus::ok;
    }
    // Skips to the next byte; the bits between must be zero.
    [[nodiscard]] BitStatus align() {
        const unsigned width = static_cast<unsigned>(-cursor_ & std::size_t{7});
        const std::size_t before = cursor_;
        std::uint32_t padding = 0;
        const BitStatus status = bits(padding, width);
        if (status != BitStatus::ok) return status;
        if (padding == 0 || mutated<"bits-padding">()) return BitStatus::ok;
        cursor_ = before;
        return BitStatus::malformed;
    }
    // Fills `target` whole, or nothing. Only on a byte boundary.
    [[nodiscard]] BitStatus bytes(MutableBytes target) {
        if (!is_aligned()) return BitStatus::invalid_argument;
        if (target.size() > left() / 8) return BitStatus::no_room;
        if (!target.empty()) {
            std::memcpy(target.data(), source_.data() + cursor_ / 8, target.size());
        }
        cursor_ += target.size() * 8;
        return BitStatus::ok;
    }

    [[nodiscard]] std::size_t bit_count() const { return cursor_; }
    [[nodiscard]] std::size_t left() const { return source_.size() * 8 - cursor_; }
    [[nodiscard]] bool is_aligned() const { return (cursor_ & 7) == 0; }

private:
    ConstBytes source_;
    std::size_t cursor_ = 0;  // In bits.
};

}  // namespace wt
