// SPDX-License-Identifier: MIT
//
// The fast half of base/bits.hpp for the inside of snapshots: the same bits, least significant
// first, but 64 at a time and without a status for each field. Whoever uses them keeps count: a
// packer never writes past its end (what does not fit is dropped and said), a reader past its end
// gives zeros and says so.
#pragma once

#include <cstdint>
#include <cstring>

#include "engine/base/bytes.hpp"

namespace wt::replication {

class BitPacker {
public:
    explicit BitPacker(MutableBytes target) : target_(target) {}

    // `width` <= 64; `value` has no bits above it.
    void put(std::uint64_t value, unsigned width) {
        pending_ |= value << filled_;
        const unsigned total = filled_ + width;
        if (total < 64) {
            filled_ = total;
            return;
        }
        flush_word();
        // filled_ is 0 only where the whole value went out with this word.
        pending_ = filled_ == 0 ? 0 : value >> (64 - filled_);
        filled_ = total - 64;
    }
    // `count` bits that stand packed at `bits`, of which 8 bytes past the end may be read.
    void append(const std::uint8_t* bits, std::uint32_t count) {
        // Whole words while there is room for them; the shift is the same for all.
        if (filled_ != 0) {
            const unsigned filled = filled_;
            std::uint64_t pending = pending_;
            for (; count >= 64 && at_ + 8 <= target_.size(); count -= 64, bits += 8, at_ += 8) {
                const std::uint64_t word = load_u64(bits);
                store_u64(target_.data() + at_, pending | word << filled);
                pending = word >> (64 - filled);
            }
            pending_ = pending;
        }
        for (; count >= 64; count -= 64, bits += 8)
            put(load_u64(bits), 64);
        if (count > 0) put(load_u64(bits) & ((std::uint64_t{1} << count) - 1), count);
    }
    // Bytes that the bits so far take, the last one filled with zeros. Ends the writing.
    [[nodiscard]] std::size_t finish() {
        const std::size_t rest = (filled_ + 7) / 8;
        for (std::size_t i = 0; i < rest; ++i)
            put_byte(static_cast<std::uint8_t>(pending_ >> (8 * i)));
        filled_ = 0;
        pending_ = 0;
        return at_;
    }
    [[nodiscard]] std::size_t bit_count() const { return at_ * 8 + filled_; }
    [[nodiscard]] bool overran() const { return overran_; }

private:
    void put_byte(std::uint8_t byte) {
        if (at_ < target_.size()) {
            target_[at_] = byte;
        } else {
            overran_ = true;
        }
        ++at_;
    }
    void flush_word() {
        if (at_ + 8 <= target_.size()) {
            store_u64(target_.data() + at_, pending_);
            at_ += 8;
            return;
        }
        for (unsigned i = 0; i < 8; ++i)
            put_byte(static_cast<std::uint8_t>(pending_ >> (8 * i)));
    }

    MutableBytes target_;
    std::uint64_t pending_ = 0;
    unsigned filled_ = 0;  // Bits of `pending_`, below 64.
    std::size_t at_ = 0;   // Bytes written.
    bool overran_ = false;
};

class BitSource {
public:
    explicit BitSource(ConstBytes source) : source_(source), bits_(source.size() * 8) {}

    // The next 57 bits at least, zeros after the end.
    [[nodiscard]] std::uint64_t peek() const {
        const std::size_t byte = at_ >> 3;
        const unsigned offset = static_cast<unsigned>(at_ & 7);
        if (byte + 8 <= source_.size()) [[likely]] {
            return load_u64(source_.data() + byte) >> offset;
        }
        std::uint64_t word = 0;
        for (std::size_t i = 0; i < 8; ++i) {
            if (byte + i < source_.size()) word |= std::uint64_t{source_[byte + i]} << (8 * i);
        }
        return word >> offset;
    }
    void skip(unsigned width) { at_ += width; }
    // `width` <= 57.
    [[nodiscard]] std::uint64_t take(unsigned width) {
        const std::uint64_t value = peek() & ((std::uint64_t{1} << width) - 1);
        at_ += width;
        return value;
    }
    [[nodiscard]] std::size_t bit_count() const { return at_; }
    [[nodiscard]] bool overran() const { return at_ > bits_; }

private:
    ConstBytes source_;
    std::size_t bits_ = 0;
    std::size_t at_ = 0;
};

}  // namespace wt::replication
