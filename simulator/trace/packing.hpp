// SPDX-License-Identifier: MIT
//
// The parts of a trace without a fixed size: numbers, texts and lists one after the other, little
// endian. A text is its length in 32 bits and its bytes; a list its length in 32 bits and its
// entries.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/bytes.hpp"

namespace wt::trace {

class Packer {
public:
    explicit Packer(std::vector<std::uint8_t>& target) : target_(target) {}

    template <std::unsigned_integral T>
    void number(T value) {
        const std::size_t at = target_.size();
        target_.resize(at + sizeof(T));
        store_little(target_.data() + at, value);
    }
    void time(std::int64_t value) { number(static_cast<std::uint64_t>(value)); }
    void text(std::string_view value) {
        number(static_cast<std::uint32_t>(value.size()));
        target_.insert(target_.end(), value.begin(), value.end());
    }
    template <class List, class Each>
    void list(const List& list, Each each) {
        number(static_cast<std::uint32_t>(list.size()));
        for (const auto& entry : list)
            each(entry);
    }

private:
    std::vector<std::uint8_t>& target_;
};

// Reads what a Packer wrote. Once something does not fit, everything after it reads as nothing and
// failed() says so; a list never has more entries than bytes are left.
class Unpacker {
public:
    explicit Unpacker(ConstBytes source) : reader_(source) {}

    template <std::unsigned_integral T>
    [[nodiscard]] T number() {
        T value = 0;
        ConstBytes view;
        if (!reader_.failed() && reader_.view(sizeof(T), view)) value = load_little<T>(view.data());
        return value;
    }
    [[nodiscard]] std::int64_t time() { return static_cast<std::int64_t>(number<std::uint64_t>()); }
    [[nodiscard]] std::string text() {
        const std::uint32_t size = number<std::uint32_t>();
        ConstBytes view;
        if (reader_.failed() || !reader_.view(size, view)) return {};
        return {view.begin(), view.end()};
    }
    template <class Entry, class Each>
    void list(std::vector<Entry>& out, Each each) {
        const std::uint32_t count = number<std::uint32_t>();
        for (std::uint32_t i = 0; i < count && !reader_.failed() && reader_.left() > 0; ++i)
            each(out.emplace_back());
        // A count that the bytes cannot hold is damage, not a short list.
        if (out.size() != count) is_short_ = true;
    }

    [[nodiscard]] bool failed() const { return reader_.failed() || is_short_; }

private:
    ByteReader reader_;
    bool is_short_ = false;
};

}  // namespace wt::trace
