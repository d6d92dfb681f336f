// SPDX-License-Identifier: MIT
//
// Little-endian byte streams over memory that somebody else owns. Every operation either happens
// whole or changes nothing and says so; a chain of them can be checked once at its end through
// failed(). Wire bytes are written field by field through these, never by copying a struct (D9).
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace wt {

using ConstBytes = std::span<const std::uint8_t>;
using MutableBytes = std::span<std::uint8_t>;

// The characters of a text as they lie in memory.
[[nodiscard]] inline ConstBytes bytes_of(std::string_view text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// Plain loads and stores, little endian, for fixed layouts whose bounds were checked already.
template <std::unsigned_integral T>
inline void store_little(std::uint8_t* at, T v) {
    if constexpr (std::endian::native == std::endian::little) {
        std::memcpy(at, &v, sizeof(T));
    } else {
        for (std::size_t i = 0; i < sizeof(T); ++i)
            at[i] = static_cast<std::uint8_t>(v >> (8 * i));
    }
}
template <std::unsigned_integral T>
[[nodiscard]] inline T load_little(const std::uint8_t* at) {
    T v = 0;
    if constexpr (std::endian::native == std::endian::little) {
        std::memcpy(&v, at, sizeof(T));
    } else {
        for (std::size_t i = sizeof(T); i-- > 0;)
            v = static_cast<T>((v << 8) | at[i]);
    }
    return v;
}
inline void store_u16(std::uint8_t* at, std::uint16_t v) {
    store_little(at, v);
}
inline void store_u32(std::uint8_t* at, std::uint32_t v) {
    store_little(at, v);
}
inline void store_u64(std::uint8_t* at, std::uint64_t v) {
    store_little(at, v);
}
[[nodiscard]] inline std::uint16_t load_u16(const std::uint8_t* at) {
    return load_little<std::uint16_t>(at);
}
[[nodiscard]] inline std::uint32_t load_u32(const std::uint8_t* at) {
    return load_little<std::uint32_t>(at);
}
[[nodiscard]] inline std::uint64_t load_u64(const std::uint8_t* at) {
    return load_little<std::uint64_t>(at);
}

class ByteWriter {
public:
    explicit ByteWriter(MutableBytes target) : target_(target) {}

    // Each returns false, writes nothing and remembers the failure when it does not fit.
    bool u8(std::uint8_t v) {
        std::uint8_t* at = claim(1);
        if (at == nullptr) return false;
        *at = v;
        return true;
    }
    bool u16(std::uint16_t v) {
        std::uint8_t* at = claim(2);
        if (at == nullptr) return false;
        store_u16(at, v);
        return true;
    }
    bool u32(std::uint32_t v) {
        std::uint8_t* at = claim(4);
        if (at == nullptr) return false;
        store_u32(at, v);
        return true;
    }
    bool u64(std::uint64_t v) {
        std::uint8_t* at = claim(8);
        if (at == nullptr) return false;
        store_u64(at, v);
        return true;
    }
    bool bytes(ConstBytes source) {
        std::uint8_t* at = claim(source.size());
        if (at == nullptr) return false;
        if (!source.empty()) std::memcpy(at, source.data(), source.size());
        return true;
    }
    bool zeros(std::size_t count) {
        std::uint8_t* at = claim(count);
        if (at == nullptr) return false;
        if (count != 0) std::memset(at, 0, count);
        return true;
    }

    [[nodiscard]] std::size_t written() const { return written_; }
    [[nodiscard]] std::size_t left() const { return target_.size() - written_; }
    [[nodiscard]] bool failed() const { return failed_; }
    // What was written so far; valid as long as the target.
    [[nodiscard]] ConstBytes view() const { return target_.first(written_); }

private:
    std::uint8_t* claim(std::size_t count) {
        if (count > left()) {
            failed_ = true;
            return nullptr;
        }
        std::uint8_t* at = target_.data() + written_;
        written_ += count;
        return at;
    }

    MutableBytes target_;
    std::size_t written_ = 0;
    bool failed_ = false;
};

class ByteReader {
public:
    explicit ByteReader(ConstBytes source) : source_(source) {}

    // Each returns false, leaves cursor and out-value alone and remembers the failure when too
    // few bytes are left.
    bool u8(std::uint8_t& out) {
        const std::uint8_t* at = claim(1);
        if (at == nullptr) return false;
        out = *at;
        return true;
    }
    bool u16(std::uint16_t& out) {
        const std::uint8_t* at = claim(2);
        if (at == nullptr) return false;
        out = load_u16(at);
        return true;
    }
    bool u32(std::uint32_t& out) {
        const std::uint8_t* at = claim(4);
        if (at == nullptr) return false;
        out = load_u32(at);
        return true;
    }
    bool u64(std::uint64_t& out) {
        const std::uint8_t* at = claim(8);
        if (at == nullptr) return false;
        out = load_u64(at);
        return true;
    }
    // Fills `target` whole, or nothing.
    bool bytes(MutableBytes target) {
        const std::uint8_t* at = claim(target.size());
        if (at == nullptr) return false;
        if (!target.empty()) std::memcpy(target.data(), at, target.size());
        return true;
    }
    // A view of the next `count` bytes; valid as long as the source.
    bool view(std::size_t count, ConstBytes& out) {
        const std::uint8_t* at = claim(count);
        if (at == nullptr) return false;
        out = {at, count};
        return true;
    }

    [[nodiscard]] std::size_t left() const { return source_.size() - read_; }
    [[nodiscard]] std::size_t position() const { return read_; }
    [[nodiscard]] bool failed() const { return failed_; }

private:
    const std::uint8_t* claim(std::size_t count) {
        if (count > left()) {
            failed_ = true;
            return nullptr;
        }
        const std::uint8_t* at = source_.data() + read_;
        read_ += count;
        return at;
    }

    ConstBytes source_;
    std::size_t read_ = 0;
    bool failed_ = false;
};

}  // namespace wt
